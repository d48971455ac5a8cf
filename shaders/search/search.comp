#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

// For each key, counts the elements of a sorted array that are less, or with UPPER less or equal. One binary search per key. The searches
// of an invocation advance together, so that their loads are in flight together. If the keys of a tile ascend, its first and last key are
// searched for first, and the others between their places.

layout(push_constant) uniform Push {
    uint max_count; // keys
    uint count_word;
    uint max_sorted;
    uint sorted_word;
};

#include "interface.glsl"
#include "search_interface.h"
#define OWN_ROWS
#include "agree.glsl"
#include "elementwise.glsl"
#include "total_order.glsl"

layout(set = 0, binding = SORTED_COUNT_BINDING) readonly buffer SortedCounts { uint sorted_counts[]; };
layout(set = 0, binding = SORTED_BINDING) readonly buffer Sorted { uint sorted_words[]; };
layout(set = 0, binding = KEYS_BINDING) readonly buffer Keys { uint key_words[]; };
layout(set = 0, binding = OUTPUT_BINDING) writeonly buffer Places { uint places[]; };

shared uint falling; // 1 if a key of the tile is less than the previous one
shared uint ends[2];

uvec2 sorted_key(uint i) {
    return key_of(WORDS == 2 ? sorted_words[i * WORDS] : 0, sorted_words[i * WORDS + WORDS - 1]);
}

uvec2 key_at(uint i) {
    return key_of(WORDS == 2 ? key_words[i * WORDS] : 0, key_words[i * WORDS + WORDS - 1]);
}

// Returns true if the i-th element is before the place of the key.
bool is_before(uint i, uvec2 key) {
    const uvec2 element = sorted_key(i);
    return UPPER ? !precedes(key, element) : precedes(element, key);
}

uvec2 keys[ROWS];
uint lows[ROWS];

// Finds the place of each key in [low, low + length]. Each step halves the length, which is the same in all invocations.
void search_rows(uint low, uint length) {
    [[unroll]] for (uint row = 0; row < ROWS; ++row) {
        lows[row] = low;
    }
    while (length > 1) {
        const uint half_length = length / 2;
        [[unroll]] for (uint row = 0; row < ROWS; ++row) {
            lows[row] += is_before(lows[row] + half_length - 1, keys[row]) ? half_length : 0;
        }
        length -= half_length;
    }
    if (length == 1) {
        [[unroll]] for (uint row = 0; row < ROWS; ++row) {
            lows[row] += uint(is_before(lows[row], keys[row]));
        }
    }
}

// Sets `ends` to the places of two keys. All invocations search together. Each tests one element of a range, which each step shortens by a
// factor of half the workgroup.
void find_ends(uvec2 first_key, uvec2 last_key, uint count) {
    const uint end = gl_LocalInvocationIndex & 1, probe = gl_LocalInvocationIndex / 2, probes = WORKGROUP / 2;
    const uvec2 key = end == 0 ? first_key : last_key;
    uint low = 0, length = count;
    if (gl_LocalInvocationIndex < 2) {
        ends[gl_LocalInvocationIndex] = 0;
    }
    for (uint most = count; most > 0; most = (most - 1) / probes) { // maximum length of the ranges
        const uint stride = (most - 1) / probes + 1;
        barrier();
        if (probe * stride < length && is_before(low + probe * stride, key)) {
            atomicMax(ends[end], low + probe * stride + 1);
        }
        barrier();
        const uint high = low + length, found = ends[end];
        length = found == low ? 0 : min(high - found, stride - 1);
        low = found;
    }
    barrier();
}

// Returns the place of one key. Unlike search_rows, it does not test places that are powers of two apart: among 2^28 elements, these would
// share a few sets of a cache.
uint place_of(uvec2 key, uint count) {
    uint low = 0, length = count;
    while (length > 0) {
        const uint before = length / 2;
        const bool goes_on = is_before(low + before, key);
        low += goes_on ? before + 1 : 0;
        length = goes_on ? length - before - 1 : before;
    }
    return low;
}

void main() {
    Tile tile = own_tile();
    const uvec2 counts = agree(COUNT_ON_GPU || SORTED_ON_GPU,
                               uvec2(tile.elements, SORTED_ON_GPU ? min(sorted_counts[sorted_word], max_sorted) : max_sorted));
    const uint count = counts.y;
    tile.elements = counts.x;
    if (tile.elements == 0) {
        return;
    }
    const uint me = gl_LocalInvocationIndex, last = tile.first + tile.elements - 1;
    [[unroll]] for (uint row = 0; row < ROWS; ++row) {
        keys[row] = key_at(min(tile.first + row * WORKGROUP + me, last));
    }
    uint low = 0, length = count;
    if (NARROWS) {
        if (me == 0) {
            falling = 0;
        }
        barrier();
        bool falls = false;
        [[unroll]] for (uint row = 0; row < ROWS; ++row) {
            falls = falls || precedes(key_at(min(tile.first + row * WORKGROUP + me + 1, last)), keys[row]);
        }
        if (falls) {
            atomicOr(falling, 1);
        }
        barrier();
        if (falling == 0) {
            find_ends(key_at(tile.first), key_at(last), count);
            low = ends[0];
            length = ends[1] - low;
        }
    }
    if (NARROWS && length == count) { // keys far apart: such searches wait for memory, and do not gain from advancing together
        [[dont_unroll]] for (uint row = 0; row < ROWS; ++row) {
            const uint i = tile.first + row * WORKGROUP + me;
            if (i <= last) {
                places[i] = place_of(key_at(i), count);
            }
        }
        return;
    }
    search_rows(low, length);
    [[unroll]] for (uint row = 0; row < ROWS; ++row) {
        const uint i = tile.first + row * WORKGROUP + me;
        if (i <= last) {
            places[i] = lows[row];
        }
    }
}
