#ifndef WEIR_SCAN_PUSH_GLSL
#define WEIR_SCAN_PUSH_GLSL

// The push constants of a scan of elements of T_WORDS words. Functions of the application may use them.

layout(push_constant) uniform Push {
#include "elements_push.glsl"
    uint max_blocks; // of tiles, as spine_walk.glsl counts them
    uint initial_words[T_WORDS];
#ifdef SEGMENTED
    uint segment_size; // elements of each, for segments of one length; else offsets, all of them unless their count is on the GPU
    uint segment_count_word;
#ifdef REDUCED_BY_KEY
    uint run_room; // runs that the outputs have room for
#endif
#endif
#include "last_push.glsl"
};

#endif
