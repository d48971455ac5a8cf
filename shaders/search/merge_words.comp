#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

// Merges two sorted arrays of keys of a word along their merge path. A subgroup merges a tile of the output in registers: the first array's
// part of the tile, and after it the second's in reverse order, are a bitonic sequence, which Batcher's network sorts. Equal keys are the same
// bits, so that no one sees their order. Key i of a tile is in row i / subgroup size, lane i % subgroup size: loads and stores are of neighbours.
//
// The places where the path enters and leaves a tile tell which part of each array the tile merges. They are found by the subgroup, between
// the places of the workgroup, which merge_splits.comp finds where there are many keys.

#include "split_by_lanes.glsl"

layout(set = 0, binding = SPLITS_BINDING) readonly buffer Splits { uint splits[]; };
layout(set = 0, binding = OUTPUT_BINDING) writeonly buffer Output { uint out_words[]; };
layout(set = 0, binding = OUTPUT_COUNT_BINDING) writeonly buffer OutputCount { uint out_count[]; };

shared uint tile_splits[MAX_SUBGROUPS + 1]; // where subgroups' tiles begin, and the last one ends

uint keys[ITEMS]; // of the tile

void sort_bitonic() {
    [[unroll]] for (uint distance = ITEMS / 2; distance > 0; distance /= 2) {
        [[unroll]] for (uint row = 0; row < ITEMS; ++row) {
            if ((row & distance) == 0) {
                const uint key = keys[row], other = keys[row + distance];
                keys[row] = min(key, other);
                keys[row + distance] = max(key, other);
            }
        }
    }
    [[unroll]] for (uint distance = subgroup_size() / 2; distance > 0; distance /= 2) {
        const bool is_upper = (lane() & distance) != 0;
        [[unroll]] for (uint row = 0; row < ITEMS; ++row) {
            const uint other = weir_shuffle(keys[row], lane() ^ distance);
            keys[row] = is_upper ? max(keys[row], other) : min(keys[row], other);
        }
    }
}

// Loads the tile: `firsts` keys of the first array from `first_begin` on, and then `seconds` keys of the second, the last one first. What is
// between the two in a tile that is not full are greatest keys.
void load(uint first_begin, uint firsts, uint second_begin, uint seconds) {
    const uint length = subgroup_size() * ITEMS;
    const uint first_place = first_begin + lane(), last_place = second_begin + length - 1 - lane();
    if (firsts + seconds == length) {
        [[unroll]] for (uint row = 0; row < ITEMS; ++row) {
            const uint before = row * subgroup_size();
            if (before + lane() < firsts) {
                keys[row] = first_key(first_place + before).y;
            } else {
                keys[row] = second_key(last_place - before).y;
            }
        }
    } else {
        [[unroll]] for (uint row = 0; row < ITEMS; ++row) {
            const uint before = row * subgroup_size(), i = before + lane();
            keys[row] = ~0u;
            if (i < firsts) {
                keys[row] = first_key(first_place + before).y;
            } else if (length - 1 - i < seconds) {
                keys[row] = second_key(last_place - before).y;
            }
        }
    }
}

void main() {
    const uvec2 counts = agree(FIRST_ON_GPU || SECOND_ON_GPU, uvec2(first_count(), second_count()));
    const uint firsts = counts.x, seconds = counts.y, count = firsts + seconds;
    const uint group = weir_workgroup_index(), group_begin = group * TILE;
    if (group == 0 && gl_LocalInvocationIndex == 0) {
        out_count[0] = count;
    }
    if (group >= count / TILE + uint(count % TILE != 0)) {
        return;
    }
    // The places where the workgroup's part of the path begins and ends: of the first array, and of the second.
    uint low = 0, high = firsts, low_second = 0, high_second = seconds;
    if (SPLITS_KNOWN) {
        low = splits[group];
        high = splits[group + 1];
        low_second = group_begin - low;
        high_second = min(group_begin + TILE, count) - high;
    }
    const uint length = subgroup_size() * ITEMS;
    const uint begin = min(group_begin + gl_SubgroupID * length, count), end = min(begin + length, count), size = end - begin;
    const uint first_begin =
        split_by_lanes(subgroup_size(), begin, max(low, begin - min(begin, high_second)), min(high, begin - low_second));
    uint last_end = high;
    if (!SPLITS_KNOWN && gl_SubgroupID == subgroup_count() - 1) {
        last_end = split_by_lanes(subgroup_size(), end, max(low, end - min(end, high_second)), min(high, end - low_second));
    }
    if (lane() == 0) {
        tile_splits[gl_SubgroupID] = first_begin;
        if (gl_SubgroupID == subgroup_count() - 1) {
            tile_splits[subgroup_count()] = last_end;
        }
    }
    barrier();
    // Of arrays that are not sorted, as of others, only keys are read that are there.
    const uint first_end = max(tile_splits[gl_SubgroupID + 1], first_begin);
    const uint tile_firsts = min(first_end - first_begin, size), second_begin = begin - first_begin;
    load(first_begin, tile_firsts, second_begin, size - tile_firsts);
    sort_bitonic();
    [[unroll]] for (uint row = 0; row < ITEMS; ++row) {
        const uint i = row * subgroup_size() + lane();
        if (i < size) {
            out_words[begin + i] = number_of(uvec2(0, keys[row])).y;
        }
    }
}
