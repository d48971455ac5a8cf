// Maps each element of FROM_WORDS words to an element of TO_WORDS words.

layout(push_constant) uniform Push {
    uint max_count;
    uint count_word;
#include "last_push.glsl"
};

#include "elementwise.glsl"
#include "transform_interface.h"

layout(set = 0, binding = INPUT_BINDING) readonly buffer Input { uint in_words[]; };
layout(set = 0, binding = OUTPUT_BINDING) buffer Output { uint out_words[]; };

// Maps element i, whose words are `item`.
void make(uint item[FROM_WORDS], uint i, out uint made[TO_WORDS]);

void main() {
    const Tile tile = own_tile();
    for (uint row = 0; row < 4; ++row) {
        const uint place = row * WORKGROUP + gl_LocalInvocationIndex, i = tile.first + place;
        if (place < tile.elements) {
            uint item[FROM_WORDS], made[TO_WORDS];
            for (uint w = 0; w < FROM_WORDS; ++w) {
                item[w] = IN_PLACE ? out_words[i * FROM_WORDS + w] : in_words[i * FROM_WORDS + w];
            }
            make(item, i, made);
            for (uint w = 0; w < TO_WORDS; ++w) {
                out_words[i * TO_WORDS + w] = made[w];
            }
        }
    }
}
