// scan.glsl with other fallbacks, for scans without segments:
//
// RELOADS    A workgroup that must reduce a late tile gives up the registers of its own tile. It reads the late tile with all loads in
//            flight, and its own tile again after the look-back.
// HINTED     The first fallback that publishes a tile before its owner leaves a hint. Workgroups that see it in the same run or in the
//            next one poll once before their first fallback, instead of MAX_SPINS times.
//
// WEIR_OWN_BLOCK_FIRST is another one, for operators that round: see spine_walk.glsl.

#ifdef HINTED
uint spin_limit; // polls without a result before a fallback
#define WEIR_MAX_SPINS spin_limit
#endif

#define main library_main
#include <weir/scan.glsl>
#undef main

#ifdef HINTED
const uint HINT_WORD = 1; // word of the tile states: 1 + the epoch of the last run with a hint, or 0

shared uint shared_hint;
#endif

// Reduces a late tile by the same operations as weir_reduce_tile.
void reduce_late_tile(uint tile) {
#ifdef RELOADS
    const uint count = weir_element_count();
    WEIR_T_VALUE chunks[CHUNKS][CHUNK];
    [[unroll]] for (uint i = 0; i < CHUNKS; ++i) {
        load_chunk(chunk_index(tile, i), count, chunks[i]);
    }
    WEIR_T sum = weir_identity();
    [[unroll]] for (uint i = 0; i < CHUNKS; ++i) {
#if WEIR_MONOID_COMMUTES
        sum = weir_combine(sum, fold(chunks[i], 0));
#else
        sum = weir_combine(sum, fold_lanes(fold(chunks[i], 0)));
#endif
    }
#if WEIR_MONOID_COMMUTES
    sum = weir_subgroup_reduce(sum);
#endif
    reduced_total = weir_workgroup_reduce(sum);
    tile_barrier();
#else
    weir_reduce_tile(tile);
#endif
}

// As weir_fall_back, and leaves a hint. Collective.
void fall_back(uint tile, uint late, uint epoch) {
#ifdef HINTED
    if (weir_invocation() == 0) {
        weir_stalled_tile = 0;
    }
    if (weir_is_walking(0)) {
        const bool first = weir_publish_fallback(0, tile, late, epoch);
        if (first) {
            weir_store_word(HINT_WORD, epoch + 1);
        }
#ifdef INSTRUMENTED
        weir_count_event(WEIR_COUNT_FALLBACKS_WON, uint(first));
        if (weir_leads_walk()) {
            weir_count_event(WEIR_COUNT_FALLBACKS, 1);
        }
#endif
    }
    spin_limit = MAX_SPINS;
    barrier();
#else
    weir_fall_back(tile, late, epoch);
#endif
}

// Loads and scans the own tile again.
void restore_own_tile(uint tile, uint count) {
#ifdef RELOADS
    load_own_tile(tile, count);
#if !WEIR_MONOID_COMMUTES
    reduce_own_tile();
#endif
    scan_own_tile();
#endif
}

// As the main function of scan.glsl, except the look-back.
void main() {
    weir_Claim claim = weir_assign_tile();
    const uint tile = claim.tile, tiles = claim.tiles, count = claim.count;
    if (weir_invocation() == 0) {
        weir_stalled_tile = 0;
        own_tile = tile;
    }
    load_own_tile(tile, count);
    weir_draw_deferred_ticket(claim);
#ifdef HINTED
    if (weir_invocation() == 0) {
        shared_hint = weir_load_word(HINT_WORD);
    }
#endif
    weir_publish_aggregate(claim, reduce_own_tile());
    if (tile >= tiles) {
        if (HAS_TOTAL && count == 0 && tile == 0 && weir_invocation() == 0) {
            store_total(given_value(INITIAL != INITIAL_NONE));
        }
        return;
    }
    WEIR_T before = weir_preceding_subgroups();
    scan_own_tile();
    if (claim.alone) {
        before = weir_combine(weir_initial_prefix(), before);
    } else {
#ifdef HINTED
        // The hint is of this run, at distance 0, or of the previous one, at distance 1.
        const bool hinted = shared_hint != 0 && ((claim.epoch + 1 - shared_hint) & WEIR_EPOCH_MASK) <= 1;
        spin_limit = hinted ? 1 : MAX_SPINS;
#endif
        uint late = weir_continue_walks(tile, claim.epoch);
        if (late != 0) {
            do {
                reduce_late_tile(late - 1);
                fall_back(tile, late - 1, claim.epoch);
                late = weir_continue_walks(tile, claim.epoch);
            } while (late != 0);
            restore_own_tile(own_tile, count);
        }
        before = weir_combine(weir_exclusive_prefix, before);
        if (IN_PLACE) {
            if (weir_invocation() == 0) {
                weir_settle(tile, claim.epoch);
            }
            tile_barrier();
        }
    }
    store_own_tile(own_tile, count, before);
}
