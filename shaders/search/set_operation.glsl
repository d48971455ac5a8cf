// Keeps some keys of two sorted arrays, in the order of their merge: the union, the intersection or a difference. Arrays are multisets: the
// r-th copy of a key is matched by the r-th copy in the other array. Tiles of the merge are as in merge.comp. A single-pass scan, with
// decoupled look-back and fallback, finds how many keys earlier tiles keep.

#include "merge_path.glsl"
#include "set_operation_interface.h"

#define WEIR_SHUFFLE_BARRIERS SHUFFLE_BARRIERS
#include "subgroup.glsl"
#include "instrument.glsl"
#include "monoid.glsl" // WEIR_T is u32 with its sum
#define WEIR_COLUMNS 1
#include "workgroup_scan.glsl"
#define WEIR_COUNT_MAY_CHANGE (FIRST_ON_GPU || SECOND_ON_GPU)
#include "single_pass.glsl"

layout(set = 0, binding = SPLITS_BINDING) readonly buffer Splits { uint splits[]; };
layout(set = 0, binding = OUTPUT_BINDING) writeonly buffer Output { uint out_words[]; };
layout(set = 0, binding = SET_COUNT_BINDING) writeonly buffer SetCount { uint set_count[]; };

shared uint tile_words[TILE * WORDS]; // the tile's keys, those of the first array before those of the second; later the kept keys

// The tile's parts of both arrays.
struct Part {
    uint first_begin, firsts, second_begin, seconds;
};
Part part;

uvec2 tile_key(uint i) {
    return uvec2(WORDS == 2 ? tile_words[i * WORDS] : 0, tile_words[i * WORDS + WORDS - 1]);
}

void put_key(uint i, uvec2 key) {
    if (WORDS == 2) {
        tile_words[i * WORDS] = key.x;
    }
    tile_words[i * WORDS + WORDS - 1] = key.y;
}

// Returns key i of an array. It need not be in the tile.
uvec2 key_at(bool in_second, uint i) {
    const uint place = i - (in_second ? part.second_begin : part.first_begin);
    if (place < (in_second ? part.seconds : part.firsts)) {
        return tile_key(in_second ? part.firsts + place : place);
    }
    const uvec2 key = in_second ? second_key(i) : first_key(i);
    return uvec2(WORDS == 2 ? key.x : 0, key.y); // as in the tile
}

// Returns the number of keys directly before key i of an array that are equal to it.
uint equals_before(bool in_second, uint i, uvec2 key) {
    uint low = 0, high = i, reach = 1; // the first equal key is in [low, high]
    while (high >= reach && key_at(in_second, high - reach) == key) {
        high -= reach;
        reach *= 2;
    }
    low = high >= reach ? high - reach + 1 : 0;
    while (low < high) {
        const uint middle = low + (high - low) / 2;
        if (key_at(in_second, middle) == key) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return i - low;
}

// Returns the split of the tile's keys, like split().
uint split_tile(uint diagonal) {
    uint low = diagonal > part.seconds ? diagonal - part.seconds : 0, high = min(diagonal, part.firsts);
    while (low < high) {
        const uint middle = low + (high - low) / 2;
        if (precedes(tile_key(part.firsts + diagonal - 1 - middle), tile_key(middle))) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

// Returns true if a key is kept. `firsts_before` and `seconds_before` are the numbers of keys of each array before it in the merge. `rank`
// is the number of equal keys before it in its own array.
bool is_kept(bool in_second, uint firsts_before, uint seconds_before, uint rank, uvec2 key, uint seconds) {
    if (in_second) {
        const bool is_wanted = SET_OPERATION == SET_UNION || SET_OPERATION == SET_SYMMETRIC_DIFFERENCE;
        return is_wanted && !(firsts_before > rank && key_at(false, firsts_before - 1 - rank) == key);
    }
    if (SET_OPERATION == SET_UNION) {
        return true;
    }
    const bool is_matched = seconds_before + rank < seconds && key_at(true, seconds_before + rank) == key;
    return is_matched == (SET_OPERATION == SET_INTERSECTION);
}

// This invocation's position on the merge path.
struct Way {
    uint a, b;   // next key of each array, in the tile
    uvec2 place; // their indices in the arrays
    // The previous key of each array, and the number of keys before it that are equal to it.
    uvec2 last_first, last_second;
    uint first_rank, second_rank;
};
Way way;

// Loads a tile and starts at this invocation's first key. Returns the number of keys of this invocation. Collective.
uint begin_way(uint tile) {
    const uint firsts = first_count(), seconds = second_count(), count = firsts + seconds;
    const uint begin = tile * TILE, size = min(TILE, count - begin);
    // Reads existing keys only, even if the arrays are not sorted.
    part.first_begin = SPLITS_KNOWN ? min(splits[tile], min(begin, firsts)) : 0;
    part.second_begin = begin - part.first_begin;
    part.firsts = min((SPLITS_KNOWN ? max(splits[tile + 1], part.first_begin) : firsts) - part.first_begin, size);
    part.seconds = size - part.firsts;
    barrier(); // the previous tile is no longer needed
    [[unroll]] for (uint row = 0; row < ITEMS; ++row) {
        const uint i = row * WORKGROUP + weir_invocation();
        if (i < part.firsts) {
            put_key(i, first_key(part.first_begin + i));
        } else if (i < size) {
            put_key(i, second_key(min(part.second_begin + i - part.firsts, seconds - 1)));
        }
    }
    barrier();

    const uint first = min(weir_invocation() * ITEMS, size);
    const uint own_firsts = split_tile(first);
    way.a = own_firsts;
    way.b = part.firsts + first - own_firsts;
    way.place = uvec2(part.first_begin + own_firsts, part.second_begin + first - own_firsts);
    [[dont_unroll]] for (uint array = 0; array < 2; ++array) { // a loop, because drivers take long to compile the search
        const bool in_second = array == 1;
        const uint place = in_second ? way.place.y : way.place.x;
        uvec2 key = uvec2(0);
        uint rank = 0;
        if (first < size && place > 0) {
            key = key_at(in_second, place - 1);
            rank = equals_before(in_second, place - 1, key);
        }
        if (in_second) {
            way.last_second = key;
            way.second_rank = rank;
        } else {
            way.last_first = key;
            way.first_rank = rank;
        }
    }
    return min(ITEMS, size - first);
}

struct Step {
    uvec2 key;
    bool is_kept;
};

// Takes the next key. `is_real` must be false if there is no further key.
Step next_step(bool is_real) {
    const uint size = part.firsts + part.seconds;
    const uvec2 a_key = tile_key(min(way.a, size - 1)), b_key = tile_key(min(way.b, size - 1));
    const bool in_second = way.a >= part.firsts || way.b < size && precedes(b_key, a_key);
    Step taken = Step(in_second ? b_key : a_key, false);
    if (is_real) {
        uint rank = 0;
        if (in_second) {
            rank = way.place.y > 0 && taken.key == way.last_second ? way.second_rank + 1 : 0;
            way.last_second = taken.key;
            way.second_rank = rank;
        } else {
            rank = way.place.x > 0 && taken.key == way.last_first ? way.first_rank + 1 : 0;
            way.last_first = taken.key;
            way.first_rank = rank;
        }
        taken.is_kept = is_kept(in_second, way.place.x, way.place.y, rank, taken.key, second_count());
    }
    way.a += uint(!in_second);
    way.b += uint(in_second);
    way.place += uvec2(!in_second, in_second);
    return taken;
}

WEIR_T reduced_count;

void weir_reduce_tile(uint tile) {
    const uint own_size = begin_way(tile);
    uint count = 0;
    [[dont_unroll]] for (uint i = 0; i < ITEMS; ++i) {
        count += uint(next_step(i < own_size).is_kept);
    }
    reduced_count = weir_workgroup_reduce(weir_subgroup_reduce(count));
    barrier();
}

WEIR_T weir_reduced_value(uint column) {
    return reduced_count;
}

uint weir_element_count() {
    return first_count() + second_count();
}

WEIR_T weir_initial_prefix() {
    return 0;
}

void main() {
    weir_Claim claim = weir_assign_tile();
    const uint tile = claim.tile, tiles = claim.tiles;
    if (weir_invocation() == 0) {
        weir_stalled_tile = 0;
    }
    uvec2 merged[ITEMS];
    uint kept = 0; // one bit per merged key
    if (tile < tiles) {
        const uint own_size = begin_way(tile);
        [[unroll]] for (uint i = 0; i < ITEMS; ++i) {
            const Step taken = next_step(i < own_size);
            merged[i] = taken.key;
            kept |= uint(taken.is_kept) << i;
        }
    }
    weir_draw_deferred_ticket(claim);
    uint subgroup_total;
    const uint before_lane = weir_subgroup_exclusive_scan(bitCount(kept), subgroup_total);
    const uint aggregate = weir_publish_aggregate(claim, subgroup_total);
    if (tile >= tiles) {
        if (claim.count == 0 && tile == 0 && weir_invocation() == 0) {
            set_count[0] = 0;
        }
        return;
    }
    uint at = weir_preceding_subgroups() + before_lane;
    uint before = 0;
    if (!claim.alone) {
        weir_run_look_back(tile, claim.epoch);
        before = weir_exclusive_prefix;
    }
    if (tile + 1 == tiles && weir_invocation() == 0) {
        set_count[0] = before + aggregate;
    }
    [[unroll]] for (uint i = 0; i < ITEMS; ++i) { // all invocations have finished reading the tile's keys
        if ((kept >> i & 1) != 0) {
            put_key(at++, number_of(merged[i]));
        }
    }
    barrier();
    for (uint w = weir_invocation(); w < aggregate * WORDS; w += WORKGROUP) {
        if (before * WORDS + w < out_words.length()) { // if arrays are not sorted, more keys than the capacity may be kept
            out_words[before * WORDS + w] = tile_words[w];
        }
    }
}
