#ifndef WEIR_SCAN_PUSH_GLSL
#define WEIR_SCAN_PUSH_GLSL

// Push constants of a scan of elements of WEIR_T_WORDS words. Functions of the application may use them.

layout(push_constant) uniform Push {
#include "elements_push.glsl"
    uint max_blocks; // capacity of the tile states in blocks of tiles (spine_walk.glsl)
    uint initial_words[WEIR_T_WORDS];
#ifdef SEGMENTED
    uint segment_size; // elements per segment, or number of segments (maximum if the count is on the GPU)
    uint segment_count_word;
#ifdef REDUCED_BY_KEY
    uint run_room; // capacity of the outputs in runs
#endif
#endif
#include "last_push.glsl"
};

#endif
