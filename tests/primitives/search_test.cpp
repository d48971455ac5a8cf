#include <array>
#include <limits>

#include "tests/primitives/numbers.hpp"
#include "tests/primitives/trial.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::search_test {
namespace {

const OnOneDriver on_one_driver{"PartitionPoint.SortedNumbers"};

/// Checks lower and upper bounds of the first n keys in the whole sorted array, for each n in `counts` and for all
/// keys.
template <class T>
void check(std::vector<T> sorted, const std::vector<T>& keys, Count::Kind kind = Count::Kind::parameter,
           Words counts = {0, 1, 255, 1023, 1024, 1025}) {
    std::sort(sorted.begin(), sorted.end(), comes_before);
    const auto most = count_of(keys), size = count_of(sorted);
    Trial trial(most, kind);
    const auto lower = trial.output("lower bounds", most), upper = trial.output("upper bounds", most);
    const auto input = trial.input("sorted", sorted).with_count(trial.fixed(size)), keys_in = trial.input("keys", keys);
    lower_bound(trial.graph, input, keys_in, {.output = lower});
    upper_bound(trial.graph, input, keys_in, {.output = upper});
    counts.push_back(most);
    for (const std::uint32_t n : counts) {
        Words lower_places, upper_places;
        for (std::uint32_t i = 0; i < n; ++i) {
            const auto [low, high] = std::equal_range(sorted.begin(), sorted.end(), keys[i], comes_before);
            lower_places.push_back(static_cast<std::uint32_t>(low - sorted.begin()));
            upper_places.push_back(static_cast<std::uint32_t>(high - sorted.begin()));
        }
        trial.run(n);
        trial.expect(lower, lower_places);
        trial.expect(upper, upper_places);
    }
}

TEST(Search, EveryTypeOfNumbers) {
    check(few_numbers<std::uint32_t>(100, 1), few_numbers<std::uint32_t>(1100, 2));
    check(few_numbers<std::int32_t>(100, 3), few_numbers<std::int32_t>(1100, 4), Count::Kind::gpu);
    check(few_numbers<float>(100, 5), few_numbers<float>(1100, 6));
    check(few_numbers<std::uint64_t>(100, 7), few_numbers<std::uint64_t>(1100, 8), Count::Kind::gpu);
    check(few_numbers<std::int64_t>(100, 9), few_numbers<std::int64_t>(1100, 10));
    check(few_numbers<double>(100, 11), few_numbers<double>(1100, 12), Count::Kind::gpu);
}

TEST(Search, ArraysOfAllSizesAndExtremes) {
    const Words keys = random_words(1100, 13);
    for (const std::uint32_t size : {1U, 2U, 3U, 1000U, 65536U}) {
        check(random_words(size, 14), keys);
    }
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    std::vector<float> floats{nan, -nan, infinity, -infinity, 0.0F, -0.0F, 1.0F, -1.0F};
    floats.resize(1100, 0.5F);
    check(floats, floats);
}

// With this number of keys, a tile of ascending keys searches only between the positions of its first and last key.
TEST(Search, ManyKeysInAndOutOfOrder) {
    constexpr std::uint32_t n = (1U << 18) + 1077;
    Words keys = random_words(n, 21);
    std::sort(keys.begin(), keys.end());
    std::fill(keys.begin() + 5000, keys.begin() + 9000, keys[5000]);
    for (const std::uint32_t size : {1U, 1000U, 100000U}) {
        check(random_words(size, 22), keys, Count::Kind::parameter, {});
    }
    Words disturbed = keys;
    for (std::uint32_t i = 2048; i < n; i += 6000) { // includes the first and last keys of tiles
        std::swap(disturbed[i - 1], disturbed[i]);
        disturbed[i / 2] = ~0U;
    }
    check(random_words(30000, 23), disturbed, Count::Kind::parameter, {});
    check(keys, Words(70000, 12345), Count::Kind::parameter, {});
}

TEST(Search, EmptyArray) {
    Trial trial(100);
    const auto output = trial.output("places", 100);
    const auto sorted = trial.input("sorted", Words{7});
    lower_bound(trial.graph, sorted.with_count(0), trial.input("keys", random_words(100, 1)), {.output = output});
    trial.run(100);
    trial.expect(output, Words(100, 0));
}

/// Checks partition points for several points and counts. The first `point` elements satisfy the predicate.
template <class T>
void check_points(const std::vector<T>& items, std::uint32_t most, const char* text, Count::Kind kind,
                  WordLayout layout) {
    Trial trial(most, kind);
    const auto output = trial.output("point", 1);
    const Predicate is_before{.expression = text, .values = {{"point", trial.seed}}};
    partition_point(trial.graph, trial.input("items", items), is_before, {.output = output, .input_layout = layout});
    for (const std::uint32_t n : {0U, 1U, 2U, 255U, 256U, 257U, 65535U, 65536U, 65537U, most}) {
        for (const std::uint32_t point : {0U, 1U, 2U, 255U, 256U, 257U, n / 2, n / 3 * 2, n - 1, n}) {
            trial.run(n, point);
            trial.expect(output, {std::min(n, point)});
        }
    }
}

TEST(PartitionPoint, ExpressionPredicate) {
    check_points(ascending(70000), 70000, "x < point", Count::Kind::parameter, {});
    std::vector<std::array<std::uint32_t, 2>> pairs(3 * 70000 / 2); // words: ~0, i and i + 1 for each i
    for (std::uint32_t word = 0; word < 2 * pairs.size(); ++word) {
        pairs[word / 2].at(word % 2) = word % 3 == 0 ? ~0U : word / 3 + word % 3 - 1;
    }
    check_points(pairs, 70000, "x.y <= point && x.x == i", Count::Kind::gpu, {.offset = 1, .stride = 3});
}

template <class T>
void check_point(std::vector<T> items, Comparison comparison, T number, std::uint32_t expected) {
    std::sort(items.begin(), items.end(), comes_before);
    const auto most = count_of(items);
    Trial trial(most);
    const auto output = trial.output("point", 1);
    partition_point(trial.graph, trial.input("items", items), Predicate::compare(comparison, number),
                    {.output = output});
    for (const std::uint32_t n : {most, expected + 1, expected, expected / 2, 0U}) {
        trial.run(n);
        trial.expect(output, {std::min(n, expected)});
    }
}

TEST(PartitionPoint, SortedNumbers) {
    const auto below = [](const auto& items, auto number) {
        return static_cast<std::uint32_t>(
            std::count_if(items.begin(), items.end(), [&](auto item) { return item < number; }));
    };
    const auto words = few_numbers<std::uint32_t>(1100, 15);
    check_point(words, Comparison::less, words[0], below(words, words[0]));
    const auto floats = few_numbers<float>(1100, 16);
    check_point(floats, Comparison::less, 1.0F, below(floats, 1.0F));
    const auto wide = few_numbers<std::int64_t>(1100, 17);
    check_point(wide, Comparison::less_equal, std::int64_t{-1}, below(wide, 0));
}

TEST(PartitionPoint, RejectsInvalidArguments) {
    expect_refused("partition point: the input is null", [](Graph& g) { partition_point(g, Ref{}, "x == 0"); });
    expect_refused("partition point: a predicate requires an expression",
                   [](Graph& g, Ref in) { partition_point(g, in, ""); });
    expect_refused("partition point: an output is also an input",
                   [](Graph& g, Ref in) { partition_point(g, in, "x == 0", {.output = in}); });
    expect_refused("partition point: the input has a capacity of 100 words",
                   [](Graph& g, Ref in) { partition_point(g, in, "x == 0", {.input_layout = {.offset = 1}}); });
}

TEST(Search, RejectsInvalidArguments) {
    expect_refused("lower bound: the sorted array is null",
                   [](Graph& g, Ref, Ref keys) { lower_bound(g, Ref{}, keys); });
    expect_refused("upper bound: the keys' buffer is null",
                   [](Graph& g, Ref sorted) { upper_bound(g, sorted, Ref{}); });
    expect_refused("lower bound: an output is also an input",
                   [](Graph& g, Ref sorted, Ref keys) { lower_bound(g, sorted, keys, {.output = keys}); });
    expect_refused("lower bound: the output has a capacity of 49 elements; 50 are required",
                   [](Graph& g, Ref sorted, Ref keys) { lower_bound(g, sorted, keys, {.output = imported(g, 49)}); });
}

} // namespace
} // namespace weir::tests::search_test
