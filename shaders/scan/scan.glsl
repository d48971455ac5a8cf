// A single-pass scan with decoupled look-back and fallback, for any monoid (monoid.glsl). scan_tile.glsl loads elements and stores results.

#include "scan_tile.glsl"

#define WEIR_COLUMNS 1
#define WEIR_OVERWRITES IN_PLACE
#define WEIR_COUNT_MAY_CHANGE COUNT_ON_GPU
#include "single_pass.glsl"
#include "buffer_barrier.glsl"

// A workgroup barrier. In place, it also orders the workgroup's loads and stores against those of other workgroups. Atomics stay relaxed:
// lavapipe 22.3 treats others as barriers, even if not all invocations arrive.
void tile_barrier() {
    if (IN_PLACE) {
        device_buffer_barrier();
    } else {
        barrier();
    }
}

WEIR_T reduced_total;

// Reduces a tile by the same operations as main.
void weir_reduce_tile(uint tile) {
    const uint count = weir_element_count();
#ifdef SEGMENTED
    mark_heads(tile, offsets_of_tile(tile));
#endif
    WEIR_T sum = weir_identity();
    // Not unrolled: fallbacks are rare, and loading all chunks at once would use registers while the workgroup holds its own tile. Loading
    // two at a time halves the wait, if the scan leaves registers for them.
    const uint at_a_time = WEIR_SIDE_BY_SIDE == 1 ? 2 : 1;
    [[dont_unroll]] for (uint first = 0; first < CHUNKS; first += at_a_time) {
        WEIR_T_VALUE chunks[at_a_time][CHUNK];
        uint heads[at_a_time];
        [[unroll]] for (uint i = 0; i < at_a_time; ++i) {
            const uint index = chunk_index(tile, min(first + i, CHUNKS - 1));
            load_chunk(index, count, chunks[i]);
            heads[i] = chunk_heads(tile, index, false, count);
        }
        [[unroll]] for (uint i = 0; i < at_a_time; ++i) {
            if (first + i >= CHUNKS) {
                break;
            }
#if WEIR_MONOID_COMMUTES
            sum = weir_combine(sum, fold(chunks[i], heads[i]));
#else
            sum = weir_combine(sum, fold_lanes(fold(chunks[i], heads[i])));
#endif
        }
    }
#if WEIR_MONOID_COMMUTES
    sum = weir_subgroup_reduce(sum);
#endif
    reduced_total = weir_workgroup_reduce(sum);
    tile_barrier();
}

WEIR_T weir_reduced_value(uint column) {
    return reduced_total;
}

shared uint own_tile;

WEIR_T weir_initial_prefix() {
    return weir_item_of(initial_value(), false);
}

void main() {
    weir_Claim claim = weir_assign_tile();
    const uint tile = claim.tile, tiles = claim.tiles, count = claim.count;
    if (weir_invocation() == 0) {
        weir_stalled_tile = 0;
        own_tile = tile;
    }
    load_own_tile(tile, count);
    weir_draw_deferred_ticket(claim);
    mark_own_heads(tile, count);
    weir_publish_aggregate(claim, reduce_own_tile());
#if defined(SEGMENTED) && !defined(CUSTOM_STORE)
    if (SEGMENT_ENDS && HEADS_ARE_MARKED && tile < max(tiles, 1)) {
        store_empty_segments(tile, tile + 1 >= tiles, count);
    }
#endif
    if (tile >= tiles) {
        if (HAS_TOTAL && count == 0 && tile == 0 && weir_invocation() == 0) {
#ifdef REDUCED_BY_KEY
            store_run_count(0);
#else
            store_total(given_value(INITIAL != INITIAL_NONE));
#endif
        }
        return;
    }
    WEIR_T before = weir_preceding_subgroups();

    // If there are more tiles than can run at a time, the scan comes before the look-back: earlier polls would find nothing, and would
    // delay the stores of the publishing workgroups. If all tiles run together (SCAN_LATE), the scan comes after the look-back, among the
    // stores.
    scan_own_tile();
    if (claim.alone) {
        before = weir_combine(weir_initial_prefix(), before);
    } else {
        weir_run_look_back(tile, claim.epoch);
        before = weir_combine(weir_exclusive_prefix, before);
        if (IN_PLACE) {
            if (weir_invocation() == 0) {
                weir_settle(tile, claim.epoch);
            }
            tile_barrier();
        }
    }

    // own_tile is read again, so that the addresses of the chunks do not occupy registers from the loads until here.
    store_own_tile(own_tile, count, before);
}
