#pragma once

#include <chrono>
#include <thread>

#include <vulkan/vulkan_core.h>

namespace weir {

/// Waits for as long as it takes, by `wait`. That may fail, for lack of memory say, while the GPU still runs what is
/// waited for, and nothing that it uses may be given back. Then `ask`, which returns VK_NOT_READY until it is done, is
/// called each millisecond. Returns VK_SUCCESS, or VK_ERROR_DEVICE_LOST, after which nothing runs any more; or what
/// `ask` has failed with so often in succession that nobody can tell when the GPU is done (see Device::abandon).
template <class Wait, class Ask>
VkResult wait_or_ask(const Wait& wait, const Ask& ask) {
    constexpr int patience = 200;
    VkResult status = wait();
    for (int failures = 0; status != VK_SUCCESS && status != VK_ERROR_DEVICE_LOST && failures < patience;) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        status = ask();
        failures = status == VK_NOT_READY ? 0 : failures + 1;
    }
    return status;
}

} // namespace weir
