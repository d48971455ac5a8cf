#pragma once

#include <optional>
#include <string>
#include <vector>

#include <weir/engine/capabilities.hpp>

#include "engine/features.hpp"
#include "engine/instance.hpp"

namespace weir {

/// What Weir wants to know of a physical device before there is a device.
struct PhysicalDevice {
    VkPhysicalDevice handle = VK_NULL_HANDLE;
    Capabilities capabilities; ///< without what depends on enabled features or on a queue family
    ExtensionSet extensions;   ///< supported
    std::vector<VkQueueFamilyProperties> queue_families;
    std::string unusable; ///< why Weir cannot run on it; empty if it can
};

PhysicalDevice inspect(const InstanceTable& vk, VkPhysicalDevice device);

/// The family for Weir's own queue: compute with timestamps, and with graphics where there is a choice, since that is
/// the family which a renderer would use. Null if none has compute.
std::optional<std::uint32_t> choose_queue_family(const std::vector<VkQueueFamilyProperties>& families);

} // namespace weir
