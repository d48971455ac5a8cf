#ifndef WEIR_INSTRUMENT_GLSL
#define WEIR_INSTRUMENT_GLSL

#include "subgroup.glsl"

// Fault injection and counters for single-pass kernels. Without INSTRUMENTED they cost nothing. With it, the kernel's push constants end
// with those of last_push.glsl, and INSTRUMENT_BINDING is a buffer of four counters.

#ifdef INSTRUMENTED

const uint FAULT_NEVER_POST = 0; // the tile publishes nothing
const uint FAULT_LATE_POST = 1;  // the tile publishes after a long time
const uint FAULT_TORN_POST = 2;  // the tile publishes only the first part of each value, or nothing if there is one part
const uint FAULT_OUT_OF_ORDER = 3; // of a radix sort, see radix_sweep.glsl; the tile publishes as usual

const uint COUNT_SPINS = 0;          // polls that found nothing
const uint COUNT_LOOK_BACK = 1;      // polls that found something
const uint COUNT_FALLBACKS = 2;      // fallbacks, and tiles of a sort that were written again
const uint COUNT_FALLBACKS_WON = 3;  // fallbacks whose value was the first to be published

layout(set = 0, binding = INSTRUMENT_BINDING) buffer Counters { uint event_counters[4]; };

bool has_fault(uint one_in, uint seed, uint tile, uint run) {
    if (one_in == 0) {
        return false;
    }
    uint drawn = tile + 1;
    if (seed != 0) {
        drawn = (tile ^ (run * 0x9E3779B9u)) + seed;
        drawn = (drawn ^ (drawn >> 16)) * 0x7FEB352Du;
        drawn = (drawn ^ (drawn >> 15)) * 0x846CA68Bu;
        drawn ^= drawn >> 16;
    }
    return drawn % one_in == 0;
}

#endif

#endif
