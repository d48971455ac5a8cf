#include <algorithm>
#include <utility>
#include <vector>

#include "engine/descriptors.hpp"
#include "engine/device.hpp"
#include "engine/text.hpp"

namespace weir {

namespace {

class DescriptorBuffer final : public Descriptors {
public:
    DescriptorBuffer(std::shared_ptr<Device> device, std::span<const DescriptorPass> passes)
        : device_(std::move(device)), passes_(passes.begin(), passes.end()) {
        properties_.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_PROPERTIES_EXT;
        VkPhysicalDeviceProperties2 core{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, &properties_};
        device_->instance_functions().vkGetPhysicalDeviceProperties2(device_->physical_device(), &core);
    }

    Result<> allocate(std::uint32_t copies, std::span<const std::uint32_t> families) {
        const auto& vk = device_->vk();
        VkDeviceSize bytes = 0;
        for (const DescriptorPass& pass : passes_) {
            Place& place = places_.emplace_back();
            place.set = bytes;
            if (!pass.has_set()) {
                continue;
            }
            VkDeviceSize size = 0;
            vk.vkGetDescriptorSetLayoutSizeEXT(device_->handle(), pass.pipeline->set_layout(), &size);
            for (std::uint32_t i = 0; i < pass.bindings.size(); ++i) {
                const bool has_sampler = pass.bindings[i] == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER ||
                                         pass.bindings[i] == VK_DESCRIPTOR_TYPE_SAMPLER;
                usage_ |= has_sampler ? samplers : 0;
                VkDeviceSize& binding = place.bindings.emplace_back();
                vk.vkGetDescriptorSetLayoutBindingOffsetEXT(device_->handle(), pass.pipeline->set_layout(), i,
                                                            &binding);
            }
            const VkDeviceSize alignment = properties_.descriptorBufferOffsetAlignment;
            bytes += (size + alignment - 1) / alignment * alignment;
        }
        copy_bytes_ = bytes;
        if (bytes == 0) {
            return {};
        }
        const VkDeviceSize most = (usage_ & samplers) != 0 ? std::min(properties_.maxResourceDescriptorBufferRange,
                                                                      properties_.maxSamplerDescriptorBufferRange)
                                                           : properties_.maxResourceDescriptorBufferRange;
        if (bytes * copies > most) {
            return tl::unexpected(
                Error{ErrorCode::limit_exceeded,
                      concat("the descriptors of ", passes_.size(), " passes in ", copies, " copies have ",
                             bytes * copies, " bytes; the device's limit is ", most)});
        }
        auto made = device_->create_buffer(bytes * copies, MemoryKind::upload, "descriptors", usage_, families);
        if (!made) {
            return tl::unexpected(made.error());
        }
        buffer_ = std::move(*made);
        address_ = device_->address(buffer_.handle());
        return {};
    }

    void write(std::uint32_t copy, std::uint32_t pass, std::span<const DescriptorView> views) override {
        for (std::size_t i = 0; passes_[pass].has_set() && i < views.size(); ++i) {
            VkDescriptorAddressInfoEXT range{VK_STRUCTURE_TYPE_DESCRIPTOR_ADDRESS_INFO_EXT};
            range.address = views[i].address;
            range.range = views[i].buffer.size;
            VkDescriptorGetInfoEXT info{VK_STRUCTURE_TYPE_DESCRIPTOR_GET_INFO_EXT};
            info.type = passes_[pass].bindings[i];
            if (info.type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER || info.type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER) {
                info.data.pStorageBuffer = &range; // the same for uniform buffers
            } else if (info.type == VK_DESCRIPTOR_TYPE_SAMPLER) {
                info.data.pSampler = &views[i].image.sampler;
            } else {
                info.data.pStorageImage = &views[i].image; // the same for all kinds of images
            }
            device_->vk().vkGetDescriptorEXT(device_->handle(), &info, bytes_of(info.type),
                                             buffer_.mapped() + offset(copy, pass) + places_[pass].bindings[i]);
        }
    }

    void begin(VkCommandBuffer commands) override {
        if (copy_bytes_ != 0) {
            VkDescriptorBufferBindingInfoEXT binding{VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT};
            binding.address = address_;
            binding.usage = usage_;
            device_->vk().vkCmdBindDescriptorBuffersEXT(commands, 1, &binding);
        }
    }

    void bind(VkCommandBuffer commands, std::uint32_t copy, std::uint32_t pass) override {
        if (passes_[pass].has_set()) {
            const std::uint32_t first_buffer = 0;
            const VkDeviceSize at = offset(copy, pass);
            device_->vk().vkCmdSetDescriptorBufferOffsetsEXT(
                commands, VK_PIPELINE_BIND_POINT_COMPUTE, passes_[pass].pipeline->layout(), 0, 1, &first_buffer, &at);
        }
    }

private:
    /// In a copy; all in bytes.
    struct Place {
        VkDeviceSize set = 0;
        std::vector<VkDeviceSize> bindings; ///< in the set
    };
    [[nodiscard]] VkDeviceSize offset(std::uint32_t copy, std::uint32_t pass) const {
        return copy * copy_bytes_ + places_[pass].set;
    }
    [[nodiscard]] std::size_t bytes_of(VkDescriptorType type) const {
        const bool is_robust = device_->capabilities().robust_buffer_access;
        switch (type) {
        case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
            return is_robust ? properties_.robustUniformBufferDescriptorSize : properties_.uniformBufferDescriptorSize;
        case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE: return properties_.storageImageDescriptorSize;
        case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE: return properties_.sampledImageDescriptorSize;
        case VK_DESCRIPTOR_TYPE_SAMPLER: return properties_.samplerDescriptorSize;
        case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER: return properties_.combinedImageSamplerDescriptorSize;
        default: break;
        }
        return is_robust ? properties_.robustStorageBufferDescriptorSize : properties_.storageBufferDescriptorSize;
    }

    std::shared_ptr<Device> device_;
    std::vector<DescriptorPass> passes_;
    VkPhysicalDeviceDescriptorBufferPropertiesEXT properties_{};
    static constexpr VkBufferUsageFlags samplers = VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT;
    VkBufferUsageFlags usage_ = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT;
    std::vector<Place> places_; ///< per pass
    VkDeviceSize copy_bytes_ = 0;
    Buffer buffer_; ///< copies, one after the other
    VkDeviceAddress address_ = 0;
};

} // namespace

Result<std::unique_ptr<Descriptors>> make_descriptor_buffer(std::shared_ptr<Device> device,
                                                            std::span<const DescriptorPass> passes,
                                                            std::uint32_t copies,
                                                            std::span<const std::uint32_t> families) {
    auto made = std::make_unique<DescriptorBuffer>(std::move(device), passes);
    return made->allocate(copies, families).map([&]() -> std::unique_ptr<Descriptors> { return std::move(made); });
}

} // namespace weir
