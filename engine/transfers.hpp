#pragma once

#include <cstddef>
#include <mutex>
#include <span>

#include <weir/engine/context.hpp>

namespace weir {

class Device;

/// Copies between host bytes and buffers, through staging memory that is kept and grows with the largest copy so far,
/// up to a chunk; what is larger goes in chunks. One copy at a time; others wait.
class Transfers {
public:
    explicit Transfers(Device& device) : device_(device) {}
    ~Transfers();
    Transfers(const Transfers&) = delete;
    Transfers& operator=(const Transfers&) = delete;

    Result<> upload(BufferView destination, std::span<const std::byte> bytes); ///< as Context::upload
    Result<> download(std::span<std::byte> bytes, BufferView source);          ///< as Context::download

private:
    struct Staging {
        MemoryHooks::Allocation memory;
        VkDeviceSize size = 0;
    };
    Result<> reserve(Staging& staging, MemoryKind kind, VkDeviceSize size);
    void free(Staging& staging);

    Device& device_;
    std::mutex mutex_;
    Staging up_;
    Staging down_;
};

} // namespace weir
