// Part of tile_state.glsl. An entry consists of parts in one of two layouts:
//
//     | state : 2 | epoch : 30 - WEIR_PAYLOAD_BITS | payload : WEIR_PAYLOAD_BITS |     one word
//     | state : 2 | epoch : 14 | 0 : 16 | payload : 32 |                     two words, with PACKED_STATES; needs 64-bit atomics
//
// A value counts as published when the states of all its parts agree. Therefore relaxed loads and stores suffice, and no value is read
// torn.

#ifdef PACKED_STATES

#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#define WEIR_STATE_PART uint64_t
const uint WEIR_PART_WORDS = 2;
const uint WEIR_PARTS_OF_WORD = 1; // parts per word of WEIR_T

layout(set = 0, binding = WEIR_TILE_STATES) buffer PackedTileStates { uint64_t packed_states[]; };

uint64_t weir_load_part(uint word) {
    return atomicLoad(packed_states[word / 2], gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
}

void weir_store_part(uint word, uint64_t part) {
    atomicStore(packed_states[word / 2], part, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
}

bool weir_replace_part(uint word, uint64_t seen, uint64_t part) {
    return atomicCompSwap(packed_states[word / 2], seen, part, gl_ScopeDevice, gl_StorageSemanticsNone,
                          gl_SemanticsRelaxed, gl_StorageSemanticsNone, gl_SemanticsRelaxed) == seen;
}

uint64_t weir_make_part(uint head, uint word, uint i) {
    return packUint2x32(uvec2(word, head));
}

uint weir_head_of(uint64_t part) {
    return unpackUint2x32(part).y;
}

uint weir_payload_of(uint64_t part, uint i) {
    return unpackUint2x32(part).x;
}

#else

#define WEIR_STATE_PART uint
const uint WEIR_PART_WORDS = 1;
const uint WEIR_PARTS_OF_WORD = WEIR_PAYLOAD_BITS < 30 ? 2 : 1;

uint weir_load_part(uint word) {
    return weir_load_word(word);
}

void weir_store_part(uint word, uint part) {
    weir_store_word(word, part);
}

bool weir_replace_part(uint word, uint seen, uint part) {
    return atomicCompSwap(weir_tile_states[word], seen, part, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed,
                          gl_StorageSemanticsNone, gl_SemanticsRelaxed) == seen;
}

// Returns part i of an entry, with its share of a word of WEIR_T.
uint weir_make_part(uint head, uint word, uint i) {
    return head | ((word >> (i % WEIR_PARTS_OF_WORD * WEIR_PAYLOAD_BITS)) & ((1u << WEIR_PAYLOAD_BITS) - 1));
}

// Returns the upper bits, state and epoch. Callers ignore the payload bits.
uint weir_head_of(uint part) {
    return part;
}

uint weir_payload_of(uint part, uint i) {
    return (part & ((1u << WEIR_PAYLOAD_BITS) - 1)) << (i % WEIR_PARTS_OF_WORD * WEIR_PAYLOAD_BITS);
}

#endif

const uint WEIR_ENTRY_PARTS = WEIR_STATE_WORDS * WEIR_PARTS_OF_WORD;
const uint WEIR_ENTRY_WORDS = WEIR_ENTRY_PARTS * WEIR_PART_WORDS;

uint weir_part_state(WEIR_STATE_PART part, uint epoch) {
    return weir_head_state(weir_head_of(part), epoch);
}

void weir_encode(uint state, uint epoch, WEIR_T value, out WEIR_STATE_PART parts[WEIR_ENTRY_PARTS]) {
    uint words[WEIR_STATE_WORDS];
    weir_to_words(value, words);
    const uint head = weir_make_head(state, epoch);
    [[unroll]] for (uint i = 0; i < WEIR_ENTRY_PARTS; ++i) {
        parts[i] = weir_make_part(head, words[i / WEIR_PARTS_OF_WORD], i);
    }
}

uint weir_load_tile(uint entry, uint epoch, out WEIR_T value) {
    WEIR_STATE_PART parts[WEIR_ENTRY_PARTS];
    [[unroll]] for (uint i = 0; i < WEIR_ENTRY_PARTS; ++i) {
        parts[i] = weir_load_part(entry + i * WEIR_PART_WORDS);
    }
    uint words[WEIR_STATE_WORDS];
    [[unroll]] for (uint i = 0; i < WEIR_STATE_WORDS; ++i) {
        words[i] = 0;
    }
    uint state = weir_part_state(parts[0], epoch);
    [[unroll]] for (uint i = 0; i < WEIR_ENTRY_PARTS; ++i) {
        words[i / WEIR_PARTS_OF_WORD] |= weir_payload_of(parts[i], i);
        state = weir_part_state(parts[i], epoch) == state ? state : WEIR_TILE_NOT_READY;
    }
    value = weir_posted_item(words, state == WEIR_TILE_PREFIX);
    return state;
}

// Writes a part unless the word already holds one of this epoch. Returns true if it did.
bool weir_insert_part(uint word, uint epoch, WEIR_STATE_PART part) {
    const WEIR_STATE_PART seen = weir_load_part(word);
    bool inserted = false;
    if (weir_part_state(seen, epoch) == WEIR_TILE_NOT_READY) {
        inserted = weir_replace_part(word, seen, part);
    }
    return inserted;
}

void weir_store_tile(uint entry, uint epoch, uint state, WEIR_T value, uint count, bool again) {
    WEIR_STATE_PART parts[WEIR_ENTRY_PARTS];
    weir_encode(state, epoch, value, parts);
    [[unroll]] for (uint i = 0; i < WEIR_ENTRY_PARTS; ++i) {
        if (i < count) {
            const uint word = entry + i * WEIR_PART_WORDS;
            if (WEIR_OVERWRITES && !again) {
                // Uses the same exchange as a fallback. A workgroup that falls back has read the tile, with a barrier after, before it
                // publishes.
                weir_insert_part(word, epoch, parts[i]);
            } else {
                weir_store_part(word, parts[i]);
            }
        }
    }
}

// Leaves parts of this epoch unchanged: they hold the same payload, or that of a prefix.
bool weir_insert_tile(uint entry, uint epoch, WEIR_T value) {
    WEIR_STATE_PART parts[WEIR_ENTRY_PARTS];
    weir_encode(weir_aggregate_state(value), epoch, value, parts);
    bool first = false;
    [[unroll]] for (uint i = 0; i < WEIR_ENTRY_PARTS; ++i) {
        const bool inserted = weir_insert_part(entry + i * WEIR_PART_WORDS, epoch, parts[i]);
        first = first || (i == 0 && inserted);
    }
    return first;
}

void weir_clear_part(uint word) {
    weir_store_part(word, WEIR_STATE_PART(0));
}

void weir_clear_tile(uint entry) {
    [[unroll]] for (uint i = 0; i < WEIR_ENTRY_PARTS; ++i) {
        weir_clear_part(entry + i * WEIR_PART_WORDS);
    }
}
