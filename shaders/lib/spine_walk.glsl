// Part of look_back.glsl: one value to a tile, and a subgroup that polls as many as it has lanes.
//
// Tiles come in blocks of as many as a subgroup has lanes. A tile posts its aggregate; the last of a block also posts the block's
// aggregate and then what precedes the next block: the spine. No entry is ever posted with another value: once all its words
// are there, they stay.
//
// What precedes a tile is defined as (what precedes its block) combined with (aggregates of the block up to the tile, by
// subgroup_reduce), and what precedes a block as (what precedes the block before) combined with (that block's aggregates, likewise).
// So it has the same bits whoever computes it and when: floats and all that rounds included. A walk starts at the nearest
// spine entry that is posted and goes forward from there, block by block.

const uint WALKS = 1;
const uint SPINE_WINDOW = 8; // spine entries that are polled at once

struct Walk {
    T prefix;      // what precedes tile `next`, the first of a block; in the end, what precedes the walker's own tile
    T own_block;   // the block's aggregates up to the walker's tile
    T whole_block; // for the last tile of a block: with its own
    uint next;
    uint ready;    // entries of the own block found ready, those that are not needed included
    uint stalled;  // the tile that is waited for
    bool walking;
    bool has_computed; // a tile in its owner's place
};
Walk walk;

T walk_aggregate;

shared T tile_prefix; // what precedes the tile, for the whole workgroup

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

// First two entries for each block that there can be, `max_blocks` of them: its aggregate, and what precedes the next block. Then one for each tile.
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

// Posts the tile's aggregate and sets out. `first` is what precedes tile 0.
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
}

// Before a barrier: tells the workgroup what is known.
void share_walks() {
    if (invocation() == 0) {
        tile_prefix = walk.prefix;
    }
}

// Before the tile is overwritten: makes sure that nobody computes it in its owner's place.
void settle(uint tile, uint epoch) {
    insert_tile(tile_entry(tile), epoch, walk_aggregate);
}

// Posts an entry of a block's.
void publish_block(uint entry, uint tile, uint epoch, uint state, T value) {
#ifdef INSTRUMENTED
    // What a fault keeps back nobody posts in its owner's place, so that of an earlier run could come alive.
    clear_tile(entry);
#endif
    publish(entry, tile, epoch, state, value, true);
}

// What a lane sees of an entry; the identity if there is nothing to see.
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

// Takes in the aggregates of whole blocks from walk.next on, as far as they are posted.
void accumulate_blocks(uint block, uint epoch) {
    const uint size = subgroup_size();
    const uint first = walk.next / size;
    const bool is_ahead = lane() < block - first;
    const PolledEntry total = poll_entry(aggregate_entry(first + lane()), is_ahead, epoch);
    const uvec4 missing = other_lanes(subgroupBallot(total.ready));
    const uint taken = is_any(missing) ? subgroupBallotFindLSB(missing) : size;
    for (uint i = 0; i < taken; ++i) {
        walk.prefix = combine(walk.prefix, shuffle(total.value, i));
    }
    walk.next += taken * size;
}

// Takes in the tiles of the block that walk.next begins, whose aggregate is not posted, if they all are. Where tiles stay silent, the
// block's spine entry is then posted in the place of its last tile: its bits are the same whoever posts it.
void accumulate_tiles(uint epoch) {
    const PolledEntry tile = poll_entry(tile_entry(walk.next + lane()), true, epoch);
    const uvec4 missing = other_lanes(subgroupBallot(tile.ready));
    if (is_any(missing)) {
        if (walk.ready == subgroup_size()) { // else the own block comes first, as others do theirs
            walk.stalled = walk.next + subgroupBallotFindLSB(missing);
        }
    } else {
        walk.prefix = combine(walk.prefix, subgroup_reduce(tile.value));
        if (leads_walk() && walk.has_computed) {
            publish_tile(spine_entry(walk.next / subgroup_size()), epoch, TILE_PREFIX, walk.prefix, ENTRY_PARTS, true);
        }
        walk.next += subgroup_size();
    }
}

bool poll_chain(uint tile, uint epoch) {
    walk.stalled = tile - 1;
    const PolledEntry before = poll_entry(tile_entry(tile - 1), true, epoch);
    if (before.ready) {
        walk.prefix = before.value;
        walk.walking = false;
        if (leads_walk() && !has_head(walk_aggregate)) {
            publish(tile_entry(tile), tile, epoch, TILE_PREFIX, combine(walk.prefix, walk_aggregate), false);
        }
    }
    return before.ready;
}

// Goes forward as far as what is ready allows. Returns whether more was ready than the last time.
bool poll(uint i, uint tile, uint epoch) {
    if (STRATEGY == STRATEGY_CHAINED) {
        return poll_chain(tile, epoch);
    }
    if (!all_are_here()) {
        return false; // without some, nothing can be taken in
    }
    const uint size = subgroup_size();
    const uint block = tile / size;
    const bool is_last = tile % size == size - 1;
    const uint before = walk.next;
    const uint ready_before = walk.ready;

    // Both at once, as each look takes its time. Lane 0 sees the spine entry right before the own block.
    const bool is_ahead = lane() < min(block - walk.next / size, SPINE_WINDOW);
    const bool is_own = block * size + lane() < tile && walk.ready != size;
    const PolledEntry spine = poll_entry(spine_entry(block - 1 - lane()), is_ahead, epoch);
    PolledEntry own = poll_entry(tile_entry(block * size + lane()), is_own, epoch);

    const uvec4 found = subgroupBallot(spine.ready);
    if (is_any(found)) {
        const uint nearest = subgroupBallotFindLSB(found);
        walk.prefix = shuffle(spine.value, nearest);
        walk.next = (block - nearest) * size;
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
            // The nearest, so that those who wait for several tiles of a block compute different ones.
            walk.stalled = block * size + subgroupBallotFindMSB(missing);
        }
    }
    if (walk.next < block * size) {
        accumulate_blocks(block, epoch);
        if (walk.next == before) {
            accumulate_tiles(epoch);
        }
    }
    const bool more = walk.next != before || walk.ready != ready_before;
    if (walk.ready == size && (walk.next == block * size || has_head(walk.own_block))) {
        if (is_last && leads_walk()) {
            publish_block(spine_entry(block), tile, epoch, TILE_PREFIX, combine(walk.prefix, walk.whole_block));
        }
        walk.prefix = combine(walk.prefix, walk.own_block);
        walk.walking = false;
    }
    return more;
}

// After reduce_tile(stalled): posts its value, for the lane that polls it as for others: all its words are there then. Returns
// whether this was the first post.
bool publish_fallback(uint i, uint tile, uint stalled, uint epoch) {
    walk.has_computed = true;
    return lane() == stalled % subgroup_size() && insert_tile(tile_entry(stalled), epoch, reduced_value(0));
}
