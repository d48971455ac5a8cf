#include "tests/primitives/trial.hpp"

namespace weir::tests::gather_test {
namespace {

constexpr std::uint32_t most = 3000, bound = 1777;
const Words counts{0, 1, 2, 3, 255, 256, 257, 1023, 1024, 1025, 2047, 2048, 2049, most};

template <std::size_t words>
std::vector<std::array<std::uint32_t, words>> random_items(std::size_t n, std::uint64_t seed) {
    const Words drawn = random_words(n * words, seed);
    std::vector<std::array<std::uint32_t, words>> items(n);
    std::memcpy(items.data(), drawn.data(), drawn.size() * 4);
    return items;
}

/// Returns random indices. One in ten is out of bounds: the bound itself, or a random index from the bound on.
Words some_indices() {
    Random random(3);
    Words indices = random.vector<std::uint32_t>(most, 0, bound - 1);
    for (std::uint32_t i = 0; i < most; i += 10) {
        indices[i] = i % 20 == 0 ? bound : random.uniform(bound, ~0U);
    }
    return indices;
}

template <std::size_t words>
void check_gather(Count::Kind kind) {
    using T = std::array<std::uint32_t, words>;
    Trial trial(most, kind);
    const std::vector<T> items = random_items<words>(bound + 50, 1);
    const Words indices = some_indices();
    const auto input = trial.input("items", items), output = trial.output<T>("output", most);
    const auto bounds = trial.input("bounds", Words{9, bound});
    const Count item_count = kind == Count::Kind::gpu ? trial.graph.count_in(bounds, 1, bound + 50) : Count(bound);
    const auto gathered =
        gather(trial.graph, input.with_count(item_count), trial.input("indices", indices), {.output = output});
    EXPECT_EQ(gathered.count.max, most);
    const T poison = poisoned<T>(1)[0];
    for (const std::uint32_t n : counts) {
        std::vector<T> expected(n, poison);
        for (std::uint32_t i = 0; i < n; ++i) {
            if (indices[i] < bound) {
                expected[i] = items[indices[i]];
            }
        }
        trial.run(n);
        trial.expect(output, expected);
    }
}

template <std::size_t words>
void check_scatter(Count::Kind kind) {
    using T = std::array<std::uint32_t, words>;
    Trial trial(most, kind);
    const std::vector<T> items = random_items<words>(most, 2);
    // Every third item has an index out of bounds. Therefore every third place is not written.
    const auto indices = tabulated(most, [&](std::uint32_t i) { return i % 3 == 0 ? bound + i : most - i; });
    const auto output = trial.output<T>("output", bound);
    const auto input = trial.input("items", items);
    scatter(trial.graph, input, trial.input("indices", indices), output.with_count(trial.fixed(bound)));
    for (const std::uint32_t n : counts) {
        std::vector<T> expected(bound, poisoned<T>(1)[0]);
        for (std::uint32_t i = 0; i < n; ++i) {
            if (indices[i] < bound) {
                expected[indices[i]] = items[i];
            }
        }
        trial.run(n);
        trial.expect(output, expected);
    }
}

TEST(Gather, ElementsOfAnySize) {
    check_gather<1>(Count::Kind::parameter);
    check_gather<2>(Count::Kind::gpu);
    check_gather<3>(Count::Kind::parameter);
    check_gather<16>(Count::Kind::gpu);
}

TEST(Scatter, ElementsOfAnySize) {
    check_scatter<1>(Count::Kind::parameter);
    check_scatter<2>(Count::Kind::gpu);
    check_scatter<3>(Count::Kind::parameter);
    check_scatter<16>(Count::Kind::gpu);
}

TEST(Gather, RejectsInvalidArguments) {
    expect_refused("gather: the items' buffer is null", [](Graph& g, Ref, Ref indices) { gather(g, Ref{}, indices); });
    expect_refused("gather: the indices' buffer is null", [](Graph& g, Ref items) { gather(g, items, Ref{}); });
    expect_refused("gather: an output is also an input",
                   [](Graph& g, Ref items, Ref indices) { gather(g, items, indices, {.output = items}); });
    expect_refused("gather: the output has a capacity of 49 elements; 50 are required",
                   [](Graph& g, Ref items, Ref indices) { gather(g, items, indices, {.output = imported(g, 49)}); });
    expect_refused("scatter: the indices' buffer has a capacity of 50 elements; 100 are required",
                   [](Graph& g, Ref items, Ref indices) { scatter(g, items, indices, imported(g, 200)); });
    expect_refused("scatter: an output is also an input", [](Graph& g, Ref items) { scatter(g, items, items, items); });
}

} // namespace
} // namespace weir::tests::gather_test
