#ifndef WEIR_SPLIT_BY_LANES_GLSL
#define WEIR_SPLIT_BY_LANES_GLSL

// Searches along a merge path by groups of lanes.

#define WEIR_SHUFFLE_BARRIERS SHUFFLE_BARRIERS
#include "merge_path.glsl"
#include "subgroup.glsl"

// Returns the result of split(), which must be in [low, high]. These bounds are the same in a group of `probes` neighboring lanes. A group
// is the whole subgroup or at most 32 lanes. Each lane of the group tests one place, so that a step shortens the range by a factor of
// `probes` + 1. Every lane of the subgroup must take part.
uint split_by_lanes(uint probes, uint diagonal, uint low, uint high) {
    const uint probe = weir_lane() % probes, first_lane = weir_lane() - probe;
    while (subgroupAny(low < high)) {
        const uint stride = (high - low) / (probes + 1) + 1, place = low + (probe + 1) * stride - 1;
        const bool is_first = place < high && !precedes(second_key(diagonal - 1 - place), first_key(place));
        weir_await_lanes();
        const uvec4 lanes = subgroupBallot(is_first);
        const uint found = probes == weir_subgroup_size() ? weir_count_lanes(lanes)
                                                     : bitCount(bitfieldExtract(lanes[first_lane / 32], int(first_lane % 32), int(probes)));
        low += found * stride;
        high = min(high, low + stride - 1);
    }
    return low;
}

#endif
