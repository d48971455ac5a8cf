#ifndef WEIR_LOOK_BACK_GLSL
#define WEIR_LOOK_BACK_GLSL

#include "tile_state.glsl"

// Decoupled look-back with fallback (Smith, Levien and Owens, "Decoupled Fallback: A Portable Single-Pass GPU Scan").
//
// `look_back` finds what precedes a tile. It polls predecessors a bounded number of times; if one stays silent, the workgroup
// computes that predecessor's values itself, posts them for others, and goes on from there. So no workgroup ever depends on
// another one's progress.
//
// The kernel defines COLUMNS, has the constant MAX_SPINS (polls in a row that may bring nothing) and the binding TILE_STATE_BINDING, and
// defines
//     void reduce_tile(uint tile)      the whole workgroup computes the values of any tile, by the same operations in the same
//                                      order as for its own; holds barriers
//     T reduced_value(uint column)     one of them, right after, for the invocations that walk the column
// With COLUMNS 1 each tile has one value and a subgroup walks: backwards if the operator is exact (window_walk.glsl), else forwards, so
// that the result has the same bits whoever posts when (spine_walk.glsl). With more, each column is a chain of its own that one
// invocation walks backwards (column_walk.glsl).

// STRATEGY: what a workgroup does about a tile that stays silent. All but the first are there to be compared with it.

// Computes the tile's values, as above.
const uint STRATEGY_FALLBACK = 0;
// Goes on polling, for ever if need be (Merrill and Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back").
const uint STRATEGY_LOOK_BACK = 1;
// Does so too, for the prefix of the tile right before its own (Yan, Long and Zhang, "StreamScan").
const uint STRATEGY_CHAINED = 2;
// Takes in one element of the tile with each poll, and tells nobody (Smith, Levien and Owens's first attempt). Needs SCALAR_FALLBACK
// and an exact operator.
const uint STRATEGY_SCALAR_FALLBACK = 3;

#ifndef STRATEGY
#define STRATEGY STRATEGY_FALLBACK
#endif

void reduce_tile(uint tile);
T reduced_value(uint column);
#ifdef SCALAR_FALLBACK
T element_of_tile(uint tile, uint i); // TILE of them; past the end the identity
#endif

shared uint stalled_tile; // one more than the nearest tile that some walk waits for; 0: none

#ifdef INSTRUMENTED
void count_event(uint counter, uint amount) {
    if (is_counted != 0) {
        atomicAdd(event_counters[counter], amount, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
    }
}
#endif

bool leads_walk();

// Counts a poll in an instrumented kernel.
void count_poll(bool found) {
#ifdef INSTRUMENTED
    if (leads_walk()) {
        count_event(found ? COUNT_LOOK_BACK : COUNT_SPINS, 1);
    }
#endif
}

// Posts a value of the tile's, unless a fault is injected. `again`: where it has posted another.
void publish(uint entry, uint tile, uint epoch, uint state, T value, bool again) {
    uint parts = ENTRY_PARTS;
#ifdef INSTRUMENTED
    if (has_fault(fault_one_in, fault_seed, tile, epoch)) {
        if (fault_kind == FAULT_NEVER_POST) {
            parts = 0;
        } else if (fault_kind == FAULT_TORN_POST) {
            parts = ENTRY_PARTS == 1 ? 0 : 1; // what is whole is not torn
        } else if (fault_kind == FAULT_LATE_POST) {
            for (uint i = 0; i < 4096 && load_word(0) != ~0u; ++i) {
            }
        }
    }
#endif
    publish_tile(entry, epoch, state, value, parts, again);
}

#if COLUMNS > 1
#include "column_walk.glsl"
#elif defined(MONOID_EXACT)
#include "window_walk.glsl"
#else
#include "spine_walk.glsl"
#endif

// Collective. Before: the walks are begun; stalled_tile is 0. After: each walk, or tile_prefix, is what precedes the tile.
void look_back(uint tile, uint epoch) {
    while (true) {
        for (uint i = 0; i < WALKS; ++i) {
            if (!is_walking(i)) {
                continue;
            }
            uint spins = 0;
            while (is_walking(i) && spins < MAX_SPINS) {
                const bool found = poll(i, tile, epoch);
                spins = found ? 0 : spins + 1;
                count_poll(found);
#if defined(SCALAR_FALLBACK) && defined(MONOID_EXACT)
                if (STRATEGY == STRATEGY_SCALAR_FALLBACK && !found) {
                    accumulate_element(tile, epoch);
                }
#endif
            }
            if (leads_walk() && is_walking(i)) {
                atomicMax(stalled_tile, stalled_tile_of(i) + 1, gl_ScopeWorkgroup, gl_StorageSemanticsShared,
                          gl_SemanticsRelaxed);
            }
        }
        share_walks();
        barrier();
        const uint stalled = stalled_tile;
        if (stalled == 0) {
            break;
        }
        if (STRATEGY != STRATEGY_FALLBACK) {
            barrier();
            if (invocation() == 0) {
                stalled_tile = 0;
            }
            barrier();
            continue;
        }
        const uint fallback_tile = stalled - 1;
        reduce_tile(fallback_tile); // its barriers separate the reads of stalled_tile from this write
        if (invocation() == 0) {
            stalled_tile = 0;
        }
        for (uint i = 0; i < WALKS; ++i) {
            if (!is_walking(i)) {
                continue;
            }
            const bool first = publish_fallback(i, tile, fallback_tile, epoch);
#ifdef INSTRUMENTED
            count_event(COUNT_FALLBACKS_WON, uint(first));
            if (leads_walk()) {
                count_event(COUNT_FALLBACKS, uint(walk_column(i) == 0));
            }
#endif
        }
        barrier();
    }
}

#endif
