#ifndef WEIR_PATHS_FRAME_GLSL
#define WEIR_PATHS_FRAME_GLSL

// The push constants of all kernels that work on segments, lines and cuts.

#include "records.glsl"

layout(push_constant) uniform Frame {
    Transform view;     // from the scene to pixels
    float tolerance;    // of curves, in pixels
    float background[4];
    uint width, height; // pixels
    uint columns;       // of tiles
    uint draw_count;
    uint column_bits;   // of a key of 64 bits, as src/keys.hpp has it
    uint row_shift;     // likewise
    uint items;         // of which the elements are slots, at most
    uint capacity;      // elements of the pass
};

#endif
