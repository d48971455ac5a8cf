#include "tests/primitives/campaign.hpp"
#include "tests/primitives/compaction_cases.hpp"
#include "tests/support/long_tests.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::compaction_test {
namespace {

const Sweeps sweeps{"Compaction.RandomCasesMatchReference"};

/// Options that all compaction primitives have.
struct Common {
    Instrument faults;
    CompactionTuning tuning;
    WordLayout in, out;
    std::uint32_t room = 0; ///< capacity of each output in elements
};

Common any_common(Random& random, std::uint32_t words, std::uint32_t most) {
    const Capabilities& device = test_context().capabilities();
    const auto maybe = [&random](std::uint32_t one_in) { return random.uniform(1U, one_in) == 1; };
    Common common;
    if (maybe(2)) {
        common.faults = {.one_in = random.uniform(1U, 4U), .kind = static_cast<Kind>(random.uniform(0U, 2U))};
    }
    common.tuning.rows = maybe(3) ? 0 : words == 1 && maybe(4) ? 32 : random.uniform(1U, 5U);
    common.tuning.workgroup = maybe(3) ? 0 : small_compaction().workgroup;
    common.tuning.max_spins = maybe(2) ? 0 : 1;
    if (device.subgroup_size_selectable && maybe(2)) {
        common.tuning.subgroup_size = maybe(2) ? device.subgroup_size_min : device.subgroup_size_max;
        if (common.tuning.workgroup != 0) {
            common.tuning.workgroup = std::clamp(common.tuning.workgroup, common.tuning.subgroup_size,
                                                 common.tuning.subgroup_size * device.max_workgroup_subgroups);
        }
    }
    common.in = {.offset = random.uniform(0U, 7U), .stride = words + random.uniform(0U, 2U)};
    common.out = {.offset = random.uniform(0U, 7U), .stride = words + random.uniform(0U, 2U)};
    common.room = maybe(2) ? most : random.uniform(1U, most);
    return common;
}

/// Random elements with few distinct values, arranged by `layout`. T gives their size; its members are not used.
template <class T>
struct Elements {
    static constexpr std::uint32_t words = sizeof(T) / 4;

    Elements(Random& random, std::uint32_t n, WordLayout layout) {
        items.resize(n * words);
        laid_out.resize((layout.offset + n * layout.stride + words) / words * words, 7);
        for (std::uint32_t i = 0; i < n; ++i) {
            const std::uint32_t value =
                i > 0 && random.uniform(0U, 2U) > 0 ? items[(i - 1) * words] : random.uniform(0U, 5U);
            for (std::uint32_t w = 0; w < words; ++w) {
                items[i * words + w] = w == 0 ? value : w * value;
                laid_out[layout.offset + i * layout.stride + w] = items[i * words + w];
            }
        }
    }

    [[nodiscard]] std::vector<T> typed() const {
        std::vector<T> elements(laid_out.size() / words);
        std::memcpy(elements.data(), laid_out.data(), laid_out.size() * 4);
        return elements;
    }

    Words items, laid_out;
};

/// Returns the words of an output that holds `items` in `layout`, with poison in the gaps.
Words spread(const Words& items, std::uint32_t words, WordLayout layout) {
    Words all;
    for (std::uint32_t i = 0; i < items.size() / words; ++i) {
        all.resize(layout.offset + i * layout.stride, 0xA5A5A5A5);
        all.insert(all.end(), items.begin() + i * words, items.begin() + (i + 1) * words);
    }
    return all;
}

/// Returns the predicate "less than the number whose words are all `word`".
template <class T>
Predicate below(std::uint32_t word) {
    using Number = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    return Predicate::compare(Comparison::less, static_cast<Number>(sizeof(T) == 4 ? word : word * 0x100000001ULL));
}

/// Runs a program of one random compaction primitive with ten counts and checks its outputs.
template <class T>
void check_any(Random& random) {
    constexpr std::uint32_t words = sizeof(T) / 4;
    const std::uint32_t most = random.uniform(1U, 1U << random.uniform(0U, 12U));
    const Common common = any_common(random, words, most);
    const Elements<T> elements(random, most, common.in);
    const auto flags = Random(random.uniform<std::uint64_t>()).vector<std::uint32_t>(most, 0, 1);
    const auto bits = random_words(most, random.uniform<std::uint64_t>());
    Trial trial(most, random.uniform(0, 1) == 0 ? Count::Kind::parameter : Count::Kind::gpu);
    auto in = trial.input("in", elements.typed());

    // The size of an output is a multiple of sizeof(T). Therefore it may have room for more than `common.room`
    // elements.
    const std::uint32_t out_words = common.out.offset + (common.room - 1) * common.out.stride + words;
    const std::uint32_t out_capacity = (out_words + words - 1) / words;
    const std::uint32_t room =
        std::min(most, (out_capacity * words - common.out.offset - words) / common.out.stride + 1);
    std::vector<BufferRef<T>> outs;
    std::vector<Ref> indices;
    for (int p = 0; p < 3; ++p) {
        outs.push_back(trial.output<T>("out", out_capacity));
        indices.push_back(trial.output("indices", most));
    }
    const auto lengths = trial.output("lengths", most), counts = trial.output("counts", 3);
    const SelectOptions<T> options{.output = outs[0],
                                   .output_indices = indices[0],
                                   .output_count = counts,
                                   .input_layout = common.in,
                                   .output_layout = common.out,
                                   .tuning = common.tuning};
    const auto item = [&](std::uint32_t i) { return elements.items[i * words]; };
    const auto head = [&](std::uint32_t i) { return is_head(elements.items, i, words); };

    enum Primitive : std::uint32_t { by_flags, by_bits, once, once_by_key, runs, long_runs, two_parts, three_parts };
    const auto primitive = static_cast<Primitive>(random.uniform(0U, words <= 2 ? 7U : 5U));
    SCOPED_TRACE("primitive " + std::to_string(primitive) + " of " + std::to_string(words) + " words");
    const auto scope = weir::testing::instrument(trial.graph, common.faults);
    std::uint32_t parts = 1;
    std::function<std::uint32_t(std::uint32_t)> part = [&](std::uint32_t i) { return head(i) ? 0U : 3U; };
    switch (primitive) {
    case by_flags:
        select_flagged(trial.graph, in, trial.input("flags", flags), options);
        part = [&](std::uint32_t i) { return flags[i] != 0 ? 0U : 3U; };
        break;
    case by_bits:
        select_by_bits(trial.graph, in, trial.input("bits", bits), options);
        part = [&](std::uint32_t i) { return (bits[i / 32] >> i % 32 & 1) != 0 ? 0U : 3U; };
        break;
    case once: unique(trial.graph, in, options); break;
    case once_by_key:
        unique_by_key(trial.graph, in, trial.input("values", flags),
                      {.key_options = options, .output_values = lengths});
        break;
    case runs:
    case long_runs:
        run_length_encode(trial.graph, in,
                          {.output_values = outs[0],
                           .output_lengths = lengths,
                           .output_offsets = indices[0],
                           .repeated_only = primitive == long_runs,
                           .output_count = counts,
                           .input_layout = common.in,
                           .value_layout = common.out,
                           .tuning = common.tuning});
        break;
    case two_parts:
    case three_parts: {
        // Items of this case have one or two words, which are equal.
        parts = primitive == two_parts ? 2 : 3;
        std::vector<Predicate> predicates{below<T>(2)};
        if (parts == 3) {
            predicates.push_back(below<T>(4));
        }
        PartitionOptions<T> by{
            .output_counts = counts, .input_layout = common.in, .output_layout = common.out, .tuning = common.tuning};
        for (std::uint32_t p = 0; p < parts; ++p) {
            by.outputs.at(p) = outs[p];
            by.output_indices.at(p) = indices[p];
        }
        partition(trial.graph, in, predicates, by);
        part = [&](std::uint32_t i) { return item(i) < 2 ? 0U : parts == 3 && item(i) < 4 ? 1U : parts - 1; };
        break;
    }
    }

    for (int run = 0; run < 10 && !testing::Test::HasFailure(); ++run) {
        const std::uint32_t n = run == 0 ? most : random.uniform(0U, run < 8 ? most : std::min(most, 2U));
        trial.run(n);
        Words expected_counts;
        for (std::uint32_t p = 0; p < parts; ++p) {
            Words kept = indices_where(n, [&](std::uint32_t i) { return part(i) == p; });
            Words expected_lengths;
            if (primitive == runs || primitive == long_runs) {
                Words heads = kept;
                heads.push_back(n);
                kept.clear();
                for (std::size_t r = 0; r + 1 < heads.size(); ++r) {
                    const std::uint32_t length = heads[r + 1] - heads[r];
                    if (primitive == runs || length > 1) {
                        kept.push_back(heads[r]);
                        expected_lengths.push_back(length);
                    }
                }
            } else if (primitive == once_by_key) {
                expected_lengths = items_at(flags, kept);
            }
            expected_counts.push_back(count_of(kept));
            const Words fitting = at_most(kept, room);
            trial.expect(indices[p], fitting);
            trial.expect(outs[p], spread(items_at(elements.items, fitting, words), words, common.out));
            trial.expect(lengths, at_most(expected_lengths, room));
        }
        trial.expect(counts, expected_counts);
    }
}

// Each program runs with ten counts. The first seed depends on the driver and the subgroup size; WEIR_TESTS_SEED
// overrides it.
TEST(Compaction, RandomCasesMatchReference) {
    const std::uint64_t first = first_seed(), programs = long_tests() ? 200 : 16;
    for (std::uint64_t seed = first; seed < first + programs && !HasFailure(); ++seed) {
        Random random(seed);
        switch (random.uniform(0, 3)) {
        case 0: check_any<std::uint32_t>(random); break;
        case 1: check_any<std::uint64_t>(random); break;
        case 2: check_any<std::array<std::uint32_t, 3>>(random); break;
        default: check_any<Particle>(random); break;
        }
    }
}

TEST(Compaction, UnknownSubgroupSize) {
    const Words items = runs(5000, 9);
    Trial trial(5000, Count::Kind::constant, without_known_subgroup_size());
    const auto encoded = run_length_encode(trial.graph, trial.input("in", items), {.tuning = small_compaction()});
    trial.exported(encoded.lengths);
    trial.run(5000);
    Words heads = indices_where(5000, [&](std::uint32_t i) { return is_head(items, i); });
    heads.push_back(5000);
    trial.expect_exported(encoded.lengths,
                          tabulated(count_of(heads) - 1, [&](std::uint32_t i) { return heads[i + 1] - heads[i]; }));
}

TEST(Compaction, RejectsInvalidArguments) {
    const Predicate small = Predicate::compare(Comparison::less, 5U);
    expect_refused("select: an output is also an input or a count",
                   [&](Graph& g, Ref in) { select_if(g, in, small, {.output = in}); });
    expect_refused("select: the input is null", [&](Graph& g) { select_if(g, Ref{}, small); });
    expect_refused("the number of a comparison must have the type of the elements",
                   [&](Graph& g, Ref in) { select_if(g, in, Predicate::compare(Comparison::less, 5)); });
    expect_refused("0 predicates", [&](Graph& g, Ref in) { partition(g, in, {}); });
    expect_refused("3 predicates", [&](Graph& g, Ref in) { partition(g, in, {"x < 1u", "x < 2u", "x < 3u"}); });
    EXPECT_EQ(error_of([&](Graph& g, Ref in) { partition(g, in, {small, small}); }), "no error");
    expect_refused("one predicate is an expression and the other a comparison", [&](Graph& g, Ref in) {
        partition(g, in, {small, {.expression = "x < 9u"}});
    });
    expect_refused("a predicate requires an expression or a comparison",
                   [&](Graph& g, Ref in) { select_if(g, in, Predicate{}); });
    expect_refused("an output is set for a part that does not exist", [&](Graph& g, Ref in) {
        partition(g, in, {small}, {.outputs = {Ref{}, {}, imported(g)}});
    });
    expect_refused("an output of items is set but .want_items is false",
                   [&](Graph& g, Ref in) { select_if(g, in, small, {.output = imported(g), .want_items = false}); });
    expect_refused("the buffers of a predicate must be read-only", [&](Graph& g, Ref in) {
        const Predicate seeing{.expression = "seen[i] < x", .buffers = {{"uint seen[]", write(imported(g))}}};
        select_if(g, in, seeing);
    });
    expect_refused("a workgroup of 268435456 invocations",
                   [&](Graph& g, Ref in) { select_if(g, in, small, {.tuning = {.workgroup = 1U << 28}}); });
    expect_refused("the items would exceed 2^32 words",
                   [&](Graph& g) { select_if(g, imported(g, 1U << 27), small, {.output_layout = {.stride = 32}}); });
    expect_refused("the flags' buffer has a capacity of 99 elements; 100 are required",
                   [&](Graph& g, Ref in) { select_flagged(g, in, imported(g, 99)); });
    expect_refused("the buffer of bit words has a capacity of 3 elements; 4 are required",
                   [&](Graph& g, Ref in) { select_by_bits(g, in, imported(g, 3)); });
    expect_refused("the input has a capacity of 100 words; 100 elements require 101",
                   [&](Graph& g, Ref in) { select_if(g, in, small, {.input_layout = {.offset = 1}}); });
    expect_refused("33 rows",
                   [&](Graph& g, Ref in) { select_if(g, in, small, {.tuning = {.workgroup = 64, .rows = 33}}); });
    expect_refused("the values' buffer has a capacity of 99 elements; 100 are required",
                   [&](Graph& g, Ref in) { unique_by_key(g, in, imported<std::uint64_t>(g, 99)); });
    expect_refused("run-length encode: two outputs are the same buffer", [&](Graph& g, Ref in) {
        const auto out = imported(g);
        run_length_encode(g, in, {.output_values = out, .output_lengths = out});
    });
    expect_refused("run-length encode: .output_values is set but .want_values is false", [&](Graph& g, Ref in) {
        run_length_encode(g, in, {.output_values = imported(g), .want_values = false});
    });
}

} // namespace
} // namespace weir::tests::compaction_test
