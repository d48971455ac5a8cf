#include <functional>
#include <iterator>
#include <limits>
#include <optional>

#include "tests/primitives/numbers.hpp"
#include "tests/primitives/trial.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::set_operations_test {
namespace {

const Sweeps sweeps{"SetOperations.EveryType", "SetOperations.FewKeys"};

// Cases that run the same kernels are in one test, because drivers take several seconds to compile a kernel.

using Words = std::vector<std::uint32_t>;

template <class T>
std::vector<T> sorted(std::vector<T> items) {
    std::sort(items.begin(), items.end(), comes_before);
    return items;
}

/// Checks operations on the first n keys of `some` and all keys of `all`, for each n in `counts`. Without `type`,
/// checks all operations. With the number of a type, checks the one whose turn it is, so that drivers differ for each
/// type.
template <class K>
void check_sets(const std::vector<K>& some, const std::vector<K>& all, const Words& counts,
                Count::Kind kind = Count::Kind::parameter, std::optional<std::uint32_t> type = {}) {
    const auto most = static_cast<std::uint32_t>(some.size()), size = static_cast<std::uint32_t>(all.size());
    Trial trial(most, kind);
    const auto first = trial.input("some", some);
    const auto second =
        trial.input("all", all)
            .with_count(kind == Count::Kind::gpu ? trial.graph.count_in(trial.input("size", Words{size}), 0, size)
                                                 : Count(size));
    struct Result {
        BufferRef<K> keys;
        BufferRef<std::uint32_t> count;
        std::function<std::vector<K>(const std::vector<K>& a, const std::vector<K>& b)> expected;
    };
    std::vector<Result> results;
    const auto add = [&](std::uint32_t number, const char* name, std::uint32_t room, auto operation, auto expected) {
        if (type && !is_turn(*type + number, 4)) {
            return;
        }
        const auto keys = trial.output<K>(name, room);
        const auto count = trial.output((std::string(name) + " count").c_str(), 1);
        operation({.output_keys = keys, .output_count = count});
        results.push_back({keys, count, [expected](const std::vector<K>& a, const std::vector<K>& b) {
                               std::vector<K> set;
                               expected(a, b, std::back_inserter(set));
                               return set;
                           }});
    };
    using Options = SetOptions<K>;
    add(
        0, "union", most + size, [&](const Options& options) { set_union(trial.graph, first, second, options); },
        [](auto& a, auto& b, auto out) { std::set_union(a.begin(), a.end(), b.begin(), b.end(), out, comes_before); });
    add(
        1, "intersection", std::min(most, size),
        [&](const Options& options) { set_intersection(trial.graph, first, second, options); },
        [](auto& a, auto& b, auto out) {
            std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), out, comes_before);
        });
    add(
        2, "difference", most, [&](const Options& options) { set_difference(trial.graph, first, second, options); },
        [](auto& a, auto& b, auto out) {
            std::set_difference(a.begin(), a.end(), b.begin(), b.end(), out, comes_before);
        });
    add(
        2, "other difference", size,
        [&](const Options& options) { set_difference(trial.graph, second, first, options); },
        [](auto& a, auto& b, auto out) {
            std::set_difference(b.begin(), b.end(), a.begin(), a.end(), out, comes_before);
        });
    add(
        3, "symmetric difference", most + size,
        [&](const Options& options) { set_symmetric_difference(trial.graph, first, second, options); },
        [](auto& a, auto& b, auto out) {
            std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), out, comes_before);
        });
    trial.compile();
    for (const std::uint32_t n : counts) {
        SCOPED_TRACE("n = " + std::to_string(n) + " and " + std::to_string(size));
        const std::vector<K> part(some.begin(), some.begin() + n);
        trial.run(n);
        for (const Result& result : results) {
            const std::vector<K> expected = result.expected(part, all);
            trial.expect(result.count, {static_cast<std::uint32_t>(expected.size())});
            trial.expect(result.keys, words_of(expected));
        }
    }
}

TEST(SetOperations, FewKeys) {
    const Words odd{1, 3, 3, 3, 5, 7, 9, 9}, mixed{0, 3, 3, 4, 5, 9, 9, 9, 10};
    check_sets(odd, mixed, {0, 1, 2, 3, 4, 5, 8});
    check_sets(odd, Words{6}, {0, 5, 8}, Count::Kind::gpu);
    // Every count of few distinct keys.
    const auto few = [](std::uint32_t n, std::uint64_t seed) {
        return sorted(Random(seed).vector<std::uint32_t>(n, 0, 20));
    };
    Words counts;
    for (std::uint32_t n = 0; n < 200; ++n) {
        if (is_turn(n, 4)) {
            counts.push_back(n);
        }
    }
    check_sets(few(200, 5), few(150, 6), counts, Count::Kind::gpu);
}

/// Checks that operations on unsorted keys end, and that the union has no more keys than both inputs.
void check_keys_that_are_not_sorted() {
    const Words first = random_words(9000, 23), second = random_words(7000, 24);
    Trial trial(9000);
    const auto in = trial.input("first", first), other = trial.input("second", second).with_count(7000);
    const auto few = trial.output("few", 7000), few_count = trial.output("few count", 1);
    const auto all = trial.output("all", 16000), all_count = trial.output("all count", 1);
    set_intersection(trial.graph, in, other, {.output_keys = few, .output_count = few_count});
    set_union(trial.graph, in, other, {.output_keys = all, .output_count = all_count});
    trial.compile();
    for (const std::uint32_t n : {9000U, 5000U}) {
        trial.run(n);
        EXPECT_LE(trial.words_in(all_count, 1)[0], 16000U);
    }
}

TEST(SetOperations, AroundTileBoundaries) {
    // Tiles have 256 * 9 keys.
    const auto few = [](std::uint32_t n, std::uint64_t seed) {
        return sorted(Random(seed).vector<std::uint32_t>(n, 0, 1500));
    };
    check_sets(few(5000, 1), few(101, 2), {0, 1, 2202, 2203, 2204, 4506, 4507, 4508, 5000});
    check_sets(few(3000, 3), few(3000, 4), {0, 1, 1607, 1608, 1609, 3000}, Count::Kind::gpu);
    // Runs of equal keys that are longer than tiles and differ in length.
    check_sets(Words(9000, 7), Words(5000, 7), {0, 1, 4999, 5000, 5001, 9000});
    Words some(3000, 1), all(5000, 1);
    some.resize(9000, 2);
    some.resize(12000, 3);
    all.resize(7000, 2);
    all.resize(14000, 4);
    check_sets(some, all, {2999, 3000, 3001, 9000, 12000}, Count::Kind::gpu);
    check_sets(all, some, {4999, 5001, 7000, 14000});
    check_sets(sorted(random_words(20000, 7)), sorted(random_words(15000, 8)), {20000});
    check_keys_that_are_not_sorted();
}

// A fallback computes a tile of another workgroup while the keys of its own tile stay in registers.
TEST(SetOperations, SilentTilesInEveryOrder) {
    const Words first = sorted(Random(21).vector<std::uint32_t>(30000, 0, 20000)),
                second = sorted(Random(22).vector<std::uint32_t>(20000, 0, 20000));
    Words expected;
    std::set_symmetric_difference(first.begin(), first.end(), second.begin(), second.end(),
                                  std::back_inserter(expected));
    for (const Instrument& faults :
         {Instrument{.one_in = 1}, Instrument{.one_in = 2, .order = Instrument::Order::reversed},
          Instrument{.one_in = 3, .kind = Instrument::Kind::torn_post, .order = Instrument::Order::random}}) {
        Trial trial(30000);
        Instrument injected = faults;
        injected.seed = trial.seed;
        const auto keys = trial.output("keys", 50000), count = trial.output("count", 1);
        const auto counters = injected.counters = trial.output("counters", 4);
        const auto scope = weir::testing::instrument(trial.graph, injected);
        set_symmetric_difference(trial.graph, trial.input("first", first),
                                 trial.input("second", second).with_count(20000),
                                 {.output_keys = keys, .output_count = count});
        trial.compile();
        for (std::uint32_t seed = 1; seed <= 3; ++seed) {
            trial.run(30000, seed);
            trial.expect(count, {static_cast<std::uint32_t>(expected.size())});
            trial.expect(keys, expected);
            EXPECT_GT(trial.words_in(counters, 4)[2], 0U) << "no fallback";
        }
    }
}

TEST(SetOperations, EveryType) {
    const Words counts{0, 1, 1000, 3000};
    check_sets(sorted(few_numbers<std::int32_t>(3000, 11)), sorted(few_numbers<std::int32_t>(2500, 12)), counts,
               Count::Kind::parameter, 0);
    // Floats are compared in total order.
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    const auto with = [](std::vector<float> items, std::initializer_list<float> special) {
        items.insert(items.end(), special);
        return sorted(items);
    };
    check_sets(with(few_numbers<float>(3000, 13), {nan, -nan, infinity, -infinity, 0.0F, -0.0F, 1.0F}),
               with(few_numbers<float>(2500, 14), {nan, nan, infinity, -0.0F, -0.0F, 2.0F}),
               {0, 1, 4, 1000, 3000, 3003, 3007}, Count::Kind::gpu, 1);
    check_sets(sorted(few_numbers<std::uint64_t>(3000, 15)), sorted(few_numbers<std::uint64_t>(2500, 16)), counts,
               Count::Kind::parameter, 2);
    check_sets(sorted(few_numbers<std::int64_t>(3000, 17)), sorted(few_numbers<std::int64_t>(2500, 18)), counts,
               Count::Kind::gpu, 3);
    check_sets(sorted(few_numbers<double>(3000, 19)), sorted(few_numbers<double>(2500, 20)), counts,
               Count::Kind::parameter, 4);
}

TEST(SetOperations, RejectsInvalidArguments) {
    using Ref = BufferRef<std::uint32_t>;
    const auto error = [](const std::function<void(Graph&, Ref, Ref)>& build) {
        Graph graph(test_context());
        build(graph, graph.import_buffer<std::uint32_t>("a", 100), graph.import_buffer<std::uint32_t>("b", 50));
        return plan_error(graph);
    };
    EXPECT_THAT(error([](Graph& graph, Ref a, Ref) { set_union(graph, a, Ref{}); }),
                HasSubstr("set union: the second keys' buffer is null"));
    EXPECT_THAT(error([](Graph& graph, Ref a, Ref b) {
                    set_union(graph, a, b, {.output_keys = graph.import_buffer<std::uint32_t>("c", 149)});
                }),
                HasSubstr("set union: the output's keys' buffer has a capacity of 149 elements; 150 are required"));
    EXPECT_THAT(
        error([](Graph& graph, Ref a, Ref b) {
            set_intersection(graph, a, b, {.output_keys = graph.import_buffer<std::uint32_t>("c", 49)});
        }),
        HasSubstr("set intersection: the output's keys' buffer has a capacity of 49 elements; 50 are required"));
    EXPECT_THAT(error([](Graph& graph, Ref a, Ref b) { set_difference(graph, a, b, {.output_keys = a}); }),
                HasSubstr("set difference: an output is also an input"));
    EXPECT_THAT(error([](Graph& graph, Ref a, Ref b) { set_symmetric_difference(graph, a, b, {.output_count = b}); }),
                HasSubstr("set symmetric difference: an output is also an input"));
    EXPECT_THAT(error([](Graph& graph, Ref a, Ref b) {
                    set_union(graph, a, b, {.output_count = graph.import_buffer<std::uint32_t>("c", 1).with_count(0)});
                }),
                testing::Not(HasSubstr("set")));
}

} // namespace
} // namespace weir::tests::set_operations_test
