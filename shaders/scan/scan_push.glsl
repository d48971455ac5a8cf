#ifndef WEIR_SCAN_PUSH_GLSL
#define WEIR_SCAN_PUSH_GLSL

// The push constants of a scan of elements of T_WORDS words. VALUES are members that functions of the user's see.

#include "instrument_push.glsl"

layout(push_constant) uniform Push {
    uint max_count;  // elements; all of them unless the count is on the GPU
    uint count_word; // where the count is then
    uint in_offset;  // in words
    uint in_stride;
    uint out_offset;
    uint out_stride;
    uint max_blocks; // of tiles, as spine_walk.glsl counts them
    uint initial_words[T_WORDS];
#ifdef SEGMENTED
    uint segment_size; // elements of each, for segments of one length; else offsets, all of them unless their count is on the GPU
    uint segment_count_word;
#ifdef REDUCED_BY_KEY
    uint run_room; // runs that the outputs have room for
#endif
#endif
#ifdef INSTRUMENTED
    INSTRUMENT_PUSH
#endif
#ifdef VALUES
    VALUES
#endif
};

#endif
