#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <vulkan/vulkan_core.h>

#include <weir/engine/export.hpp>

namespace weir {

class DeviceMemory;

/// A range of a VkBuffer, for bindings and copies. It owns nothing.
struct BufferView {
    VkBuffer buffer = VK_NULL_HANDLE; ///< null: no range
    VkDeviceSize offset = 0;          ///< bytes from the start of the buffer
    VkDeviceSize size = 0;            ///< bytes
};

/// Kind of memory that a buffer is in.
enum class MemoryKind : std::uint8_t {
    device,   ///< fast for the GPU, not mapped
    upload,   ///< mapped; the host writes, the GPU reads
    download, ///< mapped and cached; the GPU writes, the host reads
};

/// Options of Context::create_buffer.
struct BufferOptions {
    MemoryKind kind = MemoryKind::device; ///< kind of memory
    VkBufferUsageFlags usage = 0;         ///< usages in addition to those of every Buffer
    /// Queue families that may use the buffer without transfers of ownership (VK_SHARING_MODE_CONCURRENT). With fewer
    /// than two different families, the buffer is exclusive: one family owns it at a time.
    std::vector<std::uint32_t> queue_families = {};
    std::string name = {}; ///< name in debuggers and error messages
};

/// A VkBuffer with its memory. The destructor frees both. Movable, not copyable. Keeps its device alive. Every buffer
/// can be bound as a storage buffer, read as indirect arguments, and copied from and to.
class WEIR_API Buffer {
public:
    /// Creates an object without a buffer.
    Buffer() = default;
    /// Takes the buffer of `other`.
    Buffer(Buffer&& other) noexcept;
    /// Frees this buffer and takes that of `other`.
    Buffer& operator=(Buffer&& other) noexcept;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    /// Frees the buffer and its memory.
    ~Buffer();

    /// Returns the Vulkan buffer.
    [[nodiscard]] VkBuffer handle() const { return buffer_; }
    [[nodiscard]] VkDeviceSize size() const { return size_; } ///< size in bytes
    /// Returns a view of the whole buffer.
    [[nodiscard]] BufferView view() const { return {buffer_, 0, size_}; }
    /// Returns a view of the whole buffer.
    operator BufferView() const {
        return view();
    } // NOLINT(google-explicit-constructor): a buffer is the view of all of it

    /// Returns the mapped bytes of an upload or download buffer. The mapping is coherent with the device. Null for
    /// device memory.
    [[nodiscard]] std::byte* mapped() const { return mapped_; }

private:
    friend class DeviceMemory;
    void reset() noexcept;

    std::shared_ptr<DeviceMemory> memory_;
    VkBuffer buffer_ = VK_NULL_HANDLE;
    void* allocation_ = nullptr;
    std::byte* mapped_ = nullptr;
    VkDeviceSize size_ = 0;
};

} // namespace weir
