#version 460
#extension GL_GOOGLE_include_directive : require

// Permutes the elements at random. Each place computes which element it receives. A Feistel network with a hash permutes the numbers below
// a power of two. It is applied until the result is the index of an element (cycle walking; Black and Rogaway).

layout(push_constant) uniform Push {
    uint max_count;
    uint count_word;
    uint seed;
};

#include "elementwise.glsl"
#include "shuffle_interface.h"

layout(set = 0, binding = ITEMS_BINDING) readonly buffer Items { uint item_words[]; };
layout(set = 0, binding = OUTPUT_BINDING) writeonly buffer Output { uint out_words[]; };

// lowbias32 by Wellons.
uint hash(uint x) {
    x ^= x >> 16;
    x *= 0x7FEB352Du;
    x ^= x >> 15;
    x *= 0x846CA68Bu;
    return x ^ x >> 16;
}

// Returns the place of `number` in a permutation of the numbers of `bits` bits. The halves are changed in turns, each by a hash of the
// other.
uint permuted(uint number, uint bits) {
    const uint low_bits = bits / 2, low_mask = (1u << low_bits) - 1, high_mask = (1u << (bits - low_bits)) - 1;
    uint high = number >> low_bits, low = number & low_mask;
    for (uint round = 0; round < SHUFFLE_ROUNDS; ++round) {
        const uint key = hash(seed + (round + 1) * 0x9E3779B9u);
        if (round % 2 == 0) {
            high ^= hash(low ^ key) & high_mask;
        } else {
            low ^= hash(high ^ key) & low_mask;
        }
    }
    return high << low_bits | low;
}

void main() {
    const Tile tile = own_tile();
    const uint count = COUNT_ON_GPU ? min(count_words[count_word], max_count) : max_count;
    const uint bits = count < 4 ? 2 : findMSB(count - 1) + 1;
    for (uint row = 0; row < 4; ++row) {
        const uint place = row * WORKGROUP + gl_LocalInvocationIndex, i = tile.first + place;
        if (place < tile.elements) {
            uint from = i;
            do {
                from = permuted(from, bits);
            } while (from >= count);
            if (GATHERS) {
                for (uint w = 0; w < WORDS; ++w) {
                    out_words[i * WORDS + w] = item_words[from * WORDS + w];
                }
            } else {
                out_words[i] = from;
            }
        }
    }
}
