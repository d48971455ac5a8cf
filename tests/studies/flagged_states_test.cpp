// Scans give the same results with flagged tile states.

#include <array>
#include <cmath>

#include "tests/primitives/harness.hpp"
#include "tests/primitives/scan_cases.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::flagged_states_test {
namespace {

const OnEveryDriver on_every_driver{"FlaggedStates.Integers"};
const Sweeps sweeps{"FlaggedStatesErrors.*", "FlaggedStates.Strategies", "FlaggedStates.CustomOperator",
                    "FlaggedStates.Segments", "FlaggedStates.FloatSums*"};

using studies::ScanStrategy;
using Kind = Instrument::Kind;

const auto flagged = studies::scan_variant({.flagged_states = true});

ScanTuning small_shape() {
    return {.workgroup = std::min(64U, max_workgroup()), .chunks = 2};
}
constexpr std::uint32_t small_tile = 64 * 2 * 4; // maximum, in words

class FlaggedStates : public testing::Test {
protected:
    void SetUp() override {
        if (!has_flagged_states()) {
            GTEST_SKIP() << "acquire and release atomics act as barriers"; // lavapipe before 25: tests would hang
        }
    }
};

// One program per case runs all counts, so each run starts from the state that the previous one left.
TEST_F(FlaggedStates, Integers) {
    struct Case {
        ElementType element;
        Instrument instrument;
    };
    const std::uint32_t capacity = 70 * small_tile + 3;
    std::uint32_t number = 0;
    for (const Case& c : {Case{{Scalar::u32, 1}, {}},
                          {{Scalar::u32, 1}, {.one_in = 3, .kind = Kind::late_post}},
                          {{Scalar::i64, 1}, {.one_in = 1}},
                          {{Scalar::i64, 1}, {.one_in = 2, .kind = Kind::torn_post}}}) {
        if (!is_turn(number++, 2)) {
            continue;
        }
        const std::uint32_t tile = small_tile / c.element.words();
        ScanProgram program({.element = c.element,
                             .kind = ScanKind::exclusive,
                             .total = true,
                             .initial = true,
                             .capacity = capacity,
                             .count = Count::Kind::parameter,
                             .instrument = c.instrument,
                             .variant = {.flagged_states = true},
                             .tuning = small_shape()});
        for (const std::uint32_t n :
             {capacity, 0U, 1U, tile - 1, tile, tile + 1, 2 * tile, 17 * tile - 1, 33 * tile + 1, capacity}) {
            program.check(n, n, 3);
        }
    }
}

TEST_F(FlaggedStates, Strategies) {
    for (const ScanStrategy strategy : {ScanStrategy::chained, ScanStrategy::scalar_fallback}) {
        std::optional<InOrderDevice> device;
        if (strategy == ScanStrategy::chained) {
            device.emplace();
        }
        const std::uint32_t n = 40 * small_tile + 3;
        check(
            {.capacity = n, .n = n, .variant = {.strategy = strategy, .flagged_states = true}, .tuning = small_shape()},
            3);
    }
}

/// Upper triangular 3 x 3 matrices with ones on the diagonal: a non-commutative operator on three words.
using Heisenberg = std::array<std::uint32_t, 3>;
const Monoid heisenberg{.name = "heisenberg",
                        .fields = {"uint a", "uint b", "uint c"},
                        .identity = "T(0, 0, 0)",
                        .combine = "return T(left.a + right.a, left.b + right.b,\n"
                                   "         left.c + right.c + left.a * right.b);"};
Heisenberg combine(const Heisenberg& left, const Heisenberg& right) {
    return {left[0] + right[0], left[1] + right[1], left[2] + right[2] + left[0] * right[1]};
}

std::vector<Heisenberg> heisenberg_elements(std::uint32_t n) {
    const auto drawn = random_words(3 * std::size_t{n}, 7);
    std::vector<Heisenberg> elements(n);
    std::memcpy(elements.data(), drawn.data(), drawn.size() * 4);
    return elements;
}

/// Returns the words of the result of a scan. Checks that three runs agree.
template <class T>
std::vector<std::uint32_t> scanned(const std::vector<T>& input, const ScanOptions<T>& options,
                                   const Instrument& instrument) {
    const auto n = static_cast<std::uint32_t>(input.size());
    Graph graph(test_context());
    const auto in = graph.import_buffer<T>("in", n);
    const auto scope = weir::testing::instrument(graph, instrument);
    const auto out = scan(graph, in, options);
    graph.export_buffer(out);
    Program program = ok(compile(test_context(), graph));
    const Buffer buffer = buffer_of(input);
    ok(program.bind(in, buffer));
    std::vector<std::uint32_t> first;
    for (std::uint32_t run = 0; run < 3; ++run) {
        ok(program.run());
        const auto found = words_of(contents<T>(program.view(out), n));
        first = first.empty() ? found : first;
        expect_equal(found, first, "another run");
    }
    return first;
}

// Exact operators use the backward walk, other operators use the spine.
TEST_F(FlaggedStates, CustomOperator) {
    const auto input = heisenberg_elements(5001);
    std::vector<Heisenberg> expected = input;
    for (std::size_t i = 1; i < expected.size(); ++i) {
        expected[i] = combine(expected[i - 1], input[i]);
    }
    for (const bool exact : {true, false}) {
        Monoid monoid = heisenberg;
        monoid.exact = exact;
        const Instrument instrument{
            .one_in = 2, .kind = exact ? Kind::torn_post : Kind::never_post, .scan_variant = flagged};
        const auto found = scanned<Heisenberg>(input, {.op = monoid, .tuning = small_shape()}, instrument);
        expect_equal(found, words_of(expected), exact ? "exact" : "not exact");
    }
}

// The value posted for a tile with a head is a prefix, whether the owner or a fallback posts it.
TEST_F(FlaggedStates, Segments) {
    const std::uint32_t length = 2 * small_tile + 1; // only some tiles have a head
    const auto input = heisenberg_elements(5001);
    std::vector<Heisenberg> expected = input;
    for (std::size_t i = 1; i < expected.size(); ++i) {
        expected[i] = i % length == 0 ? input[i] : combine(expected[i - 1], input[i]);
    }
    Monoid monoid = heisenberg;
    monoid.exact = true;
    const auto found =
        scanned<Heisenberg>(input, {.op = monoid, .segments = Segments::of_length(length), .tuning = small_shape()},
                            {.one_in = 2, .kind = Kind::torn_post, .scan_variant = flagged});
    expect_equal(found, words_of(expected), "segments");
}

// Float sums have the same bits as with split states.
TEST_F(FlaggedStates, FloatSumsMatchSplitStates) {
    const Monoid sum{
        .name = "sum", .fields = {"float v"}, .identity = "T(0.0)", .combine = "return T(left.v + right.v);"};
    Random random(5);
    std::vector<float> input(300 * small_tile + 5);
    for (float& item : input) {
        item = std::ldexp(static_cast<float>(random.uniform<int>(-1000000, 1000000)), random.uniform<int>(-20, 20));
    }
    const auto with = [&](const Instrument& instrument) {
        return scanned<float>(input, {.op = sum, .tuning = small_shape()}, instrument);
    };
    expect_equal(with({.one_in = 3, .kind = Kind::torn_post, .scan_variant = flagged}),
                 with({.one_in = 3, .kind = Kind::torn_post, .tile_states = TileStates::split}), "sums");
}

TEST(FlaggedStatesErrors, RejectsUnsupportedCombinations) {
    Capabilities device = test_context().capabilities();
    device.float64 = true;
    device.ordered_atomics_are_barriers = false;
    const auto refusal = [&]<class T>(const T&, const ScanOptions<T>& options = {}, bool in_place = false) {
        Graph graph(device);
        const auto in = graph.import_buffer<T>("in", 100);
        const auto scope = weir::testing::instrument(graph, {.scan_variant = flagged});
        ScanOptions<T> all = options;
        if (in_place) {
            all.output = in;
        }
        scan(graph, in, all);
        return plan_error(graph);
    };
    EXPECT_THAT(refusal(1U, {.segments = Segments::of_length(3)}),
                HasSubstr("flagged tile states are not supported for these elements or segments"));
    EXPECT_THAT(refusal(1.0), HasSubstr("flagged tile states are not supported for these elements or segments"));
    EXPECT_THAT(refusal(1U, {}, true), HasSubstr("flagged tile states are not supported for scans in place"));
    EXPECT_THAT(refusal(1U), HasSubstr("no error"));
    device.ordered_atomics_are_barriers = true;
    EXPECT_THAT(refusal(1U), HasSubstr("act as workgroup barriers on this device"));
}

} // namespace
} // namespace weir::tests::flagged_states_test
