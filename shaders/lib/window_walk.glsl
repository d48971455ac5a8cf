// Part of look_back.glsl, for tiles of one value and exact operators. One subgroup walks backwards and polls a window of as many
// predecessors at once as it has lanes. A tile publishes its aggregate, and later its inclusive prefix in the same entry. The walk ends at
// the nearest prefix. Therefore the grouping of operands depends on the times at which tiles are published.

const uint WALKS = 1;

struct Walk {
    T prefix;  // reduction of the tiles from `next` to the predecessor of the own tile
    uint next; // number of predecessors not yet accumulated; 0 ends the walk
};
Walk walk;

T walk_aggregate;
T walk_first; // reduction of everything before tile 0

shared T tile_prefix; // the tile's exclusive prefix

uint walk_column(uint i) {
    return 0;
}

bool leads_walk() {
    return lane() == 0;
}

bool is_walking(uint i) {
    return gl_SubgroupID == 0 && walk.next > 0;
}

uint stalled_tile_of(uint i) {
    return walk.next - 1;
}

uint tile_entry(uint tile) {
    return FIRST_ENTRY + tile * ENTRY_STRIDE;
}

bool is_read(uint word, uint tiles) {
    return word + ENTRY_STRIDE < tile_entry(tiles);
}

// Publishes the tile's aggregate and begins the look-back. `first` is the reduction of everything before tile 0.
void begin_walk(uint tile, uint epoch, T aggregate, T first) {
    walk_aggregate = aggregate;
    walk_first = first;
    walk.prefix = tile == 0 ? first : identity();
    walk.next = tile;
    if (invocation() == 0 && (STRATEGY != STRATEGY_CHAINED || tile == 0 || has_head(aggregate))) {
        publish(tile_entry(tile), tile, epoch, tile == 0 ? TILE_PREFIX : aggregate_state(aggregate), combine(walk.prefix, aggregate), false);
    }
}

// Makes the result known to the workgroup. Call it before a barrier.
void share_walks() {
    if (invocation() == 0) {
        tile_prefix = walk.prefix;
    }
}

void end_walk(uint tile, uint epoch) {
    walk.next = 0;
    if (leads_walk() && !has_head(walk_aggregate)) {
        publish(tile_entry(tile), tile, epoch, TILE_PREFIX, combine(walk.prefix, walk_aggregate), true);
    }
}

// Continues the walk after the aggregates of all tiles from `next` on were accumulated.
void advance_to(uint next, uint tile, uint epoch) {
    walk.next = next;
    if (next == 0) {
        walk.prefix = combine(walk_first, walk.prefix);
        end_walk(tile, epoch);
    }
}

// Publishes a tile before it is overwritten, so that no other workgroup reduces it from then on.
void settle(uint tile, uint epoch) {
    publish_tile(tile_entry(tile), epoch, TILE_PREFIX, combine(walk.prefix, walk_aggregate), ENTRY_PARTS, true);
}

bool poll_chain(uint tile, uint epoch) {
    T before;
    const bool ready = load_tile(tile_entry(tile - 1), epoch, before) != TILE_NOT_READY;
    if (ready) {
        count_tiles(1);
        walk.prefix = before;
        end_walk(tile, epoch);
    }
    return ready;
}

#if defined(SCALAR_FALLBACK) && defined(MONOID_EXACT)
uint scalar_stalled = ~0u; // the tile whose elements are being accumulated
uint scalar_next;          // its next element
T scalar_sum;              // reduction of the elements before it

// Accumulates one more element of the polled tile. Called after a poll without a result.
void accumulate_element(uint tile, uint epoch) {
    const uint stalled = stalled_tile_of(0);
    if (scalar_stalled != stalled) {
        scalar_stalled = stalled;
        scalar_next = 0;
        scalar_sum = identity();
    }
    scalar_sum = combine(scalar_sum, element_of_tile(stalled, scalar_next));
    ++scalar_next;
    if (scalar_next == TILE) {
        count_tiles(1);
        walk.prefix = combine(scalar_sum, walk.prefix);
        advance_to(stalled, tile, epoch);
#ifdef INSTRUMENTED
        if (leads_walk()) {
            count_event(COUNT_FALLBACKS, 1);
        }
#endif
    }
}
#endif

// Accumulates the predecessors that are ready. Returns true if there were any.
bool poll(uint i, uint tile, uint epoch) {
    if (STRATEGY == STRATEGY_CHAINED) {
        return poll_chain(tile, epoch);
    }
    if (!all_are_here()) {
        return false; // accumulating the window takes all lanes
    }
    // Lanes are in the order of tiles. The lane right before tile 0 has the reduction of everything before tile 0.
    const uint size = subgroup_size();
    const uint back = size - 1 - lane();
    T value = identity();
    uint state = TILE_PREFIX;
    if (back < walk.next) {
        state = load_tile(tile_entry(walk.next - 1 - back), epoch, value);
    } else if (back == walk.next) {
        value = walk_first;
    }
    const uvec4 prefixes = subgroupBallot(state == TILE_PREFIX);
    const uvec4 missing = other_lanes(subgroupBallot(state != TILE_NOT_READY));
    const int last_prefix = is_any(prefixes) ? int(subgroupBallotFindMSB(prefixes)) : -1;
    const int last_missing = is_any(missing) ? int(subgroupBallotFindMSB(missing)) : -1;
    const bool finished = last_prefix > last_missing;
    const int first = finished ? last_prefix : last_missing + 1;
    const uint taken = size - uint(first);
    if (taken > 0) {
        count_tiles(min(taken, walk.next));
        walk.prefix = combine(subgroup_reduce(int(lane()) >= first ? value : identity()), walk.prefix);
        if (finished) {
            end_walk(tile, epoch);
        } else {
            advance_to(walk.next - taken, tile, epoch);
        }
    }
    return taken > 0;
}

// Publishes the aggregate of the stalled tile for its owner and continues the walk from there. Call it after reduce_tile(stalled). Returns
// true if neither the owner nor another workgroup had published before.
bool publish_fallback(uint i, uint tile, uint stalled, uint epoch) {
    const T value = reduced_value(0);
    const bool first = leads_walk() && insert_tile(tile_entry(stalled), epoch, value);
    // Accumulates the computed value instead of the published one, which may stay torn forever. The computed value is wrong only if the
    // tile was overwritten during the computation. Its owner has then published, and the poll accumulates that value.
    if (!OVERWRITES || !poll(i, tile, epoch)) {
        count_tiles(1);
        walk.prefix = combine(value, walk.prefix);
        if (has_head(value)) {
            end_walk(tile, epoch);
        } else {
            advance_to(stalled, tile, epoch);
        }
    }
    return first;
}
