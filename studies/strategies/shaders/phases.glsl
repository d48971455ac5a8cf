// A scan without look-back, in three dispatches, one per phase:
//
//     reduce-then-scan       PHASE_REDUCE, PHASE_SPINE, PHASE_SCAN
//     scan-then-propagate    PHASE_SCAN_TILES, PHASE_SPINE, PHASE_PROPAGATE
//
// For any monoid (monoid.glsl), like scan.glsl. The spine has one value per tile: the tile's reduction, and after PHASE_SPINE its prefix.
// PHASE_PROPAGATE loads its elements from the output.

#include <weir/scan_tile.glsl>
#include <weir/agree.glsl>
#include "phases_interface.h"

layout(set = 0, binding = SPINE_BINDING) buffer Spine { uint spine_words[]; };

WEIR_T load_spine(uint tile) {
    uint words[WEIR_T_WORDS];
    [[unroll]] for (uint w = 0; w < WEIR_T_WORDS; ++w) {
        words[w] = spine_words[tile * WEIR_T_WORDS + w];
    }
    return weir_from_words(words);
}

void store_spine(uint tile, WEIR_T value) {
    uint words[WEIR_T_WORDS];
    weir_to_words(value, words);
    [[unroll]] for (uint w = 0; w < WEIR_T_WORDS; ++w) {
        spine_words[tile * WEIR_T_WORDS + w] = words[w];
    }
}

// Returns the prefix of a lane's tile within its block. If the operator rounds, operands are grouped as in spine_walk.glsl, so that results
// have the same bits as those of a single-pass scan.
WEIR_T precede_in_block(WEIR_T aggregate, out WEIR_T total) {
#ifdef WEIR_MONOID_EXACT
    return weir_subgroup_exclusive_scan(aggregate, total);
#else
    WEIR_T before = weir_identity();
    for (uint i = 1; i < weir_subgroup_size(); ++i) {
        const WEIR_T sum = weir_subgroup_reduce(weir_lane() < i ? aggregate : weir_identity());
        if (weir_lane() == i) {
            before = sum;
        }
    }
    total = weir_subgroup_reduce(aggregate);
    return before;
#endif
}

// Replaces reductions by prefixes. Each subgroup processes blocks of as many tiles as it has lanes, one at a time.
void scan_spine(uint tiles, uint count) {
    WEIR_T before = initial_value();
    for (uint first = 0; first < tiles; first += WORKGROUP) {
        const uint tile = first + weir_invocation();
        WEIR_T aggregate = weir_identity();
        if (tile < tiles) {
            aggregate = load_spine(tile);
        }
        WEIR_T total;
        const WEIR_T in_block = precede_in_block(aggregate, total);
        if (subgroupElect()) {
            weir_workgroup_values[gl_SubgroupID] = total;
        }
        barrier();
        WEIR_T before_block = before;
        for (uint i = 0; i < weir_subgroup_count(); ++i) {
            if (i == gl_SubgroupID) {
                before_block = before;
            }
            before = weir_combine(before, weir_workgroup_values[i]);
        }
        if (tile < tiles) {
            store_spine(tile, weir_combine(before_block, in_block));
        }
        barrier();
    }
    if (HAS_TOTAL && weir_invocation() == 0) {
        store_total(count == 0 ? given_value(INITIAL != INITIAL_NONE) : before);
    }
}

void main() {
    const uint count = agree(COUNT_ON_GPU, weir_element_count());
    const uint tiles = count / TILE + uint(count % TILE != 0);
    const uint tile = weir_workgroup_index();
    if (PHASE == PHASE_SPINE) {
        scan_spine(tiles, count);
        return;
    }
    if (tile >= tiles) {
        if (PHASE == PHASE_SCAN && HAS_TOTAL && count == 0 && tile == 0 && weir_invocation() == 0) {
            store_total(given_value(INITIAL != INITIAL_NONE));
        }
        return;
    }
    load_own_tile(tile, count);
    if (PHASE == PHASE_PROPAGATE) {
        store_own_tile(tile, count, load_spine(tile));
        return;
    }
    const WEIR_T sum = reduce_own_tile();
    const WEIR_T aggregate = weir_workgroup_reduce(sum);
    if (PHASE != PHASE_SCAN && weir_invocation() == 0) {
        store_spine(tile, aggregate);
    }
    if (PHASE == PHASE_REDUCE) {
        return;
    }
    WEIR_T before = weir_preceding_subgroups();
    scan_own_tile();
    if (PHASE == PHASE_SCAN) {
        before = weir_combine(load_spine(tile), before);
    }
    store_own_tile(tile, count, before);
}
