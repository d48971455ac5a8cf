#pragma once

#include <string>

#include "tests/support/device.hpp"

namespace weir::tests {

/// Returns the reason for skipping tests that draw on the test device, or an empty string. Tests that blit count too,
/// because lavapipe draws blits.
inline std::string why_not_to_draw() {
    const Capabilities& device = test_context().capabilities();
    if ((device.queue_flags[0] & VK_QUEUE_GRAPHICS_BIT) == 0) {
        return "the main queue cannot draw"; // Vulkan lets a device have compute queues only
    }
    if (device.driver.find("Mesa 22.") != std::string::npos && device.subgroup_size != 8) {
        return "lavapipe of Mesa 22 crashes during or after draws with vectors of 128 and 512 bits";
    }
    return {};
}

} // namespace weir::tests
