// Part of tile_state.glsl, in place of tile_parts.glsl. An entry is a flag and two values:
//
//     | state : 2 | epoch : 14 | 0 : 16 |     the flag
//     WEIR_T_WORDS words                           the aggregate
//     WEIR_T_WORDS words                           the prefix
//
// The words of a value are stored before the flag, which is stored with release semantics. They are loaded after the flag, which is loaded
// with acquire semantics. Therefore a workgroup that sees the state sees the whole value. The prefix has its own words, because another
// workgroup may have seen the aggregate's flag and not yet read its words.
//
// Not for tiles that are overwritten. A fallback could then compute a wrong value, and it stores its words before it knows if the owner has
// published.

const uint WEIR_PART_WORDS = 1;
const uint WEIR_ENTRY_PARTS = WEIR_T_WORDS + 1; // the flag comes last
const uint WEIR_ENTRY_WORDS = 1 + 2 * WEIR_T_WORDS;

uint place_of_value(uint entry, uint state) {
    return entry + 1 + (state == WEIR_TILE_PREFIX ? WEIR_T_WORDS : 0);
}

uint weir_load_tile(uint entry, uint epoch, out WEIR_T value) {
    const uint flag = atomicLoad(weir_tile_states[entry], gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsAcquire);
    const uint state = weir_head_state(flag, epoch);
    value = weir_identity();
    if (state != WEIR_TILE_NOT_READY) {
        const uint place = place_of_value(entry, state);
        uint words[WEIR_T_WORDS];
        [[unroll]] for (uint i = 0; i < WEIR_T_WORDS; ++i) {
            words[i] = weir_load_word(place + i);
        }
        value = weir_item_of(weir_value_from_words(words), state == WEIR_TILE_PREFIX);
    }
    return state;
}

void store_value(uint entry, uint state, WEIR_T value, uint count) {
    const uint place = place_of_value(entry, state);
    uint words[WEIR_T_WORDS];
    weir_to_words(value, words);
    [[unroll]] for (uint i = 0; i < WEIR_T_WORDS; ++i) {
        if (i < count) {
            weir_store_word(place + i, words[i]);
        }
    }
}

void weir_store_tile(uint entry, uint epoch, uint state, WEIR_T value, uint count, bool again) {
    store_value(entry, state, value, count);
    if (count == WEIR_ENTRY_PARTS) {
        atomicStore(weir_tile_states[entry], weir_make_head(state, epoch), gl_ScopeDevice, gl_StorageSemanticsBuffer,
                    gl_SemanticsRelease);
    }
}

// The owner's words may already be there, and another workgroup may be reading them. This stores the same bits.
bool weir_insert_tile(uint entry, uint epoch, WEIR_T value) {
    const uint seen = weir_load_word(entry);
    bool first = false;
    if (weir_head_state(seen, epoch) == WEIR_TILE_NOT_READY) {
        const uint state = weir_aggregate_state(value);
        store_value(entry, state, value, WEIR_T_WORDS);
        first = atomicCompSwap(weir_tile_states[entry], seen, weir_make_head(state, epoch), gl_ScopeDevice, gl_StorageSemanticsBuffer,
                               gl_SemanticsRelease, gl_StorageSemanticsNone, gl_SemanticsRelaxed) == seen;
    }
    return first;
}

void weir_clear_part(uint word) {
    weir_store_word(word, 0);
}

void weir_clear_tile(uint entry) {
    weir_clear_part(entry);
}
