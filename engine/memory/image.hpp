#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <weir/engine/context.hpp>
#include <weir/engine/error.hpp>
#include <weir/engine/image.hpp>

namespace weir {

class DeviceHandle;
class DeviceMemory;

/// Returns the aspects of a format: color, or those it has of depth and stencil.
VkImageAspectFlags aspects_of(VkFormat format);
/// Returns the parameters of a view of some mips and layers of an image with these usages, without the image.
VkImageViewCreateInfo view_info(const ImageInfo& info, VkImageUsageFlags usage, const ImagePart& range);

/// An image without memory of its own. Once it is bound to memory, it has a view of the whole image.
class Image {
public:
    /// Creates an image. `families`: see DeviceMemory::create_buffer. `has_cubes`: cube views are allowed. Errors:
    /// `unsupported` if the device does not support such images, `limit_exceeded` for the extent, mips or layers,
    /// `out_of_memory`.
    static Result<std::unique_ptr<Image>> create(std::shared_ptr<DeviceHandle> device, const ImageInfo& info,
                                                 VkImageUsageFlags usage, const std::string& name,
                                                 std::span<const std::uint32_t> families = {}, bool has_cubes = false);
    ~Image();
    Image(const Image&) = delete;
    Image& operator=(const Image&) = delete;

    [[nodiscard]] const VkMemoryRequirements& needs() const { return needs_; }
    /// Binds the image to memory; must be called once. `offset` must be a multiple of the alignment. The memory must
    /// outlive the image. Errors: `out_of_memory`.
    Result<> bind(VkDeviceMemory memory, VkDeviceSize offset);
    /// Returns the image and the view of all of it. The view is null if no usage needs one.
    [[nodiscard]] ImageView view() const { return {image_, views_.empty() ? VK_NULL_HANDLE : views_.front()}; }
    /// Creates a view of some mips and layers, which lives as long as the image. The view is null if no usage needs
    /// one. The image must be bound. Errors: `out_of_memory`.
    Result<ImageView> view(const ImagePart& range, const std::string& name);

private:
    explicit Image(std::shared_ptr<DeviceHandle> device) : device_(std::move(device)) {}

    std::shared_ptr<DeviceHandle> device_;
    ImageInfo info_;
    VkImageUsageFlags usage_ = 0;
    std::string name_;
    VkImage image_ = VK_NULL_HANDLE;
    std::vector<VkImageView> views_; ///< the first one is of the whole image
    VkMemoryRequirements needs_{};
};

/// Device memory that images are bound to. An optional buffer covers all of it, for buffers in the same memory.
class ImageMemory {
public:
    /// Allocates the memory. `types`: bits of the allowed memory types, at least one. `families` and `further_usage`
    /// apply to the buffer: see DeviceMemory::create_buffer. Errors: `out_of_memory`.
    static Result<std::unique_ptr<ImageMemory>> create(DeviceMemory& memory, VkDeviceSize bytes, VkDeviceSize alignment,
                                                       std::uint32_t types, bool with_buffer, const std::string& name,
                                                       std::span<const std::uint32_t> families = {},
                                                       VkBufferUsageFlags further_usage = 0);
    ~ImageMemory();
    ImageMemory(const ImageMemory&) = delete;
    ImageMemory& operator=(const ImageMemory&) = delete;

    [[nodiscard]] VkDeviceMemory memory() const { return allocation_.memory; }
    [[nodiscard]] VkDeviceSize offset() const { return allocation_.offset; }
    [[nodiscard]] VkDeviceSize size() const { return size_; }
    [[nodiscard]] VkBuffer buffer() const { return buffer_; }

private:
    explicit ImageMemory(std::shared_ptr<DeviceMemory> of) : of_(std::move(of)) {}

    std::shared_ptr<DeviceMemory> of_;
    MemoryHooks::Memory allocation_;
    VkDeviceSize size_ = 0;
    VkBuffer buffer_ = VK_NULL_HANDLE;
};

} // namespace weir
