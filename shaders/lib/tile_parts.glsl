// Part of tile_state.glsl. An entry consists of parts in one of two layouts:
//
//     | state : 2 | epoch : 30 - PAYLOAD_BITS | payload : PAYLOAD_BITS |     one word
//     | state : 2 | epoch : 14 | 0 : 16 | payload : 32 |                     two words, with PACKED_STATES; needs 64-bit atomics
//
// A value counts as published when the states of all its parts agree. Therefore relaxed loads and stores suffice, and no value is read
// torn.

#ifdef PACKED_STATES

#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#define STATE_PART uint64_t
const uint PART_WORDS = 2;
const uint PARTS_OF_WORD = 1; // parts per word of T

layout(set = 0, binding = TILE_STATE_BINDING) buffer PackedTileStates { uint64_t packed_states[]; };

uint64_t load_part(uint word) {
    return atomicLoad(packed_states[word / 2], gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
}

void store_part(uint word, uint64_t part) {
    atomicStore(packed_states[word / 2], part, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
}

bool replace_part(uint word, uint64_t seen, uint64_t part) {
    return atomicCompSwap(packed_states[word / 2], seen, part, gl_ScopeDevice, gl_StorageSemanticsNone,
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

#define STATE_PART uint
const uint PART_WORDS = 1;
const uint PARTS_OF_WORD = PAYLOAD_BITS < 30 ? 2 : 1;

uint load_part(uint word) {
    return load_word(word);
}

void store_part(uint word, uint part) {
    store_word(word, part);
}

bool replace_part(uint word, uint seen, uint part) {
    return atomicCompSwap(tile_states[word], seen, part, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed,
                          gl_StorageSemanticsNone, gl_SemanticsRelaxed) == seen;
}

// Returns part i of an entry, with its share of a word of T.
uint make_part(uint head, uint word, uint i) {
    return head | ((word >> (i % PARTS_OF_WORD * PAYLOAD_BITS)) & ((1u << PAYLOAD_BITS) - 1));
}

// Returns the upper bits, state and epoch. Callers ignore the payload bits.
uint head_of(uint part) {
    return part;
}

uint payload_of(uint part, uint i) {
    return (part & ((1u << PAYLOAD_BITS) - 1)) << (i % PARTS_OF_WORD * PAYLOAD_BITS);
}

#endif

const uint ENTRY_PARTS = STATE_WORDS * PARTS_OF_WORD;
const uint ENTRY_WORDS = ENTRY_PARTS * PART_WORDS;

uint part_state(STATE_PART part, uint epoch) {
    return head_state(head_of(part), epoch);
}

void encode(uint state, uint epoch, T value, out STATE_PART parts[ENTRY_PARTS]) {
    uint words[STATE_WORDS];
    to_words(value, words);
    const uint head = make_head(state, epoch);
    [[unroll]] for (uint i = 0; i < ENTRY_PARTS; ++i) {
        parts[i] = make_part(head, words[i / PARTS_OF_WORD], i);
    }
}

uint load_tile(uint entry, uint epoch, out T value) {
    STATE_PART parts[ENTRY_PARTS];
    [[unroll]] for (uint i = 0; i < ENTRY_PARTS; ++i) {
        parts[i] = load_part(entry + i * PART_WORDS);
    }
    uint words[STATE_WORDS];
    [[unroll]] for (uint i = 0; i < STATE_WORDS; ++i) {
        words[i] = 0;
    }
    uint state = part_state(parts[0], epoch);
    [[unroll]] for (uint i = 0; i < ENTRY_PARTS; ++i) {
        words[i / PARTS_OF_WORD] |= payload_of(parts[i], i);
        state = part_state(parts[i], epoch) == state ? state : TILE_NOT_READY;
    }
    value = posted_item(words, state == TILE_PREFIX);
    return state;
}

// Writes a part unless the word already holds one of this epoch. Returns true if it did.
bool insert_part(uint word, uint epoch, STATE_PART part) {
    const STATE_PART seen = load_part(word);
    bool inserted = false;
    if (part_state(seen, epoch) == TILE_NOT_READY) {
        inserted = replace_part(word, seen, part);
    }
    return inserted;
}

void publish_tile(uint entry, uint epoch, uint state, T value, uint count, bool again) {
    STATE_PART parts[ENTRY_PARTS];
    encode(state, epoch, value, parts);
    [[unroll]] for (uint i = 0; i < ENTRY_PARTS; ++i) {
        if (i < count) {
            const uint word = entry + i * PART_WORDS;
            if (OVERWRITES && !again) {
                // Uses the same exchange as a fallback. A workgroup that falls back has read the tile, with a barrier after, before it
                // publishes.
                insert_part(word, epoch, parts[i]);
            } else {
                store_part(word, parts[i]);
            }
        }
    }
}

// Leaves parts of this epoch unchanged: they hold the same payload, or that of a prefix.
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

void clear_part(uint word) {
    store_part(word, STATE_PART(0));
}

void clear_tile(uint entry) {
    [[unroll]] for (uint i = 0; i < ENTRY_PARTS; ++i) {
        clear_part(entry + i * PART_WORDS);
    }
}
