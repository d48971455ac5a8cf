// Random tests: primitives with random kernel shapes, counts, faults and tile orders, and radix sorts with random
// options.

#include "tests/primitives/campaign.hpp"
#include "tests/primitives/family.hpp"
#include "tests/primitives/radix_sort_trial.hpp"

namespace weir::tests::campaign_test {
namespace {

using Order = Instrument::Order;

std::uint32_t workgroup(Random& random) {
    const std::uint32_t least = test_context().capabilities().subgroup_size_max;
    return std::min(std::max(one_of(random, {32U, 64U, 128U, 256U}), least), max_workgroup());
}

Instrument any_faults(Random& random) {
    if (random.uniform(1, 3) == 1) {
        return {};
    }
    return {.one_in = one_of(random, {~0U, 1U, 2U, 3U, 7U}),
            .kind = one_of(random, {Kind::never_post, Kind::late_post, Kind::torn_post}),
            .seed = random.uniform(0U, 1000U),
            .order = one_of(random, {Order::as_started, Order::reversed, Order::both_ends, Order::random})};
}

Shapes any_shapes(Random& random) {
    return {.compaction = {.workgroup = workgroup(random), .rows = random.uniform(1U, 8U)},
            .scan = {.workgroup = workgroup(random), .chunks = random.uniform(1U, 3U)},
            .reduction = {.workgroup = workgroup(random),
                          .chunks = random.uniform(1U, 3U),
                          .workgroups = random.uniform(1U, 9U)},
            .expansion = {.workgroup = workgroup(random), .rows = random.uniform(1U, 5U)},
            .histogram = {.workgroup = workgroup(random),
                          .group_items = 4 * random.uniform(1U, 300U),
                          .copies = one_of(random, {1U, 2U, 4U})}};
}

TEST(Campaign, PrimitivesWithRandomShapes) {
    run_campaign([](std::uint64_t seed, std::uint32_t inputs) {
        Random random(seed);
        const Part part = one_of(random, {Part::single_pass, Part::elementwise, Part::all});
        const std::uint32_t most = magnitude(random, 13);
        const Count::Kind kind = one_of(random, {Count::Kind::gpu, Count::Kind::parameter});
        const Shapes shapes = any_shapes(random);
        Family family(part, most, shapes, kind, any_faults(random), seed);
        std::uint64_t cases = 0;
        for (std::uint32_t input = 0; input < inputs && !HasFailure(); ++input, cases += family.outputs()) {
            family.check(input == 0 ? most : random.uniform(0U, input % 10 < 8 ? most : std::min(most, 3U)));
        }
        return cases;
    });
}

template <class K>
std::uint64_t check_sorts(Random& random, std::uint32_t inputs) {
    const std::uint32_t most = magnitude(random, 14);
    RadixSortOptions<K> options;
    Instrument faults;
    options.descending = random.uniform(0, 1) == 1;
    if (random.uniform(1, 3) == 1) {
        options.first_bit = random.uniform<std::uint32_t>(0, sizeof(K) * 8 - 1);
        // At least one bit: a sort by no bits copies whole buffers, including elements beyond the count.
        options.end_bit = random.uniform<std::uint32_t>(options.first_bit + 1, sizeof(K) * 8);
    }
    if (random.uniform(0, 1) == 1) {
        options.tuning = small_shape();
        faults = any_faults(random);
    }
    Words counts{most};
    while (counts.size() < inputs) {
        counts.push_back(random.uniform(0U, most));
    }
    check_sort(mixed_keys<K>(most), one_of(random, {SortOf::keys, SortOf::pairs, SortOf::indices}), counts, options,
               {.kind = one_of(random, {Count::Kind::gpu, Count::Kind::parameter}), .instrument = faults});
    return counts.size();
}

TEST(Campaign, RadixSortsWithRandomOptions) {
    run_campaign([](std::uint64_t seed, std::uint32_t inputs) {
        Random random(seed);
        switch (random.uniform(0, 5)) {
        case 0: return check_sorts<std::uint32_t>(random, inputs);
        case 1: return check_sorts<std::int32_t>(random, inputs);
        case 2: return check_sorts<float>(random, inputs);
        case 3: return check_sorts<std::uint64_t>(random, inputs);
        case 4: return check_sorts<double>(random, inputs);
        default: return check_sorts<std::uint16_t>(random, inputs);
        }
    });
}

} // namespace
} // namespace weir::tests::campaign_test
