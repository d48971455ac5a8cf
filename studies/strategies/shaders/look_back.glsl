#ifndef WEIR_LOOK_BACK_GLSL
#define WEIR_LOOK_BACK_GLSL

#include "tile_state.glsl"

// Look-backs without the fallback of Weir's look_back.glsl, which this file replaces. A workgroup whose predecessor has not published polls
// until it publishes (Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back").
//
// With CHAINED it polls until the tile right before its own publishes its prefix (Yan, Long and Zhang, "StreamScan"). With SCALAR_FALLBACK
// it accumulates one element of the predecessor's tile after each poll without a result, and publishes nothing for that tile (the first
// attempt of Smith, Levien and Owens). This needs an exact operator.

void weir_reduce_tile(uint tile);
WEIR_T weir_reduced_value(uint column);

shared uint weir_stalled_tile; // not used; the kernel sets it

#include "publish.glsl"

#ifdef CHAINED
#include "chained_walk.glsl"
#elif defined(WEIR_MONOID_EXACT)
#include "window_walk.glsl"
#else
#include "spine_walk.glsl"
#endif

#ifdef SCALAR_FALLBACK
uint scalar_stalled = ~0u; // the tile whose elements are being accumulated
uint scalar_next;          // its next element
WEIR_T scalar_sum;         // reduction of the elements before it

// Returns an element of a tile, or the identity beyond the last element.
WEIR_T element_of_tile(uint tile, uint i) {
    const uint at = tile * TILE + i;
    WEIR_T element = weir_identity();
    if (at < weir_element_count()) {
        element = load(at);
    }
    return element;
}

// Accumulates one more element of the polled tile. Called after a poll without a result.
void accumulate_element(uint tile, uint epoch) {
    const uint stalled = weir_stalled_tile_of(0);
    if (scalar_stalled != stalled) {
        scalar_stalled = stalled;
        scalar_next = 0;
        scalar_sum = weir_identity();
    }
    scalar_sum = weir_combine(scalar_sum, element_of_tile(stalled, scalar_next));
    ++scalar_next;
    if (scalar_next == TILE) {
        weir_count_tiles(1);
        weir_walk.prefix = weir_combine(scalar_sum, weir_walk.prefix);
        weir_advance_to(stalled, tile, epoch);
#ifdef INSTRUMENTED
        if (weir_leads_walk()) {
            weir_count_event(WEIR_COUNT_FALLBACKS, 1);
        }
#endif
    }
}
#endif

// Runs the walk of the workgroup to its end. Before: weir_begin_walk was called. After: weir_exclusive_prefix is the tile's exclusive
// prefix. Collective.
void weir_run_look_back(uint tile, uint epoch) {
    while (weir_is_walking(0)) {
        const bool found = weir_poll(0, tile, epoch);
        weir_count_poll(found);
#ifdef SCALAR_FALLBACK
        if (!found) {
            accumulate_element(tile, epoch);
        }
#endif
    }
    weir_share_walks();
    barrier();
}

#endif
