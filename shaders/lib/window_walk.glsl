// Part of look_back.glsl, for tiles of one value and exact operators. One subgroup walks backwards and polls a window of as many
// predecessors at once as it has lanes. A tile publishes its aggregate, and later its inclusive prefix in the same entry. The walk ends at
// the nearest prefix. Therefore the grouping of operands depends on the times at which tiles are published.

const uint WEIR_WALKS = 1;

struct weir_Walk {
    WEIR_T prefix; // reduction of the tiles from `next` to the predecessor of the own tile
    uint next;     // number of predecessors not yet accumulated; 0 ends the walk
};
weir_Walk weir_walk;

WEIR_T weir_walk_aggregate;
WEIR_T weir_walk_first; // reduction of everything before tile 0

shared WEIR_T weir_exclusive_prefix; // the tile's exclusive prefix

uint weir_walk_column(uint i) {
    return 0;
}

bool weir_leads_walk() {
    return weir_lane() == 0;
}

bool weir_is_walking(uint i) {
    return gl_SubgroupID == 0 && weir_walk.next > 0;
}

uint weir_stalled_tile_of(uint i) {
    return weir_walk.next - 1;
}

uint weir_tile_entry(uint tile) {
    return WEIR_FIRST_ENTRY + tile * WEIR_ENTRY_STRIDE;
}

bool weir_is_read(uint word, uint tiles) {
    return word + WEIR_ENTRY_STRIDE < weir_tile_entry(tiles);
}

// Publishes the tile's aggregate and begins the look-back. `first` is the reduction of everything before tile 0.
void weir_begin_walk(uint tile, uint epoch, WEIR_T aggregate, WEIR_T first) {
    weir_walk_aggregate = aggregate;
    weir_walk_first = first;
    weir_walk.prefix = tile == 0 ? first : weir_identity();
    weir_walk.next = tile;
    if (weir_invocation() == 0) {
        weir_publish(weir_tile_entry(tile), tile, epoch, tile == 0 ? WEIR_TILE_PREFIX : weir_aggregate_state(aggregate),
                     weir_combine(weir_walk.prefix, aggregate), false);
    }
}

// Makes the result known to the workgroup. Call it before a barrier.
void weir_share_walks() {
    if (weir_invocation() == 0) {
        weir_exclusive_prefix = weir_walk.prefix;
    }
}

void weir_end_walk(uint tile, uint epoch) {
    weir_walk.next = 0;
    if (weir_leads_walk() && !weir_has_head(weir_walk_aggregate)) {
        weir_publish(weir_tile_entry(tile), tile, epoch, WEIR_TILE_PREFIX, weir_combine(weir_walk.prefix, weir_walk_aggregate), true);
    }
}

// Continues the walk after the aggregates of all tiles from `next` on were accumulated.
void weir_advance_to(uint next, uint tile, uint epoch) {
    weir_walk.next = next;
    if (next == 0) {
        weir_walk.prefix = weir_combine(weir_walk_first, weir_walk.prefix);
        weir_end_walk(tile, epoch);
    }
}

// Publishes a tile before it is overwritten, so that no other workgroup reduces it from then on.
void weir_settle(uint tile, uint epoch) {
    weir_store_tile(weir_tile_entry(tile), epoch, WEIR_TILE_PREFIX, weir_combine(weir_walk.prefix, weir_walk_aggregate), WEIR_ENTRY_PARTS,
                    true);
}

// Accumulates the predecessors that are ready. Returns true if there were any.
bool weir_poll(uint i, uint tile, uint epoch) {
    if (!weir_all_are_here()) {
        return false; // accumulating the window takes all lanes
    }
    // Lanes are in the order of tiles. The lane right before tile 0 has the reduction of everything before tile 0.
    const uint size = weir_subgroup_size();
    const uint back = size - 1 - weir_lane();
    WEIR_T value = weir_identity();
    uint state = WEIR_TILE_PREFIX;
    if (back < weir_walk.next) {
        state = weir_load_tile(weir_tile_entry(weir_walk.next - 1 - back), epoch, value);
    } else if (back == weir_walk.next) {
        value = weir_walk_first;
    }
    const uvec4 prefixes = subgroupBallot(state == WEIR_TILE_PREFIX);
    const uvec4 missing = weir_other_lanes(subgroupBallot(state != WEIR_TILE_NOT_READY));
    const int last_prefix = weir_is_any(prefixes) ? int(subgroupBallotFindMSB(prefixes)) : -1;
    const int last_missing = weir_is_any(missing) ? int(subgroupBallotFindMSB(missing)) : -1;
    const bool finished = last_prefix > last_missing;
    const int first = finished ? last_prefix : last_missing + 1;
    const uint taken = size - uint(first);
    if (taken > 0) {
        weir_count_tiles(min(taken, weir_walk.next));
        weir_walk.prefix = weir_combine(weir_subgroup_reduce(int(weir_lane()) >= first ? value : weir_identity()), weir_walk.prefix);
        if (finished) {
            weir_end_walk(tile, epoch);
        } else {
            weir_advance_to(weir_walk.next - taken, tile, epoch);
        }
    }
    return taken > 0;
}

// Publishes the aggregate of the stalled tile for its owner and continues the walk from there. Call it after weir_reduce_tile(stalled).
// Returns true if neither the owner nor another workgroup had published before.
bool weir_publish_fallback(uint i, uint tile, uint stalled, uint epoch) {
    const WEIR_T value = weir_reduced_value(0);
    const bool first = weir_leads_walk() && weir_insert_tile(weir_tile_entry(stalled), epoch, value);
    // Accumulates the computed value instead of the published one, which may stay torn forever. The computed value is wrong only if the
    // tile was overwritten during the computation. Its owner has then published, and the poll accumulates that value.
    if (!WEIR_OVERWRITES || !weir_poll(i, tile, epoch)) {
        weir_count_tiles(1);
        weir_walk.prefix = weir_combine(value, weir_walk.prefix);
        if (weir_has_head(value)) {
            weir_end_walk(tile, epoch);
        } else {
            weir_advance_to(stalled, tile, epoch);
        }
    }
    return first;
}
