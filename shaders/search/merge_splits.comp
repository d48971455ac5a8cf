#version 460
#extension GL_GOOGLE_include_directive : require

// Finds the places on the merge path where tiles begin. The loads of a search depend on each other, so several lanes search for each place.

#include "split_by_lanes.glsl"

layout(set = 0, binding = SPLITS_BINDING) writeonly buffer Splits { uint splits[]; };

void main() {
    const uint firsts = first_count(), seconds = second_count(), count = firsts + seconds;
    const uint probes = min(SPLIT_LANES, weir_subgroup_size());
    const uint tile = (weir_workgroup_index() * WORKGROUP + weir_invocation()) / probes;
    const uint diagonal = tile > count / TILE ? count : tile * TILE;
    const uint place = split_by_lanes(probes, diagonal, diagonal - min(diagonal, seconds), min(diagonal, firsts));
    if (weir_lane() % probes == 0 && tile <= count / TILE + uint(count % TILE != 0)) { // the last place is the end of the last tile
        splits[tile] = place;
    }
}
