// Part of monoid.glsl: the monoid of a segmented scan, built on any other.
//
// T becomes an Item, which stands for a range of neighboring elements: the reduction of the elements from the last head on, and a flag that
// is set if there is a head. A right operand with a head discards the left one. Therefore the operator does not commute, even if that of
// the values does.

struct Item {
    T_VALUE value;
    uint head; // 0 or 1
};

T_VALUE value_identity() {
    return identity();
}

T_VALUE value_from_words(uint words[T_WORDS]) {
    return from_words(words);
}

Item item_identity() {
    return Item(identity(), 0);
}

// Converts words to an item without a head. The words do not store the head.
Item item_from_words(uint words[T_WORDS]) {
    return Item(from_words(words), 0);
}

void to_words(Item item, out uint words[T_WORDS]) {
    to_words(item.value, words);
}

Item combine(Item left, Item right) {
    const T_VALUE both = combine(left.value, right.value);
    if (right.head == 0) {
        right.value = both;
    }
    right.head |= left.head;
    return right;
}

Item shuffle(Item item, uint from) {
    const T_VALUE value = shuffle(item.value, from);
    return Item(value, subgroupShuffle(item.head, from));
}

uvec4 heads_of(Item item) {
    await_lanes();
    return subgroupBallot(item.head != 0);
}

// Returns the reduction of all lanes in lane order. Every lane must take part.
Item subgroup_reduce(Item item) {
    const uvec4 heads = heads_of(item);
    T_VALUE value = item.value;
    if (is_any(heads) && lane() < subgroupBallotFindMSB(heads)) {
        value = identity();
    }
    return Item(subgroup_reduce(value), uint(is_any(heads)));
}

// Returns the distance from the lane back to the nearest head, or to lane 0 if there is no head.
uint reach_of(uvec4 heads) {
    const uvec4 here = heads & gl_SubgroupLeMask;
    return lane() - (is_any(here) ? subgroupBallotFindMSB(here) : 0);
}

// Returns the exclusive prefix of a lane, and the total, from the inclusive scan. The lanes must have reconverged.
Item preceding_lane(T_VALUE inclusive, uvec4 heads, out Item total) {
    total = Item(shuffle_together(inclusive, subgroup_size() - 1), uint(is_any(heads)));
    Item before = Item(shuffle_together(inclusive, max(lane(), 1) - 1), uint(is_any(heads & gl_SubgroupLtMask)));
    if (lane() == 0) {
        before.value = identity();
    }
    return before;
}

// Returns the reduction of the lanes before this one. `total` is the same in all lanes. A Kogge-Stone scan that goes back no further than
// to the nearest head.
Item subgroup_exclusive_scan(Item item, out Item total) {
    const uvec4 heads = heads_of(item);
    const uint reach = reach_of(heads);
    for (uint step = 1; step < subgroup_size(); step *= 2) {
        const T_VALUE before = shuffle(item.value, lane() - min(step, lane()));
        if (step <= reach) {
            item.value = combine(before, item.value);
        }
    }
    await_lanes();
    return preceding_lane(item.value, heads, total);
}

// Computes several exclusive scans at once. Each of the lane's items becomes its prefix.
void subgroup_exclusive_scans(inout Item items[SIDE_BY_SIDE], out Item totals[SIDE_BY_SIDE]) {
    uvec4 heads[SIDE_BY_SIDE];
    uint reach[SIDE_BY_SIDE];
    [[unroll]] for (uint i = 0; i < SIDE_BY_SIDE; ++i) {
        heads[i] = heads_of(items[i]);
        reach[i] = reach_of(heads[i]);
    }
    for (uint step = 1; step < subgroup_size(); step *= 2) {
        T_VALUE before[SIDE_BY_SIDE];
        await_lanes();
        [[unroll]] for (uint i = 0; i < SIDE_BY_SIDE; ++i) {
            before[i] = shuffle_together(items[i].value, lane() - min(step, lane()));
        }
        [[unroll]] for (uint i = 0; i < SIDE_BY_SIDE; ++i) {
            if (step <= reach[i]) {
                items[i].value = combine(before[i], items[i].value);
            }
        }
    }
    await_lanes();
    [[unroll]] for (uint i = 0; i < SIDE_BY_SIDE; ++i) {
        items[i] = preceding_lane(items[i].value, heads[i], totals[i]);
    }
}

#undef T
#define T Item
#define identity item_identity
#define from_words item_from_words

#undef MONOID_COMMUTES
#define MONOID_COMMUTES 0
