#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <weir/engine/capabilities.hpp>
#include <weir/engine/error.hpp>

#include "engine/features.hpp"
#include "engine/instance.hpp"

namespace weir {

/// What Weir wants to know of a physical device before there is a device.
struct PhysicalDevice {
    VkPhysicalDevice handle = VK_NULL_HANDLE;
    Capabilities capabilities;     ///< without what depends on enabled features or on a queue family
    std::uint32_t api_version = 0; ///< what may be used of Vulkan: the instance's version or the device's
    ExtensionSet extensions;       ///< supported
    std::vector<VkQueueFamilyProperties> queue_families;
    std::optional<Error> unusable; ///< why Weir cannot run on it; none if it can
};

/// Of an instance that was made for `api_version`.
PhysicalDevice inspect(const InstanceTable& vk, VkPhysicalDevice device, std::uint32_t api_version);

/// Why kernels cannot run on a device that has, of what it could have, only these capabilities enabled; empty if they
/// can.
std::string missing_for_subgroups(const Capabilities& enabled, std::uint32_t api_version);

/// The family for Weir's own queue: compute with timestamps, and with graphics where there is a choice, since that is
/// the family which a renderer would use. Null if none has compute.
std::optional<std::uint32_t> choose_queue_family(const std::vector<VkQueueFamilyProperties>& families);

/// One of the queues of a family.
struct QueuePlace {
    std::uint32_t family = Capabilities::no_queue;
    std::uint32_t index = 0;
};
using QueuePlaces = std::array<QueuePlace, queue_kinds>; ///< by QueueKind

/// The queues of a context whose main one is the first of family `main`. Compute: of a family without graphics, if
/// `main` has graphics and there is one, else a second one of `main`. Transfer: of a family with neither graphics nor
/// compute. Of several families, it is of the one that does the least else; of none, there is no such queue.
QueuePlaces choose_queues(const std::vector<VkQueueFamilyProperties>& families, std::uint32_t main);

} // namespace weir
