#include <utility>
#include <vector>

#include "engine/base/propagate.hpp"
#include "engine/descriptors/descriptors.hpp"

namespace weir {

namespace {

/// A descriptor buffer for most passes, and sets for passes whose pipelines also have sets of the application. In
/// Vulkan, either all sets of a pipeline layout are in buffers, or none is.
class BufferAndSets final : public Descriptors {
public:
    BufferAndSets(std::unique_ptr<Descriptors> buffer, std::unique_ptr<Descriptors> sets,
                  std::span<const DescriptorPass> passes)
        : buffer_(std::move(buffer)), sets_(std::move(sets)) {
        for (const DescriptorPass& pass : passes) {
            has_sets_.push_back(pass.has_other_sets);
        }
    }

    void write(std::uint32_t copy, std::uint32_t pass, std::span<const DescriptorView> views) override {
        (has_sets_[pass] ? sets_ : buffer_)->write(copy, pass, views);
    }

    void begin(VkCommandBuffer /*commands*/, DescriptorBinding& bound) const override { bound.has_buffer = false; }

    void bind(VkCommandBuffer commands, DescriptorBinding& bound, std::uint32_t copy,
              std::uint32_t pass) const override {
        if (has_sets_[pass]) {
            sets_->bind(commands, bound, copy, pass);
            bound.has_buffer = false; // binding a set ends the use of the buffer
            return;
        }
        if (!std::exchange(bound.has_buffer, true)) {
            buffer_->begin(commands, bound);
        }
        buffer_->bind(commands, bound, copy, pass);
    }

private:
    std::unique_ptr<Descriptors> buffer_, sets_;
    std::vector<bool> has_sets_; ///< per pass
};

} // namespace

Result<std::unique_ptr<Descriptors>> make_buffer_and_sets(const std::shared_ptr<DeviceHandle>& device,
                                                          DescriptorBuffers& buffers,
                                                          std::span<const DescriptorPass> passes, std::uint32_t copies,
                                                          const std::string& program) {
    std::vector<DescriptorPass> in_buffer(passes.begin(), passes.end()), in_sets = in_buffer;
    for (std::size_t i = 0; i < passes.size(); ++i) {
        (passes[i].has_other_sets ? in_buffer : in_sets)[i] = {};
    }
    auto buffer = make_descriptor_buffer(device, buffers, in_buffer, copies, {});
    WEIR_PROPAGATE(buffer);
    auto sets = make_pooled_sets(device, in_sets, copies, program);
    WEIR_PROPAGATE(sets);
    return std::make_unique<BufferAndSets>(std::move(*buffer), std::move(*sets), passes);
}

} // namespace weir
