#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

// Keeps some keys of two sorted arrays, in the order of their merge: the union, the intersection or a difference. A key that is in an array
// several times is so many keys: the r-th of them is matched by the r-th one of the other array. Tiles of the merge are as in merge.comp. They
// are counted first, and written when the counts of all tiles are summed.

#include "merge_path.glsl"
#include "set_operation_interface.h"

layout(set = 0, binding = SPLITS_BINDING) readonly buffer Splits { uint splits[]; };
layout(set = 0, binding = OUTPUT_BINDING) writeonly buffer Output { uint out_words[]; };
layout(set = 0, binding = TILE_COUNTS_BINDING) writeonly buffer TileCounts { uint tile_counts[]; };
layout(set = 0, binding = TILE_BEGINS_BINDING) readonly buffer TileBegins { uint tile_begins[]; };
layout(set = 0, binding = SET_COUNT_BINDING) writeonly buffer SetCount { uint set_count[]; };

shared uint tile_words[TILE * WORDS]; // the tile's keys, those of the first array before those of the second; later those that are kept
shared uint kept_counts[WORKGROUP];

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

// Key i of an array, which need not be in the tile.
uvec2 key_at(bool in_second, uint i) {
    const uint place = i - (in_second ? part.second_begin : part.first_begin);
    if (place < (in_second ? part.seconds : part.firsts)) {
        return tile_key(in_second ? part.firsts + place : place);
    }
    const uvec2 key = in_second ? second_key(i) : first_key(i);
    return uvec2(WORDS == 2 ? key.x : 0, key.y); // as in the tile
}

// How many keys before key i of an array are equal to it.
uint equals_before(bool in_second, uint i, uvec2 key) {
    uint low = 0, high = i, reach = 1; // the first equal key is from low to high
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

// As split, within the tile.
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

// Whether a key is kept, when so many keys of both arrays come before it. `rank`: of them, those in its own array that equal it.
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

// Collective. How many of the tile's keys earlier invocations keep, and how many all do.
uvec2 scan_kept(uint count) {
    const uint me = gl_LocalInvocationIndex;
    kept_counts[me] = count;
    barrier();
    for (uint distance = 1; distance < WORKGROUP; distance *= 2) {
        const uint before = me >= distance ? kept_counts[me - distance] : 0;
        barrier();
        kept_counts[me] += before;
        barrier();
    }
    return uvec2(kept_counts[me] - count, kept_counts[WORKGROUP - 1]);
}

void main() {
    const uint firsts = first_count(), seconds = second_count(), count = firsts + seconds;
    const uint tile = weir_workgroup_index(), me = gl_LocalInvocationIndex;
    if (tile >= count / TILE + uint(count % TILE != 0)) {
        if (ALONE && tile == 0 && me == 0) {
            set_count[0] = 0;
        }
        if (!WRITES && me == 0 && tile < tile_counts.length()) {
            tile_counts[tile] = 0;
        }
        return;
    }
    const uint begin = tile * TILE, size = min(TILE, count - begin), last = size - 1;
    part.first_begin = ALONE ? 0 : splits[tile];
    part.firsts = (ALONE ? firsts : splits[tile + 1]) - part.first_begin;
    part.second_begin = begin - part.first_begin;
    part.seconds = size - part.firsts;
    [[unroll]] for (uint row = 0; row < ITEMS; ++row) {
        const uint i = row * WORKGROUP + me;
        if (i < size) {
            put_key(i, i < part.firsts ? first_key(part.first_begin + i) : second_key(part.second_begin + i - part.firsts));
        }
    }
    barrier();

    // This invocation merges from a and b on.
    const uint own = min(me * ITEMS, size), own_size = min(ITEMS, size - own);
    const uint own_firsts = split_tile(own);
    uint a = own_firsts, b = part.firsts + own - own_firsts;
    uvec2 merged[ITEMS];
    uint of_second = 0; // a bit for each key
    [[unroll]] for (uint i = 0; i < ITEMS; ++i) {
        const uvec2 a_key = tile_key(min(a, last)), b_key = tile_key(min(b, last));
        const bool takes_second = a >= part.firsts || b < size && precedes(b_key, a_key);
        merged[i] = takes_second ? b_key : a_key;
        of_second |= uint(takes_second) << i;
        a += uint(!takes_second);
        b += uint(takes_second);
    }
    uvec2 place = uvec2(part.first_begin + own_firsts, part.second_begin + own - own_firsts); // in each array
    uvec2 ranks = uvec2(0);
    bvec2 have_ranks = bvec2(false);
    uint kept = 0;
    for (uint i = 0; i < own_size; ++i) {
        const bool in_second = (of_second >> i & 1) != 0;
        const uint array = uint(in_second);
        const uvec2 key = key_at(in_second, place[array]);
        if (!have_ranks[array]) {
            ranks[array] = equals_before(in_second, place[array], key);
            have_ranks[array] = true;
        } else {
            ranks[array] = key_at(in_second, place[array] - 1) == key ? ranks[array] + 1 : 0;
        }
        kept |= uint(is_kept(in_second, place.x, place.y, ranks[array], key, seconds)) << i;
        ++place[array];
    }
    const uvec2 scanned = scan_kept(bitCount(kept));
    if (me == 0 && ALONE) {
        set_count[0] = scanned.y;
    }
    if (!WRITES) {
        if (me == 0) {
            tile_counts[tile] = scanned.y;
        }
        return;
    }
    uint at = scanned.x; // all have seen the tile's keys
    [[unroll]] for (uint i = 0; i < ITEMS; ++i) {
        if ((kept >> i & 1) != 0) {
            put_key(at++, number_of(merged[i]));
        }
    }
    barrier();
    const uint before = ALONE ? 0 : tile_begins[tile];
    for (uint w = me; w < scanned.y * WORDS; w += WORKGROUP) {
        out_words[before * WORDS + w] = tile_words[w];
    }
}
