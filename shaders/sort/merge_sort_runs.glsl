// Merges runs of sorted tiles in pairs. A workgroup produces one tile of the result. The places where the merge path enters and leaves the
// tile determine the part of each run that it merges. merge_sort_splits.glsl finds them, or this kernel does.

#include "merge_sort_tile.glsl"

layout(set = 0, binding = KEYS_BINDING) readonly buffer Keys { uint key_words[]; };
layout(set = 0, binding = VALUES_BINDING) readonly buffer Values { uint value_words[]; };
layout(set = 0, binding = SORTED_KEYS_BINDING) writeonly buffer SortedKeys { uint sorted_keys[]; };
layout(set = 0, binding = SORTED_VALUES_BINDING) writeonly buffer SortedValues { uint sorted_values[]; };
layout(set = 0, binding = SPLITS_BINDING) readonly buffer Splits { uint splits[]; };

const uint SEARCHERS = 32; // invocations that search for one end of the tile together

shared uvec2 ends[2];  // ranges [x, y] that contain the start and the end of the tile's part of the first run
shared uint passed[2]; // number of tested places that are before the end

// Returns true if `firsts` keys of the first run are too few on a diagonal: the next key of that run does not come after the last key taken
// from the second run.
bool is_before_split(Runs runs, uint diagonal, uint firsts) {
    const uint first = runs.begin + firsts, second = runs.middle + diagonal - 1 - firsts;
    uint first_key[KEY_WORDS], second_key[KEY_WORDS];
    for (uint w = 0; w < KEY_WORDS; ++w) {
        first_key[w] = key_words[first * KEY_WORDS + w];
        second_key[w] = key_words[second * KEY_WORDS + w];
    }
    return !before(second_key, first_key);
}

// Returns the numbers of keys of the first run among the first diagonals.x and the first diagonals.y merged keys. Collective.
uvec2 split(Runs runs, uvec2 diagonals) {
    const uint me = gl_LocalInvocationIndex, which = me / SEARCHERS, searcher = me % SEARCHERS;
    const uint diagonal = which == 0 ? diagonals.x : diagonals.y;
    const uint firsts = runs.middle - runs.begin, seconds = runs.end - runs.middle;
    if (which < 2 && searcher == 0) {
        ends[which] = uvec2(diagonal > seconds ? diagonal - seconds : 0, min(diagonal, firsts));
        passed[which] = 0;
    }
    barrier();
    while (ends[0].x < ends[0].y || ends[1].x < ends[1].y) {
        const uvec2 end = ends[min(which, 1)];
        const uint length = end.y - end.x, step = length / SEARCHERS + uint(length % SEARCHERS != 0);
        const uint place = end.x + searcher * step;
        if (which < 2 && place < end.y && is_before_split(runs, diagonal, place)) {
            atomicAdd(passed[which], 1);
        }
        barrier();
        if (which < 2 && searcher == 0) {
            // The last place that is before the end is not the end. The next tested place may be.
            const uint places = passed[which];
            ends[which] = places == 0 ? end.xx : uvec2(end.x + (places - 1) * step + 1, min(end.x + places * step, end.y));
            passed[which] = 0;
        }
        barrier();
    }
    return uvec2(ends[0].x, ends[1].x);
}

// The parts of the runs that the tile merges: the start and size of its part of the first run, and the start of its part of the second run.
struct Parts {
    uint first_begin, firsts, second_begin;
};

Parts parts;

Parts find_parts(Runs runs, uint tile, uint size) {
    const uint diagonal = tile * TILE - runs.begin;
    uvec2 places;
    if (SPLITS_KNOWN) {
        places = uvec2(splits[tile], splits[tile + 1]);
        if (diagonal + size == runs.end - runs.begin) { // the next tile belongs to another pair
            places.y = runs.middle - runs.begin;
        }
    } else {
        places = split(runs, uvec2(diagonal, diagonal + size));
    }
    // With a valid order, the second place is greater by 0 to `size`.
    const uint firsts = clamp(places.y, places.x, places.x + size) - places.x;
    return Parts(runs.begin + places.x, firsts, runs.middle + diagonal - places.x);
}

uint word_to_load(uint w) {
    return key_words[w < parts.firsts * KEY_WORDS ? parts.first_begin * KEY_WORDS + w
                                                  : (parts.second_begin - parts.firsts) * KEY_WORDS + w];
}

uint tile_begin;

void store_word(uint w, uint word) {
    sorted_keys[tile_begin * KEY_WORDS + w] = word;
}

// Moves the values of the tile's keys. Collective.
void move_values(uint size, uint places[PLACE_WORDS]) {
    put_places(places);
    for (uint part = 0; part < VALUE_WORDS; ++part) {
        uint values[ITEMS];
        [[unroll]] for (uint row = 0; row < ITEMS; ++row) {
            const uint w = (part * ITEMS + row) * WORKGROUP + gl_LocalInvocationIndex;
            if (w < size * VALUE_WORDS) {
                const uint place = tile_words[w / VALUE_WORDS];
                const uint from = place < parts.firsts ? parts.first_begin + place : parts.second_begin - parts.firsts + place;
                values[row] = value_words[from * VALUE_WORDS + w % VALUE_WORDS];
            }
        }
        [[unroll]] for (uint row = 0; row < ITEMS; ++row) {
            const uint w = (part * ITEMS + row) * WORKGROUP + gl_LocalInvocationIndex;
            if (w < size * VALUE_WORDS) {
                sorted_values[tile_begin * VALUE_WORDS + w] = values[row];
            }
        }
    }
}

void main() {
    const uint count = agree(COUNT_ON_GPU, key_count()), tile = weir_workgroup_index(), tiles = tiles_of(count), needless = needless_merges(tiles);
    if (tile >= tiles || pass < needless) {
        return;
    }
    tile_begin = tile * TILE;
    const uint size = min(TILE, count - tile_begin);
    parts = find_parts(runs_around(tile, pass - needless, count), tile, size);
    load_tile(size);
    barrier();
    uint merged[OWN_WORDS], places[PLACE_WORDS];
    merge_own(Runs(0, parts.firsts, size), min(gl_LocalInvocationIndex * ITEMS, size), size, merged, places);
    barrier();
    put_keys(merged);
    barrier();
    store_tile(size);
    if (VALUE_WORDS > 0) {
        move_values(size, places);
    }
}
