#pragma once

#include <algorithm>
#include <type_traits>

namespace weir::bench {

/// What shaders/workgroup_scan.comp and subgroup_scan.comp scan next in place of `element`, after it was scanned
/// to `scanned`. Each scan needs the one before, and floats stay small.
template <class T>
T scanned_next(T element, T scanned) {
    if constexpr (std::is_same_v<T, float>) {
        scanned = std::clamp(scanned, -1.0F, 1.0F);
    }
    return element - scanned;
}

} // namespace weir::bench
