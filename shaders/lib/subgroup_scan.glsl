// Part of monoid.glsl: scans over the lanes of a subgroup by shuffles, for any monoid.
//
// The order of operations is the same at every call, which subgroup operations of the driver do not promise for floats. So a tile that is
// reduced twice, by its owner and by a fallback, has the same bits both times.

// For calls where lanes have not diverged.
T shuffle_together(T value, uint from) {
    uint words[T_WORDS];
    to_words(value, words);
    [[unroll]] for (uint i = 0; i < T_WORDS; ++i) {
        words[i] = subgroupShuffle(words[i], from);
    }
    return from_words(words);
}

T shuffle(T value, uint from) {
    await_lanes();
    return shuffle_together(value, from);
}

// The reduction of all lanes' values, in the order of lanes. Every lane must take part.
T subgroup_reduce(T value) {
#ifdef REDUCED_BY_WORDS
    if (REDUCED_BY_WORDS) {
        return reduce_by_words(value);
    }
#endif
    for (uint step = 1; step < subgroup_size(); step *= 2) {
        T left = value;
        T right = shuffle(value, lane() ^ step);
        if ((lane() & step) != 0) {
            value = right;
            right = left;
            left = value;
        }
        value = combine(left, right);
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

// Returns the lane's exclusive prefix; `total` is the same in all lanes.
T subgroup_exclusive_scan(T value, out T total) {
    const T inclusive = subgroup_inclusive_scan(value);
    total = shuffle(inclusive, subgroup_size() - 1);
    T before = shuffle(inclusive, max(lane(), 1) - 1);
    if (lane() == 0) {
        before = identity();
    }
    return before;
}

// Several exclusive scans, each as above; a lane's values become its prefixes.
void subgroup_exclusive_scans(inout T values[SIDE_BY_SIDE], out T totals[SIDE_BY_SIDE]) {
    for (uint step = 1; step < subgroup_size(); step *= 2) {
        T before[SIDE_BY_SIDE];
        await_lanes();
        [[unroll]] for (uint i = 0; i < SIDE_BY_SIDE; ++i) {
            before[i] = shuffle_together(values[i], lane() - min(step, lane()));
        }
        if (lane() >= step) {
            [[unroll]] for (uint i = 0; i < SIDE_BY_SIDE; ++i) {
                values[i] = combine(before[i], values[i]);
            }
        }
    }
    await_lanes();
    [[unroll]] for (uint i = 0; i < SIDE_BY_SIDE; ++i) {
        totals[i] = shuffle_together(values[i], subgroup_size() - 1);
        values[i] = shuffle_together(values[i], max(lane(), 1) - 1);
        if (lane() == 0) {
            values[i] = identity();
        }
    }
}
