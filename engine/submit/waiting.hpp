#pragma once

#include <chrono>
#include <cstdint>
#include <thread>

#include <vulkan/vulkan_core.h>

namespace weir {

/// The maximum time of a wait without a limit.
constexpr std::chrono::nanoseconds forever = std::chrono::nanoseconds::max();

/// Blocks in `wait(nanoseconds)` for at most `timeout`. If it fails for a reason other than device loss, the GPU may
/// still be running, so this calls `ask` once per millisecond until it returns something other than VK_NOT_READY.
/// Returns VK_SUCCESS, VK_ERROR_DEVICE_LOST, the last error after 200 consecutive failures of `ask`, or VK_TIMEOUT
/// after `timeout`. After the last two, the GPU may still be running (see Device::abandon).
template <class Wait, class Ask>
VkResult wait_or_ask(const Wait& wait, const Ask& ask, std::chrono::nanoseconds timeout = forever) {
    using Clock = std::chrono::steady_clock;
    constexpr int patience = 200;
    const Clock::time_point begin = Clock::now();
    VkResult status = wait(timeout == forever ? UINT64_MAX : static_cast<std::uint64_t>(timeout.count()));
    for (int failures = 0; status != VK_SUCCESS && status != VK_ERROR_DEVICE_LOST && failures < patience;) {
        if (timeout != forever && Clock::now() - begin >= timeout) {
            return VK_TIMEOUT;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        status = ask();
        failures = status == VK_NOT_READY ? 0 : failures + 1;
    }
    return status;
}

} // namespace weir
