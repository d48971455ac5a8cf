#include <array>

#include "tests/primitives/trial.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::shuffle_test {
namespace {

const OnOneDriver on_one_driver{"Shuffle.Orders*", "Shuffle.EveryCount*"};

std::uint32_t hash(std::uint32_t x) {
    x = (x ^ x >> 16) * 0x7FEB352D;
    x = (x ^ x >> 15) * 0x846CA68B;
    return x ^ x >> 16;
}

/// Returns the documented permutation for a count and a seed.
Words permutation(std::uint32_t n, std::uint32_t seed) {
    const auto bits =
        static_cast<std::uint32_t>(std::max(2U, static_cast<std::uint32_t>(std::bit_width(n == 0 ? 0 : n - 1))));
    const std::uint32_t low_bits = bits / 2;
    Words order(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        std::uint32_t number = i;
        do {
            std::uint32_t high = number >> low_bits, low = number & ((1U << low_bits) - 1);
            for (std::uint32_t round = 0; round < 12; ++round) {
                const std::uint32_t key = hash(seed + (round + 1) * 0x9E3779B9);
                if (round % 2 == 0) {
                    high ^= hash(low ^ key) & ((1U << (bits - low_bits)) - 1);
                } else {
                    low ^= hash(high ^ key) & ((1U << low_bits) - 1);
                }
            }
            number = high << low_bits | low;
        } while (number >= n);
        order[i] = number;
    }
    return order;
}

bool is_permutation(Words order) {
    std::sort(order.begin(), order.end());
    return order == ascending(count_of(order));
}

TEST(Shuffle, MatchesDocumentedPermutation) {
    for (const auto kind : {Count::Kind::parameter, Count::Kind::gpu}) {
        Trial trial(70000, kind);
        const auto order = trial.output("order", 70000);
        random_permutation(trial.graph, trial.count, trial.seed, {.output = order});
        for (const std::uint32_t n : {0U, 1U, 2U, 3U, 4U, 5U, 1023U, 1024U, 1025U, 65536U, 65537U, 70000U}) {
            trial.run(n, n + 7);
            const Words expected = permutation(n, n + 7);
            ASSERT_TRUE(is_permutation(expected));
            trial.expect(order, expected);
        }
    }
}

TEST(Shuffle, MovesElements) {
    const auto items = tabulated(3000, [&](std::uint32_t i) { return std::array<std::uint32_t, 3>{i, ~i, i * i}; });
    Trial trial(3000);
    const auto shuffled = trial.output<std::array<std::uint32_t, 3>>("shuffled", 3000);
    shuffle(trial.graph, trial.input("items", items), trial.seed, {.output = shuffled});
    for (const std::uint32_t n : {1U, 2047U, 3000U}) {
        trial.run(n, 99);
        trial.expect(shuffled, at_indices(items, permutation(n, 99)));
    }
}

TEST(Shuffle, EveryCountUpTo300) {
    Trial trial(300);
    const auto order = trial.output("order", 300);
    random_permutation(trial.graph, trial.count, 5, {.output = order});
    for (std::uint32_t n = 0; n <= 300; ++n) {
        trial.run(n);
        trial.expect(order, permutation(n, 5));
    }
}

/// Returns the chi-squared statistic of counts that are all expected to be `expected`.
double chi_squared(const Words& counts, double expected) {
    double sum = 0;
    for (const std::uint32_t count : counts) {
        sum += (count - expected) * (count - expected) / expected;
    }
    return sum;
}

// Uses the CPU implementation, which the tests above compare with the device's. A perfect generator exceeds each bound
// with probability 1/10000.
TEST(Shuffle, OrdersAreEquallyLikely) {
    constexpr std::uint32_t seeds = 24000;
    Words orders(120), places(static_cast<std::size_t>(20) * 20), neighbours(20);
    for (std::uint32_t seed = 0; seed < seeds; ++seed) {
        const Words five = permutation(5, seed), twenty = permutation(20, seed);
        std::uint32_t number = 0; // rank of the order among all 120
        for (std::uint32_t i = 0; i < 5; ++i) {
            std::uint32_t smaller = 0;
            for (std::uint32_t j = i + 1; j < 5; ++j) {
                smaller += five[j] < five[i] ? 1 : 0;
            }
            number = number * (5 - i) + smaller;
        }
        ++orders[number];
        for (std::uint32_t i = 0; i < 20; ++i) {
            ++places[i * 20 + twenty[i]];
        }
        ++neighbours[(twenty[1] + 20 - twenty[0]) % 20];
    }
    neighbours.erase(neighbours.begin());                 // no element is its own neighbour
    EXPECT_LT(chi_squared(orders, seeds / 120.0), 182);   // 119 degrees of freedom
    EXPECT_LT(chi_squared(places, seeds / 20.0), 470);    // 361 degrees of freedom
    EXPECT_LT(chi_squared(neighbours, seeds / 19.0), 47); // 18 degrees of freedom
}

TEST(Shuffle, RejectsInvalidArguments) {
    expect_refused("shuffle: the input is null", [](Graph& g) { shuffle(g, Ref{}, 1); });
    expect_refused("shuffle: an output is also an input", [](Graph& g, Ref in) { shuffle(g, in, 1, {.output = in}); });
    expect_refused("shuffle: the seed must not be a GPU count",
                   [](Graph& g, Ref in) { shuffle(g, in, g.count_in(in, 0, 9)); });
    expect_refused("random permutation: the output has a capacity of 100 elements; 101 are required",
                   [](Graph& g, Ref in) { random_permutation(g, 101, 1, {.output = in}); });
}

} // namespace
} // namespace weir::tests::shuffle_test
