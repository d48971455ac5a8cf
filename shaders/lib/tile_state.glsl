#ifndef WEIR_TILE_STATE_GLSL
#define WEIR_TILE_STATE_GLSL

#include "monoid.glsl"
#include "instrument.glsl"
#include "interface.glsl"
#include "tile_state_interface.h"

// What tiles tell each other: for each entry, named by its first word, a value of T in one of three states. How these lie in
// memory is the encoding:
//
//     tile_parts.glsl   in parts that have a state each: split, or packed with PACKED_STATES
//     tile_flag.glsl    with FLAGGED_STATES: a flag for all, then the words of the values
//
// States of another epoch count as not ready: with 14 bits of epoch (PAYLOAD_BITS 16, any T) they need no clearing between runs;
// with none (PAYLOAD_BITS 30, one word, values below 2^30, split) somebody must clear them.
//
// Word 0 of the buffer hands out tickets, one to each workgroup of a run: epoch in the upper bits, a count below.

#ifndef PAYLOAD_BITS
#define PAYLOAD_BITS 16
#endif

// Whether an owner, once it has posted, overwrites what others may be reading to compute the tile in its place.
#ifndef OVERWRITES
#define OVERWRITES false
#endif

const uint TILE_NOT_READY = 0;
const uint TILE_AGGREGATE = 1; // the tile's own reduction
const uint TILE_PREFIX = 2;    // the reduction of the tile and all before it; or of a tile with a head, where that is the same

const uint EPOCH_BITS = 30 - PAYLOAD_BITS;
const uint EPOCH_MASK = (1u << EPOCH_BITS) - 1;
const uint TICKET_BITS = EPOCH_BITS == 0 ? 31 : 32 - EPOCH_BITS;

layout(set = 0, binding = TILE_STATE_BINDING) buffer TileStates { uint tile_states[]; };

uint load_word(uint i) {
    return atomicLoad(tile_states[i], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
}

void store_word(uint i, uint word) {
    atomicStore(tile_states[i], word, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
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

// Of the encoding: it also has ENTRY_WORDS; ENTRY_PARTS, the stores of a post; and PART_WORDS, what one of them fills.

// The state of `entry`; unless that is TILE_NOT_READY, `value` is what was posted.
uint load_tile(uint entry, uint epoch, out T value);

// For the tile's owner. Does the first `count` stores of the post. `again`: the owner has posted in the entry before.
void publish_tile(uint entry, uint epoch, uint state, T value, uint count, bool again);

// For anybody who has computed the tile's aggregate in its owner's place. Returns whether this was the first post.
bool insert_tile(uint entry, uint epoch, T value);

// Whatever it holds.
void clear_tile(uint entry);
void clear_part(uint word);

#ifdef FLAGGED_STATES
#include "tile_flag.glsl"
#else
#include "tile_parts.glsl"
#endif

// Where a subgroup polls, entries start at multiples of 32 bytes. Side by side, the posts of one tile would hold up those who poll its neighbours: that costs
// a tenth of a scan's speed.
const uint ENTRY_STRIDE = (ENTRY_WORDS + ENTRY_ALIGNMENT - 1) / ENTRY_ALIGNMENT * ENTRY_ALIGNMENT; // words

#if PAYLOAD_BITS < 30
// Of the walk that is included: whether a word is part of an entry that some tile reads, where there are so many of them.
bool is_read(uint word, uint tiles);
#endif

shared uint shared_ticket;

// For one invocation of each workgroup, once.
uint draw_ticket() {
    return atomicAdd(tile_states[0], 1, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
}

// How many were drawn before.
uint ticket_place(uint ticket) {
    return ticket & ((1u << TICKET_BITS) - 1);
}

uint ticket_epoch(uint ticket) {
    return EPOCH_BITS == 0 ? 0 : ticket >> TICKET_BITS;
}

#if PAYLOAD_BITS < 30
// Collective, and called by each of the `groups` workgroups that run. Whoever drew the last ticket leaves it to the next run, in
// the next epoch, and the entries that nobody reads in this run of `tiles` tiles are cleared a slice at a time: all of them in half
// the time that the epoch needs to come round.
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
