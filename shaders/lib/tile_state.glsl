#ifndef WEIR_TILE_STATE_GLSL
#define WEIR_TILE_STATE_GLSL

#include "dispatch.glsl"
#include "monoid.glsl"
#include "instrument.glsl"
#include "interface.glsl"
#include "tile_state_interface.h"

// Tile states: a buffer of entries in which tiles publish values of T. An entry is named by its first word, and has one of three states.
// Its layout in memory is the encoding:
//
//     tile_parts.glsl   several parts, each with a state of its own; with PACKED_STATES, parts of 64 bits
//     tile_flag.glsl    with FLAGGED_STATES: one state for the entry, then the words of its values
//
// A state of another epoch counts as not ready. With 14 bits of epoch (PAYLOAD_BITS 16, any T) entries need no clearing between runs. With
// none (PAYLOAD_BITS 30, one word, values below 2^30, not packed) the kernel before must clear them.
//
// Word 0 of the buffer is the ticket counter: the epoch in the upper bits, below it the number of workgroups that have drawn one.

#ifndef PAYLOAD_BITS
#define PAYLOAD_BITS 16
#endif

// Whether a tile's owner, once it has published, overwrites elements that other workgroups may be reading to reduce the tile.
#ifndef OVERWRITES
#define OVERWRITES false
#endif

const uint TILE_NOT_READY = 0;
const uint TILE_AGGREGATE = 1; // the reduction of the tile
const uint TILE_PREFIX = 2;    // the inclusive prefix; also the aggregate of a tile with a head, which is the same

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

// The upper bits of a part, or of a flag.
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

// What an encoding defines, besides ENTRY_WORDS, ENTRY_PARTS (stores that publish a value) and PART_WORDS (words of such a store).

// The state of `entry`, and the value that was published there unless that is TILE_NOT_READY.
uint load_tile(uint entry, uint epoch, out T value);

// For the tile's owner: does the first `count` of the stores that publish `value`. `again`: the owner has published in the entry before.
void publish_tile(uint entry, uint epoch, uint state, T value, uint count, bool again);

// For a workgroup that has computed the tile's aggregate in its owner's place. Returns whether nothing was published there before.
bool insert_tile(uint entry, uint epoch, T value);

// Resets the entry to not ready, in any epoch.
void clear_tile(uint entry);
void clear_part(uint word);

#ifdef FLAGGED_STATES
#include "tile_flag.glsl"
#else
#include "tile_parts.glsl"
#endif

// Entries that a subgroup polls start at multiples of 32 bytes. If entries shared such a sector, stores of one tile would delay the polls
// of its neighbours, which costs a tenth of a scan's speed.
const uint ENTRY_STRIDE = (ENTRY_WORDS + ENTRY_ALIGNMENT - 1) / ENTRY_ALIGNMENT * ENTRY_ALIGNMENT; // words

#if PAYLOAD_BITS < 30
// What a walk defines: whether some tile polls the entry with this word, in a run of so many tiles.
bool is_read(uint word, uint tiles);
#endif

shared uint shared_ticket;

// The tile of the workgroup with this place among those of the run. A fault hands tiles out in another order, but leaves tickets alone.
uint tile_of_place(uint place) {
#ifdef INSTRUMENTED
    return reordered_tile(place, weir_workgroup_count(), tile_order, fault_seed);
#else
    return place;
#endif
}

// For one invocation of each workgroup, once. Without epochs, a ticket is the workgroup's tile.
uint draw_ticket() {
    const uint ticket = atomicAdd(tile_states[0], 1, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
    return EPOCH_BITS == 0 ? tile_of_place(ticket) : ticket;
}

// How many tickets of the run were drawn before.
uint ticket_place(uint ticket) {
    return ticket & ((1u << TICKET_BITS) - 1);
}

uint ticket_epoch(uint ticket) {
    return EPOCH_BITS == 0 ? 0 : ticket >> TICKET_BITS;
}

#if PAYLOAD_BITS < 30
// Collective, for each of the `groups` workgroups of a run. The one with the last ticket resets the counter for the next run, in the next
// epoch. It also clears a slice of the entries that no tile of this run polls: all of them within half of the epochs, so that no state is
// left when its epoch comes round.
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
