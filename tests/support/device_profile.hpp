#pragma once

#include <cstdint>

#include <weir/engine/context.hpp>

#include "tests/support/host_device.hpp"
#include "tests/support/replaced_functions.hpp"

namespace weir::tests {

/// A device as hosts that know nothing of Weir make it, or as other GPUs have it.
struct DeviceProfile {
    const char* name;
    std::uint32_t api_version = VK_API_VERSION_1_3; ///< of the instance and the device
    bool synchronization2 = false;
    bool maintenance4 = false;
    bool subgroup_size_control = false;
    bool full_subgroups = false;
    bool memory_model = false;
    bool device_scope = false;
    bool sizes_vary = false; ///< the device may have subgroups of twice the size, too
};

/// All that tests run on.
extern const DeviceProfile device_profiles[4];

/// The test device as one of a profile. The device is made with the features of the profile, so that the validation
/// layer objects to others; its functions, properties and features are those of the profile. One at a time.
class ProfiledHost {
public:
    explicit ProfiledHost(const DeviceProfile& profile);
    ProfiledHost(const ProfiledHost&) = delete;
    ProfiledHost& operator=(const ProfiledHost&) = delete;

    [[nodiscard]] const AdoptedDevice& adopted() const { return adopted_; }

private:
    HostDevice host_;
    AdoptedDevice adopted_;
    ReplacedFunctions replaced_;
};

} // namespace weir::tests
