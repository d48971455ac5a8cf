// Part of monoid.glsl: the monoid of a segmented scan, built on any other.
//
// WEIR_T becomes an Item, which stands for a range of neighboring elements: the reduction of the elements from the last head on, and a flag
// that is set if there is a head. A right operand with a head discards the left one. Therefore the operator does not commute, even if that
// of the values does.

struct Item {
    WEIR_T_VALUE value;
    uint head; // 0 or 1
};

WEIR_T_VALUE weir_value_identity() {
    return weir_identity();
}

WEIR_T_VALUE weir_value_from_words(uint words[WEIR_T_WORDS]) {
    return weir_from_words(words);
}

Item item_identity() {
    return Item(weir_identity(), 0);
}

// Converts words to an item without a head. The words do not store the head.
Item item_from_words(uint words[WEIR_T_WORDS]) {
    return Item(weir_from_words(words), 0);
}

void weir_to_words(Item item, out uint words[WEIR_T_WORDS]) {
    weir_to_words(item.value, words);
}

Item weir_combine(Item left, Item right) {
    const WEIR_T_VALUE both = weir_combine(left.value, right.value);
    if (right.head == 0) {
        right.value = both;
    }
    right.head |= left.head;
    return right;
}

Item weir_shuffle_value(Item item, uint from) {
    const WEIR_T_VALUE value = weir_shuffle_value(item.value, from);
    return Item(value, subgroupShuffle(item.head, from));
}

uvec4 heads_of(Item item) {
    weir_await_lanes();
    return subgroupBallot(item.head != 0);
}

// Returns the reduction of all lanes in lane order. Every lane must take part.
Item weir_subgroup_reduce(Item item) {
    const uvec4 heads = heads_of(item);
    WEIR_T_VALUE value = item.value;
    if (weir_is_any(heads) && weir_lane() < subgroupBallotFindMSB(heads)) {
        value = weir_identity();
    }
    return Item(weir_subgroup_reduce(value), uint(weir_is_any(heads)));
}

// Returns the distance from the lane back to the nearest head, or to lane 0 if there is no head.
uint reach_of(uvec4 heads) {
    const uvec4 here = heads & gl_SubgroupLeMask;
    return weir_lane() - (weir_is_any(here) ? subgroupBallotFindMSB(here) : 0);
}

// Returns the exclusive prefix of a lane, and the total, from the inclusive scan. The lanes must have reconverged.
Item preceding_lane(WEIR_T_VALUE inclusive, uvec4 heads, out Item total) {
    total = Item(weir_shuffle_together(inclusive, weir_subgroup_size() - 1), uint(weir_is_any(heads)));
    Item before = Item(weir_shuffle_together(inclusive, max(weir_lane(), 1) - 1), uint(weir_is_any(heads & gl_SubgroupLtMask)));
    if (weir_lane() == 0) {
        before.value = weir_identity();
    }
    return before;
}

// Returns the reduction of the lanes before this one. `total` is the same in all lanes. A Kogge-Stone scan that goes back no further than
// to the nearest head.
Item weir_subgroup_exclusive_scan(Item item, out Item total) {
    const uvec4 heads = heads_of(item);
    const uint reach = reach_of(heads);
    for (uint step = 1; step < weir_subgroup_size(); step *= 2) {
        const WEIR_T_VALUE before = weir_shuffle_value(item.value, weir_lane() - min(step, weir_lane()));
        if (step <= reach) {
            item.value = weir_combine(before, item.value);
        }
    }
    weir_await_lanes();
    return preceding_lane(item.value, heads, total);
}

// Computes several exclusive scans at once. Each of the lane's items becomes its prefix.
void weir_subgroup_exclusive_scans(inout Item items[WEIR_SIDE_BY_SIDE], out Item totals[WEIR_SIDE_BY_SIDE]) {
    uvec4 heads[WEIR_SIDE_BY_SIDE];
    uint reach[WEIR_SIDE_BY_SIDE];
    [[unroll]] for (uint i = 0; i < WEIR_SIDE_BY_SIDE; ++i) {
        heads[i] = heads_of(items[i]);
        reach[i] = reach_of(heads[i]);
    }
    for (uint step = 1; step < weir_subgroup_size(); step *= 2) {
        WEIR_T_VALUE before[WEIR_SIDE_BY_SIDE];
        weir_await_lanes();
        [[unroll]] for (uint i = 0; i < WEIR_SIDE_BY_SIDE; ++i) {
            before[i] = weir_shuffle_together(items[i].value, weir_lane() - min(step, weir_lane()));
        }
        [[unroll]] for (uint i = 0; i < WEIR_SIDE_BY_SIDE; ++i) {
            if (step <= reach[i]) {
                items[i].value = weir_combine(before[i], items[i].value);
            }
        }
    }
    weir_await_lanes();
    [[unroll]] for (uint i = 0; i < WEIR_SIDE_BY_SIDE; ++i) {
        items[i] = preceding_lane(items[i].value, heads[i], totals[i]);
    }
}

#undef WEIR_T
#define WEIR_T Item
#define weir_identity item_identity
#define weir_from_words item_from_words

#undef WEIR_MONOID_COMMUTES
#define WEIR_MONOID_COMMUTES 0
