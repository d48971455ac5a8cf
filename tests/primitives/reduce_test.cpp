#include <cmath>
#include <cstring>

#include "tests/primitives/harness.hpp"
#include "tests/primitives/scan_cases.hpp"
#include "tests/support/long_tests.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::reduce_test {
namespace {

const OnOneDriver on_one_driver{"ReduceBySegment.CustomOperator", "Reduce.PowersOfTwo*", "Reduce.EveryCount*",
                                "Reduce.CustomOperator"};

using Words = std::vector<std::uint32_t>;

constexpr std::uint32_t poison = 0xDEADBEEF;

/// Returns a shape with several workgroups for few elements.
ReduceTuning small_shape() {
    return {.workgroup = std::min(64U, max_workgroup()), .chunks = 2, .workgroups = 5};
}

/// A program that reduces the first n elements of a case; n is set for each run.
class Reducer {
public:
    Reducer(const ScanCase& scan, const ReduceTuning& tuning) : scan_(scan) {
        const std::uint32_t words = scan.element.words();
        const std::uint32_t stride = scan.in.stride != 0 ? scan.in.stride : words;
        elements_ = exact_elements(scan.element, scan.op, scan.capacity, scan.seed);
        initial_ = exact_elements(scan.element, scan.op, 1, scan.seed + 1);
        Words input(scan.in.offset + scan.capacity * stride, poison);
        for (std::uint32_t i = 0; i < scan.capacity; ++i) {
            std::copy_n(elements_.begin() + i * words, words, input.begin() + scan.in.offset + i * stride);
        }
        Graph graph(test_context());
        const auto counts = graph.import_buffer<std::uint32_t>("counts", 2);
        const auto in = graph.import_buffer<std::uint32_t>("in", static_cast<std::uint32_t>(input.size()));
        const auto out = graph.import_buffer<std::uint32_t>("out", words + 1);
        n_ = scan.count == Count::Kind::gpu ? graph.count_in(counts, 1, scan.capacity)
                                            : graph.parameter("n", scan.capacity);
        const std::variant<Operator, Monoid> op = scan.op;
        detail::ReduceRequest request{.element = scan.element,
                                      .op = &op,
                                      .count = n_,
                                      .input = in,
                                      .output = out,
                                      .input_words = input.size(),
                                      .output_words = words + 1,
                                      .input_layout = scan.in,
                                      .tuning = tuning};
        if (scan.initial) {
            std::copy(initial_.begin(), initial_.end(), request.initial.emplace().begin());
        }
        detail::add_reduce(graph, request);
        program_.emplace(ok(compile(test_context(), graph)));
        counts_ = poisoned_buffer(2);
        in_ = buffer_of(input);
        out_ = poisoned_buffer(words + 1);
        ok(program_->bind(counts, counts_));
        ok(program_->bind(in, in_));
        ok(program_->bind(out, out_));
    }

    void check(std::uint32_t n) {
        scan_.n = n;
        SCOPED_TRACE(to_string(scan_));
        if (scan_.count == Count::Kind::gpu) {
            ok(test_context().upload(counts_, Words{7, n}));
        } else {
            ok(program_->set(n_, n));
        }
        ok(test_context().upload(out_, Words(scan_.element.words() + 1, poison)));
        ok(program_->run());
        Words expected = expected_total(scan_, elements_, initial_);
        expected.push_back(poison);
        expect_equal(contents(out_, expected.size()), expected, "out");
    }

private:
    ScanCase scan_;
    Words elements_, initial_;
    Count n_;
    std::optional<Program> program_;
    Buffer counts_, in_, out_;
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
        Reducer reducer({.capacity = std::max(n, power < 11 ? 1U << 10 : 1U << 16) + 1}, {});
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
        ScanCase scan{.element = GetParam(), .op = op, .capacity = 7003, .seed = 5};
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

std::vector<Bicyclic> brackets(std::uint32_t n) {
    const Words drawn = random_words(n, 3);
    std::vector<Bicyclic> items(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        items[i] = drawn[i] % 2 != 0 ? Bicyclic{1, 0} : Bicyclic{0, 1};
    }
    return items;
}

TEST(Reduce, CustomOperator) {
    const std::uint32_t n = 200003;
    const auto items = brackets(n);
    Bicyclic sum{0, 0};
    for (const Bicyclic& item : items) {
        sum = combine(sum, item);
    }
    Graph graph(test_context());
    const auto in = graph.import_buffer<Bicyclic>("in", n);
    const auto once = reduce(graph, in, {.op = bicyclic});
    const auto again = reduce(graph, in, {.op = bicyclic, .tuning = small_shape()});
    // More parts than a workgroup has invocations.
    const ReduceTuning many_parts{.workgroup = small_shape().workgroup, .chunks = 1, .workgroups = 1000};
    const auto of_many = reduce(graph, in, {.op = bicyclic, .tuning = many_parts});
    for (const auto& out : {once, again, of_many}) {
        graph.export_buffer(out);
    }
    Program program = ok(compile(test_context(), graph));
    const Buffer buffer = buffer_of(items);
    ok(program.bind(in, buffer));
    for (int run = 0; run < 20; ++run) {
        for (const auto& out : {once, again, of_many}) {
            ok(test_context().upload(program.view(out), Words(2, poison)));
        }
        ok(program.run());
        const Words expected{sum.close, sum.open};
        expect_equal(contents(program.view(once), 2), expected, "default shape");
        expect_equal(contents(program.view(again), 2), expected, "small shape");
        expect_equal(contents(program.view(of_many), 2), expected, "many parts");
    }
}

TEST(Reduce, SameBitsInEveryRun) {
    const std::uint32_t n = 300001;
    std::vector<float> input(n);
    Random random(1);
    for (float& item : input) {
        item = std::ldexp(static_cast<float>(random.uniform<int>(-1000000, 1000000)), random.uniform<int>(-20, 20));
    }
    Graph graph(test_context());
    const auto in = graph.import_buffer<float>("in", n);
    const auto out = reduce(graph, in);
    graph.export_buffer(out);
    Program program = ok(compile(test_context(), graph));
    const Buffer buffer = buffer_of(input);
    ok(program.bind(in, buffer));
    Words first;
    for (int run = 0; run < 100; ++run) {
        ok(program.run());
        const Words found = contents(program.view(out), 1);
        if (first.empty()) {
            first = found;
        }
        expect_equal(found, first, "run " + std::to_string(run));
    }
}

TEST(Reduce, UnknownSubgroupSize) {
    const std::uint32_t n = 5003;
    const Words input = random_words(n, 11);
    Graph graph(without_known_subgroup_size());
    const auto in = graph.import_buffer<std::uint32_t>("in", n);
    const auto out = reduce(graph, in, {.op = Operator::max, .tuning = small_shape()});
    graph.export_buffer(out);
    Program program = ok(compile(test_context(), graph));
    const Buffer buffer = buffer_of(input);
    ok(program.bind(in, buffer));
    ok(program.run());
    EXPECT_EQ(contents(program.view(out), 1)[0], *std::max_element(input.begin(), input.end()));
}

TEST(Reduce, RejectsInvalidArguments) {
    const auto error = [](const std::function<void(Graph&, BufferRef<std::uint32_t>)>& build) {
        Graph graph(test_context());
        build(graph, graph.import_buffer<std::uint32_t>("in", 1000));
        return plan_error(graph);
    };
    EXPECT_THAT(error([](Graph& graph, auto) { reduce(graph, BufferRef<std::uint32_t>{}); }),
                HasSubstr("reduce: the input is null"));
    EXPECT_THAT(error([](Graph& graph, auto in) { reduce(graph, in, {.input_layout = {.offset = 1}}); }),
                HasSubstr("1000 elements require 1001"));
    EXPECT_THAT(error([](Graph& graph, auto in) { reduce(graph, in, {.output = in}); }),
                HasSubstr("the output is also the input"));
    EXPECT_THAT(error([](Graph& graph, auto in) { reduce(graph, in, {.tuning = {.workgroup = 100}}); }),
                HasSubstr("100 invocations"));
    EXPECT_THAT(error([](Graph& graph, auto in) {
                    reduce(graph, in, {.tuning = {.workgroup = 1U << 31, .chunks = 1U << 31}});
                }),
                HasSubstr("2147483648 chunks"));
    EXPECT_THAT(error([](Graph& graph, auto in) { reduce(graph, in, {.op = bicyclic}); }),
                HasSubstr("elements have 1 words, the struct of monoid 'bicyclic' has 2"));
    EXPECT_THAT(error([](Graph& graph, auto) {
                    reduce(graph, graph.import_buffer<float>("floats", 8), {.op = Operator::bit_and});
                }),
                HasSubstr("the operator 'and' is not supported for floats"));
}

TEST(ReduceBySegment, CustomOperator) {
    const std::uint32_t n = 20003, length = 700, segments = (n + length - 1) / length;
    const auto items = brackets(n);
    Words expected;
    for (std::uint32_t first = 0; first < n; first += length) {
        Bicyclic sum{0, 0};
        for (std::uint32_t i = first; i < std::min(first + length, n); ++i) {
            sum = combine(sum, items[i]);
        }
        expected.insert(expected.end(), {sum.close, sum.open});
    }
    Graph graph(test_context());
    const auto in = graph.import_buffer<Bicyclic>("in", n);
    const auto scope = weir::testing::instrument(graph, {.one_in = 2});
    const auto out = reduce_by_segment(graph, in, Segments::of_length(length), {.op = bicyclic});
    graph.export_buffer(out);
    EXPECT_EQ(out.count.max, segments);
    Program program = ok(compile(test_context(), graph));
    const Buffer buffer = buffer_of(items);
    ok(program.bind(in, buffer));
    ok(program.run());
    expect_equal(contents(program.view(out), 2 * segments), expected, "out");
}

TEST(ReduceBySegment, RejectsInvalidArguments) {
    Graph in_place(test_context());
    const auto both = in_place.import_buffer<std::uint32_t>("both", 1000);
    reduce_by_segment(in_place, both, Segments::of_length(2), {.output = both});
    EXPECT_THAT(plan_error(in_place), HasSubstr("the output of a reduction of segments is also the input"));
    Graph graph(test_context());
    const auto in = graph.import_buffer<std::uint32_t>("in", 1000);
    reduce_by_segment(graph, in, Segments::of_keys(in));
    EXPECT_THAT(plan_error(graph), HasSubstr("of one length or at offsets"));
    Graph none(test_context());
    reduce_by_segment(none, none.import_buffer<std::uint32_t>("in", 1000), {});
    EXPECT_THAT(plan_error(none), HasSubstr("of one length or at offsets"));
    Graph empty(test_context());
    reduce_by_segment(empty, empty.import_buffer<std::uint32_t>("in", 1000), Segments::of_length(0));
    EXPECT_THAT(plan_error(empty), HasSubstr("the length of segments must be at least 1"));
    Graph small(test_context());
    reduce_by_segment(small, small.import_buffer<std::uint32_t>("in", 1000), Segments::of_length(3),
                      {.output = small.import_buffer<std::uint32_t>("out", 333)});
    EXPECT_THAT(plan_error(small), HasSubstr("capacity of 333 words; 334 elements require 334"));
}

} // namespace
} // namespace weir::tests::reduce_test
