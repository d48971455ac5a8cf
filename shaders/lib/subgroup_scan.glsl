// Scans over the lanes of a subgroup for any monoid, by shuffles. Part of monoid.glsl.
//
// The order of the operations is written out here and the same at every call, which what the driver offers for floats is not
// bound to: so a value that is computed twice, by a tile and in its place, has the same bits.

T shuffle(T value, uint from) {
    await_lanes();
    uint words[T_WORDS];
    to_words(value, words);
    [[unroll]] for (uint i = 0; i < T_WORDS; ++i) {
        words[i] = subgroupShuffle(words[i], from);
    }
    return from_words(words);
}

// All lanes' values in lane order. Every lane must take part.
T subgroup_reduce(T value) {
    for (uint step = 1; step < subgroup_size(); step *= 2) {
        const T other = shuffle(value, lane() ^ step);
        if ((lane() & step) == 0) {
            value = combine(value, other);
        } else {
            value = combine(other, value);
        }
    }
    return value;
}

// Kogge and Stone's.
T subgroup_inclusive_scan(T value) {
    for (uint step = 1; step < subgroup_size(); step *= 2) {
        const T before = shuffle(value, lane() - min(step, lane()));
        if (lane() >= step) {
            value = combine(before, value);
        }
    }
    return value;
}

// Returns what precedes this lane; `total` is the same in all lanes.
T subgroup_exclusive_scan(T value, out T total) {
    const T inclusive = subgroup_inclusive_scan(value);
    total = shuffle(inclusive, subgroup_size() - 1);
    T before = shuffle(inclusive, max(lane(), 1) - 1);
    if (lane() == 0) {
        before = identity();
    }
    return before;
}
