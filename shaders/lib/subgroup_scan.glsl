// Part of monoid.glsl: scans over the lanes of a subgroup by shuffles, for any monoid; see weir_subgroup_scan.glsl.

#include <weir/weir_subgroup_scan.glsl>

// Shuffles a value. Only for calls where lanes have not diverged.
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

// Define subgroup_reduce, subgroup_inclusive_scan and subgroup_exclusive_scan.
#ifdef REDUCED_BY_WORDS
WEIR_SUBGROUP_REDUCE_BY(shuffled, T, combine, shuffle)

T subgroup_reduce(T value) {
    if (REDUCED_BY_WORDS) {
        return reduce_by_words(value);
    }
    return shuffled_reduce(value);
}
#else
WEIR_SUBGROUP_REDUCE_BY(subgroup, T, combine, shuffle)
#endif
WEIR_SUBGROUP_SCAN_BY(subgroup, T, combine, identity(), shuffle)

// Computes several exclusive scans at once. Each of the lane's values becomes its prefix.
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
