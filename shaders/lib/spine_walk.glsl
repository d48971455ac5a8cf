// Part of look_back.glsl, for tiles of one value and operators that round. One subgroup polls as many tiles at once as it has lanes.
//
// A block is as many tiles as a subgroup has lanes. Each tile publishes its aggregate. The last tile of a block also publishes the block's
// aggregate and then the block's inclusive prefix. These prefixes are the spine. An entry is never published with a different value.
//
// A workgroup first waits for the tiles of its own block. The first tile of a block waits for the last tile of the previous block instead;
// if it has computed a tile, it also publishes that block's aggregate. Walks that have computed a tile publish the spine entries of the
// blocks that they pass.
//
// A tile's prefix is (its block's prefix) combined with (the aggregates of the tiles before it in the block, by weir_subgroup_reduce). A
// block's prefix is (the prefix of the previous block) combined with (that block's aggregates, by weir_subgroup_reduce). Therefore prefixes
// have the same bits whoever computes them, and when. A walk starts at the nearest published spine entry and goes forward from there block
// by block.

#ifndef WEIR_MAX_BLOCKS
#define WEIR_MAX_BLOCKS max_blocks
#endif

// With WEIR_OWN_BLOCK_FIRST, for comparisons, a walk goes along the spine only after its own block is complete.

const uint WEIR_WALKS = 1;
const uint WEIR_SPINE_WINDOW = 8; // number of spine entries polled at once

struct weir_Walk {
    WEIR_T prefix;      // prefix of tile `next`, the first of a block; at the end, of the own tile
    WEIR_T own_block;   // reduction of the tiles before the own one in its block
    WEIR_T whole_block; // for the last tile of a block: the block's reduction
    uint next;
    uint ready;         // number of tiles of the own block found ready, including those that are not needed
    uint stalled;       // the tile polled without success
    bool walking;
    bool has_computed;  // this walk has computed a tile for its owner
#ifdef INSTRUMENTED
    uint first; // the tile right behind the spine entry that provided the prefix
#endif
};
weir_Walk weir_walk;

WEIR_T weir_walk_aggregate;

shared WEIR_T weir_exclusive_prefix; // the tile's exclusive prefix

uint weir_walk_column(uint i) {
    return 0;
}

bool weir_leads_walk() {
    return weir_lane() == 0;
}

bool weir_is_walking(uint i) {
    return weir_walk.walking;
}

uint weir_stalled_tile_of(uint i) {
    return weir_walk.stalled;
}

// There are two entries for each of WEIR_MAX_BLOCKS blocks, its aggregate and its inclusive prefix. The entries of the tiles follow.
uint weir_aggregate_entry(uint block) {
    return WEIR_FIRST_ENTRY + block * 2 * WEIR_ENTRY_STRIDE;
}

uint weir_spine_entry(uint block) {
    return weir_aggregate_entry(block) + WEIR_ENTRY_STRIDE;
}

uint weir_tile_entry(uint tile) {
    return weir_aggregate_entry(WEIR_MAX_BLOCKS) + tile * WEIR_ENTRY_STRIDE;
}

bool weir_is_read(uint word, uint tiles) {
    return word < weir_tile_entry(0) ? word < weir_aggregate_entry(tiles / weir_subgroup_size())
                                     : word + WEIR_ENTRY_STRIDE < weir_tile_entry(tiles);
}

// Publishes the tile's aggregate and begins the look-back. `first` is the reduction of everything before tile 0.
void weir_begin_walk(uint tile, uint epoch, WEIR_T aggregate, WEIR_T first) {
    if (weir_invocation() == 0) {
        weir_publish(weir_tile_entry(tile), tile, epoch, weir_aggregate_state(aggregate), aggregate, false);
    }
    weir_walk_aggregate = aggregate;
    weir_walk.prefix = first;
    weir_walk.next = 0;
    weir_walk.ready = ~0u;
    weir_walk.walking = gl_SubgroupID == 0 && tile > 0;
    weir_walk.has_computed = false;
#ifdef INSTRUMENTED
    weir_walk.first = 0;
#endif
}

// Makes the result known to the workgroup. Call it before a barrier.
void weir_share_walks() {
    if (weir_invocation() == 0) {
        weir_exclusive_prefix = weir_walk.prefix;
    }
}

// Publishes a tile before it is overwritten, so that no other workgroup reduces it from then on.
void weir_settle(uint tile, uint epoch) {
    weir_insert_tile(weir_tile_entry(tile), epoch, weir_walk_aggregate);
}

// Publishes in an entry of a block.
void weir_publish_block(uint entry, uint tile, uint epoch, uint state, WEIR_T value) {
#ifdef INSTRUMENTED
    // A fault may keep the owner from publishing here. A value of an earlier run must not stay until its epoch returns.
    WEIR_T published;
    if (weir_load_tile(entry, epoch, published) == WEIR_TILE_NOT_READY) {
        weir_clear_tile(entry);
    }
#endif
    weir_publish(entry, tile, epoch, state, value, true);
}

// Content of an entry as seen by a lane: the identity if it is not ready.
struct weir_PolledEntry {
    WEIR_T value;
    bool ready;
};

weir_PolledEntry weir_poll_entry(uint entry, bool wanted, uint epoch) {
    weir_PolledEntry seen = weir_PolledEntry(weir_identity(), false);
    if (wanted) {
        WEIR_T value;
        seen.ready = weir_load_tile(entry, epoch, value) != WEIR_TILE_NOT_READY;
        if (seen.ready) {
            seen.value = value;
        }
    }
    return seen;
}

// Accumulates the aggregates of blocks from walk.next on, up to the first that is not published.
void weir_accumulate_blocks(uint block, uint epoch) {
    const uint size = weir_subgroup_size();
    const uint first = weir_walk.next / size;
    const bool is_ahead = weir_lane() < block - first;
    const weir_PolledEntry total = weir_poll_entry(weir_aggregate_entry(first + weir_lane()), is_ahead, epoch);
    const uvec4 missing = weir_other_lanes(subgroupBallot(total.ready));
    const uint taken = weir_is_any(missing) ? weir_lowest_lane(missing) : size;
    for (uint i = 0; i < taken; ++i) {
        weir_walk.prefix = weir_combine(weir_walk.prefix, weir_shuffle_value(total.value, i));
    }
    weir_walk.next += taken * size;
}

// Accumulates the tiles of the block at walk.next, if all of them are published. For a block without a published aggregate.
void weir_accumulate_tiles(uint epoch) {
    const weir_PolledEntry tile = weir_poll_entry(weir_tile_entry(weir_walk.next + weir_lane()), true, epoch);
    const uvec4 missing = weir_other_lanes(subgroupBallot(tile.ready));
    if (weir_is_any(missing)) {
        if (weir_walk.ready == weir_subgroup_size()) { // otherwise the own block comes first; other workgroups handle their own
            weir_walk.stalled = weir_walk.next + weir_lowest_lane(missing);
        }
    } else {
        weir_walk.prefix = weir_combine(weir_walk.prefix, weir_subgroup_reduce(tile.value));
        weir_walk.next += weir_subgroup_size();
    }
}

// Publishes a block's aggregate for the owner of its last tile, if all its tiles are published.
void weir_publish_aggregate_of(uint block, uint epoch) {
    const weir_PolledEntry tile = weir_poll_entry(weir_tile_entry(block * weir_subgroup_size() + weir_lane()), true, epoch);
    if (!weir_is_any(weir_other_lanes(subgroupBallot(tile.ready)))) {
        const WEIR_T total = weir_subgroup_reduce(tile.value);
        if (weir_leads_walk()) {
            weir_store_tile(weir_aggregate_entry(block), epoch, weir_aggregate_state(total), total, WEIR_ENTRY_PARTS, true);
        }
    }
}

// Goes forward as far as tiles are ready. Returns true on progress since the last poll. Until the own block is ready, only progress in that
// block counts, so that progress elsewhere does not delay the fallback for one of its tiles.
bool weir_poll(uint i, uint tile, uint epoch) {
    if (!weir_all_are_here()) {
        return false; // accumulating tiles takes all lanes
    }
    const uint size = weir_subgroup_size();
    const uint block = tile / size;
    const bool is_last = tile % size == size - 1;
    const uint before = weir_walk.next;
    const uint ready_before = weir_walk.ready;
    // The block to wait for: the own one, or the previous one for the first tile of a block. The lane that polls a tile also inserts it.
    const bool is_first = tile % size == 0;
    const uint own_begin = is_first ? tile - size : block * size;

    // Issues both loads at once, so that their latencies overlap. Lane 0 has the spine entry right before the own block.
    const bool is_ahead = weir_lane() < min(block - weir_walk.next / size, WEIR_SPINE_WINDOW);
    const bool is_own = own_begin + weir_lane() < tile && (!is_first || weir_lane() == size - 1) && weir_walk.ready != size;
    const weir_PolledEntry spine = weir_poll_entry(weir_spine_entry(block - 1 - weir_lane()), is_ahead, epoch);
    weir_PolledEntry own = weir_poll_entry(weir_tile_entry(own_begin + weir_lane()), is_own, epoch);
    if (is_first) {
        own.value = weir_identity();
    }

    const uvec4 found = subgroupBallot(spine.ready);
    if (weir_is_any(found)) {
        const uint nearest = weir_lowest_lane(found);
        weir_walk.prefix = weir_shuffle_value(spine.value, nearest);
        weir_walk.next = (block - nearest) * size;
#ifdef INSTRUMENTED
        weir_walk.first = weir_walk.next;
#endif
    }
    if (weir_walk.ready != size) {
        const uvec4 missing = weir_other_lanes(subgroupBallot(!is_own || own.ready));
        weir_walk.ready = size - subgroupBallotBitCount(missing);
        if (weir_walk.ready == size) {
            weir_walk.own_block = weir_subgroup_reduce(own.value);
            if (is_last) {
                if (weir_lane() == size - 1) {
                    own.value = weir_walk_aggregate;
                }
                weir_walk.whole_block = weir_subgroup_reduce(own.value);
                if (weir_leads_walk()) {
                    weir_publish_block(weir_aggregate_entry(block), tile, epoch, weir_aggregate_state(weir_walk.whole_block),
                                       weir_walk.whole_block);
                }
            }
        } else {
            // Takes the nearest, so that workgroups that wait for the same block compute different tiles.
            weir_walk.stalled = own_begin + subgroupBallotFindMSB(missing);
        }
    }
    bool goes_on = weir_walk.next < block * size;
#ifdef WEIR_OWN_BLOCK_FIRST
    goes_on = goes_on && weir_walk.ready == size;
#endif
    if (goes_on) {
        if (is_first && weir_walk.has_computed) {
            weir_publish_aggregate_of(block - 1, epoch);
        }
        const uint seen = weir_walk.next;
        weir_accumulate_blocks(block, epoch);
        if (weir_walk.next == before) {
            weir_accumulate_tiles(epoch);
        }
        if (weir_walk.has_computed && weir_walk.next != seen && weir_leads_walk()) {
            weir_store_tile(weir_spine_entry(weir_walk.next / size - 1), epoch, WEIR_TILE_PREFIX, weir_walk.prefix, WEIR_ENTRY_PARTS, true);
        }
    }
    if (is_first && weir_walk.next == tile) { // the tile before is no longer needed
        weir_walk.ready = size;
        weir_walk.own_block = weir_identity();
    }
    const bool more = weir_walk.ready != ready_before || (weir_walk.ready == size && weir_walk.next != before);
    if (weir_walk.ready == size && (weir_walk.next == block * size || weir_has_head(weir_walk.own_block))) {
        if (is_last && weir_leads_walk()) {
            weir_publish_block(weir_spine_entry(block), tile, epoch, WEIR_TILE_PREFIX,
                               weir_combine(weir_walk.prefix, weir_walk.whole_block));
        }
        weir_walk.prefix = weir_combine(weir_walk.prefix, weir_walk.own_block);
        weir_walk.walking = false;
#ifdef INSTRUMENTED
        weir_count_tiles(tile - (weir_walk.next == block * size ? weir_walk.first : block * size)); // a head in the own block ends the walk
#endif
    }
    return more;
}

// Publishes the aggregate of the stalled tile for its owner. The walk finds it with its next poll. Call it after weir_reduce_tile(stalled).
// Returns true if neither the owner nor another workgroup had published before.
bool weir_publish_fallback(uint i, uint tile, uint stalled, uint epoch) {
    weir_walk.has_computed = true;
    return weir_lane() == stalled % weir_subgroup_size() && weir_insert_tile(weir_tile_entry(stalled), epoch, weir_reduced_value(0));
}
