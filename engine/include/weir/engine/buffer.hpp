#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <vulkan/vulkan_core.h>

#include <weir/engine/export.hpp>

namespace weir {

class Device;

/// A range of a VkBuffer, in bytes. The unit in which buffers are bound; owns nothing.
struct BufferView {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceSize offset = 0;
    VkDeviceSize size = 0;
};

enum class MemoryKind : std::uint8_t {
    device,   ///< fast for the GPU, not mapped
    upload,   ///< mapped; the host writes, the GPU reads
    download, ///< mapped and cached; the GPU writes, the host reads
};

struct BufferOptions {
    MemoryKind kind = MemoryKind::device;
    VkBufferUsageFlags usage = 0; ///< beside what every buffer is made for, see Buffer
    /// Queue families whose queues may use it without handing it over to each other. Of less than two that differ, one
    /// family owns it at a time.
    std::vector<std::uint32_t> queue_families = {};
    std::string name = {}; ///< in debuggers and in errors
};

/// A buffer and its memory; freed with the object. Movable, not copyable. It keeps its device alive.
/// Every buffer can be bound as storage, read as indirect arguments, and copied from and to.
class WEIR_API Buffer {
public:
    Buffer() = default;
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer();

    [[nodiscard]] VkBuffer handle() const { return buffer_; }
    [[nodiscard]] VkDeviceSize size() const { return size_; } ///< bytes
    [[nodiscard]] BufferView view() const { return {buffer_, 0, size_}; }
    operator BufferView() const {
        return view();
    } // NOLINT(google-explicit-constructor): a buffer is the view of all of it

    /// The mapped bytes of an upload or download buffer, coherent with the device; null for device memory.
    [[nodiscard]] std::byte* mapped() const { return mapped_; }

private:
    friend class Device;
    void reset() noexcept;

    std::shared_ptr<Device> device_;
    VkBuffer buffer_ = VK_NULL_HANDLE;
    void* allocation_ = nullptr;
    std::byte* mapped_ = nullptr;
    VkDeviceSize size_ = 0;
};

} // namespace weir
