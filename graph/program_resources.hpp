#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <weir/engine/buffer.hpp>
#include <weir/engine/image.hpp>
#include <weir/graph/plan.hpp>

#include "engine/image.hpp"
#include "graph/memory_pool.hpp"

namespace weir {

class Device;

/// For which usage, beside that of all buffers of a device, a buffer must be made that is used so.
VkBufferUsageFlags buffer_usage(Access access);

/// Where the buffers and images of a program are: in memory of its own or of a pool, or where the host has bound them.
/// All vectors are per resource of the graph.
class ProgramResources {
public:
    explicit ProgramResources(Device& device) : device_(device) {}

    /// Makes the images that are the program's own, for all that passes do with them, and writes down in `graph` what
    /// memory they need. Returns whether no memory is for images and buffers both. What is the program's own may be
    /// used in all of `families` at a time. Errors: those of Image::create.
    Result<bool> create_images(GraphDescription& graph, std::span<const std::uint32_t> families);

    /// Takes memory for what the plan uses; `needs_address`: of buffers. State buffers are zero, unless they
    /// `must_be_cleared`. Errors: those of Device::create_buffer.
    Result<> allocate(const GraphDescription& graph, const Plan& plan, MemoryPool::Impl* pool,
                      std::vector<bool> needs_address, std::span<const std::uint32_t> families);

    /// Whether, for want of a queue, the first execution must clear state buffers before all else.
    [[nodiscard]] bool must_be_cleared() const;
    void clear(VkCommandBuffer commands) const;

    void bind(std::size_t buffer, BufferView view);
    void bind(std::size_t image, ImageView view) { images[image] = view; }
    /// Two buffers change places.
    void swap(std::size_t one, std::size_t other);

    /// Bytes of device memory outside the plan's blocks.
    [[nodiscard]] std::uint64_t memory() const;

    std::vector<BufferView> views;          ///< empty: not bound, or no buffer
    std::vector<VkDeviceAddress> addresses; ///< of those that need one
    std::vector<ImageView> images;          ///< empty: not bound, or no image

private:
    struct Block {
        std::shared_ptr<const Buffer> buffer;
        std::shared_ptr<const ImageMemory> memory; ///< instead, where there are images
        [[nodiscard]] VkBuffer handle() const { return memory != nullptr ? memory->buffer() : buffer->handle(); }
    };
    Result<Block> make_block(const GraphDescription& graph, const Plan& plan, std::uint32_t index,
                             MemoryPool::Impl* pool, std::span<const std::uint32_t> families);
    Result<> place_image(const GraphDescription& graph, const Plan& plan, std::uint32_t image);

    Device& device_;
    std::vector<Block> blocks_;                              ///< that transients share
    std::vector<Buffer> owned_;                              ///< those with memory of their own
    std::vector<std::size_t> states_;                        ///< of these
    std::vector<std::unique_ptr<ImageMemory>> image_memory_; ///< the same for images
    std::vector<std::unique_ptr<Image>> own_images_;         ///< after their memory: they go first
    std::vector<VkFlags> usages_;                            ///< of images all, of buffers as of `buffer_usage`
    std::vector<bool> needs_address_;
};

} // namespace weir
