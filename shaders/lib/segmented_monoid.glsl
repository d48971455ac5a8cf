// The monoid of a segmented scan, made of any other. Part of monoid.glsl.
//
// T becomes an item, which stands for a run of elements: what those from its last head on add to, and whether it has a head. A head
// in the right operand makes the left one forgotten; so order matters even where that of values does not.

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

// The words do not tell of heads: whoever keeps them, must.
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

// All lanes' items in lane order. Every lane must take part.
Item subgroup_reduce(Item item) {
    const uvec4 heads = heads_of(item);
    T_VALUE value = item.value;
    if (is_any(heads) && lane() < subgroupBallotFindMSB(heads)) {
        value = identity();
    }
    return Item(subgroup_reduce(value), uint(is_any(heads)));
}

// Kogge and Stone's, which goes no further back than to the nearest head.
Item scan_up_to_heads(Item item, uvec4 heads) {
    const uvec4 here = heads & gl_SubgroupLeMask;
    const uint reach = lane() - (is_any(here) ? subgroupBallotFindMSB(here) : 0);
    for (uint step = 1; step < subgroup_size(); step *= 2) {
        const T_VALUE before = shuffle(item.value, lane() - min(step, lane()));
        if (step <= reach) {
            item.value = combine(before, item.value);
        }
    }
    item.head = uint(is_any(here));
    return item;
}

Item subgroup_inclusive_scan(Item item) {
    return scan_up_to_heads(item, heads_of(item));
}

// Returns what precedes this lane; `total` is the same in all lanes.
Item subgroup_exclusive_scan(Item item, out Item total) {
    const uvec4 heads = heads_of(item);
    const T_VALUE inclusive = scan_up_to_heads(item, heads).value;
    total = Item(shuffle(inclusive, subgroup_size() - 1), uint(is_any(heads)));
    Item before = Item(shuffle(inclusive, max(lane(), 1) - 1), uint(is_any(heads & gl_SubgroupLtMask)));
    if (lane() == 0) {
        before.value = identity();
    }
    return before;
}

#undef T
#define T Item
#define identity item_identity
#define from_words item_from_words

#undef MONOID_COMMUTES
#define MONOID_COMMUTES 0
