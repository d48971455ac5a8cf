// Random scans with all options.

#include <bit>

#include "tests/primitives/campaign.hpp"
#include "tests/primitives/harness.hpp"
#include "tests/primitives/scan_cases.hpp"

namespace weir::tests::scan_random_test {
namespace {

using Kind = Segments::Kind;

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
    scan.end_given = scan.segments == Kind::offsets && maybe(2);
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
        scan.instrument = {.one_in = one_of(random, {1U, 2U, 3U, 7U, 50U}),
                           .kind = one_of(random, {Instrument::Kind::never_post, Instrument::Kind::late_post,
                                                   Instrument::Kind::torn_post})};
    }
    if (scan.segments == Kind::none && scan.instrument.one_in == 0 && maybe(2)) {
        const bool rounds = scan.element.scalar == Scalar::f32 || scan.element.scalar == Scalar::f64;
        using studies::ScanStrategy;
        std::vector<ScanStrategy> strategies = {ScanStrategy::reduce_then_scan};
        if (!scan.other) {
            strategies.push_back(ScanStrategy::scan_then_propagate);
        }
        if (!rounds && !scan.in_place) {
            strategies.push_back(ScanStrategy::scalar_fallback);
        }
        scan.variant.strategy = strategies[random.uniform<std::size_t>(0, strategies.size() - 1)];
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

TEST(ScanRandom, MatchesReference) {
    run_campaign([](std::uint64_t seed, std::uint32_t inputs) {
        const ScanCase scan = any_case(seed);
        ScanProgram program(scan);
        Random random(seed);
        std::uint32_t input = 0;
        for (; input < inputs && !HasFailure(); ++input) {
            const std::uint32_t most = input % 10 < 8 ? scan.capacity : std::min(scan.capacity, 3U);
            program.check(input == 0 ? scan.capacity : random.uniform(0U, most), random.uniform<std::uint64_t>());
        }
        return input;
    });
}

} // namespace
} // namespace weir::tests::scan_random_test
