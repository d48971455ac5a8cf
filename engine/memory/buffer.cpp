#include <weir/engine/buffer.hpp>

#include <utility>

#include "engine/device/device.hpp"

namespace weir {

Buffer::Buffer(Buffer&& other) noexcept {
    *this = std::move(other);
}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
    if (this != &other) {
        reset();
        device_ = std::move(other.device_);
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
        device_->free_memory({buffer_, allocation_, mapped_});
        if (mapped_ == nullptr) {
            device_->release_memory(size_);
        }
    }
    device_.reset();
    buffer_ = VK_NULL_HANDLE;
    allocation_ = nullptr;
    mapped_ = nullptr;
    size_ = 0;
}

} // namespace weir
