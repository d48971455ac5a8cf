#pragma once

#include <cstdint>

#include <gtest/gtest.h>

#include "engine/base/volk.hpp"

namespace weir::tests {

/// Returns a new timeline semaphore of a host's device. Its value is 0.
inline VkSemaphore timeline_semaphore(const VolkDeviceTable& vk, VkDevice device) {
    VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    const VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type};
    VkSemaphore semaphore = VK_NULL_HANDLE;
    EXPECT_EQ(vk.vkCreateSemaphore(device, &info, nullptr, &semaphore), VK_SUCCESS);
    return semaphore;
}

/// Returns a wait for a value of a timeline semaphore, or a signal of it, in all stages.
inline VkSemaphoreSubmitInfo at_value(VkSemaphore semaphore, std::uint64_t value) {
    VkSemaphoreSubmitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
    info.semaphore = semaphore;
    info.value = value;
    info.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    return info;
}

/// Raises a timeline semaphore to a value.
inline void raise(const VolkDeviceTable& vk, VkDevice device, VkSemaphore semaphore, std::uint64_t value) {
    VkSemaphoreSignalInfo signal{VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO};
    signal.semaphore = semaphore;
    signal.value = value;
    EXPECT_EQ(vk.vkSignalSemaphore(device, &signal), VK_SUCCESS);
}

} // namespace weir::tests
