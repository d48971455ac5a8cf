#pragma once

#include <algorithm>
#include <type_traits>

namespace weir::bench {

/// Returns the element that shaders/workgroup_scan.comp and subgroup_scan.comp scan next instead of `element`.
/// `scanned` is the result of the previous scan. So each scan depends on the previous one, and floats stay small.
template <class T>
T scanned_next(T element, T scanned) {
    if constexpr (std::is_same_v<T, float>) {
        scanned = std::clamp(scanned, -1.0F, 1.0F);
    }
    return element - scanned;
}

} // namespace weir::bench
