// Writes a pair for each block that a splat touches, nearest splats first. One invocation per splat. The rows of splats
// that touch many blocks, and then the blocks of these rows, are shared by the lanes of the subgroup.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

#include <weir/dispatch.glsl>

#include "footprint.glsl"

layout(local_size_x = 256) in;

layout(push_constant) uniform Push {
    uint width, height; // pixels
    uint columns, block_count;
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
layout(std430, set = 0, binding = 4) readonly buffer Covers {
    uint covers[];
};
layout(std430, set = 0, binding = 5) readonly buffer Projected {
    ProjectedSplat projected[];
};
layout(std430, set = 0, binding = 6) writeonly buffer Blocks {
    uint blocks[];
};
layout(std430, set = 0, binding = 7) writeonly buffer Splats {
    uint splats[];
};

void write_pair(uint pair, uint number, uint index, uint bits) {
    blocks[pair] = number;
    splats[pair] = index | bits << pair_index_bits;
}

uint inclusive_sum(uint n) {
    for (uint step = 1; step < gl_SubgroupSize; step *= 2) {
        const uint before = subgroupShuffle(n, max(gl_SubgroupInvocationID, step) - step);
        n += gl_SubgroupInvocationID >= step ? before : 0;
    }
    return n;
}

uint last_of(uint n) {
    return subgroupShuffle(n, gl_SubgroupSize - 1);
}

// Returns the lane with item n of the subgroup, where `sum` is an inclusive sum of the number of items of the lanes.
uint lane_with(uint n, uint sum) {
    uint found = 0;
    for (uint step = gl_SubgroupSize / 2; step > 0; step /= 2) {
        found += subgroupShuffle(sum, found + step - 1) <= n ? step : 0;
    }
    return found;
}

void emit_small(uint index, uint cover, uint pair, uint past) {
    const uint first = cover & 0xFFFF;
    for (uint i = 0; i < 4; ++i) {
        const uint bits = cover >> 16 + 4 * i & 15;
        if (bits != 0 && pair < past) {
            write_pair(pair, first + (i & 1) + (i >> 1) * columns, index, bits);
            ++pair;
        }
    }
}

// Writes the pairs `pair` to `past` of the lane's splat. Each step writes a row of blocks per lane.
void emit_large(bool is_large, uint index, uint pair, uint past) {
    uint rows = 0;
    if (is_large) {
        const ivec2 ends = block_rows(footprint_of(projected[index], height));
        rows = uint(ends.y - ends.x);
    }
    const uint row_sum = inclusive_sum(rows), row_count = last_of(row_sum);
    for (uint base = 0; base < row_count; base += gl_SubgroupSize) {
        const uint item = base + gl_SubgroupInvocationID, owner = lane_with(item, row_sum);
        const uint first_item = subgroupShuffle(row_sum - rows, owner), splat_index = subgroupShuffle(index, owner);
        BlockRow touched = BlockRow(ivec2(0), ivec2(0));
        int row = 0;
        if (item < row_count) {
            const ProjectedSplat splat = projected[splat_index];
            const Footprint footprint = footprint_of(splat, height);
            row = block_rows(footprint).x + int(item - first_item);
            touched = block_row(splat, footprint, row, width);
        }
        const ivec2 ends = blocks_of(touched);
        const uint count = uint(ends.y - ends.x), sum = inclusive_sum(count), first = sum - count;
        // Place of the row: after the rows of the same splat in previous steps and in previous lanes.
        const uint first_lane = min(max(first_item, base) - base, gl_SubgroupSize - 1);
        const uint place = subgroupShuffle(pair, owner) + first - subgroupShuffle(first, first_lane);
        const uint limit = subgroupShuffle(past, owner);
        const uvec2 own = clamp(uvec2(row_sum - rows, row_sum), base, base + gl_SubgroupSize) - base;
        const uint own_first = subgroupShuffle(first, min(own.x, gl_SubgroupSize - 1));
        const uint own_past = subgroupShuffle(sum, max(own.y, 1) - 1);
        pair += own.x < own.y ? own_past - own_first : 0;

        const uint upper = uint(touched.upper.x | touched.upper.y << 16);
        const uint lower = uint(touched.lower.x | touched.lower.y << 16), pair_count = last_of(sum);
        for (uint first_pair = 0; first_pair < pair_count; first_pair += gl_SubgroupSize) {
            const uint n = first_pair + gl_SubgroupInvocationID, from = lane_with(n, sum);
            const uint rank = n - subgroupShuffle(first, from), at = subgroupShuffle(place, from) + rank;
            const uint past_splat = subgroupShuffle(limit, from), in_upper = subgroupShuffle(upper, from);
            const uint in_lower = subgroupShuffle(lower, from), pair_index = subgroupShuffle(splat_index, from);
            const int pair_row = subgroupShuffle(row, from);
            if (n < pair_count && at < past_splat) {
                const BlockRow tiles = BlockRow(ivec2(in_upper & 0xFFFF, in_upper >> 16), ivec2(in_lower & 0xFFFF, in_lower >> 16));
                const int column = blocks_of(tiles).x + int(rank);
                write_pair(at, uint(pair_row) * columns + uint(column), pair_index, block_bits(tiles, column));
            }
        }
    }
    for (; is_large && pair < past; ++pair) { // only if two kernels round differently: pairs without a block
        write_pair(pair, block_count, index, 0);
    }
}

void main() {
    const uint i = weir_workgroup_index() * 256 + gl_LocalInvocationIndex;
    uint index = 0, cover = 0, begin = 0, past = 0;
    if (i < visible) {
        index = order[i].x & (1u << index_bits) - 1;
        cover = covers[index];
        begin = min(offsets[i], room);
        past = min(i + 1 < visible ? offsets[i + 1] : pairs, room);
    }
    const bool is_large = begin < past && !has_bits(cover, block_count);
    if (!is_large) {
        emit_small(index, cover, begin, past);
    }
    emit_large(is_large, index, begin, past);
}
