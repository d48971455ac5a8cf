#ifndef WEIR_SPLIT_BY_LANES_GLSL
#define WEIR_SPLIT_BY_LANES_GLSL

// Searches along a merge path by groups of lanes.

#define BARRIER_BEFORE_SHUFFLES SHUFFLE_BARRIERS
#include "merge_path.glsl"
#include "subgroup.glsl"

// As split, where the place is from `low` to `high`. These are the same in a group of `probes` neighbouring lanes, which are all of the
// subgroup, or 32 at most. Each lane of the group looks at one place, so that a step makes the range shorter by a factor of their number and
// one. Every lane of the subgroup takes part.
uint split_by_lanes(uint probes, uint diagonal, uint low, uint high) {
    const uint probe = lane() % probes, first_lane = lane() - probe;
    while (subgroupAny(low < high)) {
        const uint stride = (high - low) / (probes + 1) + 1, place = low + (probe + 1) * stride - 1;
        const bool is_first = place < high && !precedes(second_key(diagonal - 1 - place), first_key(place));
        await_lanes();
        const uvec4 lanes = subgroupBallot(is_first);
        const uint found = probes == subgroup_size() ? count_lanes(lanes)
                                                     : bitCount(bitfieldExtract(lanes[first_lane / 32], int(first_lane % 32), int(probes)));
        low += found * stride;
        high = min(high, low + stride - 1);
    }
    return low;
}

#endif
