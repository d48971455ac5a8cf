// Finds the places where tiles begin on the merge paths of pairs of runs: the number of keys of the first run before each tile. The loads
// of a search depend on each other, so an invocation tests PROBES places at a time. It searches for the tile of one workgroup of
// merge_sort_runs.glsl.

#include "merge_sort.glsl"

layout(set = 0, binding = KEYS_BINDING) readonly buffer Keys { uint key_words[]; };
layout(set = 0, binding = SPLITS_BINDING) writeonly buffer Splits { uint splits[]; };

uint split(Runs runs, uint diagonal) {
    const uint firsts = runs.middle - runs.begin, seconds = runs.end - runs.middle;
    uint low = diagonal > seconds ? diagonal - seconds : 0, high = min(diagonal, firsts);
    while (low < high) {
        const uint stride = (high - low) / (PROBES + 1) + 1;
        uint first_words[PROBES * KEY_WORDS], second_words[PROBES * KEY_WORDS]; // registers, so that all loads are in flight together
        [[unroll]] for (uint probe = 0; probe < PROBES; ++probe) {
            const uint place = min(low + (probe + 1) * stride, high) - 1;
            const uint first = runs.begin + place, second = runs.middle + diagonal - 1 - place;
            [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
                first_words[probe * KEY_WORDS + w] = key_words[first * KEY_WORDS + w];
                second_words[probe * KEY_WORDS + w] = key_words[second * KEY_WORDS + w];
            }
        }
        uint found = 0; // number of tested places before the split
        [[unroll]] for (uint probe = 0; probe < PROBES; ++probe) {
            uint first_key[KEY_WORDS], second_key[KEY_WORDS];
            [[unroll]] for (uint w = 0; w < KEY_WORDS; ++w) {
                first_key[w] = first_words[probe * KEY_WORDS + w];
                second_key[w] = second_words[probe * KEY_WORDS + w];
            }
            const bool is_after = before(second_key, first_key);
            found += uint(!is_after && low + (probe + 1) * stride <= high);
        }
        low += found * stride;
        high = min(high, low + stride - 1);
    }
    return low;
}

void main() {
    const uint count = key_count(), tiles = tiles_of(count), needless = needless_merges(tiles);
    const uint tile = weir_workgroup_index() * WORKGROUP + gl_LocalInvocationIndex;
    if (tile >= tiles || pass < needless) {
        return;
    }
    const Runs runs = runs_around(tile, pass - needless, count);
    splits[tile] = split(runs, tile * TILE - runs.begin);
}
