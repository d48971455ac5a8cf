#ifndef WEIR_LOOK_BACK_LAYER_GLSL
#define WEIR_LOOK_BACK_LAYER_GLSL

// A decoupled look-back with fallback inside a kernel: a scan over all workgroups of a dispatch, while each has its tile in registers. The
// value of a tile is of any monoid. A workgroup that waits too long for one before it reduces that one's tile itself, by the same operations,
// so that the value has the same bits whoever computes it, and no workgroup depends on the progress of another one.
//
// Once in a shader. Define before:
//
//     WEIR_TILE_STATES         the binding of set 0 that has the tile states: weir::tile_states, read_write
//     WEIR_TILE_T              the type of values
//     WEIR_TILE_WORDS          its words, which weir_words.glsl converts it to and from
//     WEIR_TILE_COMBINE        the name of a function of two values, which must be associative
//     WEIR_TILE_IDENTITY       an expression
//     WEIR_TILE_REDUCE         the name of a function that reduces this invocation's items of any tile of the dispatch:
//                                  WEIR_TILE_T reduce(uint tile)
//                              It may be called again for the tiles of other workgroups, and returns the same bits for a tile each time. So
//                              it must not read what the kernel writes. An invocation's items follow those of the invocation before it, in the
//                              order of weir_invocation(). All invocations of a workgroup call it.
//     WEIR_TILE_EXACT          if nothing is rounded, as with integers: looks back a bit faster
//     WEIR_TILE_SPINS          polls that may find nothing before a fallback, at least 1; else 64
//
// Then, in this order, each once and by all invocations of all workgroups:
//
//     uint weir_claim_tile(uint tiles)       The workgroup's tile, among `tiles` of this dispatch. With more workgroups than tiles, some get
//                                            tiles past the last one, which have no items.
//     T weir_publish_tile(T own)             `own` is what the function returns for the workgroup's tile. Returns the tile's reduction. To be
//                                            called as soon as that is known, since other workgroups wait for it.
//     T weir_look_back()                     The reduction of all items before this invocation's.
//
// and afterwards T weir_tile_prefix(), that of all tiles before this one.

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

WEIR_TILE_T weir_combine(WEIR_TILE_T a, WEIR_TILE_T b) {
    return WEIR_TILE_COMBINE(a, b);
}

WEIR_TILE_T weir_identity() {
    return WEIR_TILE_IDENTITY;
}

WEIR_TILE_T weir_reduce_items(uint tile) {
    return WEIR_TILE_REDUCE(tile);
}

#include "weir_names.glsl"

#define CUSTOM_MONOID
#define T_VALUE WEIR_TILE_T
#define T T_VALUE
#define T_WORDS WEIR_TILE_WORDS
#define MONOID_COMMUTES 0
#ifdef WEIR_TILE_EXACT
#define MONOID_EXACT
#endif
#define COLUMNS 1
#define TILE 1 // element_count counts tiles
#define TILE_STATE_BINDING WEIR_TILE_STATES
#define MAX_SPINS max(uint(WEIR_TILE_SPINS), 1u) // without a poll no walk gets on
#define IN_DISPATCH_ORDER WEIR_TILE_ORDER
#define max_blocks weir_max_blocks()
#define WORKGROUP WEIR_WORKGROUP
#define SUBGROUP WEIR_SUBGROUP
#define BARRIER_BEFORE_SHUFFLES WEIR_SHUFFLE_BARRIERS

uint max_blocks;

T from_words(uint words[T_WORDS]) {
    T value;
    weir_from_words(words, value);
    return value;
}

#include "workgroup_scan.glsl"
#include "single_pass.glsl"

// Blocks of tiles that the buffer has room for: weir::tile_states makes it so large that tiles fit behind, for subgroups of any size.
uint max_blocks {
    return (tile_states.length() - FIRST_ENTRY) / ENTRY_STRIDE / (subgroup_size() + 2) + 1;
}

uint weir_tiles;
Claim weir_claim;
T weir_own;
T weir_prefix;
T weir_reduced;

uint element_count() {
    return weir_tiles;
}

T initial_prefix() {
    return identity();
}

void reduce_tile(uint tile) {
    weir_reduced = workgroup_reduce(subgroup_reduce(weir_reduce_items(tile)));
    barrier();
}

T reduced_value(uint column) {
    return weir_reduced;
}

uint weir_claim_tile(uint tiles) {
    weir_tiles = tiles;
    weir_claim = claim_tile();
    if (invocation() == 0) {
        stalled_tile = 0;
    }
    return weir_claim.tile;
}

T weir_publish_tile(T own) {
    draw_deferred_ticket(weir_claim);
    weir_own = own;
    return publish_aggregate(weir_claim, subgroup_reduce(own));
}

T weir_look_back() {
    T subgroup_total;
    const T before = combine(preceding_subgroups(), subgroup_exclusive_scan(weir_own, subgroup_total));
    weir_prefix = identity();
    if (!weir_claim.alone && weir_claim.tile < weir_claim.tiles) {
        look_back(weir_claim.tile, weir_claim.epoch);
        weir_prefix = tile_prefix;
    }
    return combine(weir_prefix, before);
}

T weir_tile_prefix() {
    return weir_prefix;
}

#include "weir_names_end.glsl"

#endif
