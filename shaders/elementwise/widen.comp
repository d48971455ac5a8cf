#version 460
#extension GL_GOOGLE_include_directive : require

#include "narrow.glsl"

layout(set = 0, binding = INPUT_BINDING) readonly buffer Input { uint in_words[]; };
layout(set = 0, binding = OUTPUT_BINDING) writeonly buffer Output { uint out_words[]; };

void main() {
    const Tile tile = own_tile();
    for (uint row = 0; row < 4; ++row) {
        const uint place = row * WORKGROUP + gl_LocalInvocationIndex, i = tile.first + place;
        if (place < tile.elements) {
            const uint word = in_words[i / PER_WORD], shift = i % PER_WORD * BITS;
            const uint bits = bitfieldExtract(word, int(shift), int(BITS));
            out_words[i] = NARROW == NARROW_SIGNED    ? uint(bitfieldExtract(int(word), int(shift), int(BITS)))
                           : NARROW == NARROW_FLOATS  ? float_of_half(bits)
                           : NARROW == NARROW_BFLOATS ? bits << 16
                                                      : bits;
        }
    }
}
