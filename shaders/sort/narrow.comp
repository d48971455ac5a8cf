#version 460
#extension GL_GOOGLE_include_directive : require

#include "narrow_keys.glsl"

layout(set = 0, binding = INPUT_BINDING) readonly buffer Input { uvec4 in_vectors[]; };
layout(set = 0, binding = OUTPUT_BINDING) buffer Output { uint out_words[]; };

// Stores a word. Its first `keys` keys, at least one, are in the output.
void store(uint at, uint word, uint keys) {
    out_words[at] = MERGES && keys < KEYS_PER_WORD ? bitfieldInsert(out_words[at], word, 0, int(keys * KEY_BITS)) : word;
}

void main() {
    const Tile tile = own_tile();
    const uint place = 4 * gl_LocalInvocationIndex, first = tile.first + place;
    if (place >= tile.elements) {
        return;
    }
    const uvec4 keys = in_vectors[first / 4];
    uint word = 0;
    for (uint c = 0; c < 4; ++c) {
        word |= restore_bits(keys[c]) << shift_of(c);
        const uint before = c / KEYS_PER_WORD * KEYS_PER_WORD; // keys in earlier words
        if ((c + 1) % KEYS_PER_WORD == 0) {
            if (place + before < tile.elements) {
                store((first + c) / KEYS_PER_WORD, word, tile.elements - place - before);
            }
            word = 0;
        }
    }
}
