#include "tests/primitives/compaction_cases.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::runs_test {
namespace {

const OnOneDriver on_one_driver{"Unique.*", "RunLength.RunsOf*", "RunLength.OneElement"};
const Sweeps sweeps{"RunLength.EveryCount*", "RunLength.MoreHeads*"};

TEST(Unique, WordsStructsAndByKey) {
    const std::uint32_t most = 3 * small_compaction_tile() + 1;
    const Words items = runs(most, 5);
    std::vector<std::array<std::uint32_t, 3>> triples(most);
    std::vector<std::uint64_t> values(most);
    for (std::uint32_t i = 0; i < most; ++i) {
        triples[i] = {items[i] / 3, 7, items[i]};
        values[i] = (std::uint64_t{i} << 32) + items[i];
    }
    Trial trial(most);
    const auto in = trial.input("in", items);
    const auto out = trial.output("out", most), indices = trial.output("indices", most),
               count = trial.output("count", 1), keys = trial.output("keys", most);
    const auto of_triples = trial.output<std::array<std::uint32_t, 3>>("of triples", most);
    const auto kept = trial.output<std::uint64_t>("values of keys", most);
    unique(trial.graph, in,
           {.output = out, .output_indices = indices, .output_count = count, .tuning = small_compaction()});
    unique(trial.graph, trial.input("triples", triples), {.output = of_triples, .tuning = small_compaction()});
    unique_by_key(trial.graph, in, trial.input("values", values),
                  {.key_options = {.output = keys, .tuning = small_compaction()}, .output_values = kept});
    for (std::uint32_t n = 0; n <= most && !HasFailure(); ++n) {
        SCOPED_TRACE(n);
        trial.run(n);
        const Words heads = indices_where(n, [&](std::uint32_t i) { return is_head(items, i); });
        trial.expect(indices, heads);
        trial.expect(out, items_at(items, heads));
        trial.expect(keys, items_at(items, heads));
        trial.expect(count, {count_of(heads)});
        trial.expect(of_triples, items_at(words_of(triples), heads, 3));
        trial.expect(kept, items_at(words_of(values), heads, 2));
    }
}

/// A program that encodes the first n elements of `items`; n is set for each run.
class Encoder {
public:
    Encoder(const Words& items, std::uint32_t capacity, RunLengthOptions<std::uint32_t> options,
            Count::Kind kind = Count::Kind::parameter, const Instrument& instrument = {})
        : items_(items), capacity_(capacity), repeated_only_(options.repeated_only), trial_(count_of(items), kind) {
        const auto in = trial_.input("in", items);
        values_ = options.output_values = trial_.output("values", capacity);
        lengths_ = options.output_lengths = trial_.output("lengths", capacity);
        offsets_ = options.output_offsets = trial_.output("offsets", capacity);
        count_ = options.output_count = trial_.output("count", 1);
        const auto scope = weir::testing::instrument(trial_.graph, instrument);
        run_length_encode(trial_.graph, in, options);
    }

    void check(std::uint32_t n) {
        Words heads, lengths;
        for (std::uint32_t i = 0; i < n;) {
            const std::uint32_t head = i;
            do {
                ++i;
            } while (i < n && !is_head(items_, i));
            if (!repeated_only_ || i - head > 1) {
                heads.push_back(head);
                lengths.push_back(i - head);
            }
        }
        trial_.run(n);
        trial_.expect(count_, {count_of(heads)});
        trial_.expect(offsets_, at_most(heads, capacity_));
        trial_.expect(values_, at_most(items_at(items_, heads), capacity_));
        trial_.expect(lengths_, at_most(lengths, capacity_));
    }

private:
    Words items_;
    std::uint32_t capacity_;
    bool repeated_only_;
    Trial trial_;
    BufferId values_, lengths_, offsets_, count_;
};

TEST(RunLength, EveryCountUpToThreeTiles) {
    for (const auto kind : {Count::Kind::parameter, Count::Kind::gpu}) {
        CompactionTuning shape = small_compaction();
        shape.rows = kind == Count::Kind::gpu ? 4 : 3; // elements are loaded four at a time, or one by one
        const std::uint32_t most = 3 * shape.workgroup * shape.rows + 1;
        for (const bool repeated_only : {false, true}) {
            Encoder encoder(runs(most, 4), most, {.repeated_only = repeated_only, .tuning = shape}, kind);
            for (std::uint32_t n = 0; n <= most && !HasFailure(); ++n) {
                encoder.check(n);
            }
        }
    }
}

TEST(RunLength, OneElement) {
    for (const bool repeated_only : {false, true}) {
        Encoder({7}, 1, {.repeated_only = repeated_only}).check(1);
    }
}

TEST(RunLength, RunsOfEveryLength) {
    const std::uint32_t n = (1U << 20) + 5;
    for (const std::uint32_t longest : {1U, 30U, 5000U, n}) {
        Encoder encoder(runs(n, longest), n, {});
        encoder.check(n);
        encoder.check(n / 3);
    }
    Encoder all_different(random_words(n, 1), n, {});
    all_different.check(n);
    Encoder all_equal(Words(n, 3), n, {});
    all_equal.check(n);
}

TEST(RunLength, MoreHeadsInATileThanWorkgroupMemoryHolds) {
    const std::uint32_t n = 30011, workgroup = max_workgroup(), rows = std::min(32U, 8192 / workgroup);
    const auto twice = tabulated(n, [&](std::uint32_t i) { return i / 2; });
    for (const Words& items : {random_words(n, 2), twice, runs(n, 3)}) {
        for (const bool repeated_only : {false, true}) {
            for (const std::uint32_t one_less : {0U, 1U}) {
                const CompactionTuning tuning{.workgroup = workgroup, .rows = rows - one_less};
                Encoder encoder(items, n, {.repeated_only = repeated_only, .tuning = tuning});
                encoder.check(n);
                encoder.check(n - 1);
            }
        }
    }
}

TEST(RunLength, FaultsDoNotChangeResults) {
    const std::uint32_t n = 30 * small_compaction_tile() + 7;
    for (const auto kind : all_faults) {
        for (const std::uint32_t one_in : {1U, 2U, 5U}) {
            for (const bool repeated_only : {false, true}) {
                Encoder encoder(runs(n, one_in == 1 ? 3 : 2 * small_compaction_tile()), n,
                                {.repeated_only = repeated_only, .tuning = small_compaction()}, Count::Kind::parameter,
                                {.one_in = one_in, .kind = kind, .seed = one_in == 5 ? 7U : 0U});
                for (int repeat = 0; repeat < 3; ++repeat) {
                    encoder.check(n);
                }
            }
        }
    }
}

TEST(RunLength, WritesNoMoreThanCapacity) {
    const Words items = runs(1000, 4);
    const auto heads =
        static_cast<std::uint32_t>(indices_where(1000, [&](std::uint32_t i) { return is_head(items, i); }).size());
    for (const std::uint32_t capacity : {heads, heads - 1, 1U}) {
        Encoder(items, capacity, {.tuning = small_compaction()}).check(1000);
    }
}

} // namespace
} // namespace weir::tests::runs_test
