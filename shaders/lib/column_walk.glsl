// Part of look_back.glsl: many values to a tile, each column of them a chain that one invocation walks backwards, one predecessor
// at a time: neighbouring invocations read neighbouring words, so a step of all of them is a few whole cache lines.

const uint WALKS = (COLUMNS + WORKGROUP - 1) / WORKGROUP;

// A walk down one column: `prefix` is what the tiles from `next` up to the walker's own add to; 0 ends the walk.
struct Walk {
    T aggregate; // of the walker's own tile
    T prefix;
    uint next;
};
Walk walks[WALKS];

uint walk_column(uint walk) {
    return invocation() * WALKS + walk;
}

bool walks_column(uint walk) {
    return walk_column(walk) < COLUMNS;
}

// Whether one invocation speaks for the walk.
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

// For the invocations of walks_column(walk): posts what the tile has in the column and sets out from there.
void begin_walk(uint walk, uint tile, uint epoch, T aggregate) {
    walks[walk].aggregate = aggregate;
    walks[walk].prefix = identity();
    walks[walk].next = tile;
    publish(tile_entry(tile, walk_column(walk)), tile, epoch, tile == 0 ? TILE_PREFIX : TILE_AGGREGATE, aggregate, false);
}

// What the next predecessor has published.
struct Poll {
    uint state;
    T value;
};

Poll load_predecessor(uint walk, uint epoch) {
    Poll seen;
    seen.state = load_tile(tile_entry(stalled_tile_of(walk), walk_column(walk)), epoch, seen.value);
    return seen;
}

// Adds it to the prefix if it was ready. Returns whether it was.
bool accumulate(uint walk, Poll seen, uint tile, uint epoch) {
    if (seen.state == TILE_NOT_READY) {
        return false;
    }
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

// A poll before look_back, in two steps, so that the kernel does something else while the load is under way.
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

// After reduce_tile(stalled): posts its value for others. Returns whether this was the first post.
bool publish_fallback(uint walk, uint tile, uint stalled, uint epoch) {
    const T value = reduced_value(walk_column(walk));
    const bool first = insert_tile(tile_entry(stalled, walk_column(walk)), epoch, value);
    // What was computed is taken in, not what is posted by now: the walk goes on even if that is torn for ever.
    if (stalled_tile_of(walk) == stalled) {
        walks[walk].prefix = combine(value, walks[walk].prefix);
        walks[walk].next = stalled;
        if (stalled == 0) {
            publish_prefix(walk, tile, epoch);
        }
    }
    return first;
}
