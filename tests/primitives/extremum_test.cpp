#include <limits>

#include "tests/primitives/numbers.hpp"
#include "tests/primitives/trial.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::extremum_test {
namespace {

const OnOneDriver on_one_driver{"Extremum.*"};

/// Returns a kernel shape with small workgroups, so that few elements make several workgroups.
ReduceTuning small_shape() {
    return {.workgroup = std::min(32U, max_workgroup()), .chunks = 1, .workgroups = 5};
}

template <class T>
void check(const std::vector<T>& items, Count::Kind kind = Count::Kind::parameter) {
    const auto most = count_of(items);
    Trial trial(most, kind);
    const auto input = trial.input("items", items);
    const auto least = trial.output<T>("least", 1), greatest = trial.output<T>("greatest", 1);
    const auto least_at = trial.output("position of the least", 1), greatest_at = trial.output("of the greatest", 1);
    min_element(trial.graph, input, {.output_value = least, .output_position = least_at, .tuning = small_shape()});
    max_element(trial.graph, input,
                {.output_value = greatest, .output_position = greatest_at, .tuning = small_shape()});
    for (std::uint32_t n : {0U, 1U, 2U, 63U, 64U, 65U, 320U, 321U, 1280U, 1283U, most}) {
        n = std::min(n, most);
        const auto end = items.begin() + n;
        const auto low = std::min_element(items.begin(), end, comes_before),
                   high = std::max_element(items.begin(), end, comes_before);
        trial.run(n);
        trial.expect(least, n == 0 ? Words{} : words_of(std::vector<T>{*low}));
        trial.expect(least_at, {n == 0 ? ~0U : static_cast<std::uint32_t>(low - items.begin())});
        trial.expect(greatest, n == 0 ? Words{} : words_of(std::vector<T>{*high}));
        trial.expect(greatest_at, {n == 0 ? ~0U : static_cast<std::uint32_t>(high - items.begin())});
    }
}

TEST(Extremum, EveryTypeOfNumbers) {
    check(few_numbers<std::uint32_t>(5003, 1));
    check(few_numbers<std::int32_t>(5003, 2), Count::Kind::gpu);
    check(few_numbers<float>(5003, 3));
    check(few_numbers<std::uint64_t>(5003, 4), Count::Kind::gpu);
    check(few_numbers<std::int64_t>(5003, 5));
    check(few_numbers<double>(5003, 6), Count::Kind::gpu);
}

TEST(Extremum, ExtremesOfTypesAndNaNs) {
    check(std::vector<std::uint32_t>(100, ~0U));
    check(std::vector<std::uint32_t>(100, 0U));
    check(std::vector<std::int64_t>(100, std::numeric_limits<std::int64_t>::min()));
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    check(std::vector<float>{0.0F, -0.0F, 0.0F, -0.0F});
    check(std::vector<float>{infinity, nan, -infinity, nan});
    check(std::vector<float>{infinity, -nan, -infinity, -nan});
}

TEST(Extremum, ElementsWithStride) {
    const std::uint32_t most = 1283;
    const Words words = random_words(3 + 2 * most, 7);
    Trial trial(most);
    const auto least = trial.output("least", 1), position = trial.output("its position", 1);
    min_element(trial.graph, trial.input("words", words),
                {.output_value = least,
                 .output_position = position,
                 .input_layout = {.offset = 3, .stride = 2},
                 .tuning = small_shape()});
    for (const std::uint32_t n : {1U, 64U, 65U, most}) {
        Words items;
        for (std::uint32_t i = 0; i < n; ++i) {
            items.push_back(words[3 + 2 * i]);
        }
        const auto low = std::min_element(items.begin(), items.end());
        trial.run(n);
        trial.expect(least, {*low});
        trial.expect(position, {static_cast<std::uint32_t>(low - items.begin())});
    }
}

TEST(Extremum, RejectsInvalidArguments) {
    expect_refused("min element: the input is null", [](Graph& g) { min_element(g, Ref{}); });
    expect_refused("max element: the input has a capacity of 100 words",
                   [](Graph& g, Ref in) { max_element(g, in, {.input_layout = {.offset = 1}}); });
    expect_refused("min element: an output is also an input",
                   [](Graph& g, Ref in) { min_element(g, in, {.output_position = in}); });
    expect_refused("two outputs are the same buffer", [](Graph& g, Ref in) {
        const auto out = imported(g, 2);
        min_element(g, in, {.output_value = out, .output_position = out});
    });
}

} // namespace
} // namespace weir::tests::extremum_test
