#ifndef WEIR_INSTRUMENT_GLSL
#define WEIR_INSTRUMENT_GLSL

#include "subgroup.glsl"

// Fault injection and counters for single-pass kernels. Without INSTRUMENTED they cost nothing. With it, the kernel's push constants must
// end with those of last_push.glsl, and INSTRUMENT_BINDING is a buffer of four or five counters.

#ifdef INSTRUMENTED

const uint WEIR_FAULT_NEVER_POST = 0; // the tile publishes nothing
const uint WEIR_FAULT_LATE_POST = 1;  // the tile publishes after a long time
const uint WEIR_FAULT_TORN_POST = 2;  // the tile publishes only the first part of each value, or nothing if there is one part
const uint WEIR_FAULT_OUT_OF_ORDER = 3; // radix sorts only, see radix_sweep.glsl; the tile publishes as usual

// Order in which tiles are handed out: the tiles of tickets 0, 1, 2, ... of n.
const uint WEIR_TILES_AS_DRAWN = 0;    // 0, 1, 2, ...
const uint WEIR_TILES_REVERSED = 1;    // n - 1, n - 2, ...
const uint WEIR_TILES_OF_BOTH_ENDS = 2; // 0, n - 1, 1, n - 2, ...
const uint WEIR_TILES_AT_RANDOM = 3;   // a permutation that depends on the seed

const uint WEIR_COUNT_SPINS = 0;          // polls that found nothing
const uint WEIR_COUNT_LOOK_BACK = 1;      // polls that found something
const uint WEIR_COUNT_FALLBACKS = 2;      // fallbacks, and tiles that a sort has written a second time
const uint WEIR_COUNT_FALLBACKS_WON = 3;  // fallbacks whose value was the first to be published
const uint WEIR_COUNT_TILES = 4;          // tiles that look-backs have accumulated, down to the prefix at which they ended

layout(set = 0, binding = INSTRUMENT_BINDING) buffer weir_Counters { uint weir_event_counters[]; };

bool weir_has_fault(uint one_in, uint seed, uint tile, uint run) {
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

// Returns the place of x in a permutation of 0, ..., mask, where mask + 1 is a power of two. Every step is invertible.
uint weir_permuted(uint x, uint mask, uint seed) {
    const uint bits = uint(bitCount(mask));
    for (uint round = 0; round < 3; ++round) {
        x = ((x ^ seed) * 0x9E3779B1u + round) & mask;
        x ^= x >> (bits + 1) / 2;
    }
    return x;
}

// Returns the tile of the workgroup with this place among `count`. Distinct places get distinct tiles.
uint weir_reordered_tile(uint place, uint count, uint order, uint seed) {
    uint tile = place;
    if (order == WEIR_TILES_REVERSED) {
        tile = count - 1 - place;
    } else if (order == WEIR_TILES_OF_BOTH_ENDS) {
        tile = place % 2 == 0 ? place / 2 : count - 1 - place / 2;
    } else if (order == WEIR_TILES_AT_RANDOM && count > 1) {
        // If the permutation, whose size is a power of two, yields a tile beyond the last, permutes again. A permutation's cycle returns to
        // its start, so this ends and tiles stay distinct.
        const uint mask = (1u << findMSB(count - 1) + 1) - 1;
        do {
            tile = weir_permuted(tile, mask, seed);
        } while (tile >= count);
    }
    return tile;
}

#endif

#endif
