#include "engine/memory/image.hpp"

#include <algorithm>
#include <utility>

#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "engine/memory/device_memory.hpp"
#include "engine/submit/queue.hpp"

namespace weir {

VkImageAspectFlags aspects_of(VkFormat format) {
    switch (format) {
    case VK_FORMAT_D16_UNORM:
    case VK_FORMAT_X8_D24_UNORM_PACK32:
    case VK_FORMAT_D32_SFLOAT: return VK_IMAGE_ASPECT_DEPTH_BIT;
    case VK_FORMAT_S8_UINT: return VK_IMAGE_ASPECT_STENCIL_BIT;
    case VK_FORMAT_D16_UNORM_S8_UINT:
    case VK_FORMAT_D24_UNORM_S8_UINT:
    case VK_FORMAT_D32_SFLOAT_S8_UINT: return VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    default: return VK_IMAGE_ASPECT_COLOR_BIT;
    }
}

VkImageViewCreateInfo view_info(const ImageInfo& info, VkImageUsageFlags usage, const ImagePart& range) {
    VkImageViewCreateInfo view{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    view.viewType = range.view              ? *range.view
                    : info.extent.depth > 1 ? VK_IMAGE_VIEW_TYPE_3D
                    : range.layers > 1      ? VK_IMAGE_VIEW_TYPE_2D_ARRAY
                                            : VK_IMAGE_VIEW_TYPE_2D;
    view.format = info.format;
    const VkImageAspectFlags aspects = aspects_of(info.format);
    // A shader can read only one aspect.
    const bool is_sampled = (usage & VK_IMAGE_USAGE_SAMPLED_BIT) != 0;
    view.subresourceRange = {is_sampled && (aspects & VK_IMAGE_ASPECT_DEPTH_BIT) != 0
                                 ? VkImageAspectFlags{VK_IMAGE_ASPECT_DEPTH_BIT}
                                 : aspects,
                             range.mip, range.mips, range.layer, range.layers};
    return view;
}

Result<std::unique_ptr<Image>> Image::create(std::shared_ptr<DeviceHandle> device, const ImageInfo& info,
                                             VkImageUsageFlags usage, const std::string& name,
                                             std::span<const std::uint32_t> families, bool has_cubes) {
    std::unique_ptr<Image> image(new Image(std::move(device)));
    image->info_ = info;
    image->usage_ = usage;
    image->name_ = name;
    VkImageCreateInfo create{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    create.flags = has_cubes ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0;
    create.imageType = info.extent.depth > 1 ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D;
    create.format = info.format;
    create.extent = info.extent;
    create.mipLevels = info.mips;
    create.arrayLayers = info.layers;
    create.samples = info.samples;
    create.tiling = VK_IMAGE_TILING_OPTIMAL;
    create.usage = usage;
    share(create, families);
    create.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;

    const DeviceHandle& on = *image->device_;
    VkPhysicalDeviceImageFormatInfo2 asked{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2};
    asked.format = create.format;
    asked.type = create.imageType;
    asked.tiling = create.tiling;
    asked.usage = create.usage;
    asked.flags = create.flags;
    VkImageFormatProperties2 can{VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2};
    const VkResult known =
        on.instance_functions().vkGetPhysicalDeviceImageFormatProperties2(on.physical_device(), &asked, &can);
    const VkImageFormatProperties& limits = can.imageFormatProperties;
    if (known == VK_ERROR_FORMAT_NOT_SUPPORTED || (known == VK_SUCCESS && (info.samples & limits.sampleCounts) == 0)) {
        return tl::unexpected(Error{ErrorCode::unsupported,
                                    concat("image '", name, "': VkFormat ", static_cast<int>(info.format), " with ",
                                           static_cast<int>(info.samples), " samples and usage 0x", hex(usage, 1),
                                           " is not supported by the device"),
                                    known});
    }
    if (known == VK_SUCCESS &&
        (info.extent.width > limits.maxExtent.width || info.extent.height > limits.maxExtent.height ||
         info.extent.depth > limits.maxExtent.depth || info.mips > limits.maxMipLevels ||
         info.layers > limits.maxArrayLayers)) {
        return tl::unexpected(Error{ErrorCode::limit_exceeded,
                                    concat("image '", name, "' is ", info.extent.width, " x ", info.extent.height,
                                           " x ", info.extent.depth, " with ", info.mips, " mips and ", info.layers,
                                           " layers; the device's limit is ", limits.maxExtent.width, " x ",
                                           limits.maxExtent.height, " x ", limits.maxExtent.depth, " with ",
                                           limits.maxMipLevels, " mips and ", limits.maxArrayLayers, " layers")});
    }
    const VkResult status =
        known != VK_SUCCESS ? known : on.vk().vkCreateImage(on.handle(), &create, on.callbacks(), &image->image_);
    if (status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, concat("creating image '", name, "'")));
    }
    on.set_name(VK_OBJECT_TYPE_IMAGE, reinterpret_cast<std::uint64_t>(image->image_), name);
    on.vk().vkGetImageMemoryRequirements(on.handle(), image->image_, &image->needs_);
    return image;
}

Result<> Image::bind(VkDeviceMemory memory, VkDeviceSize offset) {
    const VkResult status = device_->vk().vkBindImageMemory(device_->handle(), image_, memory, offset);
    if (status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, concat("binding the memory of image '", name_, "'")));
    }
    return view({.mips = info_.mips, .layers = info_.layers}, name_).map([](const ImageView&) {});
}

Result<ImageView> Image::view(const ImagePart& range, const std::string& name) {
    constexpr VkImageUsageFlags seen = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
                                       VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                       VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    if ((usage_ & seen) == 0) {
        return ImageView{image_, VK_NULL_HANDLE};
    }
    VkImageViewCreateInfo create = view_info(info_, usage_, range);
    create.image = image_;
    VkImageView view = VK_NULL_HANDLE;
    const VkResult status = device_->vk().vkCreateImageView(device_->handle(), &create, device_->callbacks(), &view);
    if (status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, concat("creating a view of image '", name, "'")));
    }
    views_.push_back(view);
    device_->set_name(VK_OBJECT_TYPE_IMAGE_VIEW, reinterpret_cast<std::uint64_t>(view), name);
    return ImageView{image_, view};
}

Image::~Image() {
    for (const VkImageView view : views_) {
        device_->vk().vkDestroyImageView(device_->handle(), view, device_->callbacks());
    }
    device_->vk().vkDestroyImage(device_->handle(), image_, device_->callbacks());
}

Result<std::unique_ptr<ImageMemory>> ImageMemory::create(DeviceMemory& memory, VkDeviceSize bytes,
                                                         VkDeviceSize alignment, std::uint32_t types, bool with_buffer,
                                                         const std::string& name,
                                                         std::span<const std::uint32_t> families,
                                                         VkBufferUsageFlags further_usage) {
    std::unique_ptr<ImageMemory> made(new ImageMemory(memory.shared()));
    const DeviceHandle& on = memory.device();
    VkMemoryRequirements needs{bytes, alignment, types};
    const auto fail = [&](VkResult status) {
        return tl::unexpected(vulkan_error(status, concat("allocating ", bytes, " bytes for '", name, "'")));
    };
    if (with_buffer) {
        const VkBufferCreateInfo info = memory.buffer_info(bytes, further_usage, families);
        if (const VkResult status = on.vk().vkCreateBuffer(on.handle(), &info, on.callbacks(), &made->buffer_);
            status != VK_SUCCESS) {
            return fail(status);
        }
        on.set_name(VK_OBJECT_TYPE_BUFFER, reinterpret_cast<std::uint64_t>(made->buffer_), name);
        VkMemoryRequirements of_buffer{};
        on.vk().vkGetBufferMemoryRequirements(on.handle(), made->buffer_, &of_buffer);
        needs.size = std::max(bytes, of_buffer.size);
        needs.alignment = std::max(alignment, of_buffer.alignment);
        needs.memoryTypeBits &= of_buffer.memoryTypeBits;
    }
    WEIR_PROPAGATE(memory.reserve(needs.size, name));
    made->size_ = needs.size;
    if (const VkResult status = memory.allocate(needs, name, made->allocation_); status != VK_SUCCESS) {
        return fail(status);
    }
    if (with_buffer) {
        if (const VkResult status =
                on.vk().vkBindBufferMemory(on.handle(), made->buffer_, made->memory(), made->offset());
            status != VK_SUCCESS) {
            return fail(status);
        }
    }
    return made;
}

ImageMemory::~ImageMemory() {
    of_->device().vk().vkDestroyBuffer(of_->device().handle(), buffer_, of_->device().callbacks());
    if (allocation_.memory != VK_NULL_HANDLE) {
        of_->free(allocation_);
    }
    of_->release(size_);
}

} // namespace weir
