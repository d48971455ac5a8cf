// Part of monoid.glsl: scans over the lanes of a subgroup by shuffles, for any monoid; see weir_subgroup_scan.glsl.

#include <weir/weir_subgroup_scan.glsl>

// Shuffles a value. Only for calls where lanes have not diverged.
WEIR_T weir_shuffle_together(WEIR_T value, uint from) {
    uint words[WEIR_T_WORDS];
    weir_to_words(value, words);
    [[unroll]] for (uint i = 0; i < WEIR_T_WORDS; ++i) {
        words[i] = subgroupShuffle(words[i], from);
    }
    return weir_from_words(words);
}

WEIR_T weir_shuffle_value(WEIR_T value, uint from) {
    weir_await_lanes();
    return weir_shuffle_together(value, from);
}

// Define weir_subgroup_reduce, weir_subgroup_inclusive_scan and weir_subgroup_exclusive_scan.
#ifdef WEIR_REDUCED_BY_WORDS
WEIR_SUBGROUP_REDUCE_BY(weir_shuffled, WEIR_T, weir_combine, weir_shuffle_value)

WEIR_T weir_subgroup_reduce(WEIR_T value) {
    if (WEIR_REDUCED_BY_WORDS) {
        return weir_reduce_by_words(value);
    }
    return weir_shuffled_reduce(value);
}
#else
WEIR_SUBGROUP_REDUCE_BY(weir_subgroup, WEIR_T, weir_combine, weir_shuffle_value)
#endif
WEIR_SUBGROUP_SCAN_BY(weir_subgroup, WEIR_T, weir_combine, weir_identity(), weir_shuffle_value)

// Computes several exclusive scans at once. Each of the lane's values becomes its prefix.
void weir_subgroup_exclusive_scans(inout WEIR_T values[WEIR_SIDE_BY_SIDE], out WEIR_T totals[WEIR_SIDE_BY_SIDE]) {
    for (uint step = 1; step < weir_subgroup_size(); step *= 2) {
        WEIR_T before[WEIR_SIDE_BY_SIDE];
        weir_await_lanes();
        [[unroll]] for (uint i = 0; i < WEIR_SIDE_BY_SIDE; ++i) {
            before[i] = weir_shuffle_together(values[i], weir_lane() - min(step, weir_lane()));
        }
        if (weir_lane() >= step) {
            [[unroll]] for (uint i = 0; i < WEIR_SIDE_BY_SIDE; ++i) {
                values[i] = weir_combine(before[i], values[i]);
            }
        }
    }
    weir_await_lanes();
    [[unroll]] for (uint i = 0; i < WEIR_SIDE_BY_SIDE; ++i) {
        totals[i] = weir_shuffle_together(values[i], weir_subgroup_size() - 1);
        values[i] = weir_shuffle_together(values[i], max(weir_lane(), 1) - 1);
        if (weir_lane() == 0) {
            values[i] = weir_identity();
        }
    }
}
