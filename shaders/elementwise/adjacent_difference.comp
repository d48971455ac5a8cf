#version 460
#extension GL_GOOGLE_include_directive : require

// Computes the difference between each number and the previous one, in vectors of four words.

layout(push_constant) uniform Push {
    uint max_count;
    uint count_word;
};

#include "elementwise.glsl"
#include "adjacent_difference_interface.h"

layout(set = 0, binding = INPUT_BINDING) readonly buffer Input { uint in_words[]; };
layout(set = 0, binding = INPUT_BINDING) readonly buffer InputVectors { uvec4 in_vectors[]; };
layout(set = 0, binding = OUTPUT_BINDING) writeonly buffer Output { uint out_words[]; };
layout(set = 0, binding = OUTPUT_BINDING) writeonly buffer OutputVectors { uvec4 out_vectors[]; };

// Returns the difference of numbers of two words, low word first.
uvec2 wide_difference(uvec2 a, uvec2 b) {
#ifdef DOUBLES
    return unpackDouble2x32(packDouble2x32(a) - packDouble2x32(b));
#else
    uint borrow;
    const uint low = usubBorrow(a.x, b.x, borrow);
    return uvec2(low, a.y - b.y - borrow);
#endif
}

uvec4 difference(uvec4 a, uvec4 b) {
    if (WORDS == 2) {
        return uvec4(wide_difference(a.xy, b.xy), wide_difference(a.zw, b.zw));
    }
    return FLOATS ? floatBitsToUint(uintBitsToFloat(a) - uintBitsToFloat(b)) : a - b;
}

void main() {
    const Tile tile = own_tile();
    const uint first = tile.first * WORDS, end = tile.elements * WORDS;
    for (uint row = 0; row < WORDS; ++row) {
        const uint offset = 4 * (row * WORKGROUP + gl_LocalInvocationIndex), at = first + offset;
        if (offset >= end) {
            return;
        }
        uvec4 own = uvec4(0), before = uvec4(0);
        if (offset + 4 <= end) {
            own = in_vectors[at / 4];
        } else {
            for (uint c = 0; offset + c < end; ++c) {
                own[c] = in_words[at + c];
            }
        }
        if (at != 0) {
            before.xy = uvec2(in_words[at - WORDS], in_words[at - 1]);
        }
        before = WORDS == 2 ? uvec4(before.xy, own.xy) : uvec4(before.x, own.xyz);
        uvec4 result = difference(own, before);
        if (at == 0) {
            result.xy = uvec2(own.x, WORDS == 2 ? own.y : result.y);
        }
        if (offset + 4 <= end) {
            out_vectors[at / 4] = result;
        } else {
            for (uint c = 0; offset + c < end; ++c) {
                out_words[at + c] = result[c];
            }
        }
    }
}
