// Part of scan_tile.glsl: loads the numbers of EXTREMA, and stores the extrema of segments. A pair is two buffers, numbers and positions: the
// output and the other output, then with BOTH_EXTREMA those of the maximum.

#include "extrema_interface.h"
#include "total_order.glsl"

#ifdef BOTH_EXTREMA
#ifdef INSTRUMENTED
const uint GREATEST_BINDING = SEGMENTED_END_BINDING + 1;
#else
const uint GREATEST_BINDING = SEGMENTED_END_BINDING;
#endif
layout(set = 0, binding = GREATEST_BINDING) writeonly buffer Greatest { uint greatest_words[]; };
layout(set = 0, binding = GREATEST_BINDING + 1) writeonly buffer GreatestAt { uint greatest_positions[]; };
#endif

PAIR pair_of(uvec2 key, uint i) {
    PAIR pair;
    pair[0] = key.y;
#if NUMBER_WORDS == 2
    pair[1] = key.x;
#endif
    pair[NUMBER_WORDS] = i;
    return pair;
}

WEIR_T_VALUE load(uint i) {
    const uint at = in_offset + i * in_stride;
    const uvec2 key = key_of(in_words[at], in_words[at + NUMBER_WORDS - 1]);
#ifdef BOTH_EXTREMA
    return Extrema(PAIR[PAIRS](pair_of(key, i), pair_of(~key, i)));
#else
    return pair_of(key ^ (GREATEST ? ~0u : 0), i);
#endif
}

// Stores the extrema of a segment. Those of an empty one have the position ~0 and no number.
void store_segment(uint segment, WEIR_T_VALUE value) {
    [[unroll]] for (uint i = 0; i < PAIRS; ++i) {
        const uint index = PAIR_OF(value, i)[NUMBER_WORDS];
        const uint position = IN_SEGMENT && index != ~0u ? index - begin_of(segment) : index;
#ifdef BOTH_EXTREMA
        if (i == 1) {
            greatest_positions[segment] = position;
        } else
#endif
        {
            other_words[segment] = position;
        }
        [[unroll]] for (uint w = 0; w < NUMBER_WORDS && index != ~0u; ++w) {
            const uint word = in_words[in_offset + index * in_stride + w];
#ifdef BOTH_EXTREMA
            if (i == 1) {
                greatest_words[segment * NUMBER_WORDS + w] = word;
                continue;
            }
#endif
            out_words[segment * NUMBER_WORDS + w] = word;
        }
    }
}
