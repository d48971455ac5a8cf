#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <weir/engine/buffer.hpp>
#include <weir/engine/descriptor_mode.hpp>
#include <weir/engine/error.hpp>

#include "engine/pipeline.hpp"

namespace weir {

class Device;

/// What a descriptor points at: a buffer, or an image.
struct DescriptorView {
    BufferView buffer;
    VkDeviceAddress address = 0; ///< of the view's first byte; for DescriptorMode::buffer
    VkDescriptorImageInfo image{};
};

/// The write of descriptor `binding`, of either. Its set, and where what it points at will be, are the caller's.
inline VkWriteDescriptorSet descriptor_write(std::uint32_t binding, VkDescriptorType type,
                                             const VkDescriptorBufferInfo* buffer, const VkDescriptorImageInfo* image) {
    VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
    write.dstBinding = binding;
    write.descriptorCount = 1;
    write.descriptorType = type;
    write.pBufferInfo = buffer;
    write.pImageInfo = image;
    return write;
}

/// Where a program keeps its descriptors: `copies` times a table with one entry per pass, so that a new copy can be
/// written while the GPU still reads an older one. None of the functions allocates.
class Descriptors {
public:
    virtual ~Descriptors() = default;

    /// Points what pass `pass` in `copy` binds at `views`, one per binding of the pass, in order. The GPU must not be
    /// using the copy.
    virtual void write(std::uint32_t copy, std::uint32_t pass, std::span<const DescriptorView> views) = 0;

    /// Before the first `bind` of a command buffer, and again after commands of others in it.
    virtual void begin(VkCommandBuffer /*commands*/) {}

    /// Binds what `write` wrote for set 0 of the pass's pipeline.
    virtual void bind(VkCommandBuffer commands, std::uint32_t copy, std::uint32_t pass) = 0;
};

/// One entry of the table. A null pipeline has no descriptors: `write` and `bind` do nothing for it.
struct DescriptorPass {
    std::shared_ptr<const Pipeline> pipeline;
    std::vector<VkDescriptorType> bindings; ///< as in the pipeline
    bool has_other_sets =
        false;             ///< in its pipeline, which was made for sets even if the mode is DescriptorMode::buffer
    std::string name = {}; ///< of the pass, for debuggers; may be empty

    [[nodiscard]] bool has_set() const { return pipeline != nullptr && !bindings.empty(); }
};

/// What `wanted` comes to for passes of up to `most_bindings` bindings. Errors: `unsupported` where the device has not
/// what is wanted, or not for so many.
Result<DescriptorMode> choose_descriptors(DescriptorMode wanted, const Capabilities& capabilities,
                                          std::size_t most_bindings);

/// Room for `copies` of all passes, whose pipelines were made for `mode` (not `automatic`). `bound`: of
/// DescriptorMode::buffer, the number of Context::descriptor_buffer among those that the host has bound; none: `begin`
/// binds one. `program`: its name, for debuggers; may be empty. Errors: `out_of_memory`, `limit_exceeded`,
/// `unsupported`.
Result<std::unique_ptr<Descriptors>> make_descriptors(DescriptorMode mode, const std::shared_ptr<Device>& device,
                                                      std::span<const DescriptorPass> passes, std::uint32_t copies,
                                                      std::optional<std::uint32_t> bound = {},
                                                      const std::string& program = {});

// Each in a file of its own.
Result<std::unique_ptr<Descriptors>> make_buffer_and_sets(const std::shared_ptr<Device>& device,
                                                          std::span<const DescriptorPass> passes, std::uint32_t copies,
                                                          const std::string& program);
Result<std::unique_ptr<Descriptors>> make_pooled_sets(std::shared_ptr<Device> device,
                                                      std::span<const DescriptorPass> passes, std::uint32_t copies,
                                                      const std::string& program = {});
Result<std::unique_ptr<Descriptors>>
make_push_descriptors(std::shared_ptr<Device> device, std::span<const DescriptorPass> passes, std::uint32_t copies);
Result<std::unique_ptr<Descriptors>> make_descriptor_buffer(std::shared_ptr<Device> device,
                                                            std::span<const DescriptorPass> passes,
                                                            std::uint32_t copies, std::optional<std::uint32_t> bound);

} // namespace weir
