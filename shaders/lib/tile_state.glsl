#ifndef WEIR_TILE_STATE_GLSL
#define WEIR_TILE_STATE_GLSL

#include "monoid.glsl"
#include "instrument.glsl"

// What tiles tell each other: for each entry, named by its first word, a value of T in one of three states, in parts of
//
//     | state : 2 | epoch : 30 - PAYLOAD_BITS | payload : PAYLOAD_BITS |     a word
//     | state : 2 | epoch : 14 | 0 : 16 | payload : 32 |                     two words, with PACKED_STATES: takes 64-bit atomics
//
// A value spans several parts, each with its own state, and counts as posted once all of them agree; so relaxed loads and
// stores are enough and no value is ever seen torn. Parts of another epoch count as not ready: with 14 bits of epoch
// (PAYLOAD_BITS 16, any T) states need no clearing between runs; with none (PAYLOAD_BITS 30, one word, values below 2^30)
// somebody must clear them.
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
#ifdef PACKED_STATES
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#define STATE_PART uint64_t
const uint PART_WORDS = 2;
const uint PARTS_OF_WORD = 1; // parts that a word of T takes
#else
#define STATE_PART uint
const uint PART_WORDS = 1;
const uint PARTS_OF_WORD = PAYLOAD_BITS < 30 ? 2 : 1;
#endif
const uint ENTRY_PARTS = T_WORDS * PARTS_OF_WORD;
const uint FIRST_ENTRY = 32; // the ticket has a cache line of its own

// Where a subgroup polls, entries start at multiples of 32 bytes. Side by side, the posts of one tile would hold up those who poll its neighbours: that costs
// a tenth of a scan's speed.
const uint ENTRY_STRIDE = (ENTRY_PARTS * PART_WORDS + 7) / 8 * 8; // words

layout(set = 0, binding = TILE_STATE_BINDING) buffer TileStates { uint tile_states[]; };

uint load_word(uint i) {
    return atomicLoad(tile_states[i], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
}

void store_word(uint i, uint word) {
    atomicStore(tile_states[i], word, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
}

#ifdef PACKED_STATES

layout(set = 0, binding = TILE_STATE_BINDING) buffer PackedTileStates { uint64_t packed_states[]; };

uint64_t load_part(uint word) {
    return atomicLoad(packed_states[word / 2], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
}

void store_part(uint word, uint64_t part) {
    atomicStore(packed_states[word / 2], part, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
}

bool replace_part(uint word, uint64_t seen, uint64_t part) {
    return atomicCompSwap(packed_states[word / 2], seen, part, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                          gl_SemanticsRelaxed, gl_StorageSemanticsNone, gl_SemanticsRelaxed) == seen;
}

uint64_t make_part(uint head, uint word, uint i) {
    return packUint2x32(uvec2(word, head));
}

uint head_of(uint64_t part) {
    return unpackUint2x32(part).y;
}

uint payload_of(uint64_t part, uint i) {
    return unpackUint2x32(part).x;
}

#else

uint load_part(uint word) {
    return load_word(word);
}

void store_part(uint word, uint part) {
    store_word(word, part);
}

bool replace_part(uint word, uint seen, uint part) {
    return atomicCompSwap(tile_states[word], seen, part, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed,
                          gl_StorageSemanticsNone, gl_SemanticsRelaxed) == seen;
}

// Part i of an entry, with its share of a word of T.
uint make_part(uint head, uint word, uint i) {
    return head | ((word >> (i % PARTS_OF_WORD * PAYLOAD_BITS)) & ((1u << PAYLOAD_BITS) - 1));
}

// State and epoch.
uint head_of(uint part) {
    return part;
}

uint payload_of(uint part, uint i) {
    return (part & ((1u << PAYLOAD_BITS) - 1)) << (i % PARTS_OF_WORD * PAYLOAD_BITS);
}

#endif

uint part_state(STATE_PART part, uint epoch) {
    const uint head = head_of(part);
    return ((head >> PAYLOAD_BITS) & EPOCH_MASK) == epoch ? head >> 30 : TILE_NOT_READY;
}

void encode(uint state, uint epoch, T value, out STATE_PART parts[ENTRY_PARTS]) {
    uint words[T_WORDS];
    to_words(value, words);
    const uint head = (state << 30) | (epoch << PAYLOAD_BITS);
    [[unroll]] for (uint i = 0; i < ENTRY_PARTS; ++i) {
        parts[i] = make_part(head, words[i / PARTS_OF_WORD], i);
    }
}

// The state of `entry`; unless that is TILE_NOT_READY, `value` is what was posted.
uint load_tile(uint entry, uint epoch, out T value) {
    STATE_PART parts[ENTRY_PARTS];
    [[unroll]] for (uint i = 0; i < ENTRY_PARTS; ++i) {
        parts[i] = load_part(entry + i * PART_WORDS);
    }
    uint words[T_WORDS];
    [[unroll]] for (uint i = 0; i < T_WORDS; ++i) {
        words[i] = 0;
    }
    uint state = part_state(parts[0], epoch);
    [[unroll]] for (uint i = 0; i < ENTRY_PARTS; ++i) {
        words[i / PARTS_OF_WORD] |= payload_of(parts[i], i);
        state = part_state(parts[i], epoch) == state ? state : TILE_NOT_READY;
    }
    value = item_of(value_from_words(words), state == TILE_PREFIX);
    return state;
}

uint aggregate_state(T aggregate) {
#ifdef SEGMENTED
    return has_head(aggregate) ? TILE_PREFIX : TILE_AGGREGATE;
#else
    return TILE_AGGREGATE;
#endif
}

// Writes a part unless one of this epoch is there. Returns whether it did.
bool insert_part(uint word, uint epoch, STATE_PART part) {
    const STATE_PART seen = load_part(word);
    bool inserted = false;
    if (part_state(seen, epoch) == TILE_NOT_READY) {
        inserted = replace_part(word, seen, part);
    }
    return inserted;
}

// For the tile's owner. Posts the first `count` parts of the entry. `again`: the owner has posted in it before.
void post_tile(uint entry, uint epoch, uint state, T value, uint count, bool again) {
    STATE_PART parts[ENTRY_PARTS];
    encode(state, epoch, value, parts);
    [[unroll]] for (uint i = 0; i < ENTRY_PARTS; ++i) {
        if (i < count) {
            const uint word = entry + i * PART_WORDS;
            if (OVERWRITES && !again) {
                // As others insert it: what they read before they insert, with a barrier between, is read before the owner goes on.
                insert_part(word, epoch, parts[i]);
            } else {
                store_part(word, parts[i]);
            }
        }
    }
}

// For anybody who has computed the tile's aggregate in its owner's place. A part of this epoch is left alone: it holds the same
// payload, or that of a prefix. Returns whether this was the first post.
bool insert_tile(uint entry, uint epoch, T value) {
    STATE_PART parts[ENTRY_PARTS];
    encode(aggregate_state(value), epoch, value, parts);
    bool first = false;
    [[unroll]] for (uint i = 0; i < ENTRY_PARTS; ++i) {
        const bool inserted = insert_part(entry + i * PART_WORDS, epoch, parts[i]);
        first = first || (i == 0 && inserted);
    }
    return first;
}

// Whatever it holds.
void clear_tile(uint entry) {
    [[unroll]] for (uint i = 0; i < ENTRY_PARTS; ++i) {
        store_part(entry + i * PART_WORDS, STATE_PART(0));
    }
}

#if PAYLOAD_BITS < 30
// Of the walk that is included: whether a word is part of an entry that some tile reads, where there are so many of them.
bool is_read(uint word, uint tiles);
#endif

shared uint taken_ticket;

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
void hand_in_ticket(uint ticket, uint groups, uint tiles) {
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
            store_part(word, STATE_PART(0));
        }
    }
}
#endif

#endif
