#include <utility>
#include <vector>

#include "engine/base/device_handle.hpp"
#include "engine/descriptors/descriptors.hpp"

namespace weir {

namespace {

class PushDescriptors final : public Descriptors {
public:
    PushDescriptors(std::shared_ptr<DeviceHandle> device, std::span<const DescriptorPass> passes, std::uint32_t copies)
        : device_(std::move(device)), passes_(passes.begin(), passes.end()) {
        for (const DescriptorPass& pass : passes_) {
            first_.push_back(count_);
            count_ += pass.has_set() ? pass.bindings.size() : 0;
        }
        buffers_.resize(copies * count_);
        images_.resize(copies * count_);
        writes_.resize(copies * count_);
        for (std::uint32_t copy = 0; copy < copies; ++copy) {
            for (std::uint32_t pass = 0; pass < passes_.size(); ++pass) {
                for (std::uint32_t i = 0; passes_[pass].has_set() && i < passes_[pass].bindings.size(); ++i) {
                    const std::size_t at = first(copy, pass) + i;
                    writes_[at] = descriptor_write(i, passes_[pass].bindings[i], &buffers_[at], &images_[at]);
                }
            }
        }
    }

    void write(std::uint32_t copy, std::uint32_t pass, std::span<const DescriptorView> views) override {
        for (std::size_t i = 0; passes_[pass].has_set() && i < views.size(); ++i) {
            const BufferView& view = views[i].buffer;
            buffers_[first(copy, pass) + i] = {view.buffer, view.offset, view.size};
            images_[first(copy, pass) + i] = views[i].image;
        }
    }

    void bind(VkCommandBuffer commands, DescriptorBinding& /*bound*/, std::uint32_t copy,
              std::uint32_t pass) const override {
        if (passes_[pass].has_set()) {
            device_->vk().vkCmdPushDescriptorSetKHR(
                commands, VK_PIPELINE_BIND_POINT_COMPUTE, passes_[pass].pipeline->layout(), 0,
                static_cast<std::uint32_t>(passes_[pass].bindings.size()), &writes_[first(copy, pass)]);
        }
    }

private:
    [[nodiscard]] std::size_t first(std::uint32_t copy, std::uint32_t pass) const {
        return copy * count_ + first_[pass];
    }

    std::shared_ptr<DeviceHandle> device_;
    std::vector<DescriptorPass> passes_;
    std::vector<std::size_t> first_; ///< index of each pass's first descriptor in a copy
    std::size_t count_ = 0;          ///< descriptors per copy
    std::vector<VkDescriptorBufferInfo> buffers_;
    std::vector<VkDescriptorImageInfo> images_;
    std::vector<VkWriteDescriptorSet> writes_;
};

} // namespace

Result<std::unique_ptr<Descriptors>> make_push_descriptors(std::shared_ptr<DeviceHandle> device,
                                                           std::span<const DescriptorPass> passes,
                                                           std::uint32_t copies) {
    return std::make_unique<PushDescriptors>(std::move(device), passes, copies);
}

} // namespace weir
