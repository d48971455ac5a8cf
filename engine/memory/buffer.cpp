#include <weir/engine/buffer.hpp>

#include <utility>

#include "engine/memory/device_memory.hpp"

namespace weir {

Buffer::Buffer(Buffer&& other) noexcept {
    *this = std::move(other);
}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
    if (this != &other) {
        reset();
        memory_ = std::move(other.memory_);
        buffer_ = std::exchange(other.buffer_, VK_NULL_HANDLE);
        allocation_ = std::exchange(other.allocation_, nullptr);
        mapped_ = std::exchange(other.mapped_, nullptr);
        size_ = std::exchange(other.size_, 0);
    }
    return *this;
}

Buffer::~Buffer() {
    reset();
}

void Buffer::reset() noexcept {
    if (buffer_ != VK_NULL_HANDLE) {
        memory_->destroy_buffer({buffer_, allocation_, mapped_}, size_);
    }
    memory_.reset();
    buffer_ = VK_NULL_HANDLE;
    allocation_ = nullptr;
    mapped_ = nullptr;
    size_ = 0;
}

} // namespace weir
