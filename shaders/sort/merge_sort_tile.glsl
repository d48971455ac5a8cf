#ifndef WEIR_MERGE_SORT_TILE_GLSL
#define WEIR_MERGE_SORT_TILE_GLSL

// A tile of keys in workgroup memory, and merges in it. An invocation produces ITEMS neighboring keys of the result. It merges them into
// registers and writes them back to the same memory. If there are values, the original places of the merged keys are also kept, two per
// word. They go through the same memory after the keys have left it.

#include "merge_sort.glsl"

const uint OWN_WORDS = ITEMS * KEY_WORDS;       // words of an invocation's keys
const uint PLANE = TILE + 32u / KEY_WORDS;      // distance between words of a key: neighboring words and keys are in different banks
const uint PLACE_WORDS = ITEMS / 2 + ITEMS % 2; // words of an invocation's places

shared uint tile_words[(KEY_WORDS - 1) * PLANE + TILE];

// Returns word `w` of the tile in memory. Each kernel defines it.
uint word_to_load(uint w);
// Stores word `w` of the sorted tile. Each kernel defines it.
void store_word(uint w, uint word);

uint slot(uint key, uint word) {
    return word * PLANE + key;
}

bool comes_before(uint a, uint b) {
    uint a_key[KEY_WORDS], b_key[KEY_WORDS];
    [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
        a_key[w] = tile_words[slot(a, w)];
        b_key[w] = tile_words[slot(b, w)];
    }
    return before(a_key, b_key);
}

// Loads the first `size` keys.
void load_tile(uint size) {
    uint words[OWN_WORDS]; // registers, so that all loads are in flight together
    [[unroll]] for (uint row = 0; row < OWN_WORDS; ++row) {
        const uint w = row * WORKGROUP + gl_LocalInvocationIndex;
        if (w < size * KEY_WORDS) {
            words[row] = word_to_load(w);
        }
    }
    [[unroll]] for (uint row = 0; row < OWN_WORDS; ++row) {
        const uint w = row * WORKGROUP + gl_LocalInvocationIndex;
        if (w < size * KEY_WORDS) {
            tile_words[slot(w / KEY_WORDS, w % KEY_WORDS)] = words[row];
        }
    }
}

void store_tile(uint size) {
    uint words[OWN_WORDS];
    [[unroll]] for (uint row = 0; row < OWN_WORDS; ++row) {
        const uint w = row * WORKGROUP + gl_LocalInvocationIndex;
        words[row] = tile_words[slot(w / KEY_WORDS, w % KEY_WORDS)];
    }
    [[unroll]] for (uint row = 0; row < OWN_WORDS; ++row) {
        const uint w = row * WORKGROUP + gl_LocalInvocationIndex;
        if (w < size * KEY_WORDS) {
            store_word(w, words[row]);
        }
    }
}

Runs merged_runs;

uint first_place(uint i) {
    return merged_runs.begin + i;
}

uint second_place(uint i) {
    return merged_runs.middle + i;
}

WEIR_MERGE_PATH(tile, uint, first_place, second_place, comes_before)

// Merges ITEMS keys of two runs of a tile of `size` keys, from `diagonal` on, and returns their original places. Keys and places beyond the
// end are unspecified.
void merge_own(Runs runs, uint diagonal, uint size, out uint merged[OWN_WORDS], out uint places[PLACE_WORDS]) {
    merged_runs = runs;
    const uint firsts = tile_split(diagonal, runs.middle - runs.begin, runs.end - runs.middle), last = size - 1;
    uint a = runs.begin + firsts, b = runs.middle + diagonal - firsts; // places of the next keys
    uint a_key[KEY_WORDS], b_key[KEY_WORDS];                           // the keys there
    [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
        a_key[w] = tile_words[slot(min(a, last), w)];
        b_key[w] = tile_words[slot(min(b, last), w)];
    }
    [[unroll]] for (uint i = 0; i < ITEMS; ++i) {
        const bool is_before = before(b_key, a_key), takes_second = a == runs.middle || b < runs.end && is_before;
        if (VALUE_WORDS > 0) {
            const uint place = min(takes_second ? b : a, last);
            places[i / 2] = i % 2 == 0 ? place : places[i / 2] | place << 16;
        }
        a += uint(!takes_second);
        b += uint(takes_second);
        const uint next = min(takes_second ? b : a, last);
        [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
            merged[i * KEY_WORDS + w] = takes_second ? b_key[w] : a_key[w];
            const uint word = tile_words[slot(next, w)];
            a_key[w] = takes_second ? a_key[w] : word;
            b_key[w] = takes_second ? word : b_key[w];
        }
    }
}

// Puts the keys of this invocation into the tile. Keys beyond the end of the tile may have any value.
void put_keys(uint keys[OWN_WORDS]) {
    [[unroll]] for (uint i = 0; i < ITEMS; ++i) {
        [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
            tile_words[slot(gl_LocalInvocationIndex * ITEMS + i, w)] = keys[i * KEY_WORDS + w];
        }
    }
}

uint unpack_place(uint word, uint i) {
    return word >> (16 * (i % 2)) & 0xFFFFu;
}

// Replaces the keys by the places, one per word. Collective.
void put_places(uint places[PLACE_WORDS]) {
    barrier();
    [[unroll]] for (uint i = 0; i < ITEMS; ++i) {
        tile_words[gl_LocalInvocationIndex * ITEMS + i] = unpack_place(places[i / 2], i);
    }
    barrier();
}

#endif
