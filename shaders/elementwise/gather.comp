#version 460
#extension GL_GOOGLE_include_directive : require

// Loads element i from the place given by index i, or stores it there.

layout(push_constant) uniform Push {
    uint max_count; // number of indices; maximum if the count is on the GPU
    uint count_word;
    uint max_bound; // indices greater than or equal to the bound are ignored
    uint bound_word;
};

#include "elementwise.glsl"
#include "gather_interface.h"

layout(set = 0, binding = BOUND_BINDING) readonly buffer Bounds { uint bound_words[]; };
layout(set = 0, binding = INPUT_BINDING) readonly buffer Input { uint in_words[]; };
layout(set = 0, binding = INDICES_BINDING) readonly buffer Indices { uint indices[]; };
layout(set = 0, binding = OUTPUT_BINDING) writeonly buffer Output { uint out_words[]; };

void main() {
    const uint bound = BOUND_ON_GPU ? min(bound_words[bound_word], max_bound) : max_bound;
    const Tile tile = own_tile();
    for (uint row = 0; row < 4 * WORDS; ++row) {
        const uint at = row * WORKGROUP + gl_LocalInvocationIndex;
        if (at < tile.elements * WORDS) {
            const uint i = tile.first + at / WORDS, index = indices[i];
            const uint from = SCATTERS ? i : index, to = SCATTERS ? index : i;
            if (index < bound) {
                out_words[to * WORDS + at % WORDS] = in_words[from * WORDS + at % WORDS];
            }
        }
    }
}
