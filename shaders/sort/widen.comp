#version 460
#extension GL_GOOGLE_include_directive : require

#include "narrow_keys.glsl"

layout(set = 0, binding = INPUT_BINDING) readonly buffer Input { uint in_words[]; };
layout(set = 0, binding = OUTPUT_BINDING) writeonly buffer Output { uvec4 out_vectors[]; };

void main() {
    const Tile tile = own_tile();
    const uint place = 4 * gl_LocalInvocationIndex, first = tile.first + place;
    if (place >= tile.elements) {
        return;
    }
    uvec4 keys;
    uint word = 0;
    for (uint c = 0; c < 4; ++c) {
        if (shift_of(c) == 0 && place + c < tile.elements) {
            word = in_words[(first + c) / KEYS_PER_WORD];
        }
        keys[c] = order_bits(unpack_bits(word, c));
    }
    out_vectors[first / 4] = keys;
}
