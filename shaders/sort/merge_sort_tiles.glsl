// Sorts each tile on its own.

#include "merge_sort.glsl"

layout(set = 0, binding = KEYS_BINDING) readonly buffer Keys { uint key_words[]; };
layout(set = 0, binding = VALUES_BINDING) readonly buffer Values { uint value_words[]; };
layout(set = 0, binding = SORTED_KEYS_BINDING) buffer SortedKeys { uint sorted_keys[]; };
layout(set = 0, binding = SORTED_VALUES_BINDING) buffer SortedValues { uint sorted_values[]; };
layout(set = 0, binding = BETWEEN_KEYS_BINDING) writeonly buffer BetweenKeys { uint between_keys[]; };
layout(set = 0, binding = BETWEEN_VALUES_BINDING) writeonly buffer BetweenValues { uint between_values[]; };

void load_keys(uint begin, uint size) {
    [[unroll]] for (uint row = 0; row < ITEMS * KEY_WORDS; ++row) {
        const uint w = row * WORKGROUP + gl_LocalInvocationIndex;
        if (w < size * KEY_WORDS) {
            tile_words[w] = KEYS_IN_PLACE ? sorted_keys[begin * KEY_WORDS + w] : key_words[begin * KEY_WORDS + w];
        }
    }
    workgroup_buffer_barrier();
}

// Sorts the keys of this invocation, which are neighbours: odd-even transposition, which is stable.
void sort_own(uint own, uint size) {
    uint places[ITEMS];
    [[unroll]] for (uint i = 0; i < ITEMS; ++i) {
        places[i] = own + i;
    }
    for (uint round = 0; round < ITEMS / 2 + 1; ++round) {
        [[unroll]] for (uint parity = 0; parity < 2; ++parity) {
            [[unroll]] for (uint i = parity; i + 1 < ITEMS; i += 2) {
                if (own + i + 1 < size && comes_before(places[i + 1], places[i])) {
                    const uint place = places[i];
                    places[i] = places[i + 1];
                    places[i + 1] = place;
                }
            }
        }
    }
    put_order(own, size, places);
}

// Merges runs of so many keys in the tile, in pairs.
void merge_pairs(uint own, uint size, uint run) {
    const uint pair = gl_LocalInvocationIndex / (2 * run / ITEMS) * (2 * run);
    const Runs runs = Runs(min(pair, size), min(pair + run, size), min(pair + 2 * run, size));
    uint merged[ITEMS];
    merge_runs(runs, min(own, size) - runs.begin, true, merged);
    put_order(own, size, merged);
}

void store_keys(uint begin, uint size, bool between) {
    [[unroll]] for (uint row = 0; row < ITEMS * KEY_WORDS; ++row) {
        const uint w = row * WORKGROUP + gl_LocalInvocationIndex;
        if (w < size * KEY_WORDS) {
            const uint word = tile_words[order[w / KEY_WORDS] * KEY_WORDS + w % KEY_WORDS];
            if (between) {
                between_keys[begin * KEY_WORDS + w] = word;
            } else {
                sorted_keys[begin * KEY_WORDS + w] = word;
            }
        }
    }
}

uint loaded_value(uint i, uint w) {
    if (INDICES) {
        return i;
    }
    return VALUES_IN_PLACE ? sorted_values[i * VALUE_WORDS + w] : value_words[i * VALUE_WORDS + w];
}

void move_values(uint begin, uint size, bool between) {
    uint values[ITEMS * VALUE_WORDS + 1];
    [[unroll]] for (uint row = 0; row < ITEMS * VALUE_WORDS; ++row) {
        const uint w = row * WORKGROUP + gl_LocalInvocationIndex;
        if (w < size * VALUE_WORDS) {
            values[row] = loaded_value(begin + order[w / VALUE_WORDS], w % VALUE_WORDS);
        }
    }
    workgroup_buffer_barrier(); // all are loaded before one is replaced
    [[unroll]] for (uint row = 0; row < ITEMS * VALUE_WORDS; ++row) {
        const uint w = row * WORKGROUP + gl_LocalInvocationIndex;
        if (w < size * VALUE_WORDS) {
            if (between) {
                between_values[begin * VALUE_WORDS + w] = values[row];
            } else {
                sorted_values[begin * VALUE_WORDS + w] = values[row];
            }
        }
    }
}

void main() {
    const uint count = key_count(), tile = weir_workgroup_index();
    if (tile >= tiles_of(count)) {
        return;
    }
    const uint begin = tile * TILE, size = min(TILE, count - begin), own = gl_LocalInvocationIndex * ITEMS;
    const bool between = HAS_MERGES && needed_merges(tiles_of(count)) % 2 != 0;
    load_keys(begin, size);
    sort_own(own, size);
    for (uint run = ITEMS; run < size; run *= 2) {
        merge_pairs(own, size, run);
    }
    store_keys(begin, size, between);
    if (VALUE_WORDS > 0) {
        move_values(begin, size, between);
    }
}
