#version 460
#extension GL_GOOGLE_include_directive : require

// The places where tiles of a merge begin on the merge path. One invocation searches each of them: the loads of a search depend on each other,
// but those of many searches overlap.

#include "merge_path.glsl"

layout(set = 0, binding = SPLITS_BINDING) writeonly buffer Splits { uint splits[]; };

void main() {
    const uint firsts = first_count(), seconds = second_count(), count = firsts + seconds;
    const uint tile = weir_workgroup_index() * WORKGROUP + gl_LocalInvocationIndex;
    if (tile <= count / TILE + uint(count % TILE != 0)) { // the last place is where the last tile ends
        splits[tile] = split(min(tile * TILE, count), firsts, seconds);
    }
}
