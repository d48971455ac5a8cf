#pragma once

#include <algorithm>
#include <cstdint>

#include <weir/engine/capabilities.hpp>
#include <weir/engine/error.hpp>
#include <weir/graph/graph.hpp>

// Numbers of workgroups that a dispatch runs.

namespace weir {

struct GroupCount {
    std::uint32_t x = 0, y = 1, z = 1;
};

/// Returns the workgroups for `count` elements in two dimensions. Equal rows leave the fewest workgroups without work.
inline GroupCount group_count(std::uint32_t count, const Dispatch& dispatch, std::uint32_t max_x) {
    const std::uint32_t needed = count / dispatch.per_group + (count % dispatch.per_group != 0 ? 1 : 0);
    const std::uint32_t groups = std::max(needed, dispatch.at_least);
    const std::uint32_t y = std::max(1U, groups / max_x + (groups % max_x != 0 ? 1 : 0));
    return {groups / y + (groups % y != 0 ? 1 : 0), y};
}

/// Returns the maximum number of workgroups of a dispatch. For an indirect dispatch, returns what was known when it was
/// added.
inline GroupCount max_groups(const Dispatch& dispatch, const Capabilities& device) {
    return dispatch.kind == Dispatch::Kind::elements
               ? group_count(dispatch.count.max, dispatch, std::max(1U, device.max_workgroup_count_x))
               : GroupCount{dispatch.x, dispatch.y, dispatch.z};
}

/// Checks that the device can run the maximum number of workgroups. Errors: `limit_exceeded`.
Result<> check_groups(const Dispatch& dispatch, const Capabilities& device);

} // namespace weir
