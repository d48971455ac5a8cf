#ifndef WEIR_MERGE_PATH_GLSL
#define WEIR_MERGE_PATH_GLSL

// Two sorted arrays and their merge path (Green, McColl and Bader, "GPU Merge Path").

#include "interface.glsl"
#include "merge_interface.h"
layout(local_size_x_id = 0) in;

layout(push_constant) uniform Push {
    uint max_first;
    uint first_count_word;
    uint max_second;
    uint second_count_word;
#include "last_push.glsl"
};

#include "agree.glsl"
#include <weir/dispatch.glsl>
#include "total_order.glsl"

layout(set = 0, binding = FIRST_COUNT_BINDING) readonly buffer FirstCounts { uint first_counts[]; };
layout(set = 0, binding = SECOND_COUNT_BINDING) readonly buffer SecondCounts { uint second_counts[]; };
layout(set = 0, binding = FIRST_BINDING) readonly buffer First { uint first_words[]; };
layout(set = 0, binding = SECOND_BINDING) readonly buffer Second { uint second_words[]; };

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

// Returns how many of the first `diagonal` outputs come from the first array. Of equal keys, those of the first array come first.
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
