// Writes a pair for each tile that a splat touches, nearest splats first. One invocation per splat. If a splat touches
// many tiles, its whole subgroup writes them.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require

#include <weir/dispatch.glsl>

#include "footprint.glsl"

layout(local_size_x = 256) in;

layout(push_constant) uniform Push {
    uint width, height; // pixels
    uint columns, tile_count;
    uint room;       // capacity for pairs
    uint index_bits; // of the keys in `order`
};

layout(std430, set = 0, binding = 0) readonly buffer Order {
    uvec2 order[];
};
layout(std430, set = 0, binding = 1) readonly buffer Visible {
    uint visible;
};
layout(std430, set = 0, binding = 2) readonly buffer Offsets {
    uint offsets[]; // first pair of each splat, in the order of `order`
};
layout(std430, set = 0, binding = 3) readonly buffer Pairs {
    uint pairs;
};
layout(std430, set = 0, binding = 4) readonly buffer Projected {
    ProjectedSplat projected[];
};
layout(std430, set = 0, binding = 5) writeonly buffer Tiles {
    uint tiles[];
};
layout(std430, set = 0, binding = 6) writeonly buffer Splats {
    uint splats[];
};

const uint many = 32;

// Writes the pairs `first`, `first + step`, ... of each row of the splat's tiles, up to the pair `past`. Other
// invocations write the rest.
void emit(uint index, uint pair, uint past, uint first, uint step) {
    const ProjectedSplat splat = projected[index];
    const Footprint footprint = footprint_of(splat, height);
    for (int row = footprint.first_row; row < footprint.past_row && pair < past; ++row) {
        const ivec2 ends = tiles_in_row(splat, footprint, row, width);
        const uint in_row = min(uint(ends.y - ends.x), past - pair);
        for (uint i = first; i < in_row; i += step) {
            tiles[pair + i] = uint(row) * columns + uint(ends.x) + i;
            splats[pair + i] = index;
        }
        pair += in_row;
    }
    for (uint i = pair + first; i < past; i += step) { // only if two kernels round differently: pairs without a tile
        tiles[i] = tile_count;
        splats[i] = index;
    }
}

void main() {
    const uint i = weir_workgroup_index() * 256 + gl_LocalInvocationIndex;
    uint index = 0, begin = 0, count = 0;
    if (i < visible) {
        index = order[i].x & (1u << index_bits) - 1;
        begin = min(offsets[i], room);
        count = min(i + 1 < visible ? offsets[i + 1] : pairs, room) - begin;
    }
    if (count <= many) {
        emit(index, begin, begin + count, 0, 1);
    }
    uvec4 larger = subgroupBallot(count > many);
    while (larger != uvec4(0)) {
        const uint lane = subgroupBallotFindLSB(larger);
        larger[lane / 32] &= larger[lane / 32] - 1;
        const uint first = subgroupShuffle(begin, lane);
        emit(subgroupShuffle(index, lane), first, first + subgroupShuffle(count, lane), gl_SubgroupInvocationID,
             gl_SubgroupSize);
    }
}
