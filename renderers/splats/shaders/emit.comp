// Writes a pair for each block that a splat touches, nearest splats first: finds the first pair of each splat by a
// look-back, then writes pairs with one invocation per splat. The rows of splats that touch many blocks, and then the
// blocks of these rows, are shared by the lanes of the subgroup.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

layout(local_size_x = 256) in;

uint saturating_sum(uint a, uint b) {
    return a + b < a ? ~0u : a + b;
}

#define WEIR_TILE_STATES 7
#define WEIR_TILE_T uint
#define WEIR_TILE_WORDS 1
#define WEIR_TILE_COMBINE saturating_sum
#define WEIR_TILE_IDENTITY 0
#define WEIR_TILE_REDUCE count_pairs
#define WEIR_TILE_EXACT
#include <weir/weir_look_back.glsl>

#include "footprint.glsl"

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
layout(std430, set = 0, binding = 2) readonly buffer Covers {
    uint covers[];
};
layout(std430, set = 0, binding = 3) readonly buffer Projected {
    ProjectedSplat projected[];
};
layout(std430, set = 0, binding = 4) writeonly buffer Pairs {
    uint pairs;
};
layout(std430, set = 0, binding = 5) writeonly buffer Blocks {
    uint blocks[];
};
layout(std430, set = 0, binding = 6) writeonly buffer Splats {
    uint splats[];
};

layout(constant_id = 0) const uint items = 4; // splats per invocation

// Returns an invocation's i-th splat in `order`: 32 lanes have 32 consecutive ones.
uint place_of(uint tile, uint i) {
    return (tile * 256 + weir_invocation() - weir_lane()) * items + i * weir_subgroup_size() + weir_lane();
}

uint index_of(uint key) {
    return key & (1u << index_bits) - 1;
}

uint count_of(uint key) {
    const uint count = key >> index_bits;
    return count == ~0u >> index_bits ? covers[index_of(key)] : count; // the key holds small numbers only
}

uint count_pairs(uint tile) {
    uint sum = 0;
    for (uint i = 0; i < items; ++i) {
        const uint place = place_of(tile, i);
        sum = saturating_sum(sum, place < visible ? count_of(order[place].x) : 0);
    }
    return sum;
}

void write_pair(uint pair, uint number, uint index, uint bits) {
    blocks[pair] = number;
    splats[pair] = index | bits << pair_index_bits;
}

uint inclusive_sum(uint n) {
    for (uint step = 1; step < weir_subgroup_size(); step *= 2) {
        const uint before = subgroupShuffle(n, max(weir_lane(), step) - step);
        n = weir_lane() >= step ? saturating_sum(n, before) : n;
    }
    return n;
}

uint last_of(uint n) {
    return subgroupShuffle(n, weir_subgroup_size() - 1);
}

// Returns the lane with item n of the subgroup, where `sum` is an inclusive sum of the number of items of the lanes.
uint lane_with(uint n, uint sum) {
    uint found = 0;
    for (uint step = weir_subgroup_size() / 2; step > 0; step /= 2) {
        found += subgroupShuffle(sum, found + step - 1) <= n ? step : 0;
    }
    return found;
}

void emit_small(uint index, uint cover, uint pair, uint past) {
    const uint first = cover & 0xFFFF;
    for (uint i = 0; i < 4; ++i) {
        const uint tiles = cover >> 16 + 2 * (i & 1) + 8 * (i >> 1), bits = tiles & 3 | tiles >> 2 & 12;
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
    for (uint base = 0; base < row_count; base += weir_subgroup_size()) {
        const uint item = base + weir_lane(), owner = lane_with(item, row_sum);
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
        const uint first_lane = min(max(first_item, base) - base, weir_subgroup_size() - 1);
        const uint place = subgroupShuffle(pair, owner) + first - subgroupShuffle(first, first_lane);
        const uint limit = subgroupShuffle(past, owner);
        const uvec2 own = clamp(uvec2(row_sum - rows, row_sum), base, base + weir_subgroup_size()) - base;
        const uint own_first = subgroupShuffle(first, min(own.x, weir_subgroup_size() - 1));
        const uint own_past = subgroupShuffle(sum, max(own.y, 1) - 1);
        pair += own.x < own.y ? own_past - own_first : 0;

        const uint upper = uint(touched.upper.x | touched.upper.y << 16);
        const uint lower = uint(touched.lower.x | touched.lower.y << 16), pair_count = last_of(sum);
        for (uint first_pair = 0; first_pair < pair_count; first_pair += weir_subgroup_size()) {
            const uint n = first_pair + weir_lane(), from = lane_with(n, sum);
            const uint rank = n - subgroupShuffle(first, from), at = subgroupShuffle(place, from) + rank;
            const uint past_splat = subgroupShuffle(limit, from), in_upper = subgroupShuffle(upper, from);
            const uint in_lower = subgroupShuffle(lower, from), pair_index = subgroupShuffle(splat_index, from);
            const int pair_row = subgroupShuffle(row, from);
            if (n < pair_count && at < past_splat) {
                const ivec2 upper_ends = ivec2(in_upper & 0xFFFF, in_upper >> 16);
                const BlockRow tiles = BlockRow(upper_ends, ivec2(in_lower & 0xFFFF, in_lower >> 16));
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
    const uint tile_splats = 256 * items, tiles = (visible + tile_splats - 1) / tile_splats;
    const uint tile = weir_claim_tile(tiles);
    const uint own = weir_publish_tile(count_pairs(tile));
    uint first = subgroupShuffle(weir_look_back(), 0); // first pair of the subgroup
    if (tile + 1 == max(tiles, 1) && weir_invocation() == 0) {
        pairs = saturating_sum(weir_tile_prefix(), own);
    }
    for (uint i = 0; i < items; ++i) {
        const uint place = place_of(tile, i);
        uint index = 0, cover = 0, count = 0;
        if (place < visible) {
            const uint key = order[place].x;
            index = index_of(key);
            cover = covers[index];
            count = count_of(key);
        }
        const uint sum = inclusive_sum(count), past = saturating_sum(first, sum);
        const uint begin = min(past - count, room), end = min(past, room);
        first = saturating_sum(first, last_of(sum));
        const bool is_large = begin < end && !has_bits(cover, block_count);
        if (!is_large) {
            emit_small(index, cover, begin, end);
        }
        emit_large(is_large, index, begin, end);
    }
}
