// Scans of every type with every built-in operator, in every variant. Each case combines several variants, because most
// of the time goes to the driver's compiler.

#include "tests/primitives/scan_cases.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::scan_types_test {
namespace {

const Sweeps sweeps{"ScanEveryType.*", "ScanFloats.*"};

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
            ScanCase scan{.element = element, .op = op, .tuning = small_scan()};
            scan.seed = static_cast<std::uint64_t>(op) + 10 * static_cast<std::uint64_t>(element.scalar);
            f(scan);
        }
    }
}

TEST_P(ScanTypes, Inclusive) {
    for_each_operator(GetParam(), 0, [](ScanCase& scan) {
        scan.capacity = 9 * small_scan_tile(scan.element) + 3;
        scan.instrument.one_in = 3;
        check(scan);
    });
}

TEST_P(ScanTypes, ExclusiveAndInclusiveWithInitialAndTotal) {
    for_each_operator(GetParam(), 1, [](ScanCase& scan) {
        scan.kind = ScanKind::exclusive;
        scan.other = scan.total = scan.initial = true;
        scan.capacity = 5 * small_scan_tile(scan.element);
        check(scan);
    });
}

TEST_P(ScanTypes, ExclusiveInPlaceWithOffsetAndStride) {
    for_each_operator(GetParam(), 2, [](ScanCase& scan) {
        scan.kind = ScanKind::exclusive;
        scan.in_place = true;
        scan.in = {.offset = 3, .stride = scan.element.words() + 2};
        scan.capacity = 7 * small_scan_tile(scan.element) - 1;
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
                             .capacity = 3 * small_scan_tile(element) + 1,
                             .count = Count::Kind::gpu,
                             .tuning = small_scan()});
        for (const std::uint32_t n : {0U, 1U, 3 * small_scan_tile(element) + 1}) {
            program.check(n, n);
        }
    });
}

TEST(ScanEveryType, DefaultShape) {
    for_each_type(1, [](ElementType element) {
        check({.element = element, .op = Operator::min, .capacity = 70001});
        check({.element = element, .op = Operator::max, .in_place = true, .capacity = 65536});
    });
}

// Large enough that tiles are scanned before the look-back instead of after it.
TEST(ScanEveryType, LargeInput) {
    for_each_type(2, [](ElementType element) {
        const std::uint32_t n = (1U << 22) / element.words() + 77;
        check({.element = element, .op = Operator::min, .kind = ScanKind::exclusive, .capacity = n});
    });
}

// Float sums have the same bits in every run, whichever tiles are silent.
TEST(ScanFloats, SameBitsWithAllFaults) {
    BitsOfSums sums(130 * small_scan_tile() + 3, {.tuning = small_scan()});
    sums.check({}, 100);
    for (std::uint32_t one_in = 512; one_in >= 1; one_in /= 2) {
        sums.check({.one_in = one_in}, 100);
        sums.check({.one_in = one_in, .kind = Instrument::Kind::late_post, .seed = 1U}, 10);
        sums.check({.one_in = one_in, .kind = Instrument::Kind::torn_post, .seed = 1U}, 10);
    }
}

} // namespace
} // namespace weir::tests::scan_types_test
