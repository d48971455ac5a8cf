// Common part of compactions (compact.glsl) and runs (runs.glsl): a single-pass scan, with decoupled look-back and fallback, of the number
// of kept elements. The kernel includes this file and defines the functions declared below.
//
// With RANKS 1 kept elements are counted. With RANKS 2 elements of a second kind are also counted. With RANKS 2 and LAST_KEPT, the second
// value is 1 + the index of the last kept element instead.

#include "interface.glsl"
#include "compaction_interface.h"
layout(local_size_x_id = 0) in;

#define WEIR_SHUFFLE_BARRIERS SHUFFLE_BARRIERS
#include "subgroup.glsl"
#include "instrument.glsl"

#if RANKS == 2
#define WEIR_CUSTOM_MONOID
#define WEIR_T_VALUE uvec2
#define WEIR_T WEIR_T_VALUE
#define WEIR_T_WORDS 2
#define WEIR_MONOID_COMMUTES 1
#define WEIR_MONOID_EXACT

WEIR_T weir_identity() {
    return WEIR_T(0);
}

WEIR_T weir_combine(WEIR_T a, WEIR_T b) {
#ifdef LAST_KEPT
    return WEIR_T(a.x + b.x, max(a.y, b.y));
#else
    return a + b;
#endif
}

void weir_to_words(WEIR_T value, out uint words[WEIR_T_WORDS]) {
    words[0] = value.x;
    words[1] = value.y;
}

WEIR_T weir_from_words(uint words[WEIR_T_WORDS]) {
    return WEIR_T(words[0], words[1]);
}

// Uses the driver's subgroup operations, as in monoid_u32.glsl.
#define WEIR_NATIVE_SUBGROUP_SCANS

WEIR_T weir_shuffle_value(WEIR_T value, uint from) {
    return subgroupShuffle(value, from);
}

#ifdef LAST_KEPT
WEIR_T weir_subgroup_reduce(WEIR_T value) {
    return WEIR_T(subgroupAdd(value.x), subgroupMax(value.y));
}

WEIR_T weir_subgroup_exclusive_scan(WEIR_T value, out WEIR_T total) {
    total = weir_subgroup_reduce(value);
    return WEIR_T(subgroupExclusiveAdd(value.x), subgroupExclusiveMax(value.y));
}
#else
WEIR_T weir_subgroup_reduce(WEIR_T value) {
    return subgroupAdd(value);
}

WEIR_T weir_subgroup_exclusive_scan(WEIR_T value, out WEIR_T total) {
    total = weir_subgroup_reduce(value);
    return subgroupExclusiveAdd(value);
}
#endif
#endif
#include "monoid.glsl"

#ifdef LARGE
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#include "large_places.glsl"
#endif

layout(push_constant) uniform Push {
#ifdef LARGE
    uvec2 first_address;  // address of the items, or of the indices if items are not written
    uvec2 second_address; // address of the indices
#endif
#include "elements_push.glsl"
#ifdef LARGE
    uint room[2];     // capacity in elements, low word first
    uint window;      // index of the window's place
    uint first_index; // index of the first element of the window
#else
    uint capacities[3]; // capacity of each part, in elements
#endif
    uint thresholds[4];
#include "last_push.glsl"
};

layout(set = 0, binding = INPUT_BINDING) readonly buffer Input { uint in_words[]; };
layout(set = 0, binding = COUNTS_BINDING) readonly buffer Counts { uint count_words[]; };
#ifdef LARGE
layout(set = 0, binding = PART_COUNTS_BINDING) buffer Places { uvec2 places[]; }; // place of the first item of each window
#else
layout(set = 0, binding = PART_COUNTS_BINDING) writeonly buffer PartCounts { uint part_counts[]; };
#endif

#define WEIR_COLUMNS 1
#include "workgroup_scan.glsl"

const uint TILE = WORKGROUP * ROWS;

#define WEIR_COUNT_MAY_CHANGE COUNT_ON_GPU
#include "single_pass.glsl"

uint weir_element_count() {
    return COUNT_ON_GPU ? min(count_words[count_word], max_count) : max_count;
}

uint first_of(WEIR_T ranks) {
#if RANKS == 2
    return ranks.x;
#else
    return ranks;
#endif
}

uint second_of(WEIR_T ranks) {
#if RANKS == 2
    return ranks.y;
#else
    return 0;
#endif
}

uint item[ITEM_WORDS]; // the element loaded by load_item

// Returns the first word of element i in the input.
uint first_word(uint i) {
    return DENSE ? i * ITEM_WORDS : in_offset + i * in_stride;
}

void load_item(uint i) {
    [[unroll]] for (uint w = 0; w < ITEM_WORDS; ++w) {
        item[w] = in_words[first_word(i) + w];
    }
}

// Returns the first word in the output of the item with this rank.
uint first_stored_word(uint rank) {
    return DENSE ? rank * ITEM_WORDS : out_offset + rank * out_stride;
}

#ifndef LARGE
bool has_room(uint part, uint rank) {
    return HAS_ROOM || rank < capacities[part];
}
#endif

// The kernel defines these functions. load_own_tile loads the workgroup's tile and returns the counts of this lane's elements.
// count_own_tile returns the counts for the tile of a fallback. Collective.
WEIR_T load_own_tile(uint tile, uint count);
WEIR_T count_own_tile(uint tile, uint count);

// Stores the tile. `before` is the tile's exclusive prefix, `in_tile` the subgroup's exclusive prefix in the tile, and `aggregate` the
// tile's reduction.
void store_own_tile(uint tile, uint count, WEIR_T before, WEIR_T in_tile, WEIR_T aggregate);

// Stores the number of elements of each part, even if it exceeds the capacity.
void store_counts(uint count, WEIR_T total);

WEIR_T reduced_total;

void weir_reduce_tile(uint tile) {
    reduced_total = weir_workgroup_reduce(weir_subgroup_reduce(count_own_tile(tile, weir_element_count())));
    barrier();
}

WEIR_T weir_reduced_value(uint column) {
    return reduced_total;
}

WEIR_T weir_initial_prefix() {
    return weir_identity();
}

// Returns the tile's prefix, clamped to the number of elements before the tile. It can exceed that number only if tile states were
// overwritten. If the outputs have room for all elements, nothing is then stored out of bounds.
WEIR_T within_room(WEIR_T before, uint tile) {
    if (HAS_ROOM) {
#if RANKS == 1
        before = min(before, tile * TILE);
#else
        before.x = min(before.x, tile * TILE);
#ifndef LAST_KEPT
        before.y = min(before.y, tile * TILE - before.x);
#endif
#endif
    }
    return before;
}

void main() {
    weir_Claim claim = weir_assign_tile();
    const uint tile = claim.tile, tiles = claim.tiles, count = claim.count;
    if (weir_invocation() == 0) {
        weir_stalled_tile = 0;
    }
    const WEIR_T own = load_own_tile(tile, count);
    weir_draw_deferred_ticket(claim);
    const WEIR_T aggregate = weir_publish_aggregate(claim, weir_subgroup_reduce(own));
    if (tile >= tiles) {
        if (count == 0 && tile == 0 && weir_invocation() == 0) {
            store_counts(0, weir_identity());
        }
        return;
    }
    const WEIR_T in_tile = weir_preceding_subgroups();
    WEIR_T before = weir_identity();
    if (!claim.alone) {
        weir_run_look_back(tile, claim.epoch);
        before = within_room(weir_exclusive_prefix, tile);
    }
    if (tile + 1 == tiles && weir_invocation() == 0) {
        store_counts(count, weir_combine(before, aggregate));
    }
    store_own_tile(tile, count, before, in_tile, aggregate);
}
