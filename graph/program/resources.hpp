#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <weir/engine/buffer.hpp>
#include <weir/engine/image.hpp>
#include <weir/graph/plan.hpp>

#include "engine/image.hpp"
#include "graph/program/memory_pool.hpp"

namespace weir {

class Device;

/// The usage flags that an access needs of a buffer, beside those that all buffers of a device have.
VkBufferUsageFlags buffer_usage(Access access);

/// The buffers and images of a program: in memory of its own or of a pool, or bound by the application.
/// All vectors are per resource of the graph.
class ProgramResources {
public:
    explicit ProgramResources(Device& device) : device_(device) {}

    /// The program's name, which stands before those of resources in debuggers; may be empty.
    void set_program(const std::string& name) { program_ = name; }

    /// Creates the program's own images with the usages that passes need, and sets their size and alignment in `graph`.
    /// Returns whether no memory type suits both images and buffers. All of `families` may use them at a time. Errors:
    /// those of Image::create.
    Result<bool> create_images(GraphDescription& graph, std::span<const std::uint32_t> families);

    /// Allocates or takes from the pool the memory that the plan needs, and of exports per frame so many copies.
    /// `needs_address`: per buffer. State buffers are zero, unless they `must_be_cleared`. Errors: those of
    /// Device::create_buffer.
    Result<> allocate(const GraphDescription& graph, const Plan& plan, MemoryPool::Impl* pool,
                      std::vector<bool> needs_address, std::span<const std::uint32_t> families, std::uint32_t copies);

    /// Whether the first execution must clear the state buffers, since there is no queue to clear them on before.
    [[nodiscard]] bool must_be_cleared() const;
    void clear(VkCommandBuffer commands) const;

    void bind(std::size_t buffer, BufferView view);
    /// The parts of an image lose their views.
    void bind(const GraphDescription& graph, std::size_t image, ImageView view);
    /// Two buffers change places.
    void swap(std::size_t one, std::size_t other);
    /// Whether there are exports per frame.
    [[nodiscard]] bool has_copies() const { return !per_frame_.empty(); }
    /// The views of exports per frame become those of copy `copy`.
    void take_copy(std::uint32_t copy);

    /// Bytes of device memory outside the plan's blocks.
    [[nodiscard]] std::uint64_t memory() const;

    std::vector<BufferView> views;          ///< empty: not bound, or no buffer
    std::vector<VkDeviceAddress> addresses; ///< of buffers that need one
    std::vector<ImageView> images;          ///< empty: not bound, or no image

private:
    struct Block {
        std::shared_ptr<const Buffer> buffer;
        std::shared_ptr<const ImageMemory> memory; ///< instead, where there are images
        [[nodiscard]] VkBuffer handle() const { return memory != nullptr ? memory->buffer() : buffer->handle(); }
    };
    Result<Block> make_block(const GraphDescription& graph, const Plan& plan, std::uint32_t index,
                             MemoryPool::Impl* pool, std::span<const std::uint32_t> families);
    Result<> view_part(const GraphDescription& graph, std::uint32_t part);
    Result<> place_image(const GraphDescription& graph, const Plan& plan, std::uint32_t image);
    Result<> place_alone(Image& image, const std::string& name);
    Result<> make_copies(const GraphDescription& graph, std::uint32_t export_, std::uint32_t copies,
                         std::span<const std::uint32_t> families);

    /// Puts the program's name before that of the resource, which the object has. Of an image: of its view.
    void set_name(VkObjectType type, std::uint64_t object, const std::string& name) const;
    void set_name(VkBuffer buffer, const std::string& name) const;
    void set_name(const ImageView& image, const std::string& name) const;

    Device& device_;
    std::string program_;
    std::size_t declared_ = 0;                               ///< resources that the graph has declared; pieces follow
    std::vector<Block> blocks_;                              ///< that transients share
    std::vector<Buffer> owned_;                              ///< those with memory of their own
    std::vector<std::size_t> states_;                        ///< of these
    std::vector<std::unique_ptr<ImageMemory>> image_memory_; ///< the same for images
    std::vector<std::unique_ptr<Image>> own_images_;         ///< after their memory: they go first
    /// An export per frame.
    struct PerFrame {
        std::size_t resource = 0;
        std::vector<BufferView> views; ///< per copy, like the others
        std::vector<VkDeviceAddress> addresses;
        std::vector<ImageView> images;
    };
    std::vector<PerFrame> per_frame_;
    std::vector<Buffer> more_buffers_; ///< copies after the first
    std::vector<std::unique_ptr<Image>> more_images_;
    std::vector<VkFlags> usages_; ///< of images all, of buffers as of `buffer_usage`
    std::vector<bool> needs_address_;
};

} // namespace weir
