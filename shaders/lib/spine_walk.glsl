// Part of look_back.glsl, for tiles of one value and operators that round. One subgroup polls as many tiles at once as it has lanes.
//
// A block is as many tiles as a subgroup has lanes. Each tile publishes its aggregate. The last tile of a block also publishes the block's
// aggregate and then the block's inclusive prefix. These prefixes are the spine. An entry is never published with a different value.
//
// A workgroup first waits for the tiles of its own block. The first tile of a block waits for the last tile of the previous block instead;
// if it has computed a tile, it also publishes that block's aggregate. Walks that have computed a tile publish the spine entries of the
// blocks that they pass.
//
// A tile's prefix is (its block's prefix) combined with (the aggregates of the tiles before it in the block, by subgroup_reduce). A block's
// prefix is (the prefix of the previous block) combined with (that block's aggregates, by subgroup_reduce). Therefore prefixes have the
// same bits whoever computes them, and when. A walk starts at the nearest published spine entry and goes forward from there block by block.

const uint WALKS = 1;
const uint SPINE_WINDOW = 8; // number of spine entries polled at once

struct Walk {
    T prefix;          // prefix of tile `next`, the first of a block; at the end, of the own tile
    T own_block;       // reduction of the tiles before the own one in its block
    T whole_block;     // for the last tile of a block: the block's reduction
    uint next;
    uint ready;        // number of tiles of the own block found ready, including those that are not needed
    uint stalled;      // the tile polled without success
    bool walking;
    bool has_computed; // this walk has computed a tile for its owner
#ifdef INSTRUMENTED
    uint first; // the tile right behind the spine entry that provided the prefix
#endif
};
Walk walk;

T walk_aggregate;

shared T tile_prefix; // the tile's exclusive prefix

uint walk_column(uint walk) {
    return 0;
}

bool leads_walk() {
    return lane() == 0;
}

bool is_walking(uint i) {
    return walk.walking;
}

uint stalled_tile_of(uint i) {
    return walk.stalled;
}

// There are two entries for each of `max_blocks` blocks, its aggregate and its inclusive prefix. The entries of the tiles follow.
uint aggregate_entry(uint block) {
    return FIRST_ENTRY + block * 2 * ENTRY_STRIDE;
}

uint spine_entry(uint block) {
    return aggregate_entry(block) + ENTRY_STRIDE;
}

uint tile_entry(uint tile) {
    return aggregate_entry(max_blocks) + tile * ENTRY_STRIDE;
}

bool is_read(uint word, uint tiles) {
    return word < tile_entry(0) ? word < aggregate_entry(tiles / subgroup_size()) : word + ENTRY_STRIDE < tile_entry(tiles);
}

// Publishes the tile's aggregate and begins the look-back. `first` is the reduction of everything before tile 0.
void begin_walk(uint tile, uint epoch, T aggregate, T first) {
    if (invocation() == 0) {
        if (STRATEGY != STRATEGY_CHAINED || has_head(aggregate)) {
            publish(tile_entry(tile), tile, epoch, aggregate_state(aggregate), aggregate, false);
        } else if (tile == 0) {
            publish(tile_entry(tile), tile, epoch, TILE_PREFIX, combine(first, aggregate), false);
        }
    }
    walk_aggregate = aggregate;
    walk.prefix = first;
    walk.next = 0;
    walk.ready = ~0u;
    walk.walking = gl_SubgroupID == 0 && tile > 0;
    walk.has_computed = false;
#ifdef INSTRUMENTED
    walk.first = 0;
#endif
}

// Makes the result known to the workgroup. Call it before a barrier.
void share_walks() {
    if (invocation() == 0) {
        tile_prefix = walk.prefix;
    }
}

// Publishes a tile before it is overwritten, so that no other workgroup reduces it from then on.
void settle(uint tile, uint epoch) {
    insert_tile(tile_entry(tile), epoch, walk_aggregate);
}

// Publishes in an entry of a block.
void publish_block(uint entry, uint tile, uint epoch, uint state, T value) {
#ifdef INSTRUMENTED
    // A fault may keep the owner from publishing here. A value of an earlier run must not stay until its epoch returns.
    T published;
    if (load_tile(entry, epoch, published) == TILE_NOT_READY) {
        clear_tile(entry);
    }
#endif
    publish(entry, tile, epoch, state, value, true);
}

// Content of an entry as seen by a lane: the identity if it is not ready.
struct PolledEntry {
    T value;
    bool ready;
};

PolledEntry poll_entry(uint entry, bool wanted, uint epoch) {
    PolledEntry seen = PolledEntry(identity(), false);
    if (wanted) {
        T value;
        seen.ready = load_tile(entry, epoch, value) != TILE_NOT_READY;
        if (seen.ready) {
            seen.value = value;
        }
    }
    return seen;
}

// Accumulates the aggregates of blocks from walk.next on, up to the first that is not published.
void accumulate_blocks(uint block, uint epoch) {
    const uint size = subgroup_size();
    const uint first = walk.next / size;
    const bool is_ahead = lane() < block - first;
    const PolledEntry total = poll_entry(aggregate_entry(first + lane()), is_ahead, epoch);
    const uvec4 missing = other_lanes(subgroupBallot(total.ready));
    const uint taken = is_any(missing) ? lowest_lane(missing) : size;
    for (uint i = 0; i < taken; ++i) {
        walk.prefix = combine(walk.prefix, shuffle(total.value, i));
    }
    walk.next += taken * size;
}

// Accumulates the tiles of the block at walk.next, if all of them are published. For a block without a published aggregate.
void accumulate_tiles(uint epoch) {
    const PolledEntry tile = poll_entry(tile_entry(walk.next + lane()), true, epoch);
    const uvec4 missing = other_lanes(subgroupBallot(tile.ready));
    if (is_any(missing)) {
        if (walk.ready == subgroup_size()) { // otherwise the own block comes first; other workgroups handle their own
            walk.stalled = walk.next + lowest_lane(missing);
        }
    } else {
        walk.prefix = combine(walk.prefix, subgroup_reduce(tile.value));
        walk.next += subgroup_size();
    }
}

// Publishes a block's aggregate for the owner of its last tile, if all its tiles are published.
void publish_aggregate_of(uint block, uint epoch) {
    const PolledEntry tile = poll_entry(tile_entry(block * subgroup_size() + lane()), true, epoch);
    if (!is_any(other_lanes(subgroupBallot(tile.ready)))) {
        const T total = subgroup_reduce(tile.value);
        if (leads_walk()) {
            publish_tile(aggregate_entry(block), epoch, aggregate_state(total), total, ENTRY_PARTS, true);
        }
    }
}

bool poll_chain(uint tile, uint epoch) {
    walk.stalled = tile - 1;
    const PolledEntry before = poll_entry(tile_entry(tile - 1), true, epoch);
    if (before.ready) {
        count_tiles(1);
        walk.prefix = before.value;
        walk.walking = false;
        if (leads_walk() && !has_head(walk_aggregate)) {
            publish(tile_entry(tile), tile, epoch, TILE_PREFIX, combine(walk.prefix, walk_aggregate), false);
        }
    }
    return before.ready;
}

// Goes forward as far as tiles are ready. Returns true on progress since the last poll. Until the own block is ready, only progress in that
// block counts, so that progress elsewhere does not delay the fallback for one of its tiles.
bool poll(uint i, uint tile, uint epoch) {
    if (STRATEGY == STRATEGY_CHAINED) {
        return poll_chain(tile, epoch);
    }
    if (!all_are_here()) {
        return false; // accumulating tiles takes all lanes
    }
    const uint size = subgroup_size();
    const uint block = tile / size;
    const bool is_last = tile % size == size - 1;
    const uint before = walk.next;
    const uint ready_before = walk.ready;
    // The block to wait for: the own one, or the previous one for the first tile of a block. The lane that polls a tile also inserts it.
    const bool is_first = tile % size == 0;
    const uint own_begin = is_first ? tile - size : block * size;

    // Issues both loads at once, so that their latencies overlap. Lane 0 has the spine entry right before the own block.
    const bool is_ahead = lane() < min(block - walk.next / size, SPINE_WINDOW);
    const bool is_own = own_begin + lane() < tile && (!is_first || lane() == size - 1) && walk.ready != size;
    const PolledEntry spine = poll_entry(spine_entry(block - 1 - lane()), is_ahead, epoch);
    PolledEntry own = poll_entry(tile_entry(own_begin + lane()), is_own, epoch);
    if (is_first) {
        own.value = identity();
    }

    const uvec4 found = subgroupBallot(spine.ready);
    if (is_any(found)) {
        const uint nearest = lowest_lane(found);
        walk.prefix = shuffle(spine.value, nearest);
        walk.next = (block - nearest) * size;
#ifdef INSTRUMENTED
        walk.first = walk.next;
#endif
    }
    if (walk.ready != size) {
        const uvec4 missing = other_lanes(subgroupBallot(!is_own || own.ready));
        walk.ready = size - subgroupBallotBitCount(missing);
        if (walk.ready == size) {
            walk.own_block = subgroup_reduce(own.value);
            if (is_last) {
                if (lane() == size - 1) {
                    own.value = walk_aggregate;
                }
                walk.whole_block = subgroup_reduce(own.value);
                if (leads_walk()) {
                    publish_block(aggregate_entry(block), tile, epoch, aggregate_state(walk.whole_block), walk.whole_block);
                }
            }
        } else {
            // Takes the nearest, so that workgroups that wait for the same block compute different tiles.
            walk.stalled = own_begin + subgroupBallotFindMSB(missing);
        }
    }
    if (walk.next < block * size) {
        if (is_first && walk.has_computed) {
            publish_aggregate_of(block - 1, epoch);
        }
        const uint seen = walk.next;
        accumulate_blocks(block, epoch);
        if (walk.next == before) {
            accumulate_tiles(epoch);
        }
        if (walk.has_computed && walk.next != seen && leads_walk()) {
            publish_tile(spine_entry(walk.next / size - 1), epoch, TILE_PREFIX, walk.prefix, ENTRY_PARTS, true);
        }
    }
    if (is_first && walk.next == tile) { // the tile before is no longer needed
        walk.ready = size;
        walk.own_block = identity();
    }
    const bool more = walk.ready != ready_before || (walk.ready == size && walk.next != before);
    if (walk.ready == size && (walk.next == block * size || has_head(walk.own_block))) {
        if (is_last && leads_walk()) {
            publish_block(spine_entry(block), tile, epoch, TILE_PREFIX, combine(walk.prefix, walk.whole_block));
        }
        walk.prefix = combine(walk.prefix, walk.own_block);
        walk.walking = false;
#ifdef INSTRUMENTED
        count_tiles(tile - (walk.next == block * size ? walk.first : block * size)); // a head in the own block ends the walk
#endif
    }
    return more;
}

// Publishes the aggregate of the stalled tile for its owner. The walk finds it with its next poll. Call it after reduce_tile(stalled).
// Returns true if neither the owner nor another workgroup had published before.
bool publish_fallback(uint i, uint tile, uint stalled, uint epoch) {
    walk.has_computed = true;
    return lane() == stalled % subgroup_size() && insert_tile(tile_entry(stalled), epoch, reduced_value(0));
}
