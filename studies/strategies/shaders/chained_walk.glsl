// Part of look_back.glsl. A tile publishes its prefix once the tile before it has. A tile with a head publishes at once.

const uint WEIR_WALKS = 1;

struct weir_Walk {
    WEIR_T prefix;
    bool walking;
};
weir_Walk weir_walk;
WEIR_T weir_walk_aggregate;

shared WEIR_T weir_exclusive_prefix; // the tile's exclusive prefix

bool weir_leads_walk() {
    return weir_lane() == 0;
}

bool weir_is_walking(uint i) {
    return weir_walk.walking;
}

uint weir_tile_entry(uint tile) {
    return WEIR_FIRST_ENTRY + tile * WEIR_ENTRY_STRIDE;
}

bool weir_is_read(uint word, uint tiles) {
    return word + WEIR_ENTRY_STRIDE < weir_tile_entry(tiles);
}

// Begins the look-back. `first` is the reduction of everything before tile 0.
void weir_begin_walk(uint tile, uint epoch, WEIR_T aggregate, WEIR_T first) {
    weir_walk_aggregate = aggregate;
    weir_walk.prefix = first;
    weir_walk.walking = gl_SubgroupID == 0 && tile > 0;
    if (weir_invocation() == 0 && (tile == 0 || weir_has_head(aggregate))) {
        weir_publish(weir_tile_entry(tile), tile, epoch, WEIR_TILE_PREFIX, tile == 0 ? weir_combine(first, aggregate) : aggregate, false);
    }
}

// Makes the result known to the workgroup. Call it before a barrier.
void weir_share_walks() {
    if (weir_invocation() == 0) {
        weir_exclusive_prefix = weir_walk.prefix;
    }
}

// A tile without a head has published its prefix before it is overwritten, and nothing else reads its elements.
void weir_settle(uint tile, uint epoch) {
}

// Takes the prefix of the tile before. Returns true if it was published.
bool weir_poll(uint i, uint tile, uint epoch) {
    WEIR_T before;
    const bool ready = weir_load_tile(weir_tile_entry(tile - 1), epoch, before) != WEIR_TILE_NOT_READY;
    if (ready) {
        weir_count_tiles(1);
        weir_walk.prefix = before;
        weir_walk.walking = false;
        if (weir_leads_walk() && !weir_has_head(weir_walk_aggregate)) {
            weir_publish(weir_tile_entry(tile), tile, epoch, WEIR_TILE_PREFIX, weir_combine(before, weir_walk_aggregate), false);
        }
    }
    return ready;
}
