#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <weir/engine/buffer.hpp>
#include <weir/engine/descriptor_mode.hpp>
#include <weir/engine/error.hpp>

#include "engine/pipeline/pipeline.hpp"

namespace weir {

class DescriptorBuffers;
class DeviceHandle;

/// The buffer or image that a descriptor refers to.
struct DescriptorView {
    BufferView buffer;
    VkDeviceAddress address = 0; ///< first byte of `buffer`; DescriptorMode::buffer only
    VkDescriptorImageInfo image{};
};

/// Returns a write of descriptor `binding`. `type` decides whether `buffer` or `image` is used. The caller sets the
/// set. The pointers must stay valid until the write is used.
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

/// State that `Descriptors` has bound in a command buffer. Each command buffer that is being recorded needs one.
struct DescriptorBinding {
    bool has_buffer = false; ///< the descriptor buffer is bound
};

/// The descriptors of a program: `copies` tables with one entry per pass, so that a new copy can be written while the
/// GPU still reads an older one. No member function allocates.
class Descriptors {
public:
    virtual ~Descriptors() = default;

    /// Writes the descriptors of pass `pass` in copy `copy`: `views` has one view per binding of the pass, in order.
    /// The GPU must not be using the copy.
    virtual void write(std::uint32_t copy, std::uint32_t pass, std::span<const DescriptorView> views) = 0;

    /// Prepares a command buffer. Must be called before the first `bind` in it, and again after commands that Weir did
    /// not record.
    virtual void begin(VkCommandBuffer /*commands*/, DescriptorBinding& /*bound*/) const {}

    /// Binds the descriptors that `write` wrote as set 0 of the pass's pipeline. Different threads may call `begin` and
    /// `bind` for different command buffers.
    virtual void bind(VkCommandBuffer commands, DescriptorBinding& bound, std::uint32_t copy,
                      std::uint32_t pass) const = 0;
};

/// One entry of the table. If the pipeline is null or has no bindings, `write` and `bind` do nothing.
struct DescriptorPass {
    std::shared_ptr<const Pipeline> pipeline;
    std::vector<VkDescriptorType> bindings; ///< those of the pipeline
    /// True if the pipeline also has the application's sets. It is then created for sets even with
    /// DescriptorMode::buffer.
    bool has_other_sets = false;
    std::string name = {}; ///< name of the pass for debuggers; may be empty

    [[nodiscard]] bool has_set() const { return pipeline != nullptr && !bindings.empty(); }
};

/// Resolves `wanted` for passes of up to `max_bindings` bindings. Errors: `unsupported` if the device does not support
/// the mode, or not for that many bindings.
Result<DescriptorMode> choose_descriptors(DescriptorMode wanted, const Capabilities& capabilities,
                                          std::size_t max_bindings);

/// Creates descriptors for `copies` copies of all passes. The pipelines must be created for `mode`, which must not be
/// `automatic`. `buffers`: the device's; needed for DescriptorMode::buffer. `bound`: for DescriptorMode::buffer, the
/// index of Context::descriptor_buffer among the buffers that the application has bound; nullopt: `begin` binds one.
/// `program`: name for debuggers; may be empty. Errors: `out_of_memory`, `limit_exceeded`, `unsupported`.
Result<std::unique_ptr<Descriptors>> make_descriptors(DescriptorMode mode, const std::shared_ptr<DeviceHandle>& device,
                                                      DescriptorBuffers* buffers,
                                                      std::span<const DescriptorPass> passes, std::uint32_t copies,
                                                      std::optional<std::uint32_t> bound = {},
                                                      const std::string& program = {});

// Implementations, each in a file of its own.
Result<std::unique_ptr<Descriptors>> make_buffer_and_sets(const std::shared_ptr<DeviceHandle>& device,
                                                          DescriptorBuffers& buffers,
                                                          std::span<const DescriptorPass> passes, std::uint32_t copies,
                                                          const std::string& program);
Result<std::unique_ptr<Descriptors>> make_pooled_sets(std::shared_ptr<DeviceHandle> device,
                                                      std::span<const DescriptorPass> passes, std::uint32_t copies,
                                                      const std::string& program = {});
Result<std::unique_ptr<Descriptors>> make_push_descriptors(std::shared_ptr<DeviceHandle> device,
                                                           std::span<const DescriptorPass> passes,
                                                           std::uint32_t copies);
Result<std::unique_ptr<Descriptors>> make_descriptor_buffer(std::shared_ptr<DeviceHandle> device,
                                                            DescriptorBuffers& buffers,
                                                            std::span<const DescriptorPass> passes,
                                                            std::uint32_t copies, std::optional<std::uint32_t> bound);

} // namespace weir
