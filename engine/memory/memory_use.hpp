#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include <weir/engine/memory_budget.hpp>

#include "engine/base/instance_table.hpp"

namespace weir {

/// Counts the device memory that Weir has allocated from each heap. Thread-safe.
class MemoryUse {
public:
    MemoryUse(const InstanceTable& vk, VkPhysicalDevice physical_device);

    [[nodiscard]] const VkPhysicalDeviceMemoryProperties& properties() const { return properties_; }
    void add(std::uint32_t type, VkDeviceSize bytes) { of(type) += bytes; }
    void remove(std::uint32_t type, VkDeviceSize bytes) { of(type) -= bytes; }

    /// Returns the budget of each heap. `is_measured`: queries the driver, which must have VK_EXT_memory_budget
    /// enabled.
    [[nodiscard]] MemoryBudget budget(bool is_measured) const;

private:
    [[nodiscard]] std::atomic<std::uint64_t>& of(std::uint32_t type) {
        return allocated_.at(properties_.memoryTypes[type].heapIndex);
    }

    const InstanceTable& vk_;
    VkPhysicalDevice physical_device_;
    VkPhysicalDeviceMemoryProperties properties_{};
    std::array<std::atomic<std::uint64_t>, VK_MAX_MEMORY_HEAPS> allocated_{}; ///< bytes by heap
};

} // namespace weir
