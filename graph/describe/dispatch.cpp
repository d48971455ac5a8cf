#include "graph/describe/dispatch.hpp"

#include <cstddef>
#include <string_view>

#include "engine/base/strings.hpp"

namespace weir {

Dispatch Dispatch::groups(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    return {.kind = Kind::groups, .x = x, .y = y, .z = z};
}

Dispatch Dispatch::elements(Count count, std::uint32_t per_group, std::uint32_t at_least) {
    return {.kind = Kind::elements, .count = count, .per_group = per_group, .at_least = at_least};
}

Dispatch Dispatch::indirect(BufferId arguments, std::uint32_t word) {
    return {.kind = Kind::indirect, .arguments = arguments, .word = word};
}

Result<> check_groups(const Dispatch& dispatch, const Capabilities& device) {
    const GroupCount max = max_groups(dispatch, device);
    const std::uint32_t groups[] = {max.x, max.y, max.z};
    const std::uint32_t limit[] = {device.max_workgroup_count_x, device.max_workgroup_count_y,
                                   device.max_workgroup_count_z};
    for (std::size_t i = 0; i < 3; ++i) {
        if (groups[i] > limit[i]) {
            return tl::unexpected(Error{ErrorCode::limit_exceeded,
                                        concat("a dispatch has up to ", groups[i], " workgroups in ",
                                               std::string_view("xyz").substr(i, 1), "; the device's limit is ",
                                               limit[i], " (maxComputeWorkGroupCount)")});
        }
    }
    return {};
}

} // namespace weir
