#version 460
#extension GL_GOOGLE_include_directive : require

// Where tiles of a merge begin on the merge path, each found by an invocation of its own: a search waits for one load after the other, and
// thousands of them wait together.

#include "merge_path.glsl"

layout(set = 0, binding = SPLITS_BINDING) writeonly buffer Splits { uint splits[]; };

void main() {
    const uint firsts = first_count(), seconds = second_count(), count = firsts + seconds;
    const uint tile = weir_workgroup_index() * WORKGROUP + gl_LocalInvocationIndex;
    if (tile <= count / TILE + uint(count % TILE != 0)) { // the last one ends there
        splits[tile] = split(min(tile * TILE, count), firsts, seconds);
    }
}
