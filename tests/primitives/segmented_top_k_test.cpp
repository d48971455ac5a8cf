#include <limits>

#include "tests/primitives/numbers.hpp"
#include "tests/primitives/trial.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::segmented_top_k_test {
namespace {

const OnOneDriver on_one_driver{"SegmentedTopK.Sorted*", "SegmentedTopK.IndicesWithin*", "SegmentedTopK.RowsAndK*",
                                "SegmentedTopK.KOn*"};
const OnEveryDriver on_every_driver{"SegmentedTopK.ShortRows"};
const Sweeps sweeps{"SegmentedTopK.EveryType", "SegmentedTopK.SegmentsInParts", "SegmentedTopK.LastKeys*",
                    "SegmentedTopK.ManyKeys*", "SegmentedTopK.Every*",          "SegmentedTopK.SegmentsAtOffsets",
                    "SegmentedTopK.LargeK*",   "SegmentedTopK.LongRows*"};

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

/// Returns these indices, relative to the starts of the segments.
Words local_indices(Words indices, const Words& begins, std::uint32_t k) {
    for (std::size_t i = 0; i < indices.size(); ++i) {
        indices[i] -= indices[i] == ~0U ? 0 : begins[i / k];
    }
    return indices;
}

struct Choice {
    std::uint32_t k = 1;
    bool descending = false, sorted = true;
    std::uint32_t workgroup = 0, parts = 0;
    bool end_given = false; ///< the last element of `begins` is the end of the last segment
    bool local = false;     ///< indices within segments
    bool sorts_all = false; ///< the graph must sort all keys
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
                     .local_indices = choice.local,
                     .output_keys = chosen_keys,
                     .output_indices = chosen_indices,
                     .tuning = {.workgroup = choice.workgroup, .parts = choice.parts}});
    const std::string plan = ok(make_plan(trial.graph.description())).text();
    EXPECT_EQ(plan.find("of sorted keys") != std::string::npos, choice.sorts_all);
    for (const std::uint32_t n : counts) {
        Words rows = begins;
        for (std::uint32_t first = 0; length != 0 && first < n; first += length) {
            rows.push_back(first);
        }
        const Chosen<K> expected =
            expected_choice(keys, rows, n, choice.k, choice.descending, choice.sorted, choice.end_given);
        trial.run(n);
        trial.expect(chosen_indices, choice.local ? local_indices(expected.indices, rows, choice.k) : expected.indices);
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

// The whole device sorts few long rows if k is a large part of their length.
TEST(SegmentedTopK, LargeKOfFewLongRows) {
    constexpr std::uint32_t length = 70000, n = 2 * length - 500;
    const Words keys = Random(14).vector<std::uint32_t>(n, 0, 50000);
    check_choice(keys, length, {}, {.k = 10000, .descending = true, .local = true, .sorts_all = true},
                 {n, length, 7, 0});
    check_choice(keys, length, {}, {.k = length, .sorts_all = true}, {n, length + 1}, Count::Kind::gpu);
    check_choice(few_numbers<double>(n, 15), length, {}, {.k = length + 9, .descending = true, .sorts_all = true}, {n});
}

// Subgroups choose from short rows, some of which end within a workgroup.
TEST(SegmentedTopK, ShortRows) {
    const std::uint32_t subgroup = test_context().capabilities().subgroup_size;
    for (const std::uint32_t length : {1U, subgroup, subgroup * 3 - 1, subgroup * 16}) {
        SCOPED_TRACE("rows of " + std::to_string(length));
        const std::uint32_t n = length * 9 - length / 2;
        check_choice(Random(19).vector<std::uint32_t>(n, 0, 30), length, {}, {.k = 5, .local = true},
                     {n, length * 4, length * 2 + 2, 0});
        check_choice(random_words(n, 20), length, {}, {.k = length, .descending = true, .sorted = false},
                     {n, length + 1}, Count::Kind::gpu);
        check_choice(few_numbers<double>(n, 21), length, {}, {.k = 3, .descending = true}, {n, 1});
    }
    constexpr std::uint32_t rows = 1030; // many rows may be longer
    check_choice(random_words(rows * subgroup * 32, 22), subgroup * 32, {}, {.k = 9, .sorted = false},
                 {rows * subgroup * 32});
}

// Up to 64 keys are sorted by the kernel that chooses, more by another one.
TEST(SegmentedTopK, SortedBySameKernel) {
    const Words keys = Random(23).vector<std::uint32_t>(2000, 0, 40);
    for (const std::uint32_t k : {63U, 64U, 65U}) {
        check_choice(keys, 600, {}, {.k = k, .descending = k % 2 == 0, .local = true}, {2000, 650});
        check_choice(keys, 600, {}, {.k = k, .parts = 3}, {2000}, Count::Kind::gpu);
    }
}

// A workgroup of 64 invocations samples 4 neighboring keys at each of 64 places and lists up to 256 keys. If the sample
// leads to too few or too many keys, it chooses from all.
TEST(SegmentedTopK, LongRowsBySample) {
    constexpr std::uint32_t length = 4096, n = 2 * length - 100;
    const auto is_sampled = [](std::uint32_t i) { return i % 64 < 4; };
    const Choice choice{.k = 20, .sorted = false, .workgroup = 64};
    const Choice largest{.k = 100, .descending = true, .workgroup = 64, .local = true};
    check_choice(random_words(n, 24), length, {}, choice, {n, length + 512, length + 511});
    check_choice(ascending(n), length, {}, largest, {n}, Count::Kind::gpu);
    check_choice(Random(25).vector<std::uint32_t>(n, 0, 3), length, {}, choice, {n});
    check_choice(Random(28).vector<std::uint32_t>(n, 0, 20), length, {}, choice, {n}); // all equals are listed
    for (const bool first : {false, true}) {
        check_choice(tabulated(n, [&](std::uint32_t i) { return (is_sampled(i) == first ? 0U : 1U << 20) + i; }),
                     length, {}, choice, {n});
    }
    check_choice(few_numbers<std::uint64_t>(n, 26), length, {}, largest, {n});
    check_choice(random_words(n, 27), 0, {0, 10, 3000, 7000}, largest, {n});
}

TEST(SegmentedTopK, IndicesWithinSegments) {
    const Words keys = random_words(3000, 16), begins{0, 0, 5, 9, 400, 400, 401, 1500, 1990};
    check_choice(keys, 700, {}, {.k = 9, .descending = true, .local = true}, {3000, 701});
    check_choice(keys, 0, begins, {.k = 9, .sorted = false, .local = true}, {3000});
    check_choice(keys, 0, begins, {.k = 30, .parts = 3, .local = true}, {3000});
}

// One program chooses from matrices of many shapes, with any k.
TEST(SegmentedTopK, RowsAndKOfAnySize) {
    constexpr std::uint32_t most_rows = 6, longest = 500, most_k = 40;
    const Words keys = Random(17).vector<std::uint32_t>(most_rows * longest, 0, 300);
    const std::uint32_t shapes[][3] = {{6, 500, 40}, {1, 7, 3}, {6, 41, 1}, {2, 300, 40},
                                       {0, 9, 2},    {3, 0, 2}, {3, 5, 0}};
    for (const bool on_gpu : {false, true}) {
        for (const std::uint32_t parts : {1U, 3U}) {
            SCOPED_TRACE(std::to_string(parts) + " parts");
            Trial trial(count_of(keys));
            const auto input = trial.input("keys", keys), shape = trial.input("shape", Words(3));
            const auto count = [&](const char* name, std::uint32_t word, std::uint32_t most) {
                return on_gpu ? trial.graph.count_in(shape, word, most) : trial.graph.parameter(name, most);
            };
            const Count rows = count("rows", 0, most_rows), length = count("length", 1, longest),
                        k = count("k", 2, most_k);
            const auto chosen = trial.output("chosen keys", most_rows * most_k);
            const auto indices = trial.output("indices", most_rows * most_k);
            const auto result = segmented_top_k(trial.graph, input, Segments::of_rows(rows, length), k,
                                                {.descending = on_gpu,
                                                 .sorted = !on_gpu || parts > 1,
                                                 .output_keys = chosen,
                                                 .output_indices = indices,
                                                 .tuning = {.parts = parts}});
            EXPECT_EQ(result.keys.count.max, most_rows * most_k);
            for (const auto& [height, width, wanted] : shapes) {
                SCOPED_TRACE(std::to_string(height) + " x " + std::to_string(width) +
                             ", k = " + std::to_string(wanted));
                if (on_gpu) {
                    trial.refill(shape, Words{height, width, wanted});
                } else {
                    trial.set(rows, height);
                    trial.set(length, width);
                    trial.set(k, wanted);
                }
                trial.run(1); // the count of the input is not used
                Words begins;
                for (std::uint32_t row = 0; row < height; ++row) {
                    begins.push_back(row * width);
                }
                const auto expected =
                    expected_choice(keys, begins, height * width, wanted, on_gpu, !on_gpu || parts > 1);
                trial.expect(indices, expected.indices);
                trial.expect(chosen, expected.keys);
            }
        }
    }
}

// k on the GPU, for segments of one length, whose number is on the GPU too, and at offsets.
TEST(SegmentedTopK, KOnTheGpu) {
    const Words keys = random_words(3000, 18), begins{0, 0, 5, 9, 400, 400, 401, 1500, 1990};
    for (const bool at_offsets : {false, true}) {
        Trial trial(3000, Count::Kind::gpu);
        const auto input = trial.input("keys", keys), wanted = trial.input("k", Words{0}),
                   offsets = trial.input("offsets", begins).with_count(count_of(begins));
        const Segments segments = at_offsets ? Segments::at_offsets(offsets) : Segments::of_length(700);
        const auto chosen = trial.output("chosen keys", 9 * 50), indices = trial.output("indices", 9 * 50);
        const auto result = segmented_top_k(trial.graph, input, segments, trial.graph.count_in(wanted, 0, 50),
                                            {.output_keys = chosen, .output_indices = indices});
        const auto total = trial.output("total", 1);
        trial.graph.add_copy("total", result.keys.count.buffer, total, 4);
        for (const auto& [n, k] :
             {std::pair{3000U, 50U}, std::pair{3000U, 7U}, std::pair{100U, 1U}, std::pair{701U, 0U}}) {
            SCOPED_TRACE("k = " + std::to_string(k));
            trial.refill(wanted, Words{k});
            trial.run(n);
            Words rows = at_offsets ? begins : Words{};
            for (std::uint32_t first = 0; !at_offsets && first < n; first += 700) {
                rows.push_back(first);
            }
            const auto expected = expected_choice(keys, rows, n, k, false, true);
            trial.expect(indices, expected.indices);
            trial.expect(chosen, expected.keys);
            trial.expect(total, Words{count_of(rows) * k});
        }
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
    expect_refused("segmented top k: at most 11 rows of at most 10 elements do not fit the capacity of 100 elements",
                   [&](Graph& g, Ref in) { segmented_top_k(g, in, Segments::of_rows(11, 10), 3); });
    expect_refused("segmented top k: .local_indices requires .want_indices",
                   [&](Graph& g, Ref in) { segmented_top_k(g, in, rows, 3, {.local_indices = true}); });
    expect_refused("segmented top k: a workgroup of 96 invocations",
                   [&](Graph& g, Ref in) { segmented_top_k(g, in, rows, 3, {.tuning = {.workgroup = 96}}); });
    expect_refused("65 parts per segment; at most 64 are supported",
                   [&](Graph& g, Ref in) { segmented_top_k(g, in, rows, 3, {.tuning = {.parts = 65}}); });
    expect_refused("chosen keys; less than 1073741824 are supported",
                   [&](Graph& g, Ref in) { segmented_top_k(g, in, rows, 1U << 28); });
}

} // namespace
} // namespace weir::tests::segmented_top_k_test
