#ifndef WEIR_LOOK_BACK_GLSL
#define WEIR_LOOK_BACK_GLSL

#include "tile_state.glsl"

// Decoupled look-back with fallback (Smith, Levien and Owens, "Decoupled Fallback: A Portable Single-Pass GPU Scan").
//
// Each tile has COLUMNS values, and each column is a chain of its own: the value of tile 0, of tile 1, and so on. `look_back` finds for
// every column what precedes the tile, and posts what the tile ends with. It polls a predecessor a bounded number of times; if
// one stays silent, the workgroup computes that predecessor's values itself, posts them for others, and goes on from there. So
// no workgroup ever depends on another one's progress.
//
// The kernel defines COLUMNS and MAX_SPINS, the polls in a row that may bring nothing, and
//     void reduce_tile(uint tile)      the whole workgroup computes the values of any tile, by the same operations in the same
//                                      order as for its own; holds barriers
//     T reduced_value(uint column)     one of them, right after, for the invocations that walk the column
// With one column, subgroup 0 walks it and polls as many predecessors at once as it has lanes. With more, each invocation walks
// its own columns and polls POLL_WINDOW predecessors at once.

void reduce_tile(uint tile);
T reduced_value(uint column);

#if COLUMNS == 1
const uint WALKS = 1;
#else
const uint POLL_WINDOW = 4;
const uint WALKS = (COLUMNS + WORKGROUP - 1) / WORKGROUP;
#endif

// A walk down one column: `prefix` is what the tiles from `next` up to the walker's own add to; 0 ends the walk.
struct Walk {
    T aggregate; // the walker's own tile, set by the kernel
    T prefix;
    uint next;
};
Walk walks[WALKS];

shared uint stalled_tile; // one more than the nearest tile that some walk waits for; 0: none

uint walk_column(uint walk) {
#if COLUMNS == 1
    return 0;
#else
    return invocation() * WALKS + walk;
#endif
}

bool walks_column(uint walk) {
#if COLUMNS == 1
    return gl_SubgroupID == 0;
#else
    return walk_column(walk) < COLUMNS;
#endif
}

// Whether one invocation speaks for the walk.
bool leads_walk() {
#if COLUMNS == 1
    return lane() == 0;
#else
    return true;
#endif
}

uint tile_entry(uint tile, uint column) {
    return tile * COLUMNS + column;
}

// Posts the tile's value in one column, unless a fault is injected.
void post(uint tile, uint column, uint epoch, uint state, T value) {
    uint words = ENTRY_WORDS;
#ifdef INSTRUMENTED
    if (has_fault(fault_one_in, fault_seed, tile, epoch)) {
        if (fault_kind == FAULT_NEVER_POST) {
            words = 0;
        } else if (fault_kind == FAULT_TORN_POST) {
            words = 1;
        } else {
            for (uint i = 0; i < 4096 && load_word(0) != ~0u; ++i) {
            }
        }
    }
#endif
    post_tile(tile_entry(tile, column), epoch, state, value, words);
}

// Takes in those predecessors that are ready. Returns how many.
uint poll(inout Walk walk, uint column, uint epoch) {
#if COLUMNS == 1
    // Lanes are in the order of tiles. What comes before tile 0 is the identity.
    const uint size = subgroup_size();
    const uint back = size - 1 - lane();
    T value = identity();
    uint state = TILE_PREFIX;
    if (back < walk.next) {
        state = load_tile(tile_entry(walk.next - 1 - back, column), epoch, value);
    }
    const uvec4 prefixes = subgroupBallot(state == TILE_PREFIX);
    const uvec4 missing = subgroupBallot(state == TILE_NOT_READY);
    const int last_prefix = any(notEqual(prefixes, uvec4(0))) ? int(subgroupBallotFindMSB(prefixes)) : -1;
    const int last_missing = any(notEqual(missing, uvec4(0))) ? int(subgroupBallotFindMSB(missing)) : -1;
    const bool finished = last_prefix > last_missing;
    const int first = finished ? last_prefix : last_missing + 1;
    const uint taken = size - uint(first);
    if (taken > 0) {
        walk.prefix = combine(subgroup_reduce(int(lane()) >= first ? value : identity()), walk.prefix);
        walk.next = finished ? 0 : walk.next - taken;
    }
    return taken;
#else
    T values[POLL_WINDOW];
    uint states[POLL_WINDOW];
    [[unroll]] for (uint i = 0; i < POLL_WINDOW; ++i) {
        values[i] = identity();
        states[i] = TILE_PREFIX;
        if (i < walk.next) {
            states[i] = load_tile(tile_entry(walk.next - 1 - i, column), epoch, values[i]);
        }
    }
    uint taken = 0;
    bool ready = true;
    [[unroll]] for (uint i = 0; i < POLL_WINDOW; ++i) {
        ready = ready && states[i] != TILE_NOT_READY && walk.next > 0;
        if (ready) {
            walk.prefix = combine(values[i], walk.prefix);
            walk.next = states[i] == TILE_PREFIX ? 0 : walk.next - 1;
            ++taken;
        }
    }
    return taken;
#endif
}

// Collective. Before: walks[i].aggregate is set where walks_column(i), and posted if tile > 0; stalled_tile is 0. After:
// walks[i].prefix is what precedes the tile, for the walking invocations; the caller passes a barrier before it shares it.
void look_back(uint tile, uint epoch) {
    for (uint i = 0; i < WALKS; ++i) {
        walks[i].prefix = identity();
        walks[i].next = tile;
        if (tile == 0 && walks_column(i) && leads_walk()) {
            post(tile, walk_column(i), epoch, TILE_PREFIX, walks[i].aggregate);
        }
    }
    while (tile > 0) {
        for (uint i = 0; i < WALKS; ++i) {
            if (!walks_column(i) || walks[i].next == 0) {
                continue;
            }
            uint spins = 0;
            while (walks[i].next > 0 && spins < MAX_SPINS) {
                const uint taken = poll(walks[i], walk_column(i), epoch);
                spins = taken > 0 ? 0 : spins + 1;
#ifdef INSTRUMENTED
                if (leads_walk()) {
                    count_event(taken > 0 ? COUNT_LOOK_BACK : COUNT_SPINS, max(taken, 1));
                }
#endif
            }
            if (leads_walk()) {
                if (walks[i].next == 0) {
                    post(tile, walk_column(i), epoch, TILE_PREFIX, combine(walks[i].prefix, walks[i].aggregate));
                } else {
                    atomicMax(stalled_tile, walks[i].next, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsRelaxed);
                }
            }
        }
        barrier();
        const uint stalled = stalled_tile;
        if (stalled == 0) {
            break;
        }
        const uint late = stalled - 1;
        reduce_tile(late); // its barriers separate the reads of stalled_tile from this write
        if (invocation() == 0) {
            stalled_tile = 0;
        }
        for (uint i = 0; i < WALKS; ++i) {
            if (!walks_column(i) || walks[i].next == 0) {
                continue;
            }
            const T value = reduced_value(walk_column(i));
            bool first = false;
            if (leads_walk()) {
                first = insert_tile(tile_entry(late, walk_column(i)), epoch, value);
            }
            // What was computed is taken in, not what is posted by now: the walk goes on even if that is torn for ever.
            if (walks[i].next == stalled) {
                walks[i].prefix = combine(value, walks[i].prefix);
                walks[i].next = late;
                if (late == 0 && leads_walk()) {
                    post(tile, walk_column(i), epoch, TILE_PREFIX, combine(walks[i].prefix, walks[i].aggregate));
                }
            }
#ifdef INSTRUMENTED
            if (leads_walk()) {
                count_event(COUNT_FALLBACKS_WON, uint(first));
                count_event(COUNT_FALLBACKS, uint(walk_column(i) == 0));
            }
#endif
        }
        barrier();
    }
}

#endif
