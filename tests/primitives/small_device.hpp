#pragma once

#include <weir/engine/capabilities.hpp>

namespace weir::tests {

/// Returns a device with the minimum limits that Weir supports.
inline Capabilities small_device() {
    Capabilities device;
    device.subgroup_size = device.subgroup_size_min = device.subgroup_size_max = 4;
    device.max_workgroup_invocations = 256;
    device.max_workgroup_subgroups = 64;
    device.max_workgroup_memory = 16384;
    device.max_workgroup_count_x = device.max_workgroup_count_y = 65535;
    device.max_storage_range = 1U << 27;
    return device;
}

} // namespace weir::tests
