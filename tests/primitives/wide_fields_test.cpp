#include "tests/primitives/trial.hpp"
#include "tests/support/turns.hpp"

// Structs with 64-bit numbers, on devices that support them.

namespace weir::tests::wide_fields_test {
namespace {

const OnOneDriver on_one_driver{"WideFields.ScanAndReduce"};

/// Sums of several types.
struct Sums {
    double reals;
    std::uint64_t naturals;
    std::int64_t integers;
    std::uint32_t count, largest;
};
const Monoid sums_monoid{
    .name = "sums",
    .fields = {"double reals", "uint64_t naturals", "int64_t integers", "uint count", "uint largest"},
    .identity = "T(0.0lf, uint64_t(0), int64_t(0), 0, 0)",
    .combine = "return T(left.reals + right.reals, left.naturals + right.naturals,\n"
               "         left.integers + right.integers, left.count + right.count,\n"
               "         max(left.largest, right.largest));"};

Sums combine(const Sums& left, const Sums& right) {
    return {left.reals + right.reals, left.naturals + right.naturals, left.integers + right.integers,
            left.count + right.count, std::max(left.largest, right.largest)};
}

bool has_wide_numbers() {
    const Capabilities& device = test_context().capabilities();
    return device.float64 && device.int64;
}

/// Returns random elements whose sums are all exact.
std::vector<Sums> some_sums(std::uint32_t n) {
    Random random(n);
    return tabulated(n, [&](auto) {
        return Sums{static_cast<double>(random.uniform<std::int64_t>(-(1LL << 40), 1LL << 40)) / 4,
                    random.uniform<std::uint64_t>(0, ~0ULL), random.uniform<std::int64_t>(-(1LL << 50), 1LL << 50), 1,
                    random.uniform<std::uint32_t>()};
    });
}

TEST(WideFields, ScanAndReduce) {
    if (!has_wide_numbers()) {
        GTEST_SKIP() << "the device does not support 64-bit numbers";
    }
    const std::uint32_t most = 3000;
    const auto items = some_sums(most);
    Trial trial(most, Count::Kind::gpu);
    const auto input = trial.input("items", items);
    const auto scanned = trial.output<Sums>("scanned", most);
    const auto reduced = trial.output<Sums>("reduced", 1);
    scan(trial.graph, input, {.op = sums_monoid, .output = scanned});
    reduce(trial.graph, input, {.op = sums_monoid, .output = reduced});
    for (const std::uint32_t n : {1U, 1000U, most}) {
        std::vector<Sums> expected(n);
        std::partial_sum(items.begin(), items.begin() + n, expected.begin(), combine);
        trial.run(n);
        trial.expect(scanned, expected);
        trial.expect(reduced, std::vector<Sums>{expected.back()});
    }
}

struct Event {
    std::int64_t time;
    double weight;
};

TEST(WideFields, MergeSortComparesThem) {
    if (!has_wide_numbers()) {
        GTEST_SKIP() << "the device does not support 64-bit numbers";
    }
    const std::uint32_t most = 1000;
    Random random(1);
    auto events = tabulated(most, [&](auto) {
        return Event{random.uniform<std::int64_t>(-3, 3) << 40, random.uniform<int>(-5, 5) / 4.0};
    });
    Trial trial(most);
    const auto sorted = trial.output<Event>("sorted", most);
    merge_sort(trial.graph, trial.input("events", events),
               {"a.time < b.time || a.time == b.time && a.weight > b.weight", {"int64_t time", "double weight"}},
               {.output_keys = sorted});
    std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) {
        return a.time < b.time || (a.time == b.time && a.weight > b.weight);
    });
    trial.run(most);
    trial.expect(sorted, events);
}

TEST(WideFields, RejectedWithoutDeviceSupport) {
    Capabilities device = test_context().capabilities();
    device.float64 = device.int64 = false;
    const auto error = [&](const char* field) {
        Graph graph(device);
        const Monoid monoid{.name = "wide", .fields = {field}, .identity = "T(0)", .combine = "return left;"};
        reduce(graph, graph.import_buffer<std::uint64_t>("in", 10), {.op = monoid});
        return graph.error() ? graph.error()->message : "no error";
    };
    EXPECT_THAT(error("double x"), HasSubstr("monoid 'wide': field 'double x': the device does not support its type"));
    EXPECT_THAT(error("int64_t x"),
                HasSubstr("monoid 'wide': field 'int64_t x': the device does not support its type"));
    EXPECT_THAT(error("uint64_t x"), HasSubstr("the device does not support its type"));
    EXPECT_EQ(error("uvec2 x"), "no error");
}

} // namespace
} // namespace weir::tests::wide_fields_test
