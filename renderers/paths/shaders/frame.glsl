#ifndef WEIR_PATHS_FRAME_GLSL
#define WEIR_PATHS_FRAME_GLSL

// Push constants of all kernels that process segments, lines and cuts.

#include "records.glsl"

layout(push_constant) uniform Frame {
    Transform view;     // from the scene to pixels
    float tolerance;    // maximum distance of a curve from its lines, in pixels
    float background[4];
    uint scissor[4];    // left, top, right, bottom, in pixels of the picture
    uint width, height; // pixels
    uint columns;       // in tiles
    uint draw_count;
    uint column_bits;   // layout of a 64-bit key; see src/keys.hpp
    uint row_shift;     // layout of a 64-bit key
    uint across;        // samples of a pixel along each axis; the pixels of the stages are samples
    uint items;         // maximum number of items that own the elements
    uint capacity;      // maximum number of elements of the pass
};

#endif
