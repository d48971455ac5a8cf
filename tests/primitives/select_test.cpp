#include "tests/primitives/compaction_cases.hpp"
#include "tests/support/long_tests.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::select_test {
namespace {

const OnOneDriver on_one_driver{"Partition.*", "Select.CountSizes*"};
const Sweeps sweeps{"Select.PowersOfTwo*", "Select.Compares*", "Select.ExpressionPredicate"};

/// A program that selects those of the first n elements that are below 50; n is set for each run. Both outputs have
/// room for `capacity` elements.
class Selector {
public:
    Selector(const Words& items, std::uint32_t capacity, SelectOptions<std::uint32_t> options,
             Count::Kind kind = Count::Kind::parameter, const Instrument& instrument = {})
        : items_(items), capacity_(capacity), trial_(count_of(items), kind) {
        const auto in = trial_.input("in", items);
        out_ = options.output = trial_.output("out", capacity);
        indices_ = options.output_indices = trial_.output("indices", capacity);
        count_ = options.output_count = trial_.output("count", 1);
        const auto scope = weir::testing::instrument(trial_.graph, with_seed(instrument, trial_.seed));
        select_if(trial_.graph, in, Predicate::compare(Comparison::less, 50U), options);
    }

    void check(std::uint32_t n, std::uint32_t seed = 1) {
        const Words kept = indices_where(n, [&](std::uint32_t i) { return items_[i] < 50; });
        trial_.run(n, seed);
        trial_.expect(count_, {count_of(kept)});
        trial_.expect(indices_, at_most(kept, capacity_));
        trial_.expect(out_, at_most(items_at(items_, kept), capacity_));
    }

private:
    Words items_;
    std::uint32_t capacity_;
    Trial trial_;
    BufferId out_, indices_, count_;
};

TEST(Select, EveryCountUpToThreeTiles) {
    const std::uint32_t most = 3 * small_compaction_tile() + 1;
    for (const auto kind : {Count::Kind::parameter, Count::Kind::gpu}) {
        Selector selector(hundreds(most), most, {.tuning = small_compaction()}, kind);
        for (std::uint32_t n = 0; n <= most && !HasFailure(); ++n) {
            selector.check(n);
        }
    }
}

TEST(Select, PowersOfTwoAndNeighbours) {
    const std::uint32_t power = long_tests() ? 22 : 20;
    const Words items = hundreds((1U << power) + 1);
    Selector selector(items, (1U << power) + 1, {});
    for (std::uint32_t p = 0; p <= power; p += p < 16 ? 3 : 1) {
        for (const std::uint32_t n : {(1U << p) - 1, 1U << p, (1U << p) + 1}) {
            selector.check(n);
        }
    }
}

TEST(Select, FaultsDoNotChangeResults) {
    const std::uint32_t n = 40 * small_compaction_tile() + 3;
    for (const auto kind : all_faults) {
        for (const std::uint32_t one_in : {1U, 2U, 5U}) {
            SCOPED_TRACE(one_in);
            Selector selector(hundreds(n), n, {.tuning = small_compaction()}, Count::Kind::parameter,
                              {.one_in = one_in, .kind = kind, .seed = one_in == 5 ? 1U : 0U});
            for (const std::uint32_t seed : {11U, 12U, 13U}) {
                selector.check(n, seed);
                selector.check(n - 5 * small_compaction_tile(), seed);
            }
        }
    }
}

TEST(Select, CountersCountFallbacks) {
    const std::uint32_t n = 10 * small_compaction_tile();
    Trial trial(n, Count::Kind::constant);
    const auto in = trial.input("in", hundreds(n));
    const auto counters = trial.graph.transient_buffer<std::uint32_t>("counters", 4);
    const auto out = trial.output("out", n);
    const auto scope = weir::testing::instrument(trial.graph, {.one_in = 2, .counters = counters});
    select_if(trial.graph, in, Predicate::compare(Comparison::less, 50U),
              {.output = out, .tuning = small_compaction()});
    const auto counted = trial.output("counted", 4);
    trial.graph.add_copy("keep counters", counters, counted, 16);
    trial.run(n);
    // Every second of the ten tiles is silent. Other tiles wait for all silent tiles except the last.
    const auto found = trial.words_in(counted, 4);
    EXPECT_GE(found[2], 4U);
    EXPECT_GE(found[3], 4U);
    EXPECT_LE(found[3], found[2]); // more than four if other tiles were late
}

TEST(Select, WritesNoMoreThanCapacity) {
    const Words items = hundreds(1000);
    const auto kept = static_cast<std::uint32_t>(
        std::count_if(items.begin(), items.end(), [](std::uint32_t item) { return item < 50; }));
    for (const std::uint32_t capacity : {kept, kept - 1, 1U}) {
        Selector selector(items, capacity, {.tuning = small_compaction()});
        selector.check(1000);
        selector.check(0);
    }
}

TEST(Select, CountSizesFollowingPrimitives) {
    // The count of the first selection is the number of elements of a second selection and of a sort.
    const Words items = hundreds(5000);
    Trial trial(5000);
    const auto first = select_if(trial.graph, trial.input("in", items), Predicate::compare(Comparison::less, 50U),
                                 {.want_indices = true});
    const auto out = trial.output("out", 5000), count = trial.output("count", 1);
    select_if(trial.graph, first.items, Predicate::compare(Comparison::greater_equal, 25U),
              {.output = out, .output_count = count});
    const auto sorted = trial.output("sorted", 5000);
    radix_sort(trial.graph, first.indices, {.descending = true, .output_keys = sorted});
    for (const std::uint32_t n : {5000U, 0U, 1U, 777U}) {
        trial.run(n);
        const Words kept = indices_where(n, [&](std::uint32_t i) { return items[i] >= 25 && items[i] < 50; });
        trial.expect(out, items_at(items, kept));
        trial.expect(count, {count_of(kept)});
        Words below = indices_where(n, [&](std::uint32_t i) { return items[i] < 50; });
        std::reverse(below.begin(), below.end());
        trial.expect(sorted, below);
    }
}

template <class T>
bool holds(T a, Comparison comparison, T b) {
    switch (comparison) {
    case Comparison::equal: return a == b;
    case Comparison::not_equal: return a != b;
    case Comparison::less: return a < b;
    case Comparison::less_equal: return a <= b;
    case Comparison::greater: return a > b;
    case Comparison::greater_equal: return a >= b;
    }
    return false;
}

/// Checks the comparisons whose turn it is for a type with the number `type`.
template <class T>
void check_comparisons(std::uint32_t type, std::vector<T> numbers) {
    const auto n = count_of(numbers);
    for (const auto comparison : {Comparison::equal, Comparison::not_equal, Comparison::less, Comparison::less_equal,
                                  Comparison::greater, Comparison::greater_equal}) {
        if (!is_turn(type + static_cast<std::uint32_t>(comparison), 3)) {
            continue;
        }
        // Compares all numbers with each number: one selection per number, all in one graph.
        Trial trial(n, Count::Kind::constant);
        const auto in = trial.input("in", numbers);
        std::vector<BufferId> outputs;
        for (std::uint32_t i = 0; i < n; ++i) {
            const auto out = trial.output("indices", n);
            outputs.push_back(out);
            select_if(trial.graph, in, Predicate::compare(comparison, numbers[i]),
                      {.want_items = false, .output_indices = out, .tuning = small_compaction()});
        }
        trial.run(n);
        for (std::uint32_t k = 0; k < n; ++k) {
            trial.expect(outputs[k],
                         indices_where(n, [&](std::uint32_t i) { return holds(numbers[i], comparison, numbers[k]); }));
        }
    }
}

TEST(Select, ComparesNumbersOfEveryType) {
    check_comparisons<std::uint32_t>(0, {0, 1, 0x7FFFFFFF, 0x80000000, ~0U});
    check_comparisons<std::int32_t>(1, {0, 1, -1, INT32_MIN, INT32_MAX});
    check_comparisons<std::uint64_t>(2, {0, 1, 1ULL << 32, (1ULL << 32) + 1, 1ULL << 63, ~0ULL});
    check_comparisons<std::int64_t>(3, {0, -1, 1LL << 32, -(1LL << 32), INT64_MIN, INT64_MAX});
    using Float = std::numeric_limits<float>;
    check_comparisons<float>(4, {0.0F, -0.0F, 1.5F, -1.5F, Float::infinity(), -Float::infinity(), Float::quiet_NaN(),
                                 -Float::quiet_NaN(), Float::denorm_min()});
    using Double = std::numeric_limits<double>;
    check_comparisons<double>(5, {0.0, -0.0, 1.5, -1.5, Double::infinity(), -Double::infinity(), Double::quiet_NaN(),
                                  Double::denorm_min(), 1e300});
}

TEST(Select, ExpressionPredicate) {
    const std::uint32_t n = 3000;
    Trial trial(n);
    const Words items = hundreds(n);
    const Words limits = hundreds(n, 2);
    const auto in = trial.input("in", items);
    const Predicate predicate{.expression = "is_small(x, i) && x != seed && share * 4.0 > 0.5",
                              .functions = "bool is_small(uint x, uint i) { return x < limits[i]; }",
                              .buffers = {{"uint limits[]", read(trial.input("limits", limits))}},
                              .values = {{"seed", trial.seed}, {"share", 0.25F}}};
    const auto out = trial.output("out", n);
    select_if(trial.graph, in, predicate, {.output = out, .tuning = small_compaction()});

    std::vector<float> floats(n);
    std::transform(items.begin(), items.end(), floats.begin(), [](auto x) { return 0.5F - static_cast<float>(x); });
    const auto negative = trial.output("negative", n);
    select_if(trial.graph, trial.input("floats", floats), "x < -20.0 && i % 2 == 0",
              {.want_items = false, .output_indices = negative});

    const auto particles = tabulated(n, [&](std::uint32_t i) { return Particle{{i, items[i], 3, limits[i], 5}}; });
    const auto chosen = trial.output<Particle>("chosen", n);
    select_if(trial.graph, trial.input("particles", particles), "x[1] < x[3] && x[4] == 5u",
              {.output = chosen, .tuning = small_compaction()});
    trial.run(n, 7);
    const auto is_small = [&](std::uint32_t i) { return items[i] < limits[i]; };
    trial.expect(out, items_at(items, indices_where(n, [&](std::uint32_t i) { return is_small(i) && items[i] != 7; })));
    trial.expect(negative, indices_where(n, [&](std::uint32_t i) { return floats[i] < -20 && i % 2 == 0; }));
    trial.expect(chosen, items_at(words_of(particles), indices_where(n, is_small), 5));
}

static_assert(std::is_aggregate_v<Predicate> && std::is_aggregate_v<Expression> && std::is_aggregate_v<Comparator>);

TEST(Select, ExpressionInEveryForm) {
    const std::uint32_t n = 100;
    Trial trial(n);
    const Words items = hundreds(n);
    const auto in = trial.input("in", items);
    const std::array outputs{trial.output("of a literal", n), trial.output("of a string", n),
                             trial.output("of designated members", n), trial.output("of a predicate", n)};
    select_if(trial.graph, in, "x < 50u", {.output = outputs[0]});
    select_if(trial.graph, in, std::string("x < 50u"), {.output = outputs[1]});
    select_if(trial.graph, in, {.expression = "x < 50u"}, {.output = outputs[2]});
    select_if(trial.graph, in, Predicate{.expression = "x < 50u"}, {.output = outputs[3]});
    trial.run(n);
    for (const auto& output : outputs) {
        trial.expect(output, items_at(items, indices_where(n, [&](std::uint32_t i) { return items[i] < 50; })));
    }
}

TEST(Select, CompileErrorsNameTheUsersLine) {
    Graph graph(test_context());
    const auto in = graph.import_buffer<std::uint32_t>("in", 10);
    const auto near = select_if(graph, in, {.expression = "x < 5u &&\n    y", .name = "is_near"});
    graph.export_buffer(near.items);
    expect_shader_error(graph, "is_near:2");
}

TEST(Select, ElementsWithStride) {
    const std::uint32_t n = 1000;
    const Words words = hundreds(3 + 3 * n);
    Trial trial(n);
    auto in = trial.input("in", words);
    in.count = trial.count;
    const auto out = trial.output("out", 7 + 2 * n);
    trial.graph.add_fill("poison", out, 0xA5A5A5A5);
    select_if(trial.graph, in, Predicate::compare(Comparison::less, 50U),
              {.output = out,
               .input_layout = {.offset = 2, .stride = 3},
               .output_layout = {.offset = 7, .stride = 2},
               .tuning = small_compaction()});
    trial.run(n);
    Words expected(7, 0xA5A5A5A5);
    for (std::uint32_t i = 0; i < n; ++i) {
        if (words[2 + 3 * i] < 50) {
            expected.insert(expected.end(), {words[2 + 3 * i], 0xA5A5A5A5});
        }
    }
    trial.expect(out, expected);
}

TEST(Partition, TwoAndThreeParts) {
    const std::uint32_t most = 3 * small_compaction_tile() + 1;
    const Words items = hundreds(most);
    for (const auto kind : {Count::Kind::parameter, Count::Kind::gpu}) {
        for (const bool faults : {false, true}) {
            Trial trial(most, kind);
            const auto in = trial.input("in", items);
            PartitionOptions<std::uint32_t> two{.want_indices = true, .tuning = small_compaction()};
            const auto scope =
                weir::testing::instrument(trial.graph, {.one_in = faults ? 2U : 0U, .kind = Kind::torn_post});
            PartitionOptions<std::uint32_t> three = two;
            for (std::size_t p = 0; p < 3; ++p) {
                if (p < 2) {
                    two.outputs.at(p) = trial.output("of two", most);
                    two.output_indices.at(p) = trial.output("indices of two", most);
                }
                three.outputs.at(p) = trial.output("of three", most);
                three.output_indices.at(p) = trial.output("indices of three", most);
            }
            two.output_counts = trial.output("counts of two", 2);
            three.output_counts = trial.output("counts of three", 3);
            const auto halves = partition(trial.graph, in, {Predicate::compare(Comparison::less, 50U)}, two);
            EXPECT_EQ(halves.size(), 2U);
            const auto thirds = partition(trial.graph, in, {"x < 50u", "x % 2 == 0"}, three);
            EXPECT_EQ(thirds.size(), 3U);
            for (std::uint32_t n = 0; n <= most && !HasFailure(); ++n) {
                SCOPED_TRACE(n);
                trial.run(n);
                const auto part = [&](std::uint32_t i) { return items[i] < 50 ? 0 : items[i] % 2 == 0 ? 1 : 2; };
                Words two_counts, three_counts;
                for (int p = 0; p < 3; ++p) {
                    const Words kept = indices_where(n, [&](std::uint32_t i) { return part(i) == p; });
                    trial.expect(three.outputs.at(p), items_at(items, kept));
                    trial.expect(three.output_indices.at(p), kept);
                    three_counts.push_back(count_of(kept));
                    if (p < 2) {
                        const Words half =
                            indices_where(n, [&](std::uint32_t i) { return (part(i) != 0) == (p == 1); });
                        trial.expect(two.outputs.at(p), items_at(items, half));
                        trial.expect(two.output_indices.at(p), half);
                        two_counts.push_back(count_of(half));
                    }
                }
                trial.expect(two.output_counts, two_counts);
                trial.expect(three.output_counts, three_counts);
            }
        }
    }
}

} // namespace
} // namespace weir::tests::select_test
