#include <limits>
#include <optional>

#include "tests/primitives/sorted_arrays.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::set_operations_test {
namespace {

const Sweeps sweeps{"SetOperations.EveryType", "SetOperations.FewKeys"};

// Cases that run the same kernels are in one test, because drivers take several seconds to compile a kernel.

/// Checks operations on the first n keys of `some` and all keys of `all`, for each n in `counts`. Without `type`,
/// checks all operations. With the number of a type, checks the one whose turn it is, so that drivers differ for each
/// type.
template <class K>
void check_sets(const std::vector<K>& some, const std::vector<K>& all, const Words& counts,
                Count::Kind kind = Count::Kind::parameter, std::optional<std::uint32_t> type = {}) {
    const std::uint32_t most = count_of(some), size = count_of(all);
    std::vector<Operation<K>> operations;
    const auto add = [&](std::uint32_t number, const Operation<K>& operation) {
        if (!type || is_turn(*type + number, 4)) {
            operations.push_back(operation);
        }
    };
    add(0, {"union", most + size,
            [](Graph& g, auto first, auto second, auto keys, auto count) {
                set_union(g, first, second, {.output_keys = keys, .output_count = count});
            },
            [](auto& a, auto& b, auto out) {
                std::set_union(a.begin(), a.end(), b.begin(), b.end(), out, comes_before);
            }});
    add(1, {"intersection", std::min(most, size),
            [](Graph& g, auto first, auto second, auto keys, auto count) {
                set_intersection(g, first, second, {.output_keys = keys, .output_count = count});
            },
            [](auto& a, auto& b, auto out) {
                std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), out, comes_before);
            }});
    add(2, {"difference", most,
            [](Graph& g, auto first, auto second, auto keys, auto count) {
                set_difference(g, first, second, {.output_keys = keys, .output_count = count});
            },
            [](auto& a, auto& b, auto out) {
                std::set_difference(a.begin(), a.end(), b.begin(), b.end(), out, comes_before);
            }});
    add(2, {"other difference", size,
            [](Graph& g, auto first, auto second, auto keys, auto count) {
                set_difference(g, second, first, {.output_keys = keys, .output_count = count});
            },
            [](auto& a, auto& b, auto out) {
                std::set_difference(b.begin(), b.end(), a.begin(), a.end(), out, comes_before);
            }});
    add(3, {"symmetric difference", most + size,
            [](Graph& g, auto first, auto second, auto keys, auto count) {
                set_symmetric_difference(g, first, second, {.output_keys = keys, .output_count = count});
            },
            [](auto& a, auto& b, auto out) {
                std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), out, comes_before);
            }});
    check_operations(operations, some, all, counts, kind);
}

TEST(SetOperations, FewKeys) {
    const Words odd{1, 3, 3, 3, 5, 7, 9, 9}, mixed{0, 3, 3, 4, 5, 9, 9, 9, 10};
    check_sets(odd, mixed, {0, 1, 2, 3, 4, 5, 8});
    check_sets(odd, Words{6}, {0, 5, 8}, Count::Kind::gpu);
    // Every count of few distinct keys.
    Words counts = ascending(200);
    std::erase_if(counts, [](std::uint32_t n) { return !is_turn(n, 4); });
    check_sets(sorted_words(200, 5, 20), sorted_words(150, 6, 20), counts, Count::Kind::gpu);
}

/// Checks that operations on unsorted keys end, that the union has no more keys than both inputs, and that nothing is
/// written beyond the outputs.
void check_keys_that_are_not_sorted() {
    Trial trial(9000);
    const auto in = trial.input("first", random_words(9000, 23));
    const auto other = trial.input("second", random_words(7000, 24)).with_count(7000);
    const auto few = trial.output("few", 7000), few_count = trial.output("few count", 1);
    const auto all = trial.output("all", 16000), all_count = trial.output("all count", 1);
    set_intersection(trial.graph, in, other, {.output_keys = few, .output_count = few_count});
    set_union(trial.graph, in, other, {.output_keys = all, .output_count = all_count});
    for (const std::uint32_t n : {9000U, 5000U}) {
        trial.run(n);
        EXPECT_LE(trial.words_in(all_count, 1)[0], 16000U) << n;
        for (const auto& [output, words] : {std::pair(few, 7000), {few_count, 1}, {all, 16000}, {all_count, 1}}) {
            trial.expect(output, trial.words_in(output, words)); // guard words
        }
    }
}

TEST(SetOperations, AroundTileBoundaries) {
    // Tiles have 256 * 9 keys.
    check_sets(sorted_words(5000, 1, 1500), sorted_words(101, 2, 1500),
               {0, 1, 2202, 2203, 2204, 4506, 4507, 4508, 5000});
    check_sets(sorted_words(3000, 3, 1500), sorted_words(3000, 4, 1500), {0, 1, 1607, 1608, 1609, 3000},
               Count::Kind::gpu);
    // Runs of equal keys that are longer than tiles and differ in length.
    check_sets(Words(9000, 7), Words(5000, 7), {0, 1, 4999, 5000, 5001, 9000});
    Words some(3000, 1), all(5000, 1);
    some.resize(9000, 2);
    some.resize(12000, 3);
    all.resize(7000, 2);
    all.resize(14000, 4);
    check_sets(some, all, {2999, 3000, 3001, 9000, 12000}, Count::Kind::gpu);
    check_sets(all, some, {4999, 5001, 7000, 14000});
    check_sets(sorted_words(20000, 7), sorted_words(15000, 8), {20000});
    check_keys_that_are_not_sorted();
}

// A fallback computes a tile of another workgroup while the keys of its own tile stay in registers.
TEST(SetOperations, SilentTilesInEveryOrder) {
    const Words first = sorted_words(30000, 21, 20000), second = sorted_words(20000, 22, 20000);
    Words expected;
    std::set_symmetric_difference(first.begin(), first.end(), second.begin(), second.end(),
                                  std::back_inserter(expected));
    for (const Instrument& faults :
         {Instrument{.one_in = 1, .seed = 1U},
          Instrument{.one_in = 2, .seed = 1U, .order = Instrument::Order::reversed},
          Instrument{
              .one_in = 3, .kind = Instrument::Kind::torn_post, .seed = 1U, .order = Instrument::Order::random}}) {
        Trial trial(30000);
        const auto keys = trial.output("keys", 50000), count = trial.output("count", 1);
        const auto scope = weir::testing::instrument(trial.graph, trial.counted(with_seed(faults, trial.seed)));
        set_symmetric_difference(trial.graph, trial.input("first", first),
                                 trial.input("second", second).with_count(20000),
                                 {.output_keys = keys, .output_count = count});
        for (std::uint32_t seed = 1; seed <= 3; ++seed) {
            trial.run(30000, seed);
            trial.expect(count, {count_of(expected)});
            trial.expect(keys, expected);
            EXPECT_GT(trial.counters().fallbacks, 0U) << "no fallback";
        }
    }
}

TEST(SetOperations, EveryType) {
    const Words counts{0, 1, 1000, 3000};
    check_sets(few_sorted<std::int32_t>(3000, 11), few_sorted<std::int32_t>(2500, 12), counts, Count::Kind::parameter,
               0);
    // Floats are compared in total order.
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    const auto with = [](std::vector<float> items, std::initializer_list<float> special) {
        items.insert(items.end(), special);
        return sorted(items);
    };
    check_sets(with(few_numbers<float>(3000, 13), {nan, -nan, infinity, -infinity, 0.0F, -0.0F, 1.0F}),
               with(few_numbers<float>(2500, 14), {nan, nan, infinity, -0.0F, -0.0F, 2.0F}),
               {0, 1, 4, 1000, 3000, 3003, 3007}, Count::Kind::gpu, 1);
    check_sets(few_sorted<std::uint64_t>(3000, 15), few_sorted<std::uint64_t>(2500, 16), counts, Count::Kind::parameter,
               2);
    check_sets(few_sorted<std::int64_t>(3000, 17), few_sorted<std::int64_t>(2500, 18), counts, Count::Kind::gpu, 3);
    check_sets(few_sorted<double>(3000, 19), few_sorted<double>(2500, 20), counts, Count::Kind::parameter, 4);
}

TEST(SetOperations, RejectsInvalidArguments) {
    expect_refused("set union: the second keys' buffer is null", [](Graph& g, Ref a) { set_union(g, a, Ref{}); });
    expect_refused("set union: the output's keys' buffer has a capacity of 149 elements; 150 are required",
                   [](Graph& g, Ref a, Ref b) { set_union(g, a, b, {.output_keys = imported(g, 149)}); });
    expect_refused("set intersection: the output's keys' buffer has a capacity of 49 elements; 50 are required",
                   [](Graph& g, Ref a, Ref b) { set_intersection(g, a, b, {.output_keys = imported(g, 49)}); });
    expect_refused("set difference: an output is also an input",
                   [](Graph& g, Ref a, Ref b) { set_difference(g, a, b, {.output_keys = a}); });
    expect_refused("set symmetric difference: an output is also an input",
                   [](Graph& g, Ref a, Ref b) { set_symmetric_difference(g, a, b, {.output_count = b}); });
    EXPECT_EQ(
        error_of([](Graph& g, Ref a, Ref b) { set_union(g, a, b, {.output_count = imported(g, 1).with_count(0)}); }),
        "no error");
}

} // namespace
} // namespace weir::tests::set_operations_test
