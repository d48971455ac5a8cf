// Part of look_back.glsl, for tiles of many values. Each column of values is a chain of its own. One invocation walks a column backwards,
// one predecessor at a time. Neighboring invocations read neighboring words, so that one step of all walks reads whole cache lines.

const uint WEIR_WALKS = (WEIR_COLUMNS + WEIR_WORKGROUP - 1) / WEIR_WORKGROUP;

// The look-back of one column.
struct weir_Walk {
    WEIR_T aggregate; // of the workgroup's own tile
    WEIR_T prefix;    // reduction of the tiles from `next` to the predecessor of the own tile
    uint next;        // number of predecessors not yet accumulated; 0 ends the walk
};
weir_Walk walks[WEIR_WALKS];

uint weir_walk_column(uint walk) {
    return weir_invocation() * WEIR_WALKS + walk;
}

bool walks_column(uint walk) {
    return weir_walk_column(walk) < WEIR_COLUMNS;
}

// Returns true if this invocation acts for the walk where exactly one must.
bool weir_leads_walk() {
    return true;
}

bool weir_is_walking(uint walk) {
    return walks_column(walk) && walks[walk].next > 0;
}

uint weir_stalled_tile_of(uint walk) {
    return walks[walk].next - 1;
}

// Tiles of one chain are numbered from 0. Several chains may share the buffer of tile states.
#ifndef WEIR_FIRST_TILE
#define WEIR_FIRST_TILE 0
#endif

uint weir_tile_entry(uint tile, uint column) {
    return WEIR_FIRST_ENTRY + (WEIR_FIRST_TILE + tile) * WEIR_COLUMNS + column;
}

void weir_share_walks() {
}

void publish_prefix(uint walk, uint tile, uint epoch) {
    weir_publish(weir_tile_entry(tile, weir_walk_column(walk)), tile, epoch, WEIR_TILE_PREFIX,
                 weir_combine(walks[walk].prefix, walks[walk].aggregate), true);
}

// Publishes the tile's aggregate of the column and starts the walk. Only for the invocations of walks_column(walk).
void weir_begin_walk(uint walk, uint tile, uint epoch, WEIR_T aggregate) {
    walks[walk].aggregate = aggregate;
    walks[walk].prefix = weir_identity();
    walks[walk].next = tile;
    weir_publish(weir_tile_entry(tile, weir_walk_column(walk)), tile, epoch, tile == 0 ? WEIR_TILE_PREFIX : WEIR_TILE_AGGREGATE, aggregate,
                 false);
}

// State and value of the next predecessor.
struct Poll {
    uint state;
    WEIR_T value;
};

Poll load_predecessor(uint walk, uint epoch) {
    Poll seen;
    seen.state = weir_load_tile(weir_tile_entry(weir_stalled_tile_of(walk), weir_walk_column(walk)), epoch, seen.value);
    return seen;
}

// Counts a tile once, for its first column.
void count_column_tile(uint walk) {
    if (weir_walk_column(walk) == 0) {
        weir_count_tiles(1);
    }
}

// Adds `seen` to the prefix if it was ready. Returns true if it was.
bool accumulate(uint walk, Poll seen, uint tile, uint epoch) {
    if (seen.state == WEIR_TILE_NOT_READY) {
        return false;
    }
    count_column_tile(walk);
    walks[walk].prefix = weir_combine(seen.value, walks[walk].prefix);
    walks[walk].next = seen.state == WEIR_TILE_PREFIX ? 0 : walks[walk].next - 1;
    if (walks[walk].next == 0) {
        publish_prefix(walk, tile, epoch);
    }
    return true;
}

bool weir_poll(uint walk, uint tile, uint epoch) {
    return accumulate(walk, load_predecessor(walk, epoch), tile, epoch);
}

// A poll before look_back, in two steps, so that the kernel can do other work during the load.
struct EarlyPoll {
    bool is_made;
    Poll seen;
};

EarlyPoll begin_poll(uint walk, bool wanted, uint epoch) {
    EarlyPoll early;
    early.is_made = wanted && weir_is_walking(walk);
    if (early.is_made) {
        early.seen = load_predecessor(walk, epoch);
    }
    return early;
}

void end_poll(uint walk, EarlyPoll early, uint tile, uint epoch) {
    if (early.is_made) {
        weir_count_poll(accumulate(walk, early.seen, tile, epoch));
    }
}

// Publishes the aggregate of the stalled tile for its owner and continues the walk from there. Call it after weir_reduce_tile(stalled).
// Returns true if neither the owner nor another workgroup had published before.
bool weir_publish_fallback(uint walk, uint tile, uint stalled, uint epoch) {
    const WEIR_T value = weir_reduced_value(weir_walk_column(walk));
    const bool first = weir_insert_tile(weir_tile_entry(stalled, weir_walk_column(walk)), epoch, value);
    // Accumulates the computed value instead of the published one, which may stay torn forever.
    if (weir_stalled_tile_of(walk) == stalled) {
        count_column_tile(walk);
        walks[walk].prefix = weir_combine(value, walks[walk].prefix);
        walks[walk].next = stalled;
        if (stalled == 0) {
            publish_prefix(walk, tile, epoch);
        }
    }
    return first;
}
