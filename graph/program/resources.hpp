#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <weir/engine/buffer.hpp>
#include <weir/engine/image.hpp>
#include <weir/graph/plan.hpp>

#include "engine/memory/image.hpp"
#include "graph/program/memory_pool.hpp"

namespace weir {

class Device;

/// Returns the usage flags that an access needs of a buffer, in addition to those of all buffers of a device.
VkBufferUsageFlags buffer_usage(Access access);

/// Checks if a part of an image is a cube.
bool has_cubes(const GraphDescription& graph, std::uint32_t image);
/// Returns the layout of the previous image of a history before the first execution. `last`: the plan's final layout of
/// the current image.
inline VkImageLayout history_layout(VkImageLayout last) {
    return last != VK_IMAGE_LAYOUT_UNDEFINED ? last : VK_IMAGE_LAYOUT_GENERAL;
}

/// The buffers and images of a program: in memory of its own or of a pool, or bound by the application. Public vectors
/// are per resource of the graph.
class ProgramResources {
public:
    explicit ProgramResources(Device& device) : device_(device) {}

    /// Sets the program's name, which precedes those of resources in debuggers; may be empty.
    void set_program(const std::string& name) { program_ = name; }

    /// Creates the program's own images with the usages that passes and exports need, and sets their size and alignment
    /// in `graph`. All of `families` may use them at the same time. Returns true if no memory type suits both images
    /// and buffers. Errors: those of Image::create.
    Result<bool> create_images(GraphDescription& graph, std::span<const std::uint32_t> families);

    /// Allocates the memory that the plan needs, or takes it from the pool, and creates `copies` copies of exports per
    /// frame. `needs_address`: per resource. Clears states and histories to zero unless they `must_be_cleared`. Errors:
    /// those of Device::create_buffer, Image::create and Device::submit; `unsupported` for a history image that the
    /// queue which clears it cannot clear.
    Result<> allocate(const GraphDescription& graph, const Plan& plan, PoolBlocks* pool,
                      std::vector<bool> needs_address, std::span<const std::uint32_t> families, std::uint32_t copies);

    /// Checks if the first execution must clear states and histories, because the device has no queue to clear them on
    /// before.
    [[nodiscard]] bool must_be_cleared() const;
    void clear(VkCommandBuffer commands) const;

    void bind(std::size_t buffer, BufferView view);
    /// Binds an image. Removes the views of its parts.
    void bind(const GraphDescription& graph, std::size_t image, ImageView view);
    /// Swaps two buffers, or two images.
    void swap(std::size_t one, std::size_t other);
    /// Checks if the graph has exports per frame.
    [[nodiscard]] bool has_copies() const { return !per_frame_.empty(); }
    /// Selects copy `copy` of exports per frame.
    void take_copy(std::uint32_t copy);

    /// Returns all usage flags of an image, or those by `buffer_usage` of a buffer.
    [[nodiscard]] VkFlags usage(std::size_t resource) const { return usages_[resource]; }
    /// Returns the bytes of device memory outside the plan's blocks.
    [[nodiscard]] std::uint64_t memory() const;

    std::vector<BufferView> views;          ///< empty: not bound, or not a buffer
    std::vector<VkDeviceAddress> addresses; ///< of buffers that need one
    std::vector<ImageView> images;          ///< empty: not bound, or not an image

private:
    struct Block {
        std::shared_ptr<const Buffer> buffer;
        std::shared_ptr<const ImageMemory> memory; ///< instead of `buffer`, if the block has images
        [[nodiscard]] VkBuffer handle() const { return memory != nullptr ? memory->buffer() : buffer->handle(); }
    };
    Result<Block> make_block(const GraphDescription& graph, const Plan& plan, std::uint32_t index, PoolBlocks* pool,
                             std::span<const std::uint32_t> families);
    Result<> view_part(const GraphDescription& graph, std::uint32_t part);
    Result<> place_image(const GraphDescription& graph, const Plan& plan, std::uint32_t image);
    Result<> place_alone(Image& image, const std::string& name);
    Result<> make_copies(const GraphDescription& graph, std::uint32_t export_, std::uint32_t copies,
                         std::span<const std::uint32_t> families);

    /// The image of a history that is the previous one in the first execution. The other one has no contents then.
    struct HistoryImage {
        VkImage image = VK_NULL_HANDLE;
        VkImageSubresourceRange range{};
        VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED; ///< layout before the first execution
    };
    Result<> add_history(const GraphDescription& graph, const Plan& plan, std::uint32_t image);
    void change_layout(VkCommandBuffer commands, const HistoryImage& history, VkImageLayout from, VkImageLayout to,
                       const Scope& source, const Scope& destination) const;

    /// Names an object after the program and the resource. Does nothing if the program has no name. For images: names
    /// the view.
    void set_name(VkObjectType type, std::uint64_t object, const std::string& name) const;
    void set_name(VkBuffer buffer, const std::string& name) const;
    void set_name(const ImageView& image, const std::string& name) const;

    Device& device_;
    std::string program_;
    std::size_t declared_ = 0;        ///< number of resources that the graph declares; pieces follow
    std::vector<Block> blocks_;       ///< blocks that transients share
    std::vector<Buffer> owned_;       ///< per resource: buffers with memory of their own
    std::vector<std::size_t> states_; ///< indices of state buffers in `owned_`
    std::vector<HistoryImage> histories_;
    std::vector<std::unique_ptr<ImageMemory>> image_memory_; ///< memory of images that are alone in it
    std::vector<std::unique_ptr<Image>> own_images_;         ///< per resource; after their memory: destroyed first
    /// Copies of an export per frame.
    struct PerFrame {
        std::size_t resource = 0;
        std::vector<BufferView> views; ///< per copy; also `addresses` and `images`
        std::vector<VkDeviceAddress> addresses;
        std::vector<ImageView> images;
    };
    std::vector<PerFrame> per_frame_;
    std::vector<Buffer> more_buffers_; ///< copies of buffers after the first
    std::vector<std::unique_ptr<Image>> more_images_;
    /// A part of a buffer.
    struct Part {
        std::uint32_t resource = 0;
        std::uint64_t offset = 0, bytes = 0;
    };
    std::vector<std::vector<Part>> parts_of_buffers_; ///< per resource: its parts and pieces, if it is a buffer
    std::vector<VkFlags> usages_; ///< per resource: all usages of an image; those by `buffer_usage` of a buffer
    std::vector<bool> needs_address_;
};

} // namespace weir
