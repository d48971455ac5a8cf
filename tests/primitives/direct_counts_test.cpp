// Direct GPU counts: workgroups are dispatched for the maximum count. Workgroups beyond the count must do nothing.

#include "tests/primitives/trial.hpp"

namespace weir::tests::direct_counts_test {
namespace {

TEST(DirectCounts, WorkgroupsBeyondTheCountDoNothing) {
    constexpr std::uint32_t most = 20000;
    const Words keys = Random(3).vector<std::uint32_t>(most, 0, 1000);
    Words indices(most);
    std::iota(indices.begin(), indices.end(), 0U);

    Trial trial(most, Count::Kind::gpu);
    trial.count = trial.count.direct();
    Graph& graph = trial.graph;
    const auto input = trial.input("keys", keys), values = trial.input("values", indices);
    const auto scanned = trial.output("scanned", most), total = trial.output("total", 1);
    scan(graph, input, {.output = scanned, .output_total = total});
    const auto selected = trial.output("selected", most);
    select_if(graph, input, Predicate::compare(Comparison::less, 300U), {.output = selected});
    const auto sum = trial.output("sum", 1);
    reduce(graph, input, {.output = sum});
    const auto doubled = trial.output("doubled", most);
    transform<std::uint32_t>(graph, input, "2 * x", {.output = doubled});
    const auto sorted_keys = trial.output("sorted keys", most), sorted_values = trial.output("sorted values", most);
    radix_sort(graph, input, values, {.output_keys = sorted_keys, .output_values = sorted_values});

    for (const std::uint32_t n : {most, 0U, 1U, 255U, 4096U, 12345U}) {
        trial.run(n);
        const Words some(keys.begin(), keys.begin() + n);
        Words sums(n), twice(n), small, order(indices.begin(), indices.begin() + n);
        std::inclusive_scan(some.begin(), some.end(), sums.begin());
        std::transform(some.begin(), some.end(), twice.begin(), [](std::uint32_t x) { return 2 * x; });
        std::copy_if(some.begin(), some.end(), std::back_inserter(small), [](std::uint32_t x) { return x < 300; });
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
        Words sorted = some;
        std::sort(sorted.begin(), sorted.end());
        trial.expect(scanned, sums);
        trial.expect(total, {n == 0 ? 0 : sums.back()});
        trial.expect(selected, small);
        trial.expect(sum, {n == 0 ? 0 : sums.back()});
        trial.expect(doubled, twice);
        trial.expect(sorted_keys, sorted);
        trial.expect(sorted_values, order);
    }
}

} // namespace
} // namespace weir::tests::direct_counts_test
