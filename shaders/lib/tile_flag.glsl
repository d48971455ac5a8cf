// Part of tile_state.glsl. An entry is a flag and two values:
//
//     | state : 2 | epoch : 14 | 0 : 16 |     the flag
//     T_WORDS words                           the aggregate
//     T_WORDS words                           the prefix
//
// The words of a value are stored before the flag, which is stored with release semantics. They are loaded after the flag, which is loaded
// with acquire semantics. Therefore a workgroup that sees the state sees the whole value. The prefix has its own words, because another
// workgroup may have seen the aggregate's flag and not yet read its words.
//
// Not for tiles that are overwritten. A fallback could then compute a wrong value, and it stores its words before it knows if the owner has
// published.

const uint PART_WORDS = 1;
const uint ENTRY_PARTS = T_WORDS + 1; // the flag comes last
const uint ENTRY_WORDS = 1 + 2 * T_WORDS;

uint place_of_value(uint entry, uint state) {
    return entry + 1 + (state == TILE_PREFIX ? T_WORDS : 0);
}

uint load_tile(uint entry, uint epoch, out T value) {
    const uint flag = atomicLoad(tile_states[entry], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
    const uint state = head_state(flag, epoch);
    value = identity();
    if (state != TILE_NOT_READY) {
        const uint place = place_of_value(entry, state);
        uint words[T_WORDS];
        [[unroll]] for (uint i = 0; i < T_WORDS; ++i) {
            words[i] = load_word(place + i);
        }
        value = item_of(value_from_words(words), state == TILE_PREFIX);
    }
    return state;
}

void store_value(uint entry, uint state, T value, uint count) {
    const uint place = place_of_value(entry, state);
    uint words[T_WORDS];
    to_words(value, words);
    [[unroll]] for (uint i = 0; i < T_WORDS; ++i) {
        if (i < count) {
            store_word(place + i, words[i]);
        }
    }
}

void publish_tile(uint entry, uint epoch, uint state, T value, uint count, bool again) {
    store_value(entry, state, value, count);
    if (count == ENTRY_PARTS) {
        atomicStore(tile_states[entry], make_head(state, epoch), gl_ScopeDevice, gl_StorageSemanticsBuffer,
                    gl_SemanticsRelease);
    }
}

// The owner's words may already be there, and another workgroup may be reading them. This stores the same bits.
bool insert_tile(uint entry, uint epoch, T value) {
    const uint seen = load_word(entry);
    bool first = false;
    if (head_state(seen, epoch) == TILE_NOT_READY) {
        const uint state = aggregate_state(value);
        store_value(entry, state, value, T_WORDS);
        first = atomicCompSwap(tile_states[entry], seen, make_head(state, epoch), gl_ScopeDevice, gl_StorageSemanticsBuffer,
                               gl_SemanticsRelease, gl_StorageSemanticsNone, gl_SemanticsRelaxed) == seen;
    }
    return first;
}

void clear_part(uint word) {
    store_word(word, 0);
}

void clear_tile(uint entry) {
    clear_part(entry);
}
