#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <weir/engine/capabilities.hpp>
#include <weir/engine/error.hpp>

#include "engine/device/features.hpp"
#include "engine/device/instance.hpp"

namespace weir {

/// Properties of a physical device, known before a logical device exists.
struct PhysicalDevice {
    VkPhysicalDevice handle = VK_NULL_HANDLE;
    Capabilities capabilities;     ///< except those that depend on enabled features or a queue family
    std::uint32_t api_version = 0; ///< highest usable version: the lower one of instance and device
    ExtensionSet extensions;       ///< supported
    std::vector<VkQueueFamilyProperties> queue_families;
    std::optional<Error> unusable; ///< why Weir cannot run on it; nullopt if it can
};

/// Reads the properties of `device`. `api_version`: the version that the instance was created for.
PhysicalDevice inspect(const InstanceTable& vk, VkPhysicalDevice device, std::uint32_t api_version);

/// Returns the family for Weir's main queue: one with compute, preferably with timestamps, then preferably with
/// graphics, because a renderer would use that family. Returns nullopt if no family has compute.
std::optional<std::uint32_t> choose_queue_family(const std::vector<VkQueueFamilyProperties>& families);

/// Family and index of a queue.
struct QueuePlace {
    std::uint32_t family = Capabilities::no_queue;
    std::uint32_t index = 0;
};
using QueuePlaces = std::array<QueuePlace, queue_kinds>; ///< by QueueKind

/// Returns the queues of a context. The main queue is the first of family `main`. The compute queue is of a family
/// without graphics, if `main` has graphics and such a family exists; otherwise it is a second queue of `main`. The
/// transfer queue is of a family with neither graphics nor compute. If several families fit, the one with the fewest
/// capabilities is chosen. If none fits, the context has no such queue.
QueuePlaces choose_queues(const std::vector<VkQueueFamilyProperties>& families, std::uint32_t main);

} // namespace weir
