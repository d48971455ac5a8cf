#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <vulkan/vulkan_core.h>

#include "engine/base/vulkan_error.hpp"

namespace weir {

/// Runs Vulkan's two-call enumeration idiom: `call(&count, nullptr)`, then `call(&count, items)`, again while the
/// result is VK_INCOMPLETE. `what` names the items in error messages.
template <class Property, class Enumerate>
Result<std::vector<Property>> enumerate(const std::string& what, const Enumerate& call) {
    std::vector<Property> items;
    std::uint32_t count = 0;
    VkResult status = VK_INCOMPLETE;
    while (status == VK_INCOMPLETE) {
        status = call(&count, nullptr);
        if (status == VK_SUCCESS) {
            items.resize(count);
            status = call(&count, items.data());
        }
    }
    if (status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, "listing " + what));
    }
    items.resize(count);
    return items;
}

} // namespace weir
