// Scans of every type with every built-in operator, in every variant. Each case combines several variants, because most
// of the time goes to the driver's compiler.

#include <cmath>

#include "tests/primitives/harness.hpp"
#include "tests/primitives/scan_cases.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::scan_types_test {
namespace {

const Sweeps sweeps{"ScanEveryType.*", "ScanFloats.*"};

ScanTuning small_shape() {
    return {.workgroup = std::min(64U, max_workgroup()), .chunks = 1};
}
std::uint32_t small_tile(ElementType element) {
    const std::uint32_t words = element.words();
    return small_shape().workgroup * (words % 4 == 0 ? 1 : words % 2 == 0 ? 2 : 4);
}

class ScanTypes : public testing::TestWithParam<ElementType> {};
std::string name_of(const testing::TestParamInfo<ElementType>& info) {
    return to_string(info.param);
}
INSTANTIATE_TEST_SUITE_P(Scan, ScanTypes, testing::ValuesIn(all_elements), name_of);

/// Calls `f` with a case for each operator that the device supports for the type and whose turn it is. All
/// configurations together cover each operator of each type in one of three variants.
template <class F>
void for_each_operator(ElementType element, std::uint32_t variant, const F& f) {
    for (const Operator op : all_operators) {
        if (exists(element, op) &&
            is_turn(static_cast<std::uint32_t>(op) + number_of(element) + variant * configurations,
                    3 * configurations)) {
            ScanCase scan{.element = element, .op = op, .tuning = small_shape()};
            scan.seed = static_cast<std::uint64_t>(op) + 10 * static_cast<std::uint64_t>(element.scalar);
            f(scan);
        }
    }
}

TEST_P(ScanTypes, Inclusive) {
    for_each_operator(GetParam(), 0, [](ScanCase& scan) {
        scan.n = scan.capacity = 9 * small_tile(scan.element) + 3;
        scan.instrument.one_in = 3;
        check(scan);
    });
}

TEST_P(ScanTypes, ExclusiveAndInclusiveWithInitialAndTotal) {
    for_each_operator(GetParam(), 1, [](ScanCase& scan) {
        scan.kind = ScanKind::exclusive;
        scan.other = scan.total = scan.initial = true;
        scan.n = scan.capacity = 5 * small_tile(scan.element);
        check(scan);
    });
}

TEST_P(ScanTypes, ExclusiveInPlaceWithOffsetAndStride) {
    for_each_operator(GetParam(), 2, [](ScanCase& scan) {
        scan.kind = ScanKind::exclusive;
        scan.in_place = true;
        scan.in = {.offset = 3, .stride = scan.element.words() + 2};
        scan.n = scan.capacity = 7 * small_tile(scan.element) - 1;
        scan.instrument = {.one_in = 2, .kind = Instrument::Kind::torn_post};
        check(scan);
    });
}

/// Calls `f` with each type whose turn it is.
template <class F>
void for_each_type(std::uint32_t test, const F& f) {
    for (const ElementType element : all_elements) {
        if (is_turn(number_of(element) + test, configurations)) {
            f(element);
        }
    }
}

TEST(ScanEveryType, CountOnTheGpu) {
    for_each_type(0, [](ElementType element) {
        ScanProgram program({.element = element,
                             .op = Operator::min,
                             .total = true,
                             .in = {.offset = 1},
                             .capacity = 3 * small_tile(element) + 1,
                             .count = Count::Kind::gpu,
                             .tuning = small_shape()});
        for (const std::uint32_t n : {0U, 1U, 3 * small_tile(element) + 1}) {
            program.check(n, n);
        }
    });
}

TEST(ScanEveryType, DefaultShape) {
    for_each_type(1, [](ElementType element) {
        check({.element = element, .op = Operator::min, .capacity = 70001, .n = 70001});
        check({.element = element, .op = Operator::max, .in_place = true, .capacity = 65536, .n = 65536});
    });
}

// Large enough that tiles are scanned before the look-back instead of after it.
TEST(ScanEveryType, LargeInput) {
    for_each_type(2, [](ElementType element) {
        const std::uint32_t n = (1U << 22) / element.words() + 77;
        check({.element = element, .op = Operator::min, .kind = ScanKind::exclusive, .capacity = n, .n = n});
    });
}

// Float sums have the same bits in every run, whichever tiles are silent.
TEST(ScanFloats, SameBitsWithAllFaults) {
    const std::uint32_t n = 130 * small_tile({Scalar::f32, 1}) + 3;
    std::vector<float> input(n);
    Random random(1);
    for (float& item : input) {
        item = std::ldexp(static_cast<float>(random.uniform<int>(-1000000, 1000000)), random.uniform<int>(-20, 20));
    }
    const Buffer in_buffer = buffer_of(input), out_buffer = poisoned_buffer(n);
    std::vector<std::uint32_t> first;
    const auto run = [&](const Instrument& faults, std::uint32_t runs) {
        Graph graph(test_context());
        const auto in = graph.import_buffer<float>("in", n), out = graph.import_buffer<float>("out", n);
        const auto seed = graph.parameter("seed", ~0U);
        const auto scope = weir::testing::instrument(graph, with_seed(faults, seed));
        scan(graph, in, {.output = out, .tuning = small_shape()});
        Program program = ok(compile(test_context(), graph));
        ok(program.bind(in, in_buffer));
        ok(program.bind(out, out_buffer));
        for (std::uint32_t i = 1; i <= runs && !testing::Test::HasFailure(); ++i) {
            ok(program.set(seed, i));
            ok(program.run());
            const auto found = contents(out_buffer, n);
            if (first.empty()) {
                first = found;
            }
            expect_equal(found, first, "1 in " + std::to_string(faults.one_in) + ", run " + std::to_string(i));
        }
    };
    run({}, 100);
    for (std::uint32_t one_in = 512; one_in >= 1; one_in /= 2) {
        run({.one_in = one_in}, 100);
        run({.one_in = one_in, .kind = Instrument::Kind::late_post, .seed = 1U}, 10);
        run({.one_in = one_in, .kind = Instrument::Kind::torn_post, .seed = 1U}, 10);
    }
}

} // namespace
} // namespace weir::tests::scan_types_test
