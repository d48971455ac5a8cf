#ifndef WEIR_LOOK_BACK_LAYER_GLSL
#define WEIR_LOOK_BACK_LAYER_GLSL

// Decoupled look-back with fallback inside a kernel: a scan over all workgroups of a dispatch, each with its tile in registers. The values
// of tiles form a monoid. A workgroup that waits too long for a predecessor reduces the predecessor's tile itself. It uses the same
// operations in the same order, so the value has the same bits whoever computes it, and no workgroup depends on the progress of another.
//
// Include it at most once in a shader. Define before:
//
//     WEIR_TILE_STATES         binding in set 0 of the tile states: weir::tile_states, read_write
//     WEIR_TILE_T              type of the values
//     WEIR_TILE_WORDS          size of a value in words; weir_to_words and weir_from_words must exist for the type (weir_words.glsl)
//     WEIR_TILE_COMBINE        name of an associative function of two values
//     WEIR_TILE_IDENTITY       expression for the identity of that function
//     WEIR_TILE_REDUCE         name of a function that reduces this invocation's items of any tile of the dispatch:
//                                  WEIR_TILE_T reduce(uint tile)
//                              It must return the same bits each time it is called for a tile, also for tiles of other workgroups.
//                              Therefore it must not read what the kernel writes. The items of an invocation follow those of the
//                              previous invocation, in the order of weir_invocation(). All invocations of a workgroup call it.
//     WEIR_TILE_EXACT          optional: define it if the function does not round, as with integers. The look-back is then slightly faster
//     WEIR_TILE_SPINS          optional: number of consecutive polls without a result before a fallback. Default: 64. 0 means 1
//
// Then all invocations of all workgroups must call each of these once, in this order:
//
//     uint weir_claim_tile(uint tiles)       Returns the workgroup's tile, of `tiles` in this dispatch. If there are more workgroups than
//                                            tiles, some get tiles beyond the last one, which have no items.
//     T weir_publish_tile(T own)             Publishes the tile's reduction and returns it. `own` is the result of WEIR_TILE_REDUCE for the
//                                            workgroup's tile. Call it as early as possible, because other workgroups wait for it.
//     T weir_look_back()                     Returns the reduction of all items before this invocation's.
//
// Or, in place of the last two, if WEIR_TILE_REDUCE is long: the kernel then has one copy of it instead of two or more, and is compiled
// faster.
//
//     T weir_scan_tile()                     Calls WEIR_TILE_REDUCE for the workgroup's tile, and possibly for others later. Publishes the tile's
//                                            reduction. Returns the reduction of all items before this invocation's.
//
// Afterwards T weir_tile_prefix() returns the reduction of all tiles before this one, and T weir_tile_total() that of this tile.

#include "weir_words.glsl"
#include "weir_workgroup_scan.glsl"

#ifndef WEIR_TILE_SPINS
#define WEIR_TILE_SPINS 64
#endif
#ifndef WEIR_TILE_ORDER
WEIR_CONSTANT(2002, bool, weir_given_order, false) // Capabilities::workgroups_start_in_order
#define WEIR_TILE_ORDER weir_given_order
#endif

void weir_to_words(WEIR_TILE_T value, out uint words[WEIR_TILE_WORDS]);
void weir_from_words(uint words[WEIR_TILE_WORDS], out WEIR_TILE_T value);
WEIR_TILE_T WEIR_TILE_REDUCE(uint tile);

#define WEIR_CUSTOM_MONOID
#define WEIR_T_VALUE WEIR_TILE_T
#define WEIR_T WEIR_T_VALUE
#define WEIR_T_WORDS WEIR_TILE_WORDS
#define WEIR_MONOID_COMMUTES 0
#ifdef WEIR_TILE_EXACT
#define WEIR_MONOID_EXACT
#endif
#define WEIR_COLUMNS 1
#define WEIR_TILE 1 // weir_element_count counts tiles
#define WEIR_MAX_SPINS max(uint(WEIR_TILE_SPINS), 1u) // without a poll a walk makes no progress
#define WEIR_MAX_BLOCKS weir_max_blocks()

WEIR_T weir_combine(WEIR_T a, WEIR_T b) {
    return WEIR_TILE_COMBINE(a, b);
}

WEIR_T weir_identity() {
    return WEIR_TILE_IDENTITY;
}

WEIR_T weir_from_words(uint words[WEIR_T_WORDS]) {
    WEIR_T value;
    weir_from_words(words, value);
    return value;
}

uint weir_max_blocks();

#include "workgroup_scan.glsl"
#include "single_pass.glsl"

// Capacity of the buffer in blocks of tiles. weir::tile_states makes it large enough to have tile entries behind the blocks for any
// subgroup size.
uint weir_max_blocks() {
    return (weir_tile_states.length() - WEIR_FIRST_ENTRY) / WEIR_ENTRY_STRIDE / (weir_subgroup_size() + 2) + 1;
}

uint weir_tiles;
weir_Claim weir_claim;
WEIR_T weir_own;
WEIR_T weir_prefix;
WEIR_T weir_reduced;
WEIR_T weir_total;

uint weir_element_count() {
    return weir_tiles;
}

WEIR_T weir_initial_prefix() {
    return weir_identity();
}

void weir_reduce_items(WEIR_T items) {
    weir_reduced = weir_workgroup_reduce(weir_subgroup_reduce(items));
    barrier();
}

void weir_reduce_tile(uint tile) {
    weir_reduce_items(WEIR_TILE_REDUCE(tile));
}

WEIR_T weir_reduced_value(uint column) {
    return weir_reduced;
}

uint weir_claim_tile(uint tiles) {
    weir_tiles = tiles;
    weir_claim = weir_assign_tile();
    if (weir_invocation() == 0) {
        weir_stalled_tile = 0;
    }
    return weir_claim.tile;
}

WEIR_T weir_publish_tile(WEIR_T own) {
    weir_draw_deferred_ticket(weir_claim);
    weir_own = own;
    weir_total = weir_publish_aggregate(weir_claim, weir_subgroup_reduce(own));
    return weir_total;
}

// Returns the reduction of the tile's items before the invocation's.
WEIR_T weir_preceding_items() {
    WEIR_T subgroup_total;
    return weir_combine(weir_preceding_subgroups(), weir_subgroup_exclusive_scan(weir_own, subgroup_total));
}

bool weir_looks_back() {
    return !weir_claim.alone && weir_claim.tile < weir_claim.tiles;
}

WEIR_T weir_look_back() {
    const WEIR_T before = weir_preceding_items();
    weir_prefix = weir_identity();
    if (weir_looks_back()) {
        weir_run_look_back(weir_claim.tile, weir_claim.epoch);
        weir_prefix = weir_exclusive_prefix;
    }
    return weir_combine(weir_prefix, before);
}

WEIR_T weir_scan_tile() {
    const uint own_tile = weir_claim.tile;
    WEIR_T before;
    uint stalled = 0; // 1 + the tile that is reduced in place of its owner
    do {
        const WEIR_T items = WEIR_TILE_REDUCE(stalled == 0 ? own_tile : stalled - 1);
        if (stalled == 0) {
            weir_publish_tile(items);
            before = weir_preceding_items();
        } else {
            weir_reduce_items(items);
            weir_fall_back(own_tile, stalled - 1, weir_claim.epoch);
        }
        stalled = weir_looks_back() ? weir_continue_walks(own_tile, weir_claim.epoch) : 0;
    } while (stalled != 0);
    weir_prefix = weir_identity();
    if (weir_looks_back()) {
        weir_prefix = weir_exclusive_prefix;
    }
    return weir_combine(weir_prefix, before);
}

WEIR_T weir_tile_prefix() {
    return weir_prefix;
}

WEIR_T weir_tile_total() {
    return weir_total;
}

#endif
