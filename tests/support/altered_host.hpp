#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include <weir/engine/context.hpp>

#include "tests/support/host_device.hpp"
#include "tests/support/replaced_functions.hpp"

namespace weir::tests {

/// Changes to what the test device reports. Empty functions change nothing.
struct Alterations {
    std::function<void(VkPhysicalDeviceProperties&)> properties;
    std::function<void(VkPhysicalDeviceVulkan11Properties&)> vulkan11;
    std::function<void(VkPhysicalDeviceVulkan13Properties&)> vulkan13;
    std::function<void(std::vector<VkQueueFamilyProperties>&)> families; ///< may add families
    std::function<bool(std::string_view)> lacks; ///< returns true for the names of functions that the device lacks
    std::function<void(std::vector<std::uint32_t>&)> spirv; ///< changes the words of a shader module
};

/// The test device as a host's device that reports altered properties. Only one object may exist at a time.
class AlteredHost {
public:
    explicit AlteredHost(Alterations alterations, const std::function<void(HostFeatures&)>& features = {},
                         std::uint32_t api_version = VK_API_VERSION_1_3);
    AlteredHost(const AlteredHost&) = delete;
    AlteredHost& operator=(const AlteredHost&) = delete;

    [[nodiscard]] const AdoptedDevice& adopted() const { return adopted_; }

private:
    HostDevice host_;
    AdoptedDevice adopted_;
    ReplacedFunctions replaced_;
};

} // namespace weir::tests
