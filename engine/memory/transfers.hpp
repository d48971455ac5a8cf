#pragma once

#include <cstddef>
#include <mutex>
#include <span>

#include <weir/engine/context.hpp>

namespace weir {

class DeviceMemory;
class Submissions;

/// Copies between host memory and buffers through staging memory, which is kept and grows with the largest copy so far,
/// up to one chunk (64 MiB). Larger copies are split into chunks. One copy runs at a time; other threads wait.
class Transfers {
public:
    Transfers(DeviceMemory& memory, Submissions& submissions) : memory_(memory), submissions_(submissions) {}
    ~Transfers();
    Transfers(const Transfers&) = delete;
    Transfers& operator=(const Transfers&) = delete;

    Result<> upload(BufferView destination, std::span<const std::byte> bytes); ///< implements Context::upload
    Result<> download(std::span<std::byte> bytes, BufferView source);          ///< implements Context::download

private:
    struct Staging {
        MemoryHooks::Allocation memory;
        VkDeviceSize size = 0;
    };
    Result<> reserve(Staging& staging, MemoryKind kind, VkDeviceSize size);
    void free(Staging& staging);

    DeviceMemory& memory_;
    Submissions& submissions_;
    std::mutex mutex_;
    Staging up_;
    Staging down_;
};

} // namespace weir
