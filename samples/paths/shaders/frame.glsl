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
    uint places;        // of a key, as src/keys.hpp has it
    uint place_bits;    // likewise
    uint capacity;      // elements of the pass
};

#endif
