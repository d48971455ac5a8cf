// Merges runs of sorted tiles in pairs. A workgroup makes a tile of the result; the places where the merge path enters and leaves it tell
// which part of each run it merges.

#include "merge_sort.glsl"

layout(set = 0, binding = KEYS_BINDING) readonly buffer Keys { uint key_words[]; };
layout(set = 0, binding = VALUES_BINDING) readonly buffer Values { uint value_words[]; };
layout(set = 0, binding = SORTED_KEYS_BINDING) writeonly buffer SortedKeys { uint sorted_keys[]; };
layout(set = 0, binding = SORTED_VALUES_BINDING) writeonly buffer SortedValues { uint sorted_values[]; };

const uint SEARCHERS = 32; // invocations that search for an end of the tile, together

shared uvec2 ends[2]; // of the tile's part of the first run: from x to y as far as is known
shared uint passed[2]; // places that are looked at and before the end

// Whether so many keys of the first run are too few on a diagonal: whether the next one of it precedes the last one of the second run.
bool is_before_split(Runs runs, uint diagonal, uint firsts) {
    const uint first = runs.begin + firsts, second = runs.middle + diagonal - 1 - firsts;
    uint first_key[KEY_WORDS], second_key[KEY_WORDS];
    for (uint w = 0; w < KEY_WORDS; ++w) {
        first_key[w] = key_words[first * KEY_WORDS + w];
        second_key[w] = key_words[second * KEY_WORDS + w];
    }
    return !before(second_key, first_key);
}

// Collective. How many keys of the first run are among the first diagonals.x and the first diagonals.y of the merged runs.
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
            // The last place that is before the end is not it, and the one looked at behind it may be.
            const uint places = passed[which];
            ends[which] = places == 0 ? end.xx : uvec2(end.x + (places - 1) * step + 1, min(end.x + places * step, end.y));
            passed[which] = 0;
        }
        barrier();
    }
    return uvec2(ends[0].x, ends[1].x);
}

void main() {
    const uint count = key_count(), tile = weir_workgroup_index(), tiles = tiles_of(count);
    const uint needless = passes - needed_merges(tiles);
    if (tile >= tiles || pass < needless) {
        return;
    }
    const uint run = TILE << (pass - needless), pair = tile >> (pass - needless + 1) << (pass - needless + 1);
    const Runs runs = Runs(pair * TILE, min(pair * TILE + run, count), min(pair * TILE + 2 * run, count));
    const uint begin = tile * TILE, size = min(TILE, count - begin), own = gl_LocalInvocationIndex * ITEMS;
    const uvec2 firsts = split(runs, uvec2(begin, begin + size) - runs.begin);
    const uint tile_firsts = firsts.y - firsts.x;
    const uint first_begin = runs.begin + firsts.x, second_begin = runs.middle + begin - runs.begin - firsts.x;

    [[unroll]] for (uint row = 0; row < ITEMS * KEY_WORDS; ++row) {
        const uint w = row * WORKGROUP + gl_LocalInvocationIndex;
        if (w < size * KEY_WORDS) {
            tile_words[w] = w < tile_firsts * KEY_WORDS ? key_words[first_begin * KEY_WORDS + w]
                                                        : key_words[(second_begin - tile_firsts) * KEY_WORDS + w];
        }
    }
    barrier();
    uint merged[ITEMS];
    merge_runs(Runs(0, tile_firsts, size), min(own, size), false, merged);
    put_order(own, size, merged);
    [[unroll]] for (uint row = 0; row < ITEMS * KEY_WORDS; ++row) {
        const uint w = row * WORKGROUP + gl_LocalInvocationIndex;
        if (w < size * KEY_WORDS) {
            sorted_keys[begin * KEY_WORDS + w] = tile_words[order[w / KEY_WORDS] * KEY_WORDS + w % KEY_WORDS];
        }
    }
    [[unroll]] for (uint row = 0; row < ITEMS * VALUE_WORDS; ++row) {
        const uint w = row * WORKGROUP + gl_LocalInvocationIndex;
        if (w < size * VALUE_WORDS) {
            const uint place = order[w / VALUE_WORDS], from = place < tile_firsts ? first_begin + place : second_begin - tile_firsts + place;
            sorted_values[begin * VALUE_WORDS + w] = value_words[from * VALUE_WORDS + w % VALUE_WORDS];
        }
    }
}
