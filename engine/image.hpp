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

class Device;

/// The aspects that a format has: color, or depth and stencil.
VkImageAspectFlags aspects_of(VkFormat format);

/// An image without memory of its own, and the view of all of it that it has once it is bound to some.
class Image {
public:
    /// `families`: as of Device::create_buffer. `has_cubes`: it has cube views. Errors: `unsupported` for what the
    /// device cannot make an image of, `out_of_memory`.
    static Result<std::unique_ptr<Image>> create(std::shared_ptr<Device> device, const ImageInfo& info,
                                                 VkImageUsageFlags usage, const std::string& name,
                                                 std::span<const std::uint32_t> families = {}, bool has_cubes = false);
    ~Image();
    Image(const Image&) = delete;
    Image& operator=(const Image&) = delete;

    [[nodiscard]] const VkMemoryRequirements& needs() const { return needs_; }
    /// Once; `offset` is a multiple of the alignment. The memory must outlive the image. Errors: `out_of_memory`.
    Result<> bind(VkDeviceMemory memory, VkDeviceSize offset);
    /// All of it. No view where no access needs one.
    [[nodiscard]] ImageView view() const { return {image_, views_.empty() ? VK_NULL_HANDLE : views_.front()}; }
    /// Some mips and layers of it, once it is bound; lives as long as the image. Errors: `out_of_memory`.
    Result<ImageView> view(const ImagePart& range, const std::string& name);

private:
    explicit Image(std::shared_ptr<Device> device) : device_(std::move(device)) {}

    std::shared_ptr<Device> device_;
    ImageInfo info_;
    VkImageUsageFlags usage_ = 0;
    std::string name_;
    VkImage image_ = VK_NULL_HANDLE;
    std::vector<VkImageView> views_; ///< first that of all
    VkMemoryRequirements needs_{};
};

/// Device memory that images are bound to, and a buffer of all of it for what is there between them.
class ImageMemory {
public:
    /// `types`: bits of the memory types that will do, at least one. `families` and `further_usage`: of the buffer, as
    /// of Device::create_buffer. Errors: `out_of_memory`.
    static Result<std::unique_ptr<ImageMemory>> create(std::shared_ptr<Device> device, VkDeviceSize bytes,
                                                       VkDeviceSize alignment, std::uint32_t types, bool with_buffer,
                                                       const std::string& name,
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
    explicit ImageMemory(std::shared_ptr<Device> device) : device_(std::move(device)) {}

    std::shared_ptr<Device> device_;
    MemoryHooks::Memory allocation_;
    VkDeviceSize size_ = 0;
    VkBuffer buffer_ = VK_NULL_HANDLE;
};

/// Those of the device's memory types in which a buffer of a program's can be; `further_usage`: as of
/// Device::create_buffer.
std::uint32_t buffer_memory_types(const Device& device, VkBufferUsageFlags further_usage);

} // namespace weir
