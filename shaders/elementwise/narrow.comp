#version 460
#extension GL_GOOGLE_include_directive : require

#include "narrow.glsl"

layout(set = 0, binding = INPUT_BINDING) readonly buffer Input { uint in_words[]; };
layout(set = 0, binding = OUTPUT_BINDING) buffer Output { uint out_words[]; };

// A tile begins at a whole word.
void main() {
    const Tile tile = own_tile();
    for (uint row = 0; row < 4 / PER_WORD; ++row) {
        const uint place = (row * WORKGROUP + gl_LocalInvocationIndex) * PER_WORD, first = tile.first + place;
        if (place < tile.elements) {
            const uint numbers = min(tile.elements - place, PER_WORD);
            uint word = 0;
            for (uint j = 0; j < numbers; ++j) {
                const uint wide = in_words[first + j];
                const uint number = NARROW == NARROW_FLOATS    ? half_of_float(wide)
                                    : NARROW == NARROW_BFLOATS ? bfloat_of_float(wide)
                                                               : wide;
                word = bitfieldInsert(word, number, int(j * BITS), int(BITS));
            }
            const uint at = first / PER_WORD;
            out_words[at] = MERGES && numbers < PER_WORD ? bitfieldInsert(out_words[at], word, 0, int(numbers * BITS)) : word;
        }
    }
}
