#pragma once

#include <cstdint>

#include <weir/engine/context.hpp>

#include "tests/support/altered_host.hpp"

namespace weir::tests {

/// A device of another GPU, or of a host that enables only some of the features that Weir recommends.
struct DeviceProfile {
    const char* name;
    std::uint32_t api_version = VK_API_VERSION_1_3; ///< version of the instance and the device
    bool synchronization2 = false;
    bool maintenance4 = false;
    bool subgroup_size_control = false;
    bool full_subgroups = false;
    bool memory_model = false;
    bool device_scope = false;
    bool sizes_vary = false; ///< the maximum subgroup size is twice the minimum, rather than equal
};

/// Profiles that tests run on.
extern const DeviceProfile device_profiles[4];

/// The test device with the functions, properties and features of a profile. It is created with the features of the
/// profile, so that the validation layer reports the use of others. Only one object may exist at a time.
class ProfiledHost {
public:
    explicit ProfiledHost(const DeviceProfile& profile);
    ProfiledHost(const ProfiledHost&) = delete;
    ProfiledHost& operator=(const ProfiledHost&) = delete;

    [[nodiscard]] const AdoptedDevice& adopted() const { return adopted_; }

private:
    AlteredHost host_;
    AdoptedDevice adopted_;
};

} // namespace weir::tests
