// The monoid of a reduction by key, made of that of a segmented scan. Part of monoid.glsl.
//
// T becomes a Run, which stands for some elements: what those from their last head on add to, and how many heads they have. Since the
// count goes on behind a head, what precedes always matters, and no tile is done with its own aggregate.

struct Run {
    T_VALUE value;
    uint heads;
};

Run run_identity() {
    return Run(value_identity(), 0);
}

Item item_of_run(Run run) {
    return Item(run.value, uint(run.heads != 0));
}

Run combine(Run left, Run right) {
    return Run(combine(item_of_run(left), item_of_run(right)).value, left.heads + right.heads);
}

// What tiles tell each other is a value and a count.
#define STATE_WORDS (T_WORDS + 1)

void to_words(Run run, out uint words[STATE_WORDS]) {
    uint value_words[T_WORDS];
    to_words(run.value, value_words);
    [[unroll]] for (uint w = 0; w < T_WORDS; ++w) {
        words[w] = value_words[w];
    }
    words[T_WORDS] = run.heads;
}

Run run_from_words(uint words[STATE_WORDS]) {
    uint value_words[T_WORDS];
    [[unroll]] for (uint w = 0; w < T_WORDS; ++w) {
        value_words[w] = words[w];
    }
    return Run(value_from_words(value_words), words[T_WORDS]);
}

Run shuffle(Run run, uint from) {
    const T_VALUE value = shuffle(run.value, from);
    return Run(value, subgroupShuffle(run.heads, from));
}

// All lanes' runs in lane order. Every lane must take part.
Run subgroup_reduce(Run run) {
    const Item total = subgroup_reduce(item_of_run(run));
    await_lanes();
    return Run(total.value, subgroupAdd(run.heads));
}

// Returns what precedes this lane; `total` is the same in all lanes.
Run subgroup_exclusive_scan(Run run, out Run total) {
    Item item_total;
    const Item before = subgroup_exclusive_scan(item_of_run(run), item_total);
    total = Run(item_total.value, subgroupAdd(run.heads));
    return Run(before.value, subgroupExclusiveAdd(run.heads));
}

// The counts of several chunks, each of 4 heads at most, share a word.
const uint HEADS_BITS = SUBGROUP - 1 < 63 ? 8 : 16; // an unknown size is larger than any
const uint HEADS_FIELDS = 32 / HEADS_BITS;

// Several exclusive scans, each as above: of chunks of a lane, which become what precedes it.
void subgroup_exclusive_scans(inout Run runs[SIDE_BY_SIDE], out Run totals[SIDE_BY_SIDE]) {
    Item items[SIDE_BY_SIDE];
    Item item_totals[SIDE_BY_SIDE];
    [[unroll]] for (uint i = 0; i < SIDE_BY_SIDE; ++i) {
        items[i] = item_of_run(runs[i]);
    }
    subgroup_exclusive_scans(items, item_totals);
    [[unroll]] for (uint first = 0; first < SIDE_BY_SIDE; first += HEADS_FIELDS) {
        uint counts = 0;
        [[unroll]] for (uint f = 0; f < HEADS_FIELDS; ++f) {
            counts |= runs[first + f].heads << f * HEADS_BITS;
        }
        const uint all = subgroupAdd(counts);
        const uint before = subgroupExclusiveAdd(counts);
        [[unroll]] for (uint f = 0; f < HEADS_FIELDS; ++f) {
            const int shift = int(f * HEADS_BITS);
            runs[first + f] = Run(items[first + f].value, bitfieldExtract(before, shift, int(HEADS_BITS)));
            totals[first + f] = Run(item_totals[first + f].value, bitfieldExtract(all, shift, int(HEADS_BITS)));
        }
    }
}

#undef T
#define T Run
#undef identity
#define identity run_identity
