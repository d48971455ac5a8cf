#include "tests/primitives/scan_cases.hpp"
#include "tests/support/long_tests.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::reduce_test {
namespace {

const OnOneDriver on_one_driver{"ReduceBySegment.CustomOperator", "Reduce.PowersOfTwo*", "Reduce.EveryCount*",
                                "Reduce.CustomOperator"};

/// Returns a shape with several workgroups for few elements.
ReduceTuning small_shape() {
    return {.workgroup = std::min(64U, max_workgroup()), .chunks = 2, .workgroups = 5};
}

/// A reduction of the first n elements of a case; n is set for each run.
class Reducer {
public:
    Reducer(const ScanCase& scan, const ReduceTuning& tuning)
        : scan_(scan), elements_(exact_elements(scan.element, scan.op, scan.capacity, scan.seed)),
          initial_(exact_elements(scan.element, scan.op, 1, scan.seed + 1)), trial_(scan.capacity, scan.count) {
        const std::uint32_t words = scan.element.words();
        const std::uint32_t stride = scan.in.stride != 0 ? scan.in.stride : words;
        Words input = poisoned(scan.in.offset + scan.capacity * stride);
        for (std::uint32_t i = 0; i < scan.capacity; ++i) {
            std::copy_n(elements_.begin() + i * words, words, input.begin() + scan.in.offset + i * stride);
        }
        const std::variant<Operator, Monoid> op = scan.op;
        out_ = trial_.output("out", words);
        detail::ReduceRequest request{.element = scan.element,
                                      .op = &op,
                                      .count = trial_.count,
                                      .input = trial_.input("in", input),
                                      .output = out_,
                                      .input_words = input.size(),
                                      .output_words = words,
                                      .input_layout = scan.in,
                                      .tuning = tuning};
        if (scan.initial) {
            std::copy(initial_.begin(), initial_.end(), request.initial.emplace().begin());
        }
        detail::add_reduce(trial_.graph, request);
    }

    void check(std::uint32_t n) {
        scan_.n = n;
        SCOPED_TRACE(to_string(scan_));
        trial_.run(n);
        trial_.expect(out_, expected_total(scan_, elements_, initial_));
    }

private:
    ScanCase scan_;
    Words elements_, initial_;
    Trial trial_;
    Ref out_;
};

TEST(Reduce, EveryCountUpToThreeTurns) {
    // Number of elements that all workgroups together load at a time.
    const std::uint32_t turn = small_shape().workgroup * small_shape().chunks * 4 * small_shape().workgroups;
    for (const auto count : {Count::Kind::parameter, Count::Kind::gpu}) {
        Reducer reducer({.capacity = 3 * turn + 1, .count = count}, small_shape());
        for (std::uint32_t n = 0; n <= 3 * turn + 1 && !testing::Test::HasFailure(); n += n < 700 ? 1 : 13) {
            reducer.check(n);
        }
        for (std::uint32_t n = turn - 2; n <= turn + 2; ++n) {
            reducer.check(n);
            reducer.check(n + turn);
        }
    }
}

TEST(Reduce, PowersOfTwoAndNeighbours) {
    for (std::uint32_t power = 0; power <= (long_tests() ? 24 : 22); ++power) {
        const std::uint32_t n = 1U << power;
        Reducer reducer(
            {.capacity = std::max(n, power < 11 ? 1U << 10 : 1U << 16) + 1, .count = Count::Kind::parameter}, {});
        for (const std::uint32_t count : {n - 1, n, n + 1}) {
            reducer.check(count);
        }
    }
}

class ReduceTypes : public testing::TestWithParam<ElementType> {};
std::string name_of(const testing::TestParamInfo<ElementType>& info) {
    return to_string(info.param);
}
INSTANTIATE_TEST_SUITE_P(Reduce, ReduceTypes, testing::ValuesIn(all_elements), name_of);

TEST_P(ReduceTypes, EveryOperator) {
    bool apart = false; // alternates: with an initial value and gaps between elements
    for (const Operator op : all_operators) {
        if (!exists(GetParam(), op)) {
            continue;
        }
        ScanCase scan{.element = GetParam(), .op = op, .capacity = 7003, .count = Count::Kind::parameter, .seed = 5};
        if (apart) {
            scan.initial = true;
            scan.in = {.offset = 3, .stride = scan.element.words() + 1};
        }
        apart = !apart;
        if (!is_turn(static_cast<std::uint32_t>(op) + number_of(GetParam()), configurations)) {
            continue;
        }
        Reducer reducer(scan, small_shape());
        for (const std::uint32_t n : {0U, 1U, 100U, 7003U}) {
            reducer.check(n);
        }
    }
}

TEST(Reduce, CustomOperator) {
    const std::uint32_t n = 200003;
    const auto items = random_brackets(n, 3);
    const Bicyclic sum = std::accumulate(items.begin(), items.end(), Bicyclic{0, 0}, combine_brackets);
    Trial trial(n, Count::Kind::constant);
    const auto in = trial.input("in", items);
    const auto once = trial.output<Bicyclic>("default shape", 1), again = trial.output<Bicyclic>("small shape", 1),
               of_many = trial.output<Bicyclic>("many parts", 1);
    // More parts than a workgroup has invocations.
    const ReduceTuning many_parts{.workgroup = small_shape().workgroup, .chunks = 1, .workgroups = 1000};
    reduce(trial.graph, in, {.op = bicyclic, .output = once});
    reduce(trial.graph, in, {.op = bicyclic, .output = again, .tuning = small_shape()});
    reduce(trial.graph, in, {.op = bicyclic, .output = of_many, .tuning = many_parts});
    for (int run = 0; run < 20; ++run) {
        trial.run(n);
        for (const auto& out : {once, again, of_many}) {
            trial.expect(out, std::vector{sum});
        }
    }
}

TEST(Reduce, SameBitsInEveryRun) {
    const std::uint32_t n = 300001;
    Trial trial(n, Count::Kind::constant);
    const auto out = trial.output<float>("sum", 1);
    reduce(trial.graph, trial.input("in", floats_that_round(n)), {.output = out});
    Words first;
    for (int run = 0; run < 100; ++run) {
        trial.run(n);
        first = first.empty() ? trial.words_in(out, 1) : first;
        trial.expect(out, first);
    }
}

TEST(Reduce, UnknownSubgroupSize) {
    const std::uint32_t n = 5003;
    const Words input = random_words(n, 11);
    Trial trial(n, Count::Kind::constant, without_known_subgroup_size());
    const auto greatest =
        trial.exported(reduce(trial.graph, trial.input("in", input), {.op = Operator::max, .tuning = small_shape()}));
    trial.run(n);
    trial.expect_exported(greatest, Words{*std::max_element(input.begin(), input.end())});
}

TEST(Reduce, RejectsInvalidArguments) {
    expect_refused("reduce: the input is null", [](Graph& g) { reduce(g, Ref{}); });
    expect_refused("100 elements require 101",
                   [](Graph& g, Ref in) { reduce(g, in, {.input_layout = {.offset = 1}}); });
    expect_refused("the output is also the input", [](Graph& g, Ref in) { reduce(g, in, {.output = in}); });
    expect_refused("100 invocations", [](Graph& g, Ref in) { reduce(g, in, {.tuning = {.workgroup = 100}}); });
    expect_refused("2147483648 chunks",
                   [](Graph& g, Ref in) { reduce(g, in, {.tuning = {.workgroup = 1U << 31, .chunks = 1U << 31}}); });
    expect_refused("elements have 1 words, the struct of monoid 'bicyclic' has 2",
                   [](Graph& g, Ref in) { reduce(g, in, {.op = bicyclic}); });
    expect_refused("the operator 'and' is not supported for floats",
                   [](Graph& g) { reduce(g, imported<float>(g, 8), {.op = Operator::bit_and}); });
}

TEST(ReduceBySegment, CustomOperator) {
    const std::uint32_t n = 20003, length = 700, segments = (n + length - 1) / length;
    const auto items = random_brackets(n, 3);
    const auto expected = tabulated(segments, [&](std::uint32_t s) {
        const auto end = items.begin() + std::min((s + 1) * length, n);
        return std::accumulate(items.begin() + s * length, end, Bicyclic{0, 0}, combine_brackets);
    });
    Trial trial(n, Count::Kind::constant);
    const auto scope = weir::testing::instrument(trial.graph, {.one_in = 2});
    const auto out = trial.exported(
        reduce_by_segment(trial.graph, trial.input("in", items), Segments::of_length(length), {.op = bicyclic}));
    EXPECT_EQ(out.count.max, segments);
    trial.run(n);
    trial.expect_exported(out, expected);
}

TEST(ReduceBySegment, RejectsInvalidArguments) {
    const auto with = [](const Segments& segments) {
        return [segments](Graph& g, Ref in) { reduce_by_segment(g, in, segments); };
    };
    expect_refused("the output of a reduction of segments is also the input",
                   [](Graph& g, Ref in) { reduce_by_segment(g, in, Segments::of_length(2), {.output = in}); });
    expect_refused("of one length, at offsets or in ranges",
                   [](Graph& g, Ref in) { reduce_by_segment(g, in, Segments::of_keys(in)); });
    expect_refused("of one length, at offsets or in ranges", with({}));
    expect_refused("the length of segments must be at least 1", with(Segments::of_length(0)));
    expect_refused("capacity of 33 words; 34 elements require 34", [](Graph& g, Ref in) {
        reduce_by_segment(g, in, Segments::of_length(3), {.output = imported(g, 33)});
    });
}

} // namespace
} // namespace weir::tests::reduce_test
