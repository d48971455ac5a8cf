#ifndef WEIR_TILE_STATE_GLSL
#define WEIR_TILE_STATE_GLSL

#include "monoid.glsl"
#include "instrument.glsl"

// What tiles tell each other: for each entry, named by its first word, a value of T in one of three states, in words of
//
//     | state : 2 | epoch : 30 - PAYLOAD_BITS | payload : PAYLOAD_BITS |
//
// A value spans several words, each with its own state, and counts as posted once all of them agree; so relaxed loads and
// stores are enough and no value is ever seen torn. Words of another epoch count as not ready: with 14 bits of epoch
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
const uint PAYLOAD_MASK = (1u << PAYLOAD_BITS) - 1;
const uint WORD_PARTS = PAYLOAD_BITS < 30 ? 2 : 1; // tile-state words for a word of T
const uint ENTRY_WORDS = T_WORDS * WORD_PARTS;
const uint FIRST_ENTRY = 32; // the ticket has a cache line of its own

// Where a subgroup polls, entries start at multiples of 32 bytes. Side by side, the posts of one tile would hold up those who poll its neighbours: that costs
// a tenth of a scan's speed.
const uint ENTRY_STRIDE = (ENTRY_WORDS + 7) / 8 * 8; // words

layout(set = 0, binding = TILE_STATE_BINDING) buffer TileStates { uint tile_states[]; };

uint load_word(uint i) {
    return atomicLoad(tile_states[i], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
}

void store_word(uint i, uint word) {
    atomicStore(tile_states[i], word, gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed);
}

uint word_state(uint word, uint epoch) {
    return ((word >> PAYLOAD_BITS) & EPOCH_MASK) == epoch ? word >> 30 : TILE_NOT_READY;
}

void encode(uint state, uint epoch, T value, out uint encoded[ENTRY_WORDS]) {
    uint words[T_WORDS];
    to_words(value, words);
    const uint head = (state << 30) | (epoch << PAYLOAD_BITS);
    [[unroll]] for (uint i = 0; i < ENTRY_WORDS; ++i) {
        encoded[i] = head | ((words[i / WORD_PARTS] >> (i % WORD_PARTS * PAYLOAD_BITS)) & PAYLOAD_MASK);
    }
}

// The state of `entry`; unless that is TILE_NOT_READY, `value` is what was posted.
uint load_tile(uint entry, uint epoch, out T value) {
    uint encoded[ENTRY_WORDS];
    [[unroll]] for (uint i = 0; i < ENTRY_WORDS; ++i) {
        encoded[i] = load_word(entry + i);
    }
    uint words[T_WORDS];
    [[unroll]] for (uint i = 0; i < T_WORDS; ++i) {
        words[i] = 0;
    }
    uint state = word_state(encoded[0], epoch);
    [[unroll]] for (uint i = 0; i < ENTRY_WORDS; ++i) {
        words[i / WORD_PARTS] |= (encoded[i] & PAYLOAD_MASK) << (i % WORD_PARTS * PAYLOAD_BITS);
        state = word_state(encoded[i], epoch) == state ? state : TILE_NOT_READY;
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

// Writes a word unless one of this epoch is there. Returns whether it did.
bool insert_word(uint word, uint epoch, uint encoded) {
    const uint seen = load_word(word);
    bool inserted = false;
    if (word_state(seen, epoch) == TILE_NOT_READY) {
        inserted = atomicCompSwap(tile_states[word], seen, encoded, gl_ScopeDevice, gl_StorageSemanticsBuffer,
                                  gl_SemanticsRelaxed, gl_StorageSemanticsNone, gl_SemanticsRelaxed) == seen;
    }
    return inserted;
}

// For the tile's owner. Posts the first `words` words of the entry. `again`: the owner has posted in it before.
void post_tile(uint entry, uint epoch, uint state, T value, uint words, bool again) {
    uint encoded[ENTRY_WORDS];
    encode(state, epoch, value, encoded);
    [[unroll]] for (uint i = 0; i < ENTRY_WORDS; ++i) {
        if (i < words) {
            const uint word = entry + i;
            if (OVERWRITES && !again) {
                // As others insert it: what they read before they insert, with a barrier between, is read before the owner goes on.
                insert_word(word, epoch, encoded[i]);
            } else {
                store_word(word, encoded[i]);
            }
        }
    }
}

// For anybody who has computed the tile's aggregate in its owner's place. A word of this epoch is left alone: it holds the same
// payload, or that of a prefix. Returns whether this was the first post.
bool insert_tile(uint entry, uint epoch, T value) {
    uint encoded[ENTRY_WORDS];
    encode(aggregate_state(value), epoch, value, encoded);
    bool first = false;
    [[unroll]] for (uint i = 0; i < ENTRY_WORDS; ++i) {
        const bool inserted = insert_word(entry + i, epoch, encoded[i]);
        first = first || (i == 0 && inserted);
    }
    return first;
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
    const uint words = tile_states.length() - FIRST_ENTRY;
    const uint slice_words = (words + slices - 1) / slices;
    const uint first = epoch % slices * slice_words;
    for (uint i = 0; i < slice_words; i += WORKGROUP) {
        const uint word = first + i + invocation();
        if (i + invocation() < slice_words && word < words && !is_read(FIRST_ENTRY + word, tiles)) {
            store_word(FIRST_ENTRY + word, 0);
        }
    }
}
#endif

#endif
