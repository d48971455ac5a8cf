// Sorts each tile separately.

#include "merge_sort_tile.glsl"

layout(set = 0, binding = KEYS_BINDING) readonly buffer Keys { uint key_words[]; };
layout(set = 0, binding = VALUES_BINDING) readonly buffer Values { uint value_words[]; };
layout(set = 0, binding = SORTED_KEYS_BINDING) buffer SortedKeys { uint sorted_keys[]; };
layout(set = 0, binding = SORTED_VALUES_BINDING) buffer SortedValues { uint sorted_values[]; };
layout(set = 0, binding = BETWEEN_KEYS_BINDING) writeonly buffer BetweenKeys { uint between_keys[]; };
layout(set = 0, binding = BETWEEN_VALUES_BINDING) writeonly buffer BetweenValues { uint between_values[]; };

uint tile_begin;
bool between; // sorted tiles go to the buffers between merges

uint word_to_load(uint w) {
    const uint at = tile_begin * KEY_WORDS + w;
    return KEYS_IN_PLACE ? sorted_keys[at] : key_words[at];
}

void store_word(uint w, uint word) {
    const uint at = tile_begin * KEY_WORDS + w;
    if (between) {
        between_keys[at] = word;
    } else {
        sorted_keys[at] = word;
    }
}

// Sorts the neighboring keys of this invocation in registers, by odd-even transposition, which is stable.
void sort_own(uint size, out uint places[PLACE_WORDS]) {
    const uint own = gl_LocalInvocationIndex * ITEMS, own_size = max(own, size) - own;
    uint keys[OWN_WORDS], own_places[ITEMS];
    [[unroll]] for (uint i = 0; i < ITEMS; ++i) {
        own_places[i] = own + i;
        [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
            keys[i * KEY_WORDS + w] = tile_words[slot(own + i, w)];
        }
    }
    for (uint round = 0; round < PLACE_WORDS; ++round) {
        [[unroll]] for (uint parity = 0; parity < 2; ++parity) {
            [[unroll]] for (uint i = parity; i + 1 < ITEMS; i += 2) {
                uint a[KEY_WORDS], b[KEY_WORDS];
                [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
                    a[w] = keys[i * KEY_WORDS + w];
                    b[w] = keys[(i + 1) * KEY_WORDS + w];
                }
                const bool swaps = i + 1 < own_size && before(b, a);
                [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
                    keys[i * KEY_WORDS + w] = swaps ? b[w] : a[w];
                    keys[(i + 1) * KEY_WORDS + w] = swaps ? a[w] : b[w];
                }
                if (VALUE_WORDS > 0) {
                    const uint place = own_places[i];
                    own_places[i] = swaps ? own_places[i + 1] : place;
                    own_places[i + 1] = swaps ? place : own_places[i + 1];
                }
            }
        }
    }
    put_keys(keys);
    [[unroll]] for (uint i = 0; i < ITEMS; ++i) {
        places[i / 2] = i % 2 == 0 ? own_places[i] : places[i / 2] | own_places[i] << 16;
    }
}

// Composes places: `from` are places before a merge, and `places` the original places of the keys there. Replaces `places` by the original
// places of the merged keys. Collective.
void follow_places(uint from[PLACE_WORDS], inout uint places[PLACE_WORDS]) {
    [[unroll]] for (uint w = 0; w < PLACE_WORDS; ++w) {
        tile_words[gl_LocalInvocationIndex * PLACE_WORDS + w] = places[w];
    }
    barrier();
    [[unroll]] for (uint i = 0; i < ITEMS; ++i) {
        const uint at = unpack_place(from[i / 2], i), word = tile_words[at / ITEMS * PLACE_WORDS + at % ITEMS / 2];
        const uint place = unpack_place(word, at % ITEMS);
        places[i / 2] = i % 2 == 0 ? place : places[i / 2] | place << 16;
    }
    barrier();
}

// Merges runs of `run` keys in the tile, in pairs. Collective.
void merge_pairs(uint size, uint run, inout uint places[PLACE_WORDS]) {
    const uint pair = gl_LocalInvocationIndex / (2 * run / ITEMS) * (2 * run);
    const Runs runs = Runs(min(pair, size), min(pair + run, size), min(pair + 2 * run, size));
    uint merged[OWN_WORDS], from[PLACE_WORDS];
    merge_own(runs, min(gl_LocalInvocationIndex * ITEMS, size) - runs.begin, size, merged, from);
    barrier();
    if (VALUE_WORDS > 0) {
        follow_places(from, places);
    }
    put_keys(merged);
    barrier();
}

uint loaded_value(uint i, uint w) {
    if (INDICES) {
        return i;
    }
    return VALUES_IN_PLACE ? sorted_values[i * VALUE_WORDS + w] : value_words[i * VALUE_WORDS + w];
}

// Moves the values of the tile's keys. Collective.
void move_values(uint size, uint places[PLACE_WORDS]) {
    put_places(places);
    uint values[ITEMS * VALUE_WORDS + 1];
    [[unroll]] for (uint row = 0; row < ITEMS * VALUE_WORDS; ++row) {
        const uint w = row * WORKGROUP + gl_LocalInvocationIndex;
        if (w < size * VALUE_WORDS) {
            values[row] = loaded_value(tile_begin + tile_words[w / VALUE_WORDS], w % VALUE_WORDS);
        }
    }
    workgroup_buffer_barrier(); // all values are loaded before one is replaced
    [[unroll]] for (uint row = 0; row < ITEMS * VALUE_WORDS; ++row) {
        const uint w = row * WORKGROUP + gl_LocalInvocationIndex, at = tile_begin * VALUE_WORDS + w;
        if (w < size * VALUE_WORDS) {
            if (between) {
                between_values[at] = values[row];
            } else {
                sorted_values[at] = values[row];
            }
        }
    }
}

void main() {
    const uint count = agree(COUNT_ON_GPU, key_count()), tile = weir_workgroup_index(), tiles = tiles_of(count);
    if (tile >= tiles) {
        return;
    }
    tile_begin = tile * TILE;
    between = HAS_MERGES && needed_merges(tiles) % 2 != 0;
    const uint size = min(TILE, count - tile_begin);
    load_tile(size);
    workgroup_buffer_barrier();
    uint places[PLACE_WORDS];
    sort_own(size, places);
    barrier();
    for (uint run = ITEMS; run < size; run *= 2) {
        merge_pairs(size, run, places);
    }
    store_tile(size);
    if (VALUE_WORDS > 0) {
        move_values(size, places);
    }
}
