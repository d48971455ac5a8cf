// Part of monoid.glsl: the monoid of a reduction by key, built on that of a segmented scan.
//
// WEIR_T becomes a Run, which stands for a range of neighboring elements: the reduction of the elements from the last head on, and the
// number of heads. The number of heads depends on all preceding elements, so a tile's aggregate is never its prefix.

struct Run {
    WEIR_T_VALUE value;
    uint heads;
};

Run run_identity() {
    return Run(weir_value_identity(), 0);
}

Item item_of_run(Run run) {
    return Item(run.value, uint(run.heads != 0));
}

Run weir_combine(Run left, Run right) {
    return Run(weir_combine(item_of_run(left), item_of_run(right)).value, left.heads + right.heads);
}

// Tiles publish a value and a count.
#define WEIR_STATE_WORDS (WEIR_T_WORDS + 1)

void weir_to_words(Run run, out uint words[WEIR_STATE_WORDS]) {
    uint value_words[WEIR_T_WORDS];
    weir_to_words(run.value, value_words);
    [[unroll]] for (uint w = 0; w < WEIR_T_WORDS; ++w) {
        words[w] = value_words[w];
    }
    words[WEIR_T_WORDS] = run.heads;
}

Run run_from_words(uint words[WEIR_STATE_WORDS]) {
    uint value_words[WEIR_T_WORDS];
    [[unroll]] for (uint w = 0; w < WEIR_T_WORDS; ++w) {
        value_words[w] = words[w];
    }
    return Run(weir_value_from_words(value_words), words[WEIR_T_WORDS]);
}

Run weir_shuffle_value(Run run, uint from) {
    const WEIR_T_VALUE value = weir_shuffle_value(run.value, from);
    return Run(value, subgroupShuffle(run.heads, from));
}

// Returns the reduction of all lanes in lane order. Every lane must take part.
Run weir_subgroup_reduce(Run run) {
    const Item total = weir_subgroup_reduce(item_of_run(run));
    weir_await_lanes();
    return Run(total.value, subgroupAdd(run.heads));
}

// Returns the reduction of the lanes before this one. `total` is the same in all lanes.
Run weir_subgroup_exclusive_scan(Run run, out Run total) {
    Item item_total;
    const Item before = weir_subgroup_exclusive_scan(item_of_run(run), item_total);
    total = Run(item_total.value, subgroupAdd(run.heads));
    return Run(before.value, subgroupExclusiveAdd(run.heads));
}

// Counts of several chunks share a word. Each chunk has at most 4 heads.
const uint HEADS_BITS = WEIR_SUBGROUP - 1 < 63 ? 8 : 16; // 16 bits for an unknown size (0) or more than 63 lanes
const uint HEADS_FIELDS = 32 / HEADS_BITS;

// Computes several exclusive scans at once. Each of the lane's runs becomes its prefix. Loops over fields are not nested in loops over
// words: NVIDIA's compiler (580) crashes on that in SPIR-V that was not optimized.
void weir_subgroup_exclusive_scans(inout Run runs[WEIR_SIDE_BY_SIDE], out Run totals[WEIR_SIDE_BY_SIDE]) {
    Item items[WEIR_SIDE_BY_SIDE];
    Item item_totals[WEIR_SIDE_BY_SIDE];
    [[unroll]] for (uint i = 0; i < WEIR_SIDE_BY_SIDE; ++i) {
        items[i] = item_of_run(runs[i]);
    }
    weir_subgroup_exclusive_scans(items, item_totals);
    uvec2 counts = uvec2(0); // the second word is used only if the first cannot hold all counts
    [[unroll]] for (uint i = 0; i < WEIR_SIDE_BY_SIDE; ++i) {
        const uint field = runs[i].heads << i % HEADS_FIELDS * HEADS_BITS;
        counts |= i < HEADS_FIELDS ? uvec2(field, 0) : uvec2(0, field);
    }
    uvec2 all = uvec2(subgroupAdd(counts.x), 0), before = uvec2(subgroupExclusiveAdd(counts.x), 0);
    if (HEADS_FIELDS < WEIR_SIDE_BY_SIDE) {
        all.y = subgroupAdd(counts.y);
        before.y = subgroupExclusiveAdd(counts.y);
    }
    [[unroll]] for (uint i = 0; i < WEIR_SIDE_BY_SIDE; ++i) {
        const int shift = int(i % HEADS_FIELDS * HEADS_BITS);
        const bool is_first = i < HEADS_FIELDS;
        runs[i] = Run(items[i].value, bitfieldExtract(is_first ? before.x : before.y, shift, int(HEADS_BITS)));
        totals[i] = Run(item_totals[i].value, bitfieldExtract(is_first ? all.x : all.y, shift, int(HEADS_BITS)));
    }
}

#undef WEIR_T
#define WEIR_T Run
#undef weir_identity
#define weir_identity run_identity
