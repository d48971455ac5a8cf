// Selecting, partitioning, finding unique elements and encoding runs: one kernel.

#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "tests/primitives/trial.hpp"

namespace weir::tests {
namespace {

using Words = std::vector<std::uint32_t>;
using Kind = FaultInjection::Kind;

/// Several tiles for few elements.
CompactionTuning small_shape() {
    return {.workgroup = std::min(std::max(32U, test_context().capabilities().subgroup_size), max_workgroup()),
            .rows = 3};
}
std::uint32_t small_tile() {
    return small_shape().workgroup * small_shape().rows;
}

/// The indices of those of the first n elements that `keeps` holds for.
Words indices_where(std::uint32_t n, const std::function<bool(std::uint32_t)>& keeps) {
    Words indices;
    for (std::uint32_t i = 0; i < n; ++i) {
        if (keeps(i)) {
            indices.push_back(i);
        }
    }
    return indices;
}

/// The words of the items at `indices`, `words` each.
Words items_at(const Words& items, const Words& indices, std::uint32_t words = 1) {
    Words found;
    for (const std::uint32_t i : indices) {
        found.insert(found.end(), items.begin() + i * words, items.begin() + (i + 1) * words);
    }
    return found;
}

Words at_most(Words words, std::size_t count) {
    words.resize(std::min(words.size(), count));
    return words;
}

/// Words below 100, so that half of them are below 50.
Words hundreds(std::uint32_t n, std::uint64_t seed = 1) {
    return Random(seed).vector<std::uint32_t>(n, 0, 99);
}

/// Runs of random lengths, short ones or long ones, of few values. Neighbouring runs may be of the same value.
Words runs(std::uint32_t n, std::uint32_t longest, std::uint64_t seed = 1) {
    Random random(seed);
    Words words;
    while (words.size() < n) {
        words.insert(words.end(), random.uniform(1U, longest), random.uniform(0U, 5U));
    }
    words.resize(n);
    return words;
}

/// Selects the first n elements that are below 50, n set for each run; both outputs have room for `capacity`.
class Selector {
public:
    Selector(const Words& items, std::uint32_t capacity, SelectOptions<std::uint32_t> options,
             Count::Kind kind = Count::Kind::parameter)
        : items_(items), capacity_(capacity), trial_(static_cast<std::uint32_t>(items.size()), kind) {
        if (options.faults.one_in != 0 && std::get<std::uint32_t>(options.faults.seed) != 0) {
            options.faults.seed = trial_.seed;
        }
        const auto in = trial_.input("in", items);
        out_ = options.output = trial_.output("out", capacity);
        indices_ = options.output_indices = trial_.output("indices", capacity);
        count_ = options.count = trial_.output("count", 1);
        select_if(trial_.graph, in, Predicate::compare(Comparison::less, 50U), options);
        trial_.compile();
    }

    void check(std::uint32_t n, std::uint32_t seed = 1) {
        SCOPED_TRACE("n = " + std::to_string(n));
        const Words kept = indices_where(n, [&](std::uint32_t i) { return items_[i] < 50; });
        trial_.run(n, seed);
        trial_.expect(count_, {static_cast<std::uint32_t>(kept.size())});
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
    const std::uint32_t most = 3 * small_tile() + 1;
    for (const auto kind : {Count::Kind::parameter, Count::Kind::gpu}) {
        Selector selector(hundreds(most), most, {.tuning = small_shape()}, kind);
        for (std::uint32_t n = 0; n <= most && !HasFailure(); ++n) {
            selector.check(n);
        }
    }
}

TEST(Select, PowersOfTwoAndNeighbours) {
    const std::uint32_t power = 22;
    const Words items = hundreds((1U << power) + 1);
    Selector selector(items, (1U << power) + 1, {});
    for (std::uint32_t p = 0; p <= power; p += p < 18 ? 3 : 1) {
        for (const std::uint32_t n : {(1U << p) - 1, 1U << p, (1U << p) + 1}) {
            selector.check(n);
        }
    }
}

TEST(Select, NeedsNobodysProgress) {
    const std::uint32_t n = 40 * small_tile() + 3;
    for (const auto kind : {Kind::never_post, Kind::late_post, Kind::torn_post}) {
        for (const std::uint32_t one_in : {1U, 2U, 5U}) {
            SCOPED_TRACE(one_in);
            Selector selector(
                hundreds(n), n,
                {.faults = {.one_in = one_in, .kind = kind, .seed = one_in == 5 ? 1U : 0U}, .tuning = small_shape()});
            for (const std::uint32_t seed : {11U, 12U, 13U}) {
                selector.check(n, seed);
                selector.check(n - 5 * small_tile(), seed);
            }
        }
    }
}

TEST(Select, CountsItsFallbacks) {
    const std::uint32_t n = 10 * small_tile();
    Trial trial(n, Count::Kind::constant);
    const auto in = trial.input("in", hundreds(n));
    const auto counters = trial.graph.transient_buffer<std::uint32_t>("counters", 4);
    const auto out = trial.output("out", n);
    SelectOptions<std::uint32_t> options{.output = out, .faults = {.one_in = 2}, .counters = counters};
    options.tuning = small_shape();
    select_if(trial.graph, in, Predicate::compare(Comparison::less, 50U), options);
    const auto counted = trial.output("counted", 4);
    trial.graph.add_copy("keep counters", counters, counted, 16);
    trial.compile();
    trial.run(n);
    // Of ten tiles the second, fourth and so on are silent; somebody waits for all of them but the last.
    const auto found = trial.words_in(counted, 4);
    EXPECT_GE(found[2], 4U);
    EXPECT_GE(found[3], 4U);
    EXPECT_LE(found[3], found[2]); // more than four where others were late
}

TEST(Select, NoMoreThanThereIsRoomFor) {
    const Words items = hundreds(1000);
    const auto kept = static_cast<std::uint32_t>(
        std::count_if(items.begin(), items.end(), [](std::uint32_t item) { return item < 50; }));
    for (const std::uint32_t capacity : {kept, kept - 1, 1U}) {
        Selector selector(items, capacity, {.tuning = small_shape()});
        selector.check(1000);
        selector.check(0);
    }
}

TEST(Select, ItsCountIsThatOfWhatFollows) {
    // Filtered by two selections, the second one sized by the first; outputs too small by one make no difference to
    // what fits.
    const Words items = hundreds(5000);
    Trial trial(5000);
    const auto first =
        select_if(trial.graph, trial.input("in", items), Predicate::compare(Comparison::less, 50U), {.indices = true});
    const auto out = trial.output("out", 5000), count = trial.output("count", 1);
    select_if(trial.graph, first.items, Predicate::compare(Comparison::greater_equal, 25U),
              {.output = out, .count = count});
    const auto sorted = trial.output("sorted", 5000);
    radix_sort(trial.graph, first.indices, {.descending = true, .output_keys = sorted});
    trial.compile();
    for (const std::uint32_t n : {5000U, 0U, 1U, 777U}) {
        trial.run(n);
        const Words kept = indices_where(n, [&](std::uint32_t i) { return items[i] >= 25 && items[i] < 50; });
        trial.expect(out, items_at(items, kept));
        trial.expect(count, {static_cast<std::uint32_t>(kept.size())});
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

template <class T>
void check_comparisons(std::vector<T> numbers) {
    const auto n = static_cast<std::uint32_t>(numbers.size());
    for (const auto comparison : {Comparison::equal, Comparison::not_equal, Comparison::less, Comparison::less_equal,
                                  Comparison::greater, Comparison::greater_equal}) {
        // All with all: a graph of as many passes as there are numbers.
        Trial trial(n, Count::Kind::constant);
        const auto in = trial.input("in", numbers);
        std::vector<BufferId> outputs;
        for (std::uint32_t i = 0; i < n; ++i) {
            const auto out = trial.output("indices", n);
            outputs.push_back(out);
            select_if(trial.graph, in, Predicate::compare(comparison, numbers[i]),
                      {.items = false, .output_indices = out, .tuning = small_shape()});
        }
        trial.compile();
        trial.run(n);
        for (std::uint32_t k = 0; k < n; ++k) {
            trial.expect(outputs[k],
                         indices_where(n, [&](std::uint32_t i) { return holds(numbers[i], comparison, numbers[k]); }));
        }
    }
}

TEST(Select, ComparesNumbersOfEveryType) {
    check_comparisons<std::uint32_t>({0, 1, 0x7FFFFFFF, 0x80000000, ~0U});
    check_comparisons<std::int32_t>({0, 1, -1, INT32_MIN, INT32_MAX});
    check_comparisons<std::uint64_t>({0, 1, 1ULL << 32, (1ULL << 32) + 1, 1ULL << 63, ~0ULL});
    check_comparisons<std::int64_t>({0, -1, 1LL << 32, -(1LL << 32), INT64_MIN, INT64_MAX});
    using Float = std::numeric_limits<float>;
    check_comparisons<float>({0.0F, -0.0F, 1.5F, -1.5F, Float::infinity(), -Float::infinity(), Float::quiet_NaN(),
                              -Float::quiet_NaN(), Float::denorm_min()});
    using Double = std::numeric_limits<double>;
    check_comparisons<double>({0.0, -0.0, 1.5, -1.5, Double::infinity(), -Double::infinity(), Double::quiet_NaN(),
                               Double::denorm_min(), 1e300});
}

/// Five words.
struct Particle {
    std::array<std::uint32_t, 5> words;
};

TEST(Select, ByAnExpression) {
    const std::uint32_t n = 3000;
    Trial trial(n);
    const Words items = hundreds(n);
    const Words limits = hundreds(n, 2);
    const auto in = trial.input("in", items);
    Predicate predicate("is_small(x, i) && x != 7u");
    predicate.functions = "bool is_small(uint x, uint i) { return x < limits[i]; }";
    predicate.buffers = {{"uint limits[]", read(trial.input("limits", limits))}};
    const auto out = trial.output("out", n);
    select_if(trial.graph, in, predicate, {.output = out, .tuning = small_shape()});

    std::vector<float> floats(n);
    std::transform(items.begin(), items.end(), floats.begin(), [](auto x) { return 0.5F - static_cast<float>(x); });
    const auto negative = trial.output("negative", n);
    select_if(trial.graph, trial.input("floats", floats), "x < -20.0 && i % 2 == 0",
              {.items = false, .output_indices = negative});

    std::vector<Particle> particles(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        particles[i] = {{i, items[i], 3, limits[i], 5}};
    }
    const auto chosen = trial.output<Particle>("chosen", n);
    select_if(trial.graph, trial.input("particles", particles), "x[1] < x[3] && x[4] == 5u",
              {.output = chosen, .tuning = small_shape()});
    trial.compile();
    trial.run(n);
    const auto is_small = [&](std::uint32_t i) { return items[i] < limits[i]; };
    trial.expect(out, items_at(items, indices_where(n, [&](std::uint32_t i) { return is_small(i) && items[i] != 7; })));
    trial.expect(negative, indices_where(n, [&](std::uint32_t i) { return floats[i] < -20 && i % 2 == 0; }));
    trial.expect(chosen, items_at(words_of(particles), indices_where(n, is_small), 5));
}

TEST(Select, AMistakeInAnExpressionHasItsLine) {
    Graph graph(test_context());
    const auto in = graph.import_buffer<std::uint32_t>("in", 10);
    Predicate predicate("x < 5u &&\n    y");
    predicate.name = "is_near";
    const auto near = select_if(graph, in, predicate);
    graph.export_buffer(near.items);
    const auto program = compile(test_context(), graph);
    ASSERT_FALSE(program);
    EXPECT_THAT(program.error().message, HasSubstr("is_near:2"));
}

TEST(Select, ByFlagsAndBits) {
    const std::uint32_t n = 2 * small_tile() + 77;
    Random random;
    const Words items = random_words(n, 1);
    Words flags = random.vector<std::uint32_t>(n, 0, 2), bits = random_words((n + 31) / 32, 3);
    Trial trial(n);
    const auto in = trial.input("in", items);
    const auto by_flags = trial.output("by flags", n), by_bits = trial.output("by bits", n);
    select_flagged(trial.graph, in, trial.input("flags", flags), {.output = by_flags, .tuning = small_shape()});
    select_by_bits(trial.graph, in, trial.input("bits", bits), {.output = by_bits, .tuning = small_shape()});
    trial.compile();
    for (const std::uint32_t k : {n, n - 1, 0U, 1U, small_tile()}) {
        trial.run(k);
        trial.expect(by_flags, items_at(items, indices_where(k, [&](std::uint32_t i) { return flags[i] != 0; })));
        trial.expect(by_bits,
                     items_at(items, indices_where(k, [&](std::uint32_t i) { return bits[i / 32] >> i % 32 & 1; })));
    }
}

TEST(Select, ElementsThatAreApart) {
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
               .tuning = small_shape()});
    trial.compile();
    trial.run(n);
    Words expected(7, 0xA5A5A5A5);
    for (std::uint32_t i = 0; i < n; ++i) {
        if (words[2 + 3 * i] < 50) {
            expected.insert(expected.end(), {words[2 + 3 * i], 0xA5A5A5A5});
        }
    }
    trial.expect(out, expected);
}

TEST(Partition, IntoTwoAndThree) {
    const std::uint32_t most = 3 * small_tile() + 1;
    const Words items = hundreds(most);
    for (const auto kind : {Count::Kind::parameter, Count::Kind::gpu}) {
        for (const bool faults : {false, true}) {
            Trial trial(most, kind);
            const auto in = trial.input("in", items);
            PartitionOptions<std::uint32_t> two{.indices = true, .tuning = small_shape()};
            if (faults) {
                two.faults = {.one_in = 2, .kind = Kind::torn_post};
            }
            PartitionOptions<std::uint32_t> three = two;
            for (std::size_t p = 0; p < 3; ++p) {
                if (p < 2) {
                    two.outputs.at(p) = trial.output("of two", most);
                    two.output_indices.at(p) = trial.output("indices of two", most);
                }
                three.outputs.at(p) = trial.output("of three", most);
                three.output_indices.at(p) = trial.output("indices of three", most);
            }
            two.counts = trial.output("counts of two", 2);
            three.counts = trial.output("counts of three", 3);
            const auto halves = partition(trial.graph, in, {Predicate::compare(Comparison::less, 50U)}, two);
            EXPECT_EQ(halves.size(), 2U);
            const auto thirds = partition(trial.graph, in, {"x < 50u", "x % 2 == 0"}, three);
            EXPECT_EQ(thirds.size(), 3U);
            trial.compile();
            for (std::uint32_t n = 0; n <= most && !HasFailure(); ++n) {
                SCOPED_TRACE(n);
                trial.run(n);
                const auto part = [&](std::uint32_t i) { return items[i] < 50 ? 0 : items[i] % 2 == 0 ? 1 : 2; };
                Words two_counts, three_counts;
                for (int p = 0; p < 3; ++p) {
                    const Words kept = indices_where(n, [&](std::uint32_t i) { return part(i) == p; });
                    trial.expect(three.outputs.at(p), items_at(items, kept));
                    trial.expect(three.output_indices.at(p), kept);
                    three_counts.push_back(static_cast<std::uint32_t>(kept.size()));
                    if (p < 2) {
                        const Words half =
                            indices_where(n, [&](std::uint32_t i) { return (part(i) != 0) == (p == 1); });
                        trial.expect(two.outputs.at(p), items_at(items, half));
                        trial.expect(two.output_indices.at(p), half);
                        two_counts.push_back(static_cast<std::uint32_t>(half.size()));
                    }
                }
                trial.expect(two.counts, two_counts);
                trial.expect(three.counts, three_counts);
            }
        }
    }
}

bool is_head(const Words& items, std::uint32_t i, std::uint32_t words = 1) {
    return i == 0 ||
           !std::equal(items.begin() + i * words, items.begin() + (i + 1) * words, items.begin() + (i - 1) * words);
}

TEST(Unique, OfWordsAndStructsAndByKey) {
    const std::uint32_t most = 3 * small_tile() + 1;
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
    unique(trial.graph, in, {.output = out, .output_indices = indices, .count = count, .tuning = small_shape()});
    unique(trial.graph, trial.input("triples", triples), {.output = of_triples, .tuning = small_shape()});
    unique_by_key(trial.graph, in, trial.input("values", values),
                  {.keys = {.output = keys, .tuning = small_shape()}, .values = kept});
    trial.compile();
    for (std::uint32_t n = 0; n <= most && !HasFailure(); ++n) {
        SCOPED_TRACE(n);
        trial.run(n);
        const Words heads = indices_where(n, [&](std::uint32_t i) { return is_head(items, i); });
        trial.expect(indices, heads);
        trial.expect(out, items_at(items, heads));
        trial.expect(keys, items_at(items, heads));
        trial.expect(count, {static_cast<std::uint32_t>(heads.size())});
        trial.expect(of_triples, items_at(words_of(triples), heads, 3));
        trial.expect(kept, items_at(words_of(values), heads, 2));
    }
}

/// Encodes the first n elements of `items`, n set for each run.
class Encoder {
public:
    Encoder(const Words& items, std::uint32_t capacity, RunLengthOptions<std::uint32_t> options,
            Count::Kind kind = Count::Kind::parameter)
        : items_(items), capacity_(capacity), repeated_only_(options.repeated_only),
          trial_(static_cast<std::uint32_t>(items.size()), kind) {
        const auto in = trial_.input("in", items);
        values_ = options.values = trial_.output("values", capacity);
        lengths_ = options.lengths = trial_.output("lengths", capacity);
        offsets_ = options.offsets = trial_.output("offsets", capacity);
        count_ = options.count = trial_.output("count", 1);
        run_length_encode(trial_.graph, in, options);
        trial_.compile();
    }

    void check(std::uint32_t n) {
        SCOPED_TRACE("n = " + std::to_string(n));
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
        trial_.expect(count_, {static_cast<std::uint32_t>(heads.size())});
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
        CompactionTuning shape = small_shape();
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

TEST(RunLength, OfOneElement) {
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

TEST(RunLength, MoreHeadsInATileThanWorkgroupMemoryHoldsAtATime) {
    const std::uint32_t n = 30011, workgroup = max_workgroup(), rows = std::min(32U, 8192 / workgroup);
    Words twice(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        twice[i] = i / 2;
    }
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

TEST(RunLength, NeedsNobodysProgress) {
    const std::uint32_t n = 30 * small_tile() + 7;
    for (const auto kind : {Kind::never_post, Kind::late_post, Kind::torn_post}) {
        for (const std::uint32_t one_in : {1U, 2U, 5U}) {
            for (const bool repeated_only : {false, true}) {
                Encoder encoder(runs(n, one_in == 1 ? 3 : 2 * small_tile()), n,
                                {.repeated_only = repeated_only,
                                 .faults = {.one_in = one_in, .kind = kind, .seed = one_in == 5 ? 7U : 0U},
                                 .tuning = small_shape()});
                for (int repeat = 0; repeat < 3; ++repeat) {
                    encoder.check(n);
                }
            }
        }
    }
}

TEST(RunLength, NoMoreThanThereIsRoomFor) {
    const Words items = runs(1000, 4);
    const auto heads =
        static_cast<std::uint32_t>(indices_where(1000, [&](std::uint32_t i) { return is_head(items, i); }).size());
    for (const std::uint32_t capacity : {heads, heads - 1, 1U}) {
        Encoder(items, capacity, {.tuning = small_shape()}).check(1000);
    }
}

/// What any of them may be asked for.
struct Common {
    FaultInjection faults;
    CompactionTuning tuning;
    WordLayout in, out;
    std::uint32_t room = 0; ///< for elements in each output
};

Common any_common(Random& random, std::uint32_t words, std::uint32_t most) {
    const Capabilities& device = test_context().capabilities();
    const auto maybe = [&random](std::uint32_t one_in) { return random.uniform(1U, one_in) == 1; };
    Common common;
    if (maybe(2)) {
        common.faults = {.one_in = random.uniform(1U, 4U), .kind = static_cast<Kind>(random.uniform(0U, 2U))};
    }
    common.tuning.rows = maybe(3) ? 0 : words == 1 && maybe(4) ? 32 : random.uniform(1U, 5U);
    common.tuning.workgroup = maybe(3) ? 0 : small_shape().workgroup;
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

/// Elements of so many words, few different ones, laid out so; T is only what they are called.
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

/// What an output with a layout is, from its first word on.
Words spread(const Words& items, std::uint32_t words, WordLayout layout) {
    Words all;
    for (std::uint32_t i = 0; i < items.size() / words; ++i) {
        all.resize(layout.offset + i * layout.stride, 0xA5A5A5A5);
        all.insert(all.end(), items.begin() + i * words, items.begin() + (i + 1) * words);
    }
    return all;
}

/// Whether a number, whose words are all the same, is less than one with this word.
template <class T>
Predicate below(std::uint32_t word) {
    using Number = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    return Predicate::compare(Comparison::less, static_cast<Number>(sizeof(T) == 4 ? word : word * 0x100000001ULL));
}

/// A program of any of the primitives, run with ten counts.
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

    // Room for as many elements, and what an output's own size makes of that.
    const std::uint32_t out_words = common.out.offset + (common.room - 1) * common.out.stride + words;
    const std::uint32_t out_capacity = (out_words + words - 1) / words;
    const std::uint32_t room =
        std::min(most, (out_capacity * words - common.out.offset - words) / common.out.stride + 1);
    std::vector<BufferRef<T>> outs;
    std::vector<BufferRef<std::uint32_t>> indices;
    for (int p = 0; p < 3; ++p) {
        outs.push_back(trial.output<T>("out", out_capacity));
        indices.push_back(trial.output("indices", most));
    }
    const auto lengths = trial.output("lengths", most), counts = trial.output("counts", 3);
    const SelectOptions<T> options{.output = outs[0],
                                   .output_indices = indices[0],
                                   .count = counts,
                                   .input_layout = common.in,
                                   .output_layout = common.out,
                                   .faults = common.faults,
                                   .tuning = common.tuning};
    const auto item = [&](std::uint32_t i) { return elements.items[i * words]; };
    const auto head = [&](std::uint32_t i) { return is_head(elements.items, i, words); };

    enum Primitive : std::uint32_t { by_flags, by_bits, once, once_by_key, runs, long_runs, two_parts, three_parts };
    const auto primitive = static_cast<Primitive>(random.uniform(0U, words <= 2 ? 7U : 5U));
    SCOPED_TRACE("primitive " + std::to_string(primitive) + " of " + std::to_string(words) + " words");
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
        unique_by_key(trial.graph, in, trial.input("values", flags), {.keys = options, .values = lengths});
        break;
    case runs:
    case long_runs:
        run_length_encode(trial.graph, in,
                          {.values = outs[0],
                           .lengths = lengths,
                           .offsets = indices[0],
                           .repeated_only = primitive == long_runs,
                           .count = counts,
                           .input_layout = common.in,
                           .value_layout = common.out,
                           .faults = common.faults,
                           .tuning = common.tuning});
        break;
    case two_parts:
    case three_parts: {
        // Of numbers whose first word is small and whose second one grows with it.
        parts = primitive == two_parts ? 2 : 3;
        std::vector<Predicate> predicates{below<T>(2)};
        if (parts == 3) {
            predicates.push_back(below<T>(4));
        }
        PartitionOptions<T> by{.counts = counts,
                               .input_layout = common.in,
                               .output_layout = common.out,
                               .faults = common.faults,
                               .tuning = common.tuning};
        for (std::uint32_t p = 0; p < parts; ++p) {
            by.outputs.at(p) = outs[p];
            by.output_indices.at(p) = indices[p];
        }
        partition(trial.graph, in, predicates, by);
        part = [&](std::uint32_t i) { return item(i) < 2 ? 0U : parts == 3 && item(i) < 4 ? 1U : parts - 1; };
        break;
    }
    }
    trial.compile();

    for (int run = 0; run < 10 && !testing::Test::HasFailure(); ++run) {
        const std::uint32_t n = run == 0 ? most : random.uniform(0U, run < 8 ? most : std::min(most, 2U));
        SCOPED_TRACE("n = " + std::to_string(n));
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
            expected_counts.push_back(static_cast<std::uint32_t>(kept.size()));
            const Words fitting = at_most(kept, room);
            trial.expect(indices[p], fitting);
            trial.expect(outs[p], spread(items_at(elements.items, fitting, words), words, common.out));
            trial.expect(lengths, at_most(expected_lengths, room));
        }
        trial.expect(counts, expected_counts);
    }
}

// Programs of ten inputs each. Every device draws others; the messages have the seed of a case that fails, and
// WEIR_TESTS_SEED starts with it.
TEST(Compaction, RandomCasesAgreeWithTheReference) {
    const Capabilities& device = test_context().capabilities();
    std::uint64_t first = std::hash<std::string>{}(device.driver + std::to_string(device.subgroup_size)) % 1000000;
    if (const char* given = std::getenv("WEIR_TESTS_SEED")) {
        first = std::strtoull(given, nullptr, 10);
    }
    const std::uint64_t programs = long_tests() ? 200 : 16;
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

TEST(Compaction, OnSubgroupsOfAnySize) {
    // As if only the driver knew.
    Graph graph(without_known_subgroup_size());
    const Words items = runs(5000, 9);
    const auto in = graph.import_buffer<std::uint32_t>("in", 5000);
    const auto encoded = run_length_encode(graph, in, {.tuning = small_shape()});
    graph.export_buffer(encoded.lengths);
    auto program = ok(compile(test_context(), graph));
    const Buffer buffer = buffer_of(items);
    ok(program.bind(in, buffer));
    ok(program.run());
    Words heads = indices_where(5000, [&](std::uint32_t i) { return is_head(items, i); }), lengths;
    for (std::size_t i = 0; i < heads.size(); ++i) {
        lengths.push_back((i + 1 < heads.size() ? heads[i + 1] : 5000) - heads[i]);
    }
    expect_equal(contents(program.view(encoded.lengths), lengths.size()), lengths, "lengths");
}

TEST(Compaction, RefusesNonsense) {
    const auto error_of = [](const std::function<void(Graph&, BufferRef<std::uint32_t>)>& build) {
        Graph graph(test_context());
        build(graph, graph.import_buffer<std::uint32_t>("in", 100));
        return plan_error(graph);
    };
    const Predicate small = Predicate::compare(Comparison::less, 5U);
    EXPECT_THAT(error_of([&](Graph& graph, auto in) { select_if(graph, in, small, {.output = in}); }),
                HasSubstr("select: an output is also an input, a count or another output"));
    EXPECT_THAT(error_of([&](Graph& graph, auto) { select_if(graph, BufferRef<std::uint32_t>{}, small); }),
                HasSubstr("select: the input is no buffer of any graph"));
    EXPECT_THAT(error_of([&](Graph& graph, auto in) { select_if(graph, in, Predicate::compare(Comparison::less, 5)); }),
                HasSubstr("a number of another type"));
    EXPECT_THAT(error_of([&](Graph& graph, auto in) { partition(graph, in, {}); }), HasSubstr("0 predicates"));
    EXPECT_THAT(error_of([&](Graph& graph, auto in) {
                    partition(graph, in, {"x < 1u", "x < 2u", "x < 3u"});
                }),
                HasSubstr("3 predicates"));
    EXPECT_THAT(error_of([&](Graph& graph, auto in) { partition(graph, in, {small, small}); }), HasSubstr("no error"));
    EXPECT_THAT(error_of([&](Graph& graph, auto in) {
                    partition(graph, in, {small, "x < 9u"});
                }),
                HasSubstr("one predicate is an expression and the other one a comparison"));
    EXPECT_THAT(error_of([&](Graph& graph, auto in) { select_if(graph, in, Predicate{}); }),
                HasSubstr("a predicate is either an expression or a comparison"));
    EXPECT_THAT(error_of([&](Graph& graph, auto in) {
                    const auto out = graph.import_buffer<std::uint32_t>("out", 100);
                    partition(graph, in, {small}, {.outputs = {BufferRef<std::uint32_t>{}, {}, out}});
                }),
                HasSubstr("an output is given for a part that there is not"));
    EXPECT_THAT(error_of([&](Graph& graph, auto in) {
                    const auto out = graph.import_buffer<std::uint32_t>("out", 100);
                    select_if(graph, in, small, {.output = out, .items = false});
                }),
                HasSubstr("an output is given for items, which are not wanted"));
    EXPECT_THAT(error_of([&](Graph& graph, auto in) {
                    Predicate seeing("seen[i] < x");
                    seeing.buffers = {{"uint seen[]", write(graph.import_buffer<std::uint32_t>("seen", 100))}};
                    select_if(graph, in, seeing);
                }),
                HasSubstr("what a predicate sees is to be read"));
    EXPECT_THAT(
        error_of([&](Graph& graph, auto in) { select_if(graph, in, small, {.tuning = {.workgroup = 1U << 28}}); }),
        HasSubstr("a workgroup of 268435456 invocations"));
    EXPECT_THAT(error_of([&](Graph& graph, auto) {
                    const auto in = graph.import_buffer<std::uint32_t>("many", 1U << 27);
                    select_if(graph, in, small, {.output_layout = {.stride = 32}});
                }),
                HasSubstr("the items would reach past 2^32 words"));
    EXPECT_THAT(error_of([&](Graph& graph, auto in) {
                    select_flagged(graph, in, graph.import_buffer<std::uint32_t>("flags", 99));
                }),
                HasSubstr("100 elements need 100 flags; there are 99"));
    EXPECT_THAT(error_of([&](Graph& graph, auto in) {
                    select_by_bits(graph, in, graph.import_buffer<std::uint32_t>("bits", 3));
                }),
                HasSubstr("100 elements need 4 words of bits; there are 3"));
    EXPECT_THAT(error_of([&](Graph& graph, auto in) { select_if(graph, in, small, {.input_layout = {.offset = 1}}); }),
                HasSubstr("the input has room for 100 words; 100 elements need 101"));
    EXPECT_THAT(error_of([&](Graph& graph, auto in) {
                    select_if(graph, in, small, {.tuning = {.workgroup = 64, .rows = 33}});
                }),
                HasSubstr("33 rows"));
    EXPECT_THAT(error_of([&](Graph& graph, auto in) {
                    unique_by_key(graph, in, graph.import_buffer<std::uint64_t>("values", 99));
                }),
                HasSubstr("100 elements need as many values; there are 99"));
    EXPECT_THAT(error_of([&](Graph& graph, auto in) {
                    const auto out = graph.import_buffer<std::uint32_t>("out", 100);
                    run_length_encode(graph, in, {.values = out, .lengths = out});
                }),
                HasSubstr("run-length encode: an output is also"));
}

} // namespace
} // namespace weir::tests
