#version 460
#extension GL_GOOGLE_include_directive : require

// Fills a buffer with an element, or with an arithmetic sequence, in vectors of four words.

layout(push_constant) uniform Push {
    uint max_count;
    uint count_word;
    uint words[16]; // the element; or the first number, and the step from word 2 on
};

#include "elementwise.glsl"
#include "fill_interface.h"

layout(set = 0, binding = OUTPUT_BINDING) writeonly buffer Output { uint out_words[]; };
layout(set = 0, binding = OUTPUT_BINDING) writeonly buffer OutputVectors { uvec4 out_vectors[]; };

#ifdef DOUBLES
uvec2 number_of_two_words(uint i) {
    precise const double number = packDouble2x32(uvec2(words[0], words[1])) + double(i) * packDouble2x32(uvec2(words[2], words[3]));
    return unpackDouble2x32(number);
}
#else
uvec2 number_of_two_words(uint i) {
    uint high, low, carry;
    umulExtended(i, words[2], high, low);
    low = uaddCarry(words[0], low, carry);
    return uvec2(low, words[1] + high + i * words[3] + carry);
}
#endif

uint number_of_one_word(uint i) {
    if (WRITES == WRITES_WORDS) {
        return words[0] + i * words[2];
    }
    precise const float number = uintBitsToFloat(words[0]) + float(i) * uintBitsToFloat(words[2]);
    return floatBitsToUint(number);
}

// Returns the four words from `at` on, a multiple of four.
uvec4 vector_at(uint at) {
    uvec4 vector;
    if (WRITES == WRITES_PAIRS) {
        return uvec4(number_of_two_words(at / 2), number_of_two_words(at / 2 + 1));
    }
    for (uint c = 0; c < 4; ++c) {
        vector[c] = WRITES == WRITES_ELEMENT ? words[(at + c) % WORDS] : number_of_one_word(at + c);
    }
    return vector;
}

void main() {
    const Tile tile = own_tile();
    const uint first = tile.first * WORDS, end = tile.elements * WORDS;
    for (uint row = 0; row < WORDS; ++row) {
        const uint at = 4 * (row * WORKGROUP + gl_LocalInvocationIndex);
        const uvec4 vector = vector_at(first + at);
        if (at + 4 <= end) {
            out_vectors[(first + at) / 4] = vector;
        } else {
            for (uint c = 0; at + c < end; ++c) {
                out_words[first + at + c] = vector[c];
            }
        }
    }
}
