// expand, expand_offsets, and run_length_decode, which is an expansion.

#include "tests/primitives/trial.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::expand_test {
namespace {

const OnOneDriver on_one_driver{"Expand.EveryNumber*", "Expand.AnyDistributionOfSlots"};

/// Kernel shape with small tiles, so that few slots make several tiles.
constexpr ExpandTuning small_shape{.workgroup = 32, .rows = 3};
constexpr std::uint32_t small_tile = 96;

Words random_counts(std::uint32_t n, std::uint32_t most, std::uint64_t seed = 1) {
    return Random(seed).vector<std::uint32_t>(n, 0, most);
}

struct Slots {
    Words sources, ranks, offsets;
    std::uint32_t count = 0;
};

/// Returns the slots of the first `n` items, at most `capacity`. Offsets and the count saturate at 2^32 - 1.
Slots slots_of(const Words& counts, std::uint32_t n, std::uint32_t capacity = ~0U) {
    Slots slots;
    std::uint64_t sum = 0;
    const auto saturated = [&] { return static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, ~0U)); };
    for (std::uint32_t i = 0; i < n; ++i) {
        slots.offsets.push_back(saturated());
        sum += counts[i];
        for (std::uint32_t rank = 0; rank < counts[i] && slots.sources.size() < capacity; ++rank) {
            slots.sources.push_back(i);
            slots.ranks.push_back(rank);
        }
    }
    slots.count = saturated();
    return slots;
}

/// Expands the first n counts and checks all outputs. Each check sets n. Outputs have room for `capacity` slots.
class Expander {
public:
    Expander(const Words& counts, std::uint32_t capacity, ExpandOptions options = {},
             Count::Kind kind = Count::Kind::parameter, const Instrument& instrument = {})
        : counts_(counts), capacity_(capacity), trial_(count_of(counts), kind) {
        const auto in = trial_.input("counts", counts);
        sources_ = options.output_sources = trial_.output("sources", capacity);
        ranks_ = options.output_ranks = trial_.output("ranks", capacity);
        offsets_ = options.output_offsets = trial_.output("offsets", in.capacity);
        count_ = options.output_count = trial_.output("count", 1);
        const auto scope = weir::testing::instrument(trial_.graph, instrument);
        expand(trial_.graph, in, options);
    }

    void check(std::uint32_t n) {
        const Slots slots = slots_of(counts_, n, capacity_);
        trial_.run(n);
        trial_.expect(count_, {slots.count});
        trial_.expect(offsets_, slots.offsets);
        trial_.expect(sources_, slots.sources);
        trial_.expect(ranks_, slots.ranks);
    }

private:
    Words counts_;
    std::uint32_t capacity_;
    Trial trial_;
    BufferId sources_, ranks_, offsets_, count_;
};

TEST(Expand, EveryNumberOfItems) {
    const std::uint32_t most = 200; // more than three tiles of slots
    for (const auto kind : {Count::Kind::parameter, Count::Kind::gpu}) {
        Expander expander(random_counts(most, 3), 3 * most, {.tuning = small_shape}, kind);
        for (std::uint32_t n = 0; n <= most && !HasFailure(); ++n) {
            expander.check(n);
        }
    }
}

TEST(Expand, EveryNumberOfSlotsUpToThreeTiles) {
    const std::uint32_t most = 3 * small_tile + 1;
    Expander each_its_own(Words(most, 1), most, {.tuning = small_shape});
    for (std::uint32_t n = 0; n <= most && !HasFailure(); ++n) {
        each_its_own.check(n);
    }
    // One item has all slots. Its neighbors have none.
    for (const std::uint32_t slots : {small_tile - 1, small_tile, small_tile + 1, 2 * small_tile, most}) {
        Expander all_of_one({0, 0, slots, 0}, most, {.tuning = small_shape});
        all_of_one.check(4);
        all_of_one.check(2);
    }
}

TEST(Expand, AnyDistributionOfSlots) {
    const std::uint32_t n = 1U << 18;
    Words one_of_many(n, 0), first_and_last(n, 0), few(n, 0);
    one_of_many[n - 7] = 1;
    first_and_last.front() = 3;
    first_and_last.back() = 300000;
    for (std::uint32_t i = 0; i < n; i += 1 + i % 3000) { // with gaps of more items without slots than a tile has slots
        few[i] = i % 7;
    }
    for (const Words& counts : {random_counts(n, 4), Words(n, 2), Words(n, 0), one_of_many, first_and_last, few}) {
        const std::uint32_t slots = std::accumulate(counts.begin(), counts.end(), 0U);
        for (const ExpandTuning& shape : {ExpandTuning{}, {.workgroup = 2, .rows = 32}}) {
            Expander expander(counts, slots + 1, {.tuning = shape});
            expander.check(n);
        }
    }
}

TEST(Expand, WritesNoMoreThanCapacity) {
    const Words counts = random_counts(300, 3);
    const std::uint32_t slots = std::accumulate(counts.begin(), counts.end(), 0U);
    for (const std::uint32_t capacity : {slots, slots - 1, small_tile, 1U, 0U}) {
        Expander expander(counts, capacity, {.tuning = small_shape});
        expander.check(300);
        expander.check(0);
    }
}

TEST(Expand, FaultsDoNotChangeResults) {
    const std::uint32_t n = 20000;
    Expander expander(random_counts(n, 2), 2 * n, {}, Count::Kind::parameter, {.one_in = 2});
    expander.check(n);
    expander.check(n / 2);
}

/// Expands counts whose sum may exceed 32 bits. Sums must saturate at 2^32 - 1, and the slots that fit must be right.
void check_saturation(const Words& counts, std::uint32_t capacity, const Instrument& faults = {}) {
    Expander(counts, capacity, {.tuning = small_shape}, Count::Kind::parameter, faults).check(count_of(counts));
}

TEST(Expand, SumsOver32BitsSaturate) {
    check_saturation({~0U, 3}, 100);
    check_saturation({3, ~0U - 3, 0, 0}, 100);    // the maximum sum of 32 bits
    check_saturation({1, 2, ~0U - 2, 0, 7}, 100); // one more, and then 7
    check_saturation(Words(255, 1U << 24), 100);
    check_saturation(Words(257, 1U << 24), 100);
    check_saturation(random_words(300, 1), 100);
}

TEST(Expand, TileSumsOver32BitsSaturate) {
    Words counts(20000, 1U << 20);
    std::copy_n(random_counts(50, 3).begin(), 50, counts.begin());
    check_saturation(counts, 200);
    check_saturation(counts, 200, {.one_in = 2});
}

TEST(Expand, CountSizesFollowingPrimitive) {
    const std::uint32_t n = 500;
    const Words counts = random_counts(n, 2);
    Trial trial(n);
    const auto expanded = expand(trial.graph, trial.input("counts", counts), {.capacity = 2 * n});
    const auto items = trial.output("items", n), lengths = trial.output("lengths", n);
    run_length_encode(trial.graph, expanded.sources, {.output_values = items, .output_lengths = lengths});
    for (const std::uint32_t k : {n, 0U, 77U}) {
        trial.run(k);
        Words some, their_counts;
        for (std::uint32_t i = 0; i < k; ++i) {
            if (counts[i] != 0) {
                some.push_back(i);
                their_counts.push_back(counts[i]);
            }
        }
        trial.expect(items, some);
        trial.expect(lengths, their_counts);
    }
}

TEST(Expand, CountsSlotsOnly) {
    Trial trial(1000);
    const Words counts = random_counts(1000, 9);
    const auto count = trial.output("count", 1);
    expand(trial.graph, trial.input("counts", counts), {.want_sources = false, .output_count = count});
    trial.run(999);
    trial.expect(count, {std::accumulate(counts.begin(), counts.end() - 1, 0U)});
}

TEST(Expand, FromOffsets) {
    const std::uint32_t n = 400;
    const Slots slots = slots_of(random_counts(n, 3), n);
    const auto total = count_of(slots.sources);
    Trial trial(total); // the parameter is the number of slots
    const auto offsets = trial.input("offsets", slots.offsets).with_count(n);
    const auto sources = trial.output("sources", total), ranks = trial.output("ranks", total);
    expand_offsets(trial.graph, offsets, trial.count, {.output_sources = sources, .tuning = small_shape});
    expand_offsets(trial.graph, offsets, total, {.want_sources = false, .output_ranks = ranks});
    for (const std::uint32_t k : {total, total - 1, small_tile, 1U, 0U}) {
        trial.run(k);
        trial.expect(sources, at_most(slots.sources, k));
        trial.expect(ranks, slots.ranks);
    }
}

TEST(Expand, FromOffsetsWithGpuCount) {
    const std::uint32_t n = 400;
    const Words counts = random_counts(n, 3);
    for (const std::uint32_t room : {3 * n, small_tile + 1}) {
        Trial trial(n, Count::Kind::gpu);
        const auto counted = expand(trial.graph, trial.input("counts", counts), {.want_sources = false});
        const auto sources = trial.output("sources", room);
        expand_offsets(trial.graph, counted.offsets, trial.graph.count_in(counted.count, 0, ~0U),
                       {.output_sources = sources, .tuning = small_shape});
        for (const std::uint32_t k : {n, 0U, 1U}) {
            trial.run(k);
            trial.expect(sources, slots_of(counts, k, room).sources);
        }
    }
}

/// An element of 1 to 16 words.
template <std::size_t words>
struct Element {
    std::array<std::uint32_t, words> word;
};

/// Returns runs of elements that differ only in their last word.
template <std::size_t words>
std::vector<Element<words>> runs_of_elements(std::uint32_t n) {
    Random random(words);
    std::vector<Element<words>> elements;
    while (elements.size() < n) {
        Element<words> element{};
        element.word.back() = random.uniform(0U, 3U);
        element.word.front() += 5;
        elements.insert(elements.end(), random.uniform(1U, 40U), element);
    }
    elements.resize(n);
    return elements;
}

template <std::size_t words>
void check_round_trip() {
    SCOPED_TRACE(words);
    const std::uint32_t n = 3000;
    const auto elements = runs_of_elements<words>(n);
    Trial trial(n);
    const auto runs = run_length_encode(trial.graph, trial.input("elements", elements), {.tuning = {.rows = 1}});
    const auto decoded = trial.output<Element<words>>("decoded", n);
    const auto count = trial.output("count", 1);
    run_length_decode(trial.graph, runs.values, runs.lengths, {.output = decoded, .output_count = count});
    for (const std::uint32_t k : {n, n - 1, 0U, 1U, 500U}) {
        trial.run(k);
        trial.expect(count, {k});
        trial.expect(decoded, at_most(words_of(elements), std::size_t{k} * words));
    }
}

TEST(RunLengthDecode, RestoresEncodedElements) {
    check_round_trip<1>();
    check_round_trip<3>();
}

TEST(RunLengthDecode, ElementsOf16Words) {
    const std::uint32_t n = 300;
    const Words lengths = random_counts(n, 5);
    const auto elements = runs_of_elements<16>(n);
    std::vector<Element<16>> expected;
    for (std::uint32_t i = 0; i < n; ++i) {
        expected.insert(expected.end(), lengths[i], elements[i]);
    }
    Trial trial(n);
    const auto in = trial.input("lengths", lengths);
    const auto decoded = trial.output<Element<16>>("decoded", count_of(expected));
    run_length_decode(trial.graph, trial.input("elements", elements), in, {.output = decoded});
    trial.run(n);
    trial.expect(decoded, expected);
}

TEST(RunLengthDecode, LayoutsWithTooSmallOutput) {
    const std::uint32_t n = 300;
    const Words lengths = random_counts(n, 5), values = random_words(2 + 3 * n, 1);
    const Words sources = slots_of(lengths, n).sources;
    for (const std::uint32_t room : {2 * n, 1U, 0U}) {
        Trial trial(n);
        const auto in = trial.input("lengths", lengths);
        const auto out = trial.output("out", 3 + 2 * room), count = trial.output("count", 1);
        run_length_decode(trial.graph, trial.input("values", values), in,
                          {.output = out,
                           .output_count = count,
                           .value_layout = {.offset = 2, .stride = 3},
                           .output_layout = {.offset = 4, .stride = 2},
                           .tuning = small_shape});
        trial.run(n);
        trial.expect(count, {count_of(sources)});
        Words expected;
        for (std::uint32_t slot = 0; slot < std::min<std::size_t>(room, sources.size()); ++slot) {
            expected.resize(4 + 2 * slot, 0xA5A5A5A5);
            expected.push_back(values[2 + 3 * sources[slot]]);
        }
        trial.expect(out, expected);
    }
}

TEST(RunLengthDecode, LengthsOver32BitsFillTheOutput) {
    Trial trial(3, Count::Kind::constant);
    const auto decoded = trial.output("decoded", 10), count = trial.output("count", 1);
    run_length_decode(trial.graph, trial.input("values", Words{7, 8, 9}), trial.input("lengths", Words{4, ~0U, 3}),
                      {.output = decoded, .output_count = count});
    trial.run(3);
    trial.expect(count, {~0U});
    trial.expect(decoded, {7, 7, 7, 7, 8, 8, 8, 8, 8, 8});
}

TEST(RunLengthDecode, TransientOutputHasRequestedCapacity) {
    Trial trial(4, Count::Kind::constant);
    const auto decoded = run_length_decode(trial.graph, trial.input("values", Words{7, 8, 9, 10}),
                                           trial.input("lengths", Words{2, 0, 3, 1}), {.capacity = 5});
    const auto sums = trial.output("sums", 5);
    scan(trial.graph, decoded.items, {.output = sums});
    trial.run(4);
    trial.expect(sums, {7, 14, 23, 32, 41});
}

TEST(Expand, RejectsInvalidArguments) {
    expect_refused("expand: the input is null", [](Graph& g) { expand(g, {}, {.capacity = 5}); });
    expect_refused("expand: capacity must be set if output_sources is null", [](Graph& g, Ref in) { expand(g, in); });
    expect_refused("expand: an output is also an input or a count",
                   [](Graph& g, Ref in) { expand(g, in, {.capacity = 5, .output_sources = in}); });
    expect_refused("expand: two outputs are the same buffer", [](Graph& g, Ref in) {
        const auto both = imported(g);
        expand(g, in, {.output_sources = both, .output_ranks = both});
    });
    expect_refused("the offsets' buffer has a capacity of 99 elements; 100 are required",
                   [](Graph& g, Ref in) { expand(g, in, {.capacity = 5, .output_offsets = imported(g, 99)}); });
    expect_refused("a workgroup of 3 invocations",
                   [](Graph& g, Ref in) { expand(g, in, {.capacity = 5, .tuning = {.workgroup = 3}}); });
    expect_refused("33 rows",
                   [](Graph& g, Ref in) { expand(g, in, {.capacity = 5, .tuning = {.workgroup = 64, .rows = 33}}); });
    expect_refused("the outputs have a capacity of 9 slots; 10 are required",
                   [](Graph& g, Ref in) { expand_offsets(g, in, 10, {.output_sources = imported(g, 9)}); });
    expect_refused("the option output_count is not supported by expand_offsets",
                   [](Graph& g, Ref in) { expand_offsets(g, in, 10, {.output_count = imported(g, 1)}); });
    expect_refused("run-length decode: the buffer of values has a capacity of 198 words; 100 elements require 200",
                   [](Graph& g, Ref in) { run_length_decode(g, imported<std::uint64_t>(g, 99), in, {.capacity = 5}); });
    expect_refused("the buffer of values is null",
                   [](Graph& g, Ref in) { run_length_decode(g, Ref{}, in, {.capacity = 5}); });
    expect_refused("run-length decode: capacity must be set if output is null",
                   [](Graph& g, Ref in) { run_length_decode(g, imported(g), in); });
    expect_refused("the stride of the buffer of values is 1 words; its elements have 2", [](Graph& g, Ref in) {
        run_length_decode(g, imported<std::uint64_t>(g, 100), in, {.capacity = 5, .value_layout = {.stride = 1}});
    });
}

} // namespace
} // namespace weir::tests::expand_test
