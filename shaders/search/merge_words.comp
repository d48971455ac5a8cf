#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

// Merges two sorted arrays of one-word keys along their merge path. A subgroup merges a tile of the output in registers. The tile's part of
// the first array, followed by the part of the second in reverse order, is a bitonic sequence, which Batcher's network sorts. Equal keys
// have the same bits, so their order does not matter. Key i of a tile is in row i / subgroup size, lane i % subgroup size, so that loads
// and stores are coalesced.
//
// The places where the path enters and leaves a tile determine the part of each array that the tile merges. The subgroup finds them between
// the places of the workgroup. If there are many keys, merge_splits.comp finds those of the workgroup.

#include "split_by_lanes.glsl"

layout(set = 0, binding = SPLITS_BINDING) readonly buffer Splits { uint splits[]; };
layout(set = 0, binding = OUTPUT_BINDING) writeonly buffer Output { uint out_words[]; };
layout(set = 0, binding = OUTPUT_COUNT_BINDING) writeonly buffer OutputCount { uint out_count[]; };

shared uint tile_splits[WEIR_MAX_SUBGROUPS + 1]; // start of each subgroup's tile, and end of the last one

uint keys[ITEMS];

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
    [[unroll]] for (uint distance = weir_subgroup_size() / 2; distance > 0; distance /= 2) {
        const bool is_upper = (weir_lane() & distance) != 0;
        [[unroll]] for (uint row = 0; row < ITEMS; ++row) {
            const uint other = weir_shuffle(keys[row], weir_lane() ^ distance);
            keys[row] = is_upper ? max(keys[row], other) : min(keys[row], other);
        }
    }
}

// Loads the tile: `firsts` keys of the first array from `first_begin` on, then `seconds` keys of the second in reverse order. In a partial
// tile, maximum keys fill the space between the two.
void load(uint first_begin, uint firsts, uint second_begin, uint seconds) {
    const uint length = weir_subgroup_size() * ITEMS;
    const uint first_place = first_begin + weir_lane(), last_place = second_begin + length - 1 - weir_lane();
    if (firsts + seconds == length) {
        [[unroll]] for (uint row = 0; row < ITEMS; ++row) {
            const uint before = row * weir_subgroup_size();
            if (before + weir_lane() < firsts) {
                keys[row] = first_key(first_place + before).y;
            } else {
                keys[row] = second_key(last_place - before).y;
            }
        }
    } else {
        [[unroll]] for (uint row = 0; row < ITEMS; ++row) {
            const uint before = row * weir_subgroup_size(), i = before + weir_lane();
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
    // Start and end of the workgroup's part of the path, in the first and in the second array.
    uint low = 0, high = firsts, low_second = 0, high_second = seconds;
    if (SPLITS_KNOWN) {
        low = splits[group];
        high = splits[group + 1];
        low_second = group_begin - low;
        high_second = min(group_begin + TILE, count) - high;
    }
    const uint length = weir_subgroup_size() * ITEMS;
    const uint begin = min(group_begin + gl_SubgroupID * length, count), end = min(begin + length, count), size = end - begin;
    const uint first_begin =
        split_by_lanes(weir_subgroup_size(), begin, max(low, begin - min(begin, high_second)), min(high, begin - low_second));
    uint last_end = high;
    if (!SPLITS_KNOWN && gl_SubgroupID == weir_subgroup_count() - 1) {
        last_end = split_by_lanes(weir_subgroup_size(), end, max(low, end - min(end, high_second)), min(high, end - low_second));
    }
    if (weir_lane() == 0) {
        tile_splits[gl_SubgroupID] = first_begin;
        if (gl_SubgroupID == weir_subgroup_count() - 1) {
            tile_splits[weir_subgroup_count()] = last_end;
        }
    }
    barrier();
    // Reads existing keys only, even if the arrays are not sorted.
    const uint first_end = max(tile_splits[gl_SubgroupID + 1], first_begin);
    const uint tile_firsts = min(first_end - first_begin, size), second_begin = begin - first_begin;
    load(first_begin, tile_firsts, second_begin, size - tile_firsts);
    sort_bitonic();
    [[unroll]] for (uint row = 0; row < ITEMS; ++row) {
        const uint i = row * weir_subgroup_size() + weir_lane();
        if (i < size) {
            out_words[begin + i] = number_of(uvec2(0, keys[row])).y;
        }
    }
}
