#ifndef WEIR_LOOK_BACK_GLSL
#define WEIR_LOOK_BACK_GLSL

#include "tile_state.glsl"

// Decoupled look-back with fallback (Smith, Levien and Owens, "Decoupled Fallback: A Portable Single-Pass GPU Scan").
//
// weir_run_look_back computes a tile's exclusive prefix. The workgroup polls the tile's predecessors a bounded number of times. If one has
// not published by then, the workgroup falls back: it reduces that predecessor's tile itself, publishes the result for others, and
// continues from there. Therefore no workgroup depends on the progress of another.
//
// Needs the constants MAX_SPINS (maximum number of consecutive polls without a result) and TILE_STATE_BINDING, the macro WEIR_COLUMNS
// (values per tile), and two functions:
//     void weir_reduce_tile(uint tile)           reduces any tile, by the same operations in the same order as its owner; collective
//     WEIR_T weir_reduced_value(uint column)     returns the tile's value in that column; called right after weir_reduce_tile
// A look-back in progress is called a walk. With WEIR_COLUMNS 1 each tile has one value, and one subgroup walks. If the operator is exact,
// it walks backwards over windows of tiles (window_walk.glsl). Otherwise it walks forwards along the spine, so that rounding does not
// depend on the times at which tiles are published (spine_walk.glsl). With more columns each column is a chain of its own, and one
// invocation walks it backwards (column_walk.glsl).

#ifndef WEIR_MAX_SPINS
#define WEIR_MAX_SPINS MAX_SPINS
#endif

void weir_reduce_tile(uint tile);
WEIR_T weir_reduced_value(uint column);

shared uint weir_stalled_tile; // 1 + the highest tile that a walk has polled without success, or 0

#include "publish.glsl"

#if WEIR_COLUMNS > 1
#include "column_walk.glsl"
#elif defined(WEIR_MONOID_EXACT)
#include "window_walk.glsl"
#else
#include "spine_walk.glsl"
#endif

// Continues all walks of the workgroup. Returns 0 if they have ended, or 1 + a tile that must be reduced. Before: weir_begin_walk was called,
// and weir_stalled_tile is 0. At the end the prefix of each walk, or weir_exclusive_prefix, is the tile's exclusive prefix. Collective.
uint weir_continue_walks(uint tile, uint epoch) {
    for (uint i = 0; i < WEIR_WALKS; ++i) {
        if (!weir_is_walking(i)) {
            continue;
        }
        uint spins = 0;
        while (weir_is_walking(i) && spins < WEIR_MAX_SPINS) {
            const bool found = weir_poll(i, tile, epoch);
            spins = found ? 0 : spins + 1;
            weir_count_poll(found);
        }
        if (weir_leads_walk() && weir_is_walking(i)) {
            atomicMax(weir_stalled_tile, weir_stalled_tile_of(i) + 1, gl_ScopeWorkgroup, gl_StorageSemanticsNone,
                      gl_SemanticsRelaxed);
        }
    }
    weir_share_walks();
    barrier();
    return weir_stalled_tile;
}

// Publishes the reduced value of a tile that weir_continue_walks returned, which weir_reduce_tile has reduced: its barriers separate the reads
// of weir_stalled_tile from the write here. Collective.
void weir_fall_back(uint tile, uint fallback_tile, uint epoch) {
    if (weir_invocation() == 0) {
        weir_stalled_tile = 0;
    }
    for (uint i = 0; i < WEIR_WALKS; ++i) {
        if (!weir_is_walking(i)) {
            continue;
        }
        const bool first = weir_publish_fallback(i, tile, fallback_tile, epoch);
#ifdef INSTRUMENTED
        weir_count_event(WEIR_COUNT_FALLBACKS_WON, uint(first));
        if (weir_leads_walk()) {
            weir_count_event(WEIR_COUNT_FALLBACKS, uint(weir_walk_column(i) == 0));
        }
#endif
    }
    barrier();
}

// Runs all walks of the workgroup to their ends. Collective.
void weir_run_look_back(uint tile, uint epoch) {
    while (true) {
        const uint stalled = weir_continue_walks(tile, epoch);
        if (stalled == 0) {
            break;
        }
        weir_reduce_tile(stalled - 1);
        weir_fall_back(tile, stalled - 1, epoch);
    }
}

#endif
