#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "engine/base/device_handle.hpp"
#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "engine/descriptors/descriptor_buffers.hpp"
#include "engine/descriptors/descriptors.hpp"

namespace weir {

namespace {

/// Descriptors in a part of a descriptor buffer.
class DescriptorsInBuffer final : public Descriptors {
public:
    DescriptorsInBuffer(std::shared_ptr<DeviceHandle> device, DescriptorBuffers& buffers,
                        std::span<const DescriptorPass> passes, std::optional<std::uint32_t> bound)
        : device_(std::move(device)), buffers_(buffers), passes_(passes.begin(), passes.end()), bound_(bound) {}
    ~DescriptorsInBuffer() override { buffers_.give_back(part_); }
    DescriptorsInBuffer(const DescriptorsInBuffer&) = delete;
    DescriptorsInBuffer& operator=(const DescriptorsInBuffer&) = delete;

    Result<> allocate(std::uint32_t copies) {
        const auto& vk = device_->vk();
        bool has_samplers = false;
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
                has_samplers = has_samplers || pass.bindings[i] == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER ||
                               pass.bindings[i] == VK_DESCRIPTOR_TYPE_SAMPLER;
                VkDeviceSize& binding = place.bindings.emplace_back();
                vk.vkGetDescriptorSetLayoutBindingOffsetEXT(device_->handle(), pass.pipeline->set_layout(), i,
                                                            &binding);
            }
            const VkDeviceSize alignment = properties().descriptorBufferOffsetAlignment;
            bytes += (size + alignment - 1) / alignment * alignment;
        }
        copy_bytes_ = bytes;
        if (bytes == 0) {
            return {};
        }
        if (bytes * copies > buffers_.limit()) {
            return tl::unexpected(
                Error{ErrorCode::limit_exceeded,
                      concat("the descriptors of ", passes_.size(), " passes in ", copies, " copies take ",
                             bytes * copies, " bytes; the device's limit is ", buffers_.limit())});
        }
        auto part = buffers_.take(bytes * copies, bound_.has_value());
        WEIR_PROPAGATE(part);
        part_ = *part;
        if (has_samplers && (part_.in.usage & VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT) == 0) {
            return tl::unexpected(Error{ErrorCode::unsupported,
                                        "a pass binds a sampler, but the usage of the application's descriptor buffer "
                                        "lacks VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT"});
        }
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
                                             part_.in.mapped + offset(copy, pass) + places_[pass].bindings[i]);
        }
    }

    void begin(VkCommandBuffer commands, DescriptorBinding& /*bound*/) const override {
        if (copy_bytes_ != 0 && !bound_) {
            VkDescriptorBufferBindingInfoEXT binding{VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT};
            binding.address = part_.in.address;
            binding.usage = part_.in.usage;
            device_->vk().vkCmdBindDescriptorBuffersEXT(commands, 1, &binding);
        }
    }

    void bind(VkCommandBuffer commands, DescriptorBinding& /*bound*/, std::uint32_t copy,
              std::uint32_t pass) const override {
        if (passes_[pass].has_set()) {
            const std::uint32_t buffer = bound_.value_or(0);
            const VkDeviceSize at = offset(copy, pass);
            device_->vk().vkCmdSetDescriptorBufferOffsetsEXT(commands, VK_PIPELINE_BIND_POINT_COMPUTE,
                                                             passes_[pass].pipeline->layout(), 0, 1, &buffer, &at);
        }
    }

private:
    /// Byte offsets of a pass in a copy.
    struct Place {
        VkDeviceSize set = 0;
        std::vector<VkDeviceSize> bindings; ///< relative to the set
    };
    [[nodiscard]] const VkPhysicalDeviceDescriptorBufferPropertiesEXT& properties() const {
        return buffers_.properties();
    }
    /// Returns the offset in bytes from the address of the buffer.
    [[nodiscard]] VkDeviceSize offset(std::uint32_t copy, std::uint32_t pass) const {
        return part_.offset + copy * copy_bytes_ + places_[pass].set;
    }
    [[nodiscard]] std::size_t bytes_of(VkDescriptorType type) const {
        const bool is_robust = device_->capabilities().robust_buffer_access;
        const auto& sizes = properties();
        switch (type) {
        case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
            return is_robust ? sizes.robustUniformBufferDescriptorSize : sizes.uniformBufferDescriptorSize;
        case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE: return sizes.storageImageDescriptorSize;
        case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE: return sizes.sampledImageDescriptorSize;
        case VK_DESCRIPTOR_TYPE_SAMPLER: return sizes.samplerDescriptorSize;
        case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER: return sizes.combinedImageSamplerDescriptorSize;
        default: break;
        }
        return is_robust ? sizes.robustStorageBufferDescriptorSize : sizes.storageBufferDescriptorSize;
    }

    std::shared_ptr<DeviceHandle> device_; ///< keeps `buffers_` alive
    DescriptorBuffers& buffers_;
    std::vector<DescriptorPass> passes_;
    std::optional<std::uint32_t> bound_; ///< index of the buffer among those that the application has bound
    std::vector<Place> places_;          ///< per pass
    VkDeviceSize copy_bytes_ = 0;
    DescriptorPart part_; ///< copies, one after the other
};

} // namespace

Result<std::unique_ptr<Descriptors>> make_descriptor_buffer(std::shared_ptr<DeviceHandle> device,
                                                            DescriptorBuffers& buffers,
                                                            std::span<const DescriptorPass> passes,
                                                            std::uint32_t copies, std::optional<std::uint32_t> bound) {
    auto made = std::make_unique<DescriptorsInBuffer>(std::move(device), buffers, passes, bound);
    return made->allocate(copies).map([&]() -> std::unique_ptr<Descriptors> { return std::move(made); });
}

} // namespace weir
