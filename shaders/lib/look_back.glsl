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

// Values of WEIR_STRATEGY (weir::testing::ScanStrategy): the action of a workgroup while a predecessor has not published. All but the first
// are for comparison.

// Falls back after MAX_SPINS polls, as above.
const uint WEIR_STRATEGY_FALLBACK = 0;
// Polls until the predecessor publishes (Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back").
const uint WEIR_STRATEGY_LOOK_BACK = 1;
// Polls until the tile right before its own publishes its prefix (Yan, Long and Zhang, "StreamScan").
const uint WEIR_STRATEGY_CHAINED = 2;
// Accumulates one element of the predecessor's tile after each poll without a result, and publishes nothing for that tile (the first
// attempt of Smith, Levien and Owens). Needs SCALAR_FALLBACK and an exact operator.
const uint WEIR_STRATEGY_SCALAR_FALLBACK = 3;

#ifndef WEIR_STRATEGY
#define WEIR_STRATEGY WEIR_STRATEGY_FALLBACK
#endif
#ifndef WEIR_MAX_SPINS
#define WEIR_MAX_SPINS MAX_SPINS
#endif

void weir_reduce_tile(uint tile);
WEIR_T weir_reduced_value(uint column);
#ifdef SCALAR_FALLBACK
WEIR_T element_of_tile(uint tile, uint i); // i < TILE; returns the identity beyond the last element
#endif

shared uint weir_stalled_tile; // 1 + the highest tile that a walk has polled without success, or 0

#ifdef INSTRUMENTED
void weir_count_event(uint counter, uint amount) {
    if (is_counted != 0) { // a separate condition, so that reflection sees that a kernel without counters does not access them
        if (counter < is_counted) {
            atomicAdd(weir_event_counters[counter], amount, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
        }
    }
}
#endif

bool weir_leads_walk();

// Counts a poll in an instrumented kernel.
void weir_count_poll(bool found) {
#ifdef INSTRUMENTED
    if (weir_leads_walk()) {
        weir_count_event(found ? WEIR_COUNT_LOOK_BACK : WEIR_COUNT_SPINS, 1);
    }
#endif
}

// Counts tiles that a walk has accumulated, in an instrumented kernel.
void weir_count_tiles(uint tiles) {
#ifdef INSTRUMENTED
    if (weir_leads_walk()) {
        weir_count_event(WEIR_COUNT_TILES, tiles);
    }
#endif
}

// Publishes a value of the tile in one of its entries, unless a fault is injected. `again`: the tile has already published in that entry.
void weir_publish(uint entry, uint tile, uint epoch, uint state, WEIR_T value, bool again) {
    uint parts = WEIR_ENTRY_PARTS;
#ifdef INSTRUMENTED
    if (weir_has_fault(fault_one_in, fault_seed, tile, epoch)) {
        if (fault_kind == WEIR_FAULT_NEVER_POST) {
            parts = 0;
        } else if (fault_kind == WEIR_FAULT_TORN_POST) {
            parts = WEIR_ENTRY_PARTS == 1 ? 0 : 1; // one part cannot be torn
        } else if (fault_kind == WEIR_FAULT_LATE_POST) {
            for (uint i = 0; i < 4096 && weir_load_word(0) != ~0u; ++i) {
            }
        }
    }
#endif
    weir_store_tile(entry, epoch, state, value, parts, again);
}

#if WEIR_COLUMNS > 1
#include "column_walk.glsl"
#elif defined(WEIR_MONOID_EXACT)
#include "window_walk.glsl"
#else
#include "spine_walk.glsl"
#endif

// Runs all walks of the workgroup to their ends. Before: weir_begin_walk was called, and weir_stalled_tile is 0. After: the prefix of each
// walk, or weir_exclusive_prefix, is the tile's exclusive prefix. Collective.
void weir_run_look_back(uint tile, uint epoch) {
    while (true) {
        for (uint i = 0; i < WEIR_WALKS; ++i) {
            if (!weir_is_walking(i)) {
                continue;
            }
            uint spins = 0;
            while (weir_is_walking(i) && spins < WEIR_MAX_SPINS) {
                const bool found = weir_poll(i, tile, epoch);
                spins = found ? 0 : spins + 1;
                weir_count_poll(found);
#if defined(SCALAR_FALLBACK) && defined(WEIR_MONOID_EXACT)
                if (WEIR_STRATEGY == WEIR_STRATEGY_SCALAR_FALLBACK && !found) {
                    accumulate_element(tile, epoch);
                }
#endif
            }
            if (weir_leads_walk() && weir_is_walking(i)) {
                atomicMax(weir_stalled_tile, weir_stalled_tile_of(i) + 1, gl_ScopeWorkgroup, gl_StorageSemanticsNone,
                          gl_SemanticsRelaxed);
            }
        }
        weir_share_walks();
        barrier();
        const uint stalled = weir_stalled_tile;
        if (stalled == 0) {
            break;
        }
        if (WEIR_STRATEGY != WEIR_STRATEGY_FALLBACK) {
            barrier();
            if (weir_invocation() == 0) {
                weir_stalled_tile = 0;
            }
            barrier();
            continue;
        }
        const uint fallback_tile = stalled - 1;
        weir_reduce_tile(fallback_tile); // its barriers separate the reads of weir_stalled_tile from the write below
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
}

#endif
