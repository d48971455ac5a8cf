#version 460
#extension GL_GOOGLE_include_directive : require

// Merges two sorted arrays along their merge path (Green, McColl and Bader): where a tile of the output begins on it, and so how much of
// it comes from either array, is found by binary search along a diagonal; likewise, in the tile, what each invocation merges.

layout(constant_id = 0) const uint WORKGROUP = 256;
layout(constant_id = 1) const uint ITEMS = 7; // of an invocation; an odd number, for the sake of memory banks
layout(constant_id = 2) const uint WORDS = 1;
layout(constant_id = 3) const uint NUMBERS = 0;
layout(constant_id = 4) const uint VALUE_WORDS = 0;
layout(constant_id = 5) const bool FIRST_ON_GPU = false;
layout(constant_id = 6) const bool SECOND_ON_GPU = false;
layout(local_size_x_id = 0) in;

layout(push_constant) uniform Push {
    uint max_first;
    uint first_count_word;
    uint max_second;
    uint second_count_word;
};

#include "dispatch.glsl"
#include "total_order.glsl"

layout(set = 0, binding = 0) readonly buffer FirstCounts { uint first_counts[]; };
layout(set = 0, binding = 1) readonly buffer SecondCounts { uint second_counts[]; };
layout(set = 0, binding = 2) readonly buffer First { uint first_words[]; };
layout(set = 0, binding = 3) readonly buffer Second { uint second_words[]; };
layout(set = 0, binding = 4) writeonly buffer Output { uint out_words[]; };
layout(set = 0, binding = 5) readonly buffer FirstValues { uint first_values[]; };
layout(set = 0, binding = 6) readonly buffer SecondValues { uint second_values[]; };
layout(set = 0, binding = 7) writeonly buffer OutputValues { uint out_values[]; };
layout(set = 0, binding = 8) writeonly buffer OutputCount { uint out_count[]; };

const uint TILE = WORKGROUP * ITEMS;

shared uint tile_words[TILE * WORDS]; // keys of the tile, those of the first array before those of the second
shared uint sources[TILE];            // which of them each output is
shared uint ends[2];                  // of the first array's part

uvec2 first_key(uint i) {
    return key_of(WORDS == 2 ? first_words[i * WORDS] : 0, first_words[i * WORDS + WORDS - 1]);
}

uvec2 second_key(uint i) {
    return key_of(WORDS == 2 ? second_words[i * WORDS] : 0, second_words[i * WORDS + WORDS - 1]);
}

uvec2 tile_key(uint i) {
    return key_of(WORDS == 2 ? tile_words[i * WORDS] : 0, tile_words[i * WORDS + WORDS - 1]);
}

// How many of the first `diagonal` outputs come from the first array. Equal keys of the first array come first.
uint split(uint diagonal, uint firsts, uint seconds) {
    uint low = diagonal > seconds ? diagonal - seconds : 0, high = min(diagonal, firsts);
    while (low < high) {
        const uint middle = low + (high - low) / 2;
        if (precedes(second_key(diagonal - 1 - middle), first_key(middle))) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

// The same of the tile, which is in workgroup memory.
uint split_tile(uint diagonal, uint firsts, uint seconds) {
    uint low = diagonal > seconds ? diagonal - seconds : 0, high = min(diagonal, firsts);
    while (low < high) {
        const uint middle = low + (high - low) / 2;
        if (precedes(tile_key(firsts + diagonal - 1 - middle), tile_key(middle))) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

void main() {
    const uint firsts = FIRST_ON_GPU ? min(first_counts[first_count_word], max_first) : max_first;
    const uint seconds = SECOND_ON_GPU ? min(second_counts[second_count_word], max_second) : max_second;
    const uint count = firsts + seconds, tile = weir_workgroup_index(), me = gl_LocalInvocationIndex;
    if (tile == 0 && me == 0) {
        out_count[0] = count;
    }
    if (tile >= count / TILE + uint(count % TILE != 0)) {
        return;
    }
    const uint begin = tile * TILE, size = min(TILE, count - begin);
    if (me < 2) {
        ends[me] = split(begin + me * size, firsts, seconds);
    }
    barrier();
    const uint first_begin = ends[0], tile_firsts = ends[1] - first_begin;
    const uint second_begin = begin - first_begin, tile_seconds = size - tile_firsts;
    for (uint row = 0; row < ITEMS; ++row) {
        const uint i = row * WORKGROUP + me;
        for (uint w = 0; w < WORDS && i < size; ++w) {
            tile_words[i * WORDS + w] = i < tile_firsts ? first_words[(first_begin + i) * WORDS + w]
                                                        : second_words[(second_begin + i - tile_firsts) * WORDS + w];
        }
    }
    barrier();
    const uint own = min(me * ITEMS, size);
    uint a = split_tile(own, tile_firsts, tile_seconds), b = tile_firsts + own - a;
    for (uint i = own; i < own + ITEMS; ++i) {
        if (i < size) {
            const bool takes_second = a == tile_firsts || b < size && precedes(tile_key(b), tile_key(a));
            sources[i] = takes_second ? b : a;
            a += uint(!takes_second);
            b += uint(takes_second);
        }
    }
    barrier();
    for (uint row = 0; row < ITEMS; ++row) {
        const uint i = row * WORKGROUP + me;
        if (i < size) {
            const uint source = sources[i];
            const bool from_first = source < tile_firsts;
            const uint from = from_first ? first_begin + source : second_begin + source - tile_firsts;
            for (uint w = 0; w < WORDS; ++w) {
                out_words[(begin + i) * WORDS + w] = tile_words[source * WORDS + w];
            }
            for (uint w = 0; w < VALUE_WORDS; ++w) {
                out_values[(begin + i) * VALUE_WORDS + w] =
                    from_first ? first_values[from * VALUE_WORDS + w] : second_values[from * VALUE_WORDS + w];
            }
        }
    }
}
