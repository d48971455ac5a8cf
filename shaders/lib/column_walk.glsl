// Part of look_back.glsl, for tiles of many values. Each column of values is a chain of its own. One invocation walks a column backwards,
// one predecessor at a time. Neighboring invocations read neighboring words, so that one step of all walks reads whole cache lines.

const uint WALKS = (COLUMNS + WORKGROUP - 1) / WORKGROUP;

// The look-back of one column.
struct Walk {
    T aggregate; // of the workgroup's own tile
    T prefix;    // reduction of the tiles from `next` to the predecessor of the own tile
    uint next;   // number of predecessors not yet accumulated; 0 ends the walk
};
Walk walks[WALKS];

uint walk_column(uint walk) {
    return invocation() * WALKS + walk;
}

bool walks_column(uint walk) {
    return walk_column(walk) < COLUMNS;
}

// Returns true if this invocation acts for the walk where exactly one must.
bool leads_walk() {
    return true;
}

bool is_walking(uint walk) {
    return walks_column(walk) && walks[walk].next > 0;
}

uint stalled_tile_of(uint walk) {
    return walks[walk].next - 1;
}

uint tile_entry(uint tile, uint column) {
    return FIRST_ENTRY + tile * COLUMNS + column;
}

void share_walks() {
}

void publish_prefix(uint walk, uint tile, uint epoch) {
    publish(tile_entry(tile, walk_column(walk)), tile, epoch, TILE_PREFIX, combine(walks[walk].prefix, walks[walk].aggregate), true);
}

// Publishes the tile's aggregate of the column and starts the walk. Only for the invocations of walks_column(walk).
void begin_walk(uint walk, uint tile, uint epoch, T aggregate) {
    walks[walk].aggregate = aggregate;
    walks[walk].prefix = identity();
    walks[walk].next = tile;
    publish(tile_entry(tile, walk_column(walk)), tile, epoch, tile == 0 ? TILE_PREFIX : TILE_AGGREGATE, aggregate, false);
}

// State and value of the next predecessor.
struct Poll {
    uint state;
    T value;
};

Poll load_predecessor(uint walk, uint epoch) {
    Poll seen;
    seen.state = load_tile(tile_entry(stalled_tile_of(walk), walk_column(walk)), epoch, seen.value);
    return seen;
}

// Counts a tile once, for its first column.
void count_column_tile(uint walk) {
    if (walk_column(walk) == 0) {
        count_tiles(1);
    }
}

// Adds `seen` to the prefix if it was ready. Returns true if it was.
bool accumulate(uint walk, Poll seen, uint tile, uint epoch) {
    if (seen.state == TILE_NOT_READY) {
        return false;
    }
    count_column_tile(walk);
    walks[walk].prefix = combine(seen.value, walks[walk].prefix);
    walks[walk].next = seen.state == TILE_PREFIX ? 0 : walks[walk].next - 1;
    if (walks[walk].next == 0) {
        publish_prefix(walk, tile, epoch);
    }
    return true;
}

bool poll(uint walk, uint tile, uint epoch) {
    return accumulate(walk, load_predecessor(walk, epoch), tile, epoch);
}

// A poll before look_back, in two steps, so that the kernel can do other work during the load.
struct EarlyPoll {
    bool is_made;
    Poll seen;
};

EarlyPoll begin_poll(uint walk, bool wanted, uint epoch) {
    EarlyPoll early;
    early.is_made = wanted && is_walking(walk);
    if (early.is_made) {
        early.seen = load_predecessor(walk, epoch);
    }
    return early;
}

void end_poll(uint walk, EarlyPoll early, uint tile, uint epoch) {
    if (early.is_made) {
        count_poll(accumulate(walk, early.seen, tile, epoch));
    }
}

// Publishes the aggregate of the stalled tile for its owner and continues the walk from there. Call it after reduce_tile(stalled). Returns
// true if neither the owner nor another workgroup had published before.
bool publish_fallback(uint walk, uint tile, uint stalled, uint epoch) {
    const T value = reduced_value(walk_column(walk));
    const bool first = insert_tile(tile_entry(stalled, walk_column(walk)), epoch, value);
    // Accumulates the computed value instead of the published one, which may stay torn forever.
    if (stalled_tile_of(walk) == stalled) {
        count_column_tile(walk);
        walks[walk].prefix = combine(value, walks[walk].prefix);
        walks[walk].next = stalled;
        if (stalled == 0) {
            publish_prefix(walk, tile, epoch);
        }
    }
    return first;
}
