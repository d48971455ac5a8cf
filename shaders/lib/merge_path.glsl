#ifndef WEIR_MERGE_PATH_GLSL
#define WEIR_MERGE_PATH_GLSL

// Two sorted arrays, and the path along which they merge (Green, McColl and Bader), by which tiles of the output are told apart.

layout(constant_id = 0) const uint WORKGROUP = 256;
layout(constant_id = 1) const uint ITEMS = 7; // of an invocation; an odd number, for the sake of memory banks
layout(constant_id = 2) const uint WORDS = 1;
layout(constant_id = 3) const uint NUMBERS = 0;
layout(constant_id = 4) const bool FIRST_ON_GPU = false;
layout(constant_id = 5) const bool SECOND_ON_GPU = false;
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

const uint TILE = WORKGROUP * ITEMS;

uint first_count() {
    return FIRST_ON_GPU ? min(first_counts[first_count_word], max_first) : max_first;
}

uint second_count() {
    return SECOND_ON_GPU ? min(second_counts[second_count_word], max_second) : max_second;
}

uvec2 first_key(uint i) {
    return key_of(WORDS == 2 ? first_words[i * WORDS] : 0, first_words[i * WORDS + WORDS - 1]);
}

uvec2 second_key(uint i) {
    return key_of(WORDS == 2 ? second_words[i * WORDS] : 0, second_words[i * WORDS + WORDS - 1]);
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

#endif
