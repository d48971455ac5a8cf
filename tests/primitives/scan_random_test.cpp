// Scans drawn at random among all that can be asked for.

#include <bit>
#include <cstdlib>
#include <iostream>

#include "tests/primitives/harness.hpp"
#include "tests/primitives/scan_cases.hpp"
#include "tests/support/long_tests.hpp"

namespace weir::tests::scan_random_test {
namespace {

using Kind = Segments::Kind;

/// One of `choices`.
template <class T>
T one_of(Random& random, std::initializer_list<T> choices) {
    return choices.begin()[random.uniform<std::size_t>(0, choices.size() - 1)];
}

/// From 1 to 2^most_bits, any order of magnitude as likely as another.
std::uint32_t magnitude(Random& random, std::uint32_t most_bits) {
    return random.uniform(1U, 1U << random.uniform(0U, most_bits));
}

WordLayout any_layout(Random& random, std::uint32_t words) {
    return one_of(random, {true, false})
               ? WordLayout{}
               : WordLayout{.offset = random.uniform(0U, 9U), .stride = words + random.uniform(0U, 3U)};
}

ScanCase any_case(std::uint64_t seed) {
    const Capabilities& device = test_context().capabilities();
    Random random(seed);
    const auto maybe = [&random](std::uint32_t one_in) { return random.uniform(1U, one_in) == 1; };
    ScanCase scan;
    scan.seed = seed;
    do {
        const auto scalar =
            one_of(random, {Scalar::u32, Scalar::i32, Scalar::f32, Scalar::u64, Scalar::i64, Scalar::f64});
        const bool wide = ElementType{scalar, 1}.words() == 2;
        scan.element = {scalar, wide || maybe(2) ? 1 : random.uniform(2U, 4U)};
        scan.op = one_of(random, {Operator::add, Operator::mul, Operator::min, Operator::max, Operator::bit_and,
                                  Operator::bit_or, Operator::bit_xor});
    } while (!exists(scan.element, scan.op));
    scan.segments =
        maybe(2) ? Kind::none : one_of(random, {Kind::length, Kind::flags, Kind::bits, Kind::keys, Kind::offsets});
    scan.segment_length = magnitude(random, 13);
    scan.key_words = scan.segments == Kind::keys ? random.uniform(1U, 3U) : 1;
    scan.segment_ends = (scan.segments == Kind::length || scan.segments == Kind::offsets) && maybe(3);
    scan.initial = maybe(3);
    scan.in = any_layout(random, scan.element.words());
    if (!scan.segment_ends) {
        scan.kind = maybe(2) ? ScanKind::inclusive : ScanKind::exclusive;
        scan.other = maybe(3);
        scan.in_place = maybe(4);
        scan.out = scan.in_place ? scan.in : any_layout(random, scan.element.words());
        scan.total = scan.segments == Kind::none && maybe(3);
    }
    scan.count = one_of(random, {Count::Kind::parameter, Count::Kind::gpu});
    scan.capacity = magnitude(random, 14);
    if (!maybe(3)) {
        scan.faults = {.one_in = one_of(random, {1U, 2U, 3U, 7U, 50U}),
                       .kind = one_of(random, {FaultInjection::Kind::never_post, FaultInjection::Kind::late_post,
                                               FaultInjection::Kind::torn_post})};
    }
    if (!maybe(4)) {
        scan.tuning.workgroup = std::min(one_of(random, {64U, 128U, 256U}), max_workgroup());
        scan.tuning.chunks = random.uniform(1U, 3U);
        scan.tuning.max_spins = one_of(random, {0U, 1U, 1000U});
    }
    if (device.subgroup_size_selectable) {
        scan.tuning.subgroup_size = device.subgroup_size_min << random.uniform(
                                        0, std::countr_zero(device.subgroup_size_max / device.subgroup_size_min));
        if (scan.tuning.workgroup != 0) {
            scan.tuning.workgroup = std::clamp(scan.tuning.workgroup, scan.tuning.subgroup_size,
                                               scan.tuning.subgroup_size * device.max_workgroup_subgroups);
        }
    }
    return scan;
}

// Programs of ten inputs each. Every device draws others; the messages have the seed of a case that fails, and
// WEIR_TESTS_SEED starts with it. Five configurations make 10000 cases of the long run.
TEST(ScanRandom, AgreeWithTheReference) {
    const Capabilities& device = test_context().capabilities();
    std::uint64_t first = std::hash<std::string>{}(device.driver + std::to_string(device.subgroup_size)) % 1000000;
    if (const char* given = std::getenv("WEIR_TESTS_SEED")) {
        first = std::strtoull(given, nullptr, 10);
    }
    const std::uint64_t programs = long_tests() ? 200 : 2;
    std::uint64_t cases = 0;
    for (std::uint64_t seed = first; seed < first + programs && !HasFailure(); ++seed) {
        SCOPED_TRACE("WEIR_TESTS_SEED=" + std::to_string(seed));
        const ScanCase scan = any_case(seed);
        ScanProgram program(scan);
        Random random(seed);
        for (std::uint32_t input = 0; input < 10 && !HasFailure(); ++input, ++cases) {
            const std::uint32_t most = input < 8 ? scan.capacity : std::min(scan.capacity, 3U);
            program.check(input == 0 ? scan.capacity : random.uniform(0U, most), random.uniform<std::uint64_t>());
        }
    }
    std::cout << cases << " cases from seed " << first << "\n";
}

} // namespace
} // namespace weir::tests::scan_random_test
