#include <limits>

#include "tests/primitives/numbers.hpp"
#include "tests/primitives/trial.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::segmented_top_k_test {
namespace {

const Sweeps sweeps{"SegmentedTopK.EveryType", "SegmentedTopK.SegmentsInParts", "SegmentedTopK.LastKeys*",
                    "SegmentedTopK.ManyKeys*", "SegmentedTopK.Every*",          "SegmentedTopK.SegmentsAtOffsets"};

/// Returns the key that sorts after all others.
template <class K>
K last_of_all(bool descending) {
    if constexpr (std::is_floating_point_v<K>) {
        using Bits = std::conditional_t<sizeof(K) == 4, std::uint32_t, std::uint64_t>;
        return std::bit_cast<K>(descending ? ~Bits{0} : static_cast<Bits>(~Bits{0} >> 1));
    } else {
        return descending ? std::numeric_limits<K>::min() : std::numeric_limits<K>::max();
    }
}

template <class K>
struct Chosen {
    std::vector<K> keys;
    Words indices;
};

/// Returns the top k of each segment of the first n keys. Segments begin at `begins`; if `end_given`, the last element
/// of `begins` is the end of the last segment.
template <class K>
Chosen<K> expected_choice(const std::vector<K>& keys, const Words& begins, std::uint32_t n, std::uint32_t k,
                          bool descending, bool sorted, bool end_given = false) {
    Chosen<K> chosen;
    for (std::size_t s = 0; s + (end_given ? 1 : 0) < begins.size(); ++s) {
        const std::uint32_t first = std::min(begins[s], n),
                            end = s + 1 < begins.size() ? std::min(begins[s + 1], n) : n;
        Words order = ascending(end - first, first);
        std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
            return descending ? comes_before(keys[b], keys[a]) : comes_before(keys[a], keys[b]);
        });
        order.resize(std::min<std::size_t>(order.size(), k));
        if (!sorted) {
            std::sort(order.begin(), order.end());
        }
        for (std::uint32_t i = 0; i < k; ++i) {
            const bool is_there = i < order.size();
            chosen.keys.push_back(is_there ? keys[order[i]] : last_of_all<K>(descending));
            chosen.indices.push_back(is_there ? order[i] : ~0U);
        }
    }
    return chosen;
}

struct Choice {
    std::uint32_t k = 1;
    bool descending = false, sorted = true;
    std::uint32_t workgroup = 0, parts = 0;
    bool end_given = false; ///< the last element of `begins` is the end of the last segment
};

/// Checks segments of `length` keys, or segments at the offsets `begins` if `length` is 0.
template <class K>
void check_choice(const std::vector<K>& keys, std::uint32_t length, const Words& begins, const Choice& choice,
                  const Words& counts, Count::Kind kind = Count::Kind::parameter) {
    const auto most = count_of(keys);
    SCOPED_TRACE("k = " + std::to_string(choice.k));
    Trial trial(most, kind);
    const auto input = trial.input("keys", keys);
    Segments segments = Segments::of_length(length);
    if (length == 0) {
        const auto number = count_of(begins) - (choice.end_given ? 1 : 0);
        const auto offsets = trial.input("offsets", begins);
        const Count count = trial.fixed(number);
        segments = choice.end_given ? Segments::between_offsets(offsets, count)
                                    : Segments::at_offsets(offsets.with_count(count));
    }
    const std::uint32_t places = segments.max_segments(most) * choice.k;
    const auto chosen_keys = trial.output<K>("chosen keys", places);
    const auto chosen_indices = trial.output("chosen indices", places);
    segmented_top_k(trial.graph, input, segments, choice.k,
                    {.descending = choice.descending,
                     .sorted = choice.sorted,
                     .output_keys = chosen_keys,
                     .output_indices = chosen_indices,
                     .tuning = {.workgroup = choice.workgroup, .parts = choice.parts}});
    for (const std::uint32_t n : counts) {
        Words rows = begins;
        for (std::uint32_t first = 0; length != 0 && first < n; first += length) {
            rows.push_back(first);
        }
        const Chosen<K> expected =
            expected_choice(keys, rows, n, choice.k, choice.descending, choice.sorted, choice.end_given);
        trial.run(n);
        trial.expect(chosen_indices, expected.indices);
        trial.expect(chosen_keys, expected.keys);
    }
}

TEST(SegmentedTopK, Rows) {
    const Words keys = Random(1).vector<std::uint32_t>(3000, 0, 500);
    check_choice(keys, 300, {}, {.k = 7}, {0, 1, 6, 7, 8, 299, 300, 301, 2999, 3000});
    check_choice(keys, 1000, {}, {.k = 100, .descending = true, .sorted = false, .workgroup = 64},
                 {99, 1000, 2050, 3000}, Count::Kind::gpu);
}

TEST(SegmentedTopK, SegmentsAtOffsets) {
    const Words begins{0, 0, 5, 9, 400, 400, 401, 1500, 1990};
    const Words keys = random_words(2000, 2);
    check_choice(keys, 0, begins, {.k = 5, .descending = true}, {2000, 1000, 3}, Count::Kind::gpu);
    check_choice(keys, 0, begins, {.k = 50, .sorted = false}, {2000, 0});
    const Words between{7, 9, 400, 400, 401, 1500, 1990};
    check_choice(keys, 0, between, {.k = 5, .descending = true, .end_given = true}, {2000, 1000, 3}, Count::Kind::gpu);
}

TEST(SegmentedTopK, EveryKindOfKeys) {
    check_choice(Words(3000, 7), 700, {}, {.k = 30}, {3000});
    check_choice(Words(3000, ~0U), 700, {}, {.k = 699}, {3000});
    const auto low =
        tabulated(3000, [&](std::uint32_t i) { return i % 3 == 0 ? 0x80000000U + i % 1024 : 0x80000000U | i << 12; });
    for (const std::uint32_t k : {1U, 333U, 1000U}) {
        check_choice(low, 1000, {}, {.k = k, .descending = k % 2 == 0}, {3000});
    }
}

TEST(SegmentedTopK, EveryType) {
    const Words counts{1, 1000, 2500};
    check_choice(few_numbers<std::int32_t>(2500, 3), 500, {}, {.k = 40}, counts);
    check_choice(few_numbers<std::uint64_t>(2500, 4), 500, {}, {.k = 40, .descending = true}, counts, Count::Kind::gpu);
    check_choice(few_numbers<std::int64_t>(2500, 5), 500, {}, {.k = 40}, counts, Count::Kind::gpu);
    check_choice(few_numbers<double>(2500, 6), 500, {}, {.k = 40, .descending = true, .sorted = false}, counts);
    auto floats = few_numbers<float>(2500, 7);
    floats[3] = std::numeric_limits<float>::quiet_NaN();
    floats[4] = -floats[3];
    floats[5] = -0.0F;
    check_choice(floats, 500, {}, {.k = 450}, counts);
    Random random(8);
    const auto wide = tabulated(2500, [&](auto) -> std::uint64_t {
        return random.uniform<std::uint64_t>(0, 3) << 40 | random.uniform<std::uint64_t>(0, 30);
    });
    check_choice(wide, 1200, {}, {.k = 100}, {2500});
}

TEST(SegmentedTopK, ManyKeysInFewRows) {
    check_choice(random_words(2 * 9000, 9), 9000, {}, {.k = 2048, .descending = true}, {18000});
    check_choice(random_words(20000, 10), 20000, {}, {.k = 40}, {20000}, Count::Kind::gpu);
    check_choice(random_words(3000, 11), 10, {}, {.k = 3}, {2999});
}

TEST(SegmentedTopK, SegmentsInParts) {
    const Words few = Random(12).vector<std::uint32_t>(3000, 0, 500);
    const Words counts{0, 1, 6, 299, 301, 2999, 3000};
    check_choice(few, 300, {}, {.k = 7, .parts = 4}, counts);
    check_choice(few, 1000, {}, {.k = 99, .descending = true, .sorted = false, .workgroup = 64, .parts = 64}, counts,
                 Count::Kind::gpu);
    const Words begins{0, 0, 5, 9, 400, 400, 401, 1500, 1990};
    check_choice(few, 0, begins, {.k = 5, .parts = 3}, counts);
    check_choice(few, 0, begins, {.k = 50, .descending = true, .sorted = false, .parts = 9}, counts, Count::Kind::gpu);
    check_choice(few_numbers<double>(2500, 13), 1200, {}, {.k = 40, .parts = 5}, {2500}, Count::Kind::gpu);
}

// The key that sorts last also pads the output of a part that has fewer than k keys.
TEST(SegmentedTopK, LastKeysInParts) {
    for (const std::uint32_t k : {1U, 30U, 250U, 699U, 700U, 800U}) {
        check_choice(Words(3000, ~0U), 700, {}, {.k = k, .parts = 8}, {3000, 750});
        check_choice(Words(3000, 0), 700, {}, {.k = k, .descending = true, .sorted = false, .parts = 8}, {3000, 750});
    }
}

TEST(SegmentedTopK, RejectsInvalidArguments) {
    const auto rows = Segments::of_length(10);
    expect_refused("segmented top k: the input is null", [&](Graph& g) { segmented_top_k(g, Ref{}, rows, 3); });
    expect_refused("segmented top k: k must be at least 1", [&](Graph& g, Ref in) { segmented_top_k(g, in, rows, 0); });
    expect_refused("segmented top k: the length of segments must be at least 1",
                   [&](Graph& g, Ref in) { segmented_top_k(g, in, Segments::of_length(0), 1); });
    expect_refused("segmented top k: segments must be of one length or at offsets",
                   [&](Graph& g, Ref in) { segmented_top_k(g, in, Segments::at_flags(in), 1); });
    expect_refused("the output's keys' buffer has a capacity of 29 elements; 30 are required", [&](Graph& g, Ref in) {
        segmented_top_k(g, in, rows, 3, {.sorted = false, .output_keys = imported(g, 29)});
    });
    expect_refused("segmented top k: an output is also an input",
                   [&](Graph& g, Ref in) { segmented_top_k(g, in, rows, 3, {.sorted = false, .output_indices = in}); });
    expect_refused("segmented top k: a workgroup of 96 invocations",
                   [&](Graph& g, Ref in) { segmented_top_k(g, in, rows, 3, {.tuning = {.workgroup = 96}}); });
    expect_refused("65 parts per segment; at most 64 are supported",
                   [&](Graph& g, Ref in) { segmented_top_k(g, in, rows, 3, {.tuning = {.parts = 65}}); });
    expect_refused("chosen keys; less than 1073741824 are supported",
                   [&](Graph& g, Ref in) { segmented_top_k(g, in, rows, 1U << 28); });
}

} // namespace
} // namespace weir::tests::segmented_top_k_test
