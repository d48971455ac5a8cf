#include <array>

#include "tests/primitives/trial.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::copy_ranges_test {
namespace {

struct Range {
    std::uint32_t size, from, to;
};

/// Copies the first n ranges, for each n in `counts`, and checks the destination.
template <class T>
void check(const std::vector<T>& source, std::uint32_t room, const std::vector<Range>& ranges, const Words& counts,
           Count::Kind kind, std::uint32_t most = 0) {
    Words sizes, from, to;
    for (const Range& range : ranges) {
        sizes.push_back(range.size);
        from.push_back(range.from);
        to.push_back(range.to);
    }
    Trial trial(count_of(ranges), kind);
    const auto destination = trial.output<T>("destination", room);
    const auto number = count_of(source);
    copy_ranges(trial.graph, trial.input("source", source).with_count(number), destination,
                {.sizes = trial.input("sizes", sizes),
                 .source_offsets = trial.input("from", from),
                 .destination_offsets = trial.input("to", to)},
                {.max_elements = most});
    for (const std::uint32_t n : counts) {
        SCOPED_TRACE("n = " + std::to_string(n) + " of " + std::to_string(ranges.size()));
        std::vector<T> expected(room);
        std::memset(static_cast<void*>(expected.data()), 0xA5, room * sizeof(T)); // poison
        std::uint32_t copied = 0;
        for (std::uint32_t r = 0; r < n; ++r) {
            for (std::uint32_t i = 0; i < ranges[r].size && copied < (most != 0 ? most : room); ++i, ++copied) {
                const std::uint64_t at = std::uint64_t{ranges[r].from} + i, place = std::uint64_t{ranges[r].to} + i;
                if (at < number && place < room) {
                    expected[place] = source[at];
                }
            }
        }
        trial.run(n);
        trial.expect(destination, expected);
    }
}

/// Returns `number` ranges in random order, with random sizes up to `longest`, from a source of `elements` elements.
/// Destinations may have gaps between them. Sets `end` to the number of destination elements, including gaps.
std::vector<Range> some_ranges(std::uint32_t number, std::uint32_t longest, std::uint32_t elements,
                               std::uint32_t& end) {
    Random random(number);
    std::vector<Range> ranges(number);
    end = 0;
    for (Range& range : ranges) {
        range.size = random.uniform(0U, 2U) == 0 ? 0 : random.uniform(0U, longest);
        range.from = random.uniform(0U, elements - longest);
        range.to = end;
        end += range.size + random.uniform(0U, 2U);
    }
    std::shuffle(ranges.begin(), ranges.end(), random.engine());
    return ranges;
}

TEST(CopyRanges, ShortAndLongRanges) {
    const Words source = random_words(20000, 1);
    std::uint32_t room = 0;
    const auto short_ones = some_ranges(3000, 7, 20000, room);
    check(source, room + 1, short_ones, {0, 1, 2, 2999, 3000}, Count::Kind::gpu);
    const auto long_ones = some_ranges(13, 9000, 20000, room);
    check(source, room + 1, long_ones, {0, 5, 13}, Count::Kind::parameter);
}

TEST(CopyRanges, Structs) {
    const auto source = tabulated(3000, [&](std::uint32_t i) { return std::array<std::uint32_t, 3>{i, ~i, i * 7}; });
    std::uint32_t room = 0;
    const auto ranges = some_ranges(200, 40, 3000, room);
    check(source, room + 5, ranges, {200}, Count::Kind::parameter);
}

TEST(CopyRanges, SkipsElementsOutOfBounds) {
    const Words source = random_words(1000, 2);
    check(source, 500, {{10, 995, 0}, {20, 0, 490}, {5, 2000, 30}, {5, 0, 5000}, {9, ~0U - 3, 40}, {9, 0, ~0U - 3}},
          {6, 2}, Count::Kind::parameter);
    check(source, 500, {{300, 0, 0}, {200, 500, 300}}, {2, 1}, Count::Kind::gpu, 350); // only 350 of 500 elements
}

TEST(CopyRanges, SumOfSizesOver32BitsCopiesFirstElements) {
    const Words source = random_words(1000, 3);
    check(source, 500, {{~0U, 0, 0}, {1, 700, 0}}, {2, 1}, Count::Kind::parameter); // the sum is 2^32
    check(source, 500, {{5, 10, 100}, {~0U, 20, 200}, {~0U, 0, 0}, {3, 700, 0}}, {4, 2}, Count::Kind::gpu);
}

TEST(CopyRanges, RejectsInvalidArguments) {
    expect_refused("copy ranges: the source is null", [](Graph& g, Ref to, Ref words) {
        copy_ranges(g, Ref{}, to, {words, words, words});
    });
    expect_refused("copy ranges: an output is also an input", [](Graph& g, Ref from, Ref words) {
        copy_ranges(g, from, from, {words, words, words});
    });
    expect_refused("copy ranges: the source offsets' buffer has a capacity of 50 elements; 100 are required",
                   [](Graph& g, Ref from, Ref words) {
                       copy_ranges(g, from, imported(g), {from, words, from});
                   });
}

} // namespace
} // namespace weir::tests::copy_ranges_test
