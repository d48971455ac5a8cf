#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "engine/base/device_handle.hpp"
#include "engine/base/strings.hpp"
#include "engine/descriptors/descriptors.hpp"

namespace weir {

namespace {

class PooledSets final : public Descriptors {
public:
    PooledSets(std::shared_ptr<DeviceHandle> device, std::span<const DescriptorPass> passes, std::uint32_t copies)
        : device_(std::move(device)), passes_(passes.begin(), passes.end()), copies_(copies) {
        std::size_t max_bindings = 0;
        for (const DescriptorPass& pass : passes_) {
            max_bindings = std::max(max_bindings, pass.bindings.size());
        }
        buffers_.resize(max_bindings);
        images_.resize(max_bindings);
        for (std::uint32_t i = 0; i < max_bindings; ++i) {
            writes_.push_back(descriptor_write(i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &buffers_[i], &images_[i]));
        }
    }

    ~PooledSets() override { device_->vk().vkDestroyDescriptorPool(device_->handle(), pool_, device_->callbacks()); }

    VkResult allocate(const std::string& program) {
        std::vector<VkDescriptorSetLayout> layouts;
        std::map<VkDescriptorType, std::uint32_t> counts;
        for (std::uint32_t copy = 0; copy < copies_; ++copy) {
            for (const DescriptorPass& pass : passes_) {
                if (pass.has_set()) {
                    layouts.push_back(pass.pipeline->set_layout());
                    for (const VkDescriptorType type : pass.bindings) {
                        ++counts[type];
                    }
                }
            }
        }
        sets_.assign(passes_.size() * copies_, VK_NULL_HANDLE);
        if (layouts.empty()) {
            return VK_SUCCESS;
        }
        std::vector<VkDescriptorPoolSize> sizes;
        for (const auto& [type, count] : counts) {
            sizes.push_back({type, count});
        }
        VkDescriptorPoolCreateInfo pool{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
        pool.maxSets = static_cast<std::uint32_t>(layouts.size());
        pool.poolSizeCount = static_cast<std::uint32_t>(sizes.size());
        pool.pPoolSizes = sizes.data();
        if (const VkResult status =
                device_->vk().vkCreateDescriptorPool(device_->handle(), &pool, device_->callbacks(), &pool_);
            status != VK_SUCCESS) {
            return status;
        }
        std::vector<VkDescriptorSet> made(layouts.size());
        VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
        info.descriptorPool = pool_;
        info.descriptorSetCount = pool.maxSets;
        info.pSetLayouts = layouts.data();
        if (const VkResult status = device_->vk().vkAllocateDescriptorSets(device_->handle(), &info, made.data());
            status != VK_SUCCESS) {
            return status;
        }
        device_->set_name(VK_OBJECT_TYPE_DESCRIPTOR_POOL, reinterpret_cast<std::uint64_t>(pool_),
                          named(program, "descriptors"));
        auto next = made.begin();
        for (std::size_t i = 0; i < sets_.size(); ++i) {
            if (passes_[i % passes_.size()].has_set()) {
                sets_[i] = *next++;
                device_->set_name(VK_OBJECT_TYPE_DESCRIPTOR_SET, reinterpret_cast<std::uint64_t>(sets_[i]),
                                  named(program, passes_[i % passes_.size()].name));
            }
        }
        return VK_SUCCESS;
    }

    void write(std::uint32_t copy, std::uint32_t pass, std::span<const DescriptorView> views) override {
        const VkDescriptorSet set = set_of(copy, pass);
        if (set == VK_NULL_HANDLE) {
            return;
        }
        for (std::size_t i = 0; i < views.size(); ++i) {
            buffers_[i] = {views[i].buffer.buffer, views[i].buffer.offset, views[i].buffer.size};
            images_[i] = views[i].image;
            writes_[i].descriptorType = passes_[pass].bindings[i];
            writes_[i].dstSet = set;
        }
        device_->vk().vkUpdateDescriptorSets(device_->handle(), static_cast<std::uint32_t>(views.size()),
                                             writes_.data(), 0, nullptr);
    }

    void bind(VkCommandBuffer commands, DescriptorBinding& /*bound*/, std::uint32_t copy,
              std::uint32_t pass) const override {
        const VkDescriptorSet set = set_of(copy, pass);
        if (set != VK_NULL_HANDLE) {
            device_->vk().vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                                                  passes_[pass].pipeline->layout(), 0, 1, &set, 0, nullptr);
        }
    }

private:
    [[nodiscard]] VkDescriptorSet set_of(std::uint32_t copy, std::uint32_t pass) const {
        return sets_[std::size_t{copy} * passes_.size() + pass];
    }

    std::shared_ptr<DeviceHandle> device_;
    std::vector<DescriptorPass> passes_;
    std::uint32_t copies_;
    VkDescriptorPool pool_ = VK_NULL_HANDLE;
    std::vector<VkDescriptorSet> sets_;           ///< [copy][pass]
    std::vector<VkDescriptorBufferInfo> buffers_; ///< scratch of `write`, for the pass with the most bindings
    std::vector<VkDescriptorImageInfo> images_;   ///< scratch of `write`
    std::vector<VkWriteDescriptorSet> writes_;
};

} // namespace

Result<std::unique_ptr<Descriptors>> make_pooled_sets(std::shared_ptr<DeviceHandle> device,
                                                      std::span<const DescriptorPass> passes, std::uint32_t copies,
                                                      const std::string& program) {
    auto sets = std::make_unique<PooledSets>(std::move(device), passes, copies);
    if (const VkResult status = sets->allocate(program); status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, "allocating descriptors for " + std::to_string(passes.size()) +
                                                       " passes in " + std::to_string(copies) + " copies"));
    }
    return sets;
}

} // namespace weir
