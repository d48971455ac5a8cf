#version 460
#extension GL_GOOGLE_include_directive : require

// Stores where each tile begins on the merge path: the number of earlier outputs that come from the first array. SPLIT_LANES lanes
// search for each tile, because the loads of a search depend on each other and more lanes need fewer steps.

#include "split_by_lanes.glsl"

layout(set = 0, binding = SPLITS_BINDING) writeonly buffer Splits { uint splits[]; };

void main() {
    const uint firsts = first_count(), seconds = second_count(), count = firsts + seconds;
    const uint probes = min(SPLIT_LANES, weir_subgroup_size());
    const uint tile = (weir_workgroup_index() * WORKGROUP + weir_invocation()) / probes;
    const uint diagonal = tile > count / TILE ? count : tile * TILE;
    const uint place = split_by_lanes(probes, diagonal, diagonal - min(diagonal, seconds), min(diagonal, firsts));
    if (weir_lane() % probes == 0 && tile <= count / TILE + uint(count % TILE != 0)) { // the last split is the end of the last tile
        splits[tile] = place;
    }
}
