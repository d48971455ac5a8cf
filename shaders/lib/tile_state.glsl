#ifndef WEIR_TILE_STATE_GLSL
#define WEIR_TILE_STATE_GLSL

#include <weir/dispatch.glsl>
#include "monoid.glsl"
#include "instrument.glsl"
#include "interface.glsl"
#include "tile_state_interface.h"

// Tile states: a buffer of entries in which tiles publish values of T. An entry is identified by its first word, and has one of three
// states. Its memory layout is one of two encodings:
//
//     tile_parts.glsl   several parts, each with its own state; with PACKED_STATES, parts of 64 bits
//     tile_flag.glsl    with FLAGGED_STATES: one state for the entry, then the words of its values
//
// A state of another epoch counts as not ready. With 14 bits of epoch (PAYLOAD_BITS 16, any T) entries need no clearing between runs. With
// 0 bits (PAYLOAD_BITS 30, one word, values below 2^30, not packed) an earlier kernel must clear them.
//
// Word 0 of the buffer is the ticket counter: the epoch in the upper bits, and below it the number of tickets drawn.

#ifndef PAYLOAD_BITS
#define PAYLOAD_BITS 16
#endif

// True if a tile's owner, after it has published, overwrites elements that other workgroups may be reading to reduce the tile.
#ifndef OVERWRITES
#define OVERWRITES false
#endif

const uint TILE_NOT_READY = 0;
const uint TILE_AGGREGATE = 1; // the reduction of the tile
const uint TILE_PREFIX = 2;    // the inclusive prefix; also the aggregate of a tile with a head, which equals it

const uint EPOCH_BITS = 30 - PAYLOAD_BITS;
const uint EPOCH_MASK = (1u << EPOCH_BITS) - 1;
const uint TICKET_BITS = EPOCH_BITS == 0 ? 31 : 32 - EPOCH_BITS;

layout(set = 0, binding = TILE_STATE_BINDING) buffer TileStates { uint tile_states[]; };

uint load_word(uint i) {
    return atomicLoad(tile_states[i], gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
}

void store_word(uint i, uint word) {
    atomicStore(tile_states[i], word, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
}

// Returns the upper bits of a part or a flag.
uint make_head(uint state, uint epoch) {
    return (state << 30) | (epoch << PAYLOAD_BITS);
}

uint head_state(uint head, uint epoch) {
    return ((head >> PAYLOAD_BITS) & EPOCH_MASK) == epoch ? head >> 30 : TILE_NOT_READY;
}

uint aggregate_state(T aggregate) {
#ifdef SEGMENTED
    return has_head(aggregate) ? TILE_PREFIX : TILE_AGGREGATE;
#else
    return TILE_AGGREGATE;
#endif
}

// Each encoding defines these, ENTRY_WORDS, ENTRY_PARTS (number of stores that publish a value) and PART_WORDS (words per store).

// Returns the state of `entry`. `value` is the published value, unless the state is TILE_NOT_READY.
uint load_tile(uint entry, uint epoch, out T value);

// Does the first `count` of the stores that publish `value`. For the tile's owner. `again`: the owner has already published in the entry.
void publish_tile(uint entry, uint epoch, uint state, T value, uint count, bool again);

// Publishes an aggregate that another workgroup has computed for the tile's owner. Returns true if nothing was published before.
bool insert_tile(uint entry, uint epoch, T value);

// Resets the entry to not ready, in any epoch.
void clear_tile(uint entry);
void clear_part(uint word);

#ifdef FLAGGED_STATES
#include "tile_flag.glsl"
#else
#include "tile_parts.glsl"
#endif

// Entries that a subgroup polls start at multiples of 32 bytes. If entries shared such a sector, stores of one tile would delay polls of
// its neighbors, which reduces the throughput of scans by 10 %.
const uint ENTRY_STRIDE = (ENTRY_WORDS + ENTRY_ALIGNMENT - 1) / ENTRY_ALIGNMENT * ENTRY_ALIGNMENT; // words

#if PAYLOAD_BITS < 30
// Returns true if a tile polls the entry with this word, in a run of `tiles` tiles. Each walk defines it.
bool is_read(uint word, uint tiles);
#endif

shared uint shared_ticket;

// Returns the tile of the workgroup with this place in the run. Fault injection may change the order of tiles, but not the tickets.
uint tile_of_place(uint place) {
#ifdef INSTRUMENTED
    return reordered_tile(place, weir_workgroup_count(), tile_order, fault_seed);
#else
    return place;
#endif
}

// Draws a ticket. Called by one invocation of each workgroup, once. Without epochs, a ticket is the workgroup's tile.
uint draw_ticket() {
    const uint ticket = atomicAdd(tile_states[0], 1, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
    return EPOCH_BITS == 0 ? tile_of_place(ticket) : ticket;
}

// Returns the number of tickets drawn before this one in the run.
uint ticket_place(uint ticket) {
    return ticket & ((1u << TICKET_BITS) - 1);
}

uint ticket_epoch(uint ticket) {
    return EPOCH_BITS == 0 ? 0 : ticket >> TICKET_BITS;
}

#if PAYLOAD_BITS < 30
// Resets the ticket counter for the next run, in the next epoch, if the workgroup has the last ticket. That workgroup also clears a slice
// of the entries that no tile of this run polls. All entries are covered within half of the epochs, so that no state is left when its epoch
// returns. Called by each of the `groups` workgroups of a run. Collective.
void advance_epoch(uint ticket, uint groups, uint tiles) {
    if (ticket_place(ticket) != groups - 1) {
        return;
    }
    const uint epoch = ticket_epoch(ticket);
    if (invocation() == 0) {
        store_word(0, ((epoch + 1) & EPOCH_MASK) << TICKET_BITS);
    }
    const uint slices = (EPOCH_MASK + 1) / 2;
    const uint parts = (tile_states.length() - FIRST_ENTRY) / PART_WORDS;
    const uint slice_parts = (parts + slices - 1) / slices;
    const uint first = epoch % slices * slice_parts;
    for (uint i = 0; i < slice_parts; i += WORKGROUP) {
        const uint part = first + i + invocation();
        const uint word = FIRST_ENTRY + part * PART_WORDS;
        if (i + invocation() < slice_parts && part < parts && !is_read(word, tiles)) {
            clear_part(word);
        }
    }
}
#endif

#endif
