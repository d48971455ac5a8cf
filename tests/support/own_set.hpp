#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <weir/engine/buffer.hpp>

#include "engine/device/device.hpp"
#include "tests/support/device.hpp"

namespace weir::tests {

/// A host's descriptor set, with its layout and its pool.
class OwnSet {
public:
    /// `flags` has an element for each binding, or is empty. If one of them is UPDATE_AFTER_BIND, the layout and the
    /// pool are created for that.
    explicit OwnSet(const std::vector<VkDescriptorSetLayoutBinding>& bindings,
                    const std::vector<VkDescriptorBindingFlags>& flags = {}, const Context& context = test_context())
        : device_(ContextAccess::device(context)) {
        bool is_updated_later = false;
        for (const VkDescriptorBindingFlags one : flags) {
            is_updated_later = is_updated_later || (one & VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT) != 0;
        }
        VkDescriptorSetLayoutBindingFlagsCreateInfo of_bindings{
            VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO};
        of_bindings.bindingCount = static_cast<std::uint32_t>(flags.size());
        of_bindings.pBindingFlags = flags.data();
        VkDescriptorSetLayoutCreateInfo layout{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
        layout.pNext = flags.empty() ? nullptr : &of_bindings;
        layout.flags = is_updated_later ? VK_DESCRIPTOR_SET_LAYOUT_CREATE_UPDATE_AFTER_BIND_POOL_BIT : 0;
        layout.bindingCount = static_cast<std::uint32_t>(bindings.size());
        layout.pBindings = bindings.data();
        EXPECT_EQ(vk().vkCreateDescriptorSetLayout(device(), &layout, nullptr, &layout_), VK_SUCCESS);
        std::vector<VkDescriptorPoolSize> sizes;
        for (const VkDescriptorSetLayoutBinding& binding : bindings) {
            sizes.push_back({binding.descriptorType, binding.descriptorCount});
        }
        VkDescriptorPoolCreateInfo pool{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
        pool.flags = is_updated_later ? VK_DESCRIPTOR_POOL_CREATE_UPDATE_AFTER_BIND_BIT : 0;
        pool.maxSets = 1;
        pool.poolSizeCount = static_cast<std::uint32_t>(sizes.size());
        pool.pPoolSizes = sizes.data();
        EXPECT_EQ(vk().vkCreateDescriptorPool(device(), &pool, nullptr, &pool_), VK_SUCCESS);
        VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
        info.descriptorPool = pool_;
        info.descriptorSetCount = 1;
        info.pSetLayouts = &layout_;
        EXPECT_EQ(vk().vkAllocateDescriptorSets(device(), &info, &set_), VK_SUCCESS);
    }
    ~OwnSet() {
        vk().vkDestroyDescriptorPool(device(), pool_, nullptr);
        destroy_layout();
    }
    OwnSet(const OwnSet&) = delete;
    OwnSet& operator=(const OwnSet&) = delete;

    [[nodiscard]] VkDescriptorSetLayout layout() const { return layout_; }
    [[nodiscard]] VkDescriptorSet set() const { return set_; }
    /// Destroys the layout. The set must not be written afterwards.
    void destroy_layout() {
        vk().vkDestroyDescriptorSetLayout(device(), std::exchange(layout_, VK_NULL_HANDLE), nullptr);
    }

    void write(std::uint32_t binding, std::uint32_t element, VkDescriptorType type, BufferView view) const {
        const VkDescriptorBufferInfo info{view.buffer, view.offset, view.size};
        write(binding, element, type, &info, nullptr);
    }
    void write(std::uint32_t binding, std::uint32_t element, VkDescriptorType type,
               const VkDescriptorImageInfo& info) const {
        write(binding, element, type, nullptr, &info);
    }

private:
    [[nodiscard]] const VolkDeviceTable& vk() const { return device_->vk(); }
    [[nodiscard]] VkDevice device() const { return device_->handle(); }

    void write(std::uint32_t binding, std::uint32_t element, VkDescriptorType type,
               const VkDescriptorBufferInfo* buffer, const VkDescriptorImageInfo* image) const {
        VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
        write.dstSet = set_;
        write.dstBinding = binding;
        write.dstArrayElement = element;
        write.descriptorCount = 1;
        write.descriptorType = type;
        write.pBufferInfo = buffer;
        write.pImageInfo = image;
        vk().vkUpdateDescriptorSets(device(), 1, &write, 0, nullptr);
    }

    std::shared_ptr<Device> device_;
    VkDescriptorSetLayout layout_ = VK_NULL_HANDLE;
    VkDescriptorPool pool_ = VK_NULL_HANDLE;
    VkDescriptorSet set_ = VK_NULL_HANDLE;
};

} // namespace weir::tests
