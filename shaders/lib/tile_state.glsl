#ifndef WEIR_TILE_STATE_GLSL
#define WEIR_TILE_STATE_GLSL

#include <weir/dispatch.glsl>
#include "monoid.glsl"
#include "instrument.glsl"
#include "interface.glsl"
#include "tile_state_interface.h"

// Tile states: a buffer of entries in which tiles publish values of WEIR_T. An entry is identified by its first word, and has one of three
// states. tile_parts.glsl encodes it in several parts, each with its own state.
//
// A state of another epoch counts as not ready. With 14 bits of epoch (WEIR_PAYLOAD_BITS 16, any WEIR_T) entries need no clearing between
// runs. With 0 bits (WEIR_PAYLOAD_BITS 30, one word, values below 2^30, not packed) an earlier kernel must clear them.
//
// Word 0 of the buffer is the ticket counter: the epoch in the upper bits, and below it the number of tickets drawn.

#ifndef WEIR_TILE_STATES
#define WEIR_TILE_STATES TILE_STATE_BINDING
#endif

#ifndef WEIR_PAYLOAD_BITS
#define WEIR_PAYLOAD_BITS 16
#endif

// True if a tile's owner, after it has published, overwrites elements that other workgroups may be reading to reduce the tile.
#ifndef WEIR_OVERWRITES
#define WEIR_OVERWRITES false
#endif

const uint WEIR_TILE_NOT_READY = 0;
const uint WEIR_TILE_AGGREGATE = 1; // the reduction of the tile
const uint WEIR_TILE_PREFIX = 2;    // the inclusive prefix; also the aggregate of a tile with a head, which equals it

const uint WEIR_EPOCH_BITS = 30 - WEIR_PAYLOAD_BITS;
const uint WEIR_EPOCH_MASK = (1u << WEIR_EPOCH_BITS) - 1;
const uint WEIR_TICKET_BITS = WEIR_EPOCH_BITS == 0 ? 31 : 32 - WEIR_EPOCH_BITS;

layout(set = 0, binding = WEIR_TILE_STATES) buffer weir_TileStates { uint weir_tile_states[]; };

uint weir_load_word(uint i) {
    return atomicLoad(weir_tile_states[i], gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
}

void weir_store_word(uint i, uint word) {
    atomicStore(weir_tile_states[i], word, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
}

// Returns the upper bits of a part.
uint weir_make_head(uint state, uint epoch) {
    return (state << 30) | (epoch << WEIR_PAYLOAD_BITS);
}

uint weir_head_state(uint head, uint epoch) {
    return ((head >> WEIR_PAYLOAD_BITS) & WEIR_EPOCH_MASK) == epoch ? head >> 30 : WEIR_TILE_NOT_READY;
}

uint weir_aggregate_state(WEIR_T aggregate) {
#ifdef SEGMENTED
    return weir_has_head(aggregate) ? WEIR_TILE_PREFIX : WEIR_TILE_AGGREGATE;
#else
    return WEIR_TILE_AGGREGATE;
#endif
}

// The encoding defines these, WEIR_ENTRY_WORDS, WEIR_ENTRY_PARTS (number of stores that publish a value) and WEIR_PART_WORDS (words per
// store).

// Returns the state of `entry`. `value` is the published value, unless the state is WEIR_TILE_NOT_READY.
uint weir_load_tile(uint entry, uint epoch, out WEIR_T value);

// Does the first `count` of the stores that publish `value`. For the tile's owner. `again`: the owner has already published in the entry.
void weir_store_tile(uint entry, uint epoch, uint state, WEIR_T value, uint count, bool again);

// Publishes an aggregate that another workgroup has computed for the tile's owner. Returns true if nothing was published before.
bool weir_insert_tile(uint entry, uint epoch, WEIR_T value);

// Resets the entry to not ready, in any epoch.
void weir_clear_tile(uint entry);
void weir_clear_part(uint word);

#include "tile_parts.glsl"

// Entries that a subgroup polls start at multiples of 32 bytes. If entries shared such a sector, stores of one tile would delay polls of
// its neighbors, which reduces the throughput of scans by 10 %.
const uint WEIR_ENTRY_STRIDE = (WEIR_ENTRY_WORDS + WEIR_ENTRY_ALIGNMENT - 1) / WEIR_ENTRY_ALIGNMENT * WEIR_ENTRY_ALIGNMENT; // words

#if WEIR_PAYLOAD_BITS < 30
// Returns true if a tile polls the entry with this word, in a run of `tiles` tiles. Each walk defines it.
bool weir_is_read(uint word, uint tiles);
#endif

shared uint weir_shared_ticket;

// Returns the tile of the workgroup with this place in the run. Fault injection may change the order of tiles, but not the tickets.
uint weir_tile_of_place(uint place) {
#ifdef INSTRUMENTED
    return weir_reordered_tile(place, weir_workgroup_count(), tile_order, fault_seed);
#else
    return place;
#endif
}

// Draws a ticket. Called by one invocation of each workgroup, once. Without epochs, a ticket is the workgroup's tile.
uint weir_draw_ticket() {
    const uint ticket = atomicAdd(weir_tile_states[0], 1, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
    return WEIR_EPOCH_BITS == 0 ? weir_tile_of_place(ticket) : ticket;
}

// Returns the number of tickets drawn before this one in the run.
uint weir_ticket_place(uint ticket) {
    return ticket & ((1u << WEIR_TICKET_BITS) - 1);
}

uint weir_ticket_epoch(uint ticket) {
    return WEIR_EPOCH_BITS == 0 ? 0 : ticket >> WEIR_TICKET_BITS;
}

#if WEIR_PAYLOAD_BITS < 30
// Resets the ticket counter for the next run, in the next epoch, if the workgroup has the last ticket. That workgroup also clears a slice
// of the entries that no tile of this run polls. All entries are covered within half of the epochs, so that no state is left when its epoch
// returns. Called by each of the `groups` workgroups of a run. Collective.
void weir_advance_epoch(uint ticket, uint groups, uint tiles) {
    if (weir_ticket_place(ticket) != groups - 1) {
        return;
    }
    const uint epoch = weir_ticket_epoch(ticket);
    if (weir_invocation() == 0) {
        weir_store_word(0, ((epoch + 1) & WEIR_EPOCH_MASK) << WEIR_TICKET_BITS);
    }
    const uint slices = (WEIR_EPOCH_MASK + 1) / 2;
    const uint parts = (weir_tile_states.length() - WEIR_FIRST_ENTRY) / WEIR_PART_WORDS;
    const uint slice_parts = (parts + slices - 1) / slices;
    const uint first = epoch % slices * slice_parts;
    for (uint i = 0; i < slice_parts; i += WEIR_WORKGROUP) {
        const uint part = first + i + weir_invocation();
        const uint word = WEIR_FIRST_ENTRY + part * WEIR_PART_WORDS;
        if (i + weir_invocation() < slice_parts && part < parts && !weir_is_read(word, tiles)) {
            weir_clear_part(word);
        }
    }
}
#endif

#endif
