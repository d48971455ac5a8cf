#pragma once

#include <utility>

#include "tests/primitives/compaction_cases.hpp"
#include "tests/primitives/scan_cases.hpp"

namespace weir::tests {

struct Shapes {
    CompactionTuning compaction;
    ScanTuning scan;
    ReduceTuning reduction;
    ExpandTuning expansion;
    HistogramTuning histogram;
};
inline Shapes small_shapes() {
    return {.compaction = small_compaction(),
            .scan = {.workgroup = std::min(64U, max_workgroup()), .chunks = 1},
            .reduction = {.workgroup = std::min(32U, max_workgroup()), .chunks = 1, .workgroups = 5},
            .expansion = {.workgroup = 32, .rows = 3},
            .histogram = {.workgroup = 64, .group_items = 256, .copies = 2}};
}

enum class Part : std::uint8_t { single_pass, elementwise, all };

/// Runs many primitives over the first n elements in one program and checks their outputs. Each check sets n.
class Family {
public:
    /// Adds the primitives of `part` for up to `most` elements and compiles them. `seed` generates the inputs.
    Family(Part part, std::uint32_t most, const Shapes& shapes, Count::Kind kind, const Instrument& faults = {},
           std::uint64_t seed = 0)
        : trial_(most, kind), items_(runs(most, 5, seed + 1)), values_(random_words(most, seed + 2)),
          flags_(Random(seed + 3).vector<std::uint32_t>(most, 0, 2)),
          counts_(Random(seed + 4).vector<std::uint32_t>(most, 0, 2)),
          sorted_(tabulated(most, [](std::uint32_t i) { return i / 3 * 5; })),
          places_(tabulated(most, [most](std::uint32_t i) { return most - 1 - i; })) {
        const auto items = trial_.input("items", items_), values = trial_.input("values", values_);
        if (part != Part::elementwise) {
            add_single_pass(items, values, shapes, faults);
        }
        if (part != Part::single_pass) {
            add_elementwise(items, values, shapes);
        }
    }

    [[nodiscard]] std::size_t outputs() const { return made_.size(); }

    void check(std::uint32_t n) {
        trial_.run(n);
        for (const auto& [output, expected] : made_) {
            trial_.expect(output, expected(n));
        }
    }

private:
    using Expected = std::function<Words(std::uint32_t n)>;

    [[nodiscard]] std::uint32_t most() const { return count_of(items_); }

    Ref output(const char* name, std::uint32_t capacity, Expected expected) {
        const auto ref = trial_.output(name, capacity);
        made_.emplace_back(ref, std::move(expected));
        return ref;
    }
    Ref output(const char* name, Expected expected) { return output(name, most(), std::move(expected)); }

    [[nodiscard]] Words heads(std::uint32_t n) const {
        return indices_where(n, [&](std::uint32_t i) { return is_head(items_, i); });
    }

    /// Returns of_run(first, end) for each run [first, end) of equal items among the first `n`.
    Words of_runs(std::uint32_t n, const std::function<std::uint32_t(std::uint32_t, std::uint32_t)>& of_run) const {
        Words firsts = heads(n), made;
        firsts.push_back(n);
        for (std::size_t run = 0; run + 1 < firsts.size(); ++run) {
            made.push_back(of_run(firsts[run], firsts[run + 1]));
        }
        return made;
    }

    /// Returns the first `n` words of `all`, word i counts_[i] times.
    [[nodiscard]] Words expanded(std::uint32_t n, const Words& all) const {
        Words slots;
        for (std::uint32_t i = 0; i < n; ++i) {
            slots.insert(slots.end(), counts_[i], all[i]);
        }
        return slots;
    }

    void add_single_pass(Ref items, Ref values, const Shapes& shapes, const Instrument& faults) {
        Graph& graph = trial_.graph;
        const auto scope = weir::testing::instrument(graph, faults);
        const auto flagged = output("flagged", [this](std::uint32_t n) {
            return items_at(items_, indices_where(n, [this](std::uint32_t i) { return flags_[i] != 0; }));
        });
        select_flagged(graph, items, trial_.input("flags", flags_), {.output = flagged, .tuning = shapes.compaction});
        const auto by_bits = output("by bits", [this](std::uint32_t n) {
            return items_at(items_,
                            indices_where(n, [this](std::uint32_t i) { return (values_[i / 32] >> i % 32 & 1) != 0; }));
        });
        select_by_bits(graph, items, values, {.output = by_bits, .tuning = shapes.compaction});

        PartitionOptions<std::uint32_t> halves{.tuning = shapes.compaction};
        for (std::uint32_t p = 0; p < 2; ++p) {
            halves.outputs.at(p) = output("half", [this, p](std::uint32_t n) {
                return items_at(items_, indices_where(n, [&](std::uint32_t i) { return items_[i] / 3 == p; }));
            });
        }
        partition(graph, items, {Predicate::compare(Comparison::less, 3U)}, halves);

        PartitionOptions<std::uint32_t> parts{.tuning = shapes.compaction};
        for (std::uint32_t p = 0; p < 3; ++p) {
            parts.outputs.at(p) = output("part", [this, p](std::uint32_t n) {
                return items_at(items_,
                                indices_where(n, [&](std::uint32_t i) { return std::min(items_[i] / 2, 2U) == p; }));
            });
        }
        partition(graph, items, {Predicate::compare(Comparison::less, 2U), Predicate::compare(Comparison::less, 4U)},
                  parts);

        const auto distinct = output("unique", [this](std::uint32_t n) { return items_at(items_, heads(n)); });
        unique(graph, items, {.output = distinct, .tuning = shapes.compaction});
        const auto keys = output("unique keys", [this](std::uint32_t n) { return items_at(items_, heads(n)); });
        const auto kept = output("their values", [this](std::uint32_t n) { return items_at(values_, heads(n)); });
        unique_by_key(graph, items, values,
                      {.key_options = {.output = keys, .tuning = shapes.compaction}, .output_values = kept});

        const auto lengths = output("lengths", [this](std::uint32_t n) {
            return of_runs(n, [](std::uint32_t first, std::uint32_t end) { return end - first; });
        });
        run_length_encode(graph, items, {.output_lengths = lengths, .want_values = false, .tuning = shapes.compaction});

        const auto sums = output("sums by key", [this](std::uint32_t n) {
            return of_runs(n, [this](std::uint32_t first, std::uint32_t end) {
                return std::accumulate(values_.begin() + first, values_.begin() + end, 0U);
            });
        });
        reduce_by_key(graph, items, values, {.output_values = sums, .tuning = shapes.scan});

        const auto counts = trial_.input("counts", counts_);
        const auto sources =
            output("sources", 2 * most(), [this](std::uint32_t n) { return expanded(n, ascending(n)); });
        expand(graph, counts, {.output_sources = sources, .tuning = shapes.expansion});
        const auto decoded = output("decoded", 2 * most(), [this](std::uint32_t n) { return expanded(n, values_); });
        const auto without_faults = weir::testing::instrument(graph, {});
        run_length_decode(graph, values, counts, {.output = decoded, .tuning = shapes.expansion});
    }

    void add_elementwise(Ref items, Ref values, const Shapes& shapes) {
        Graph& graph = trial_.graph;
        const auto least_of = [this](std::uint32_t n) {
            return std::min_element(values_.begin(), values_.begin() + n) - values_.begin();
        };
        const auto least = output("least", 1, [=, this](std::uint32_t n) {
            return n == 0 ? Words{} : Words{values_[static_cast<std::size_t>(least_of(n))]};
        });
        const auto least_at = output("position of the least", 1, [=](std::uint32_t n) {
            return Words{n == 0 ? ~0U : static_cast<std::uint32_t>(least_of(n))};
        });
        min_element(graph, values, {.output_value = least, .output_position = least_at, .tuning = shapes.reduction});

        const auto bins = output("bins", 256, [this](std::uint32_t n) {
            Words bin_counts(256, 0);
            std::for_each_n(values_.begin(), n, [&](std::uint32_t x) { ++bin_counts[x & 0xFF]; });
            return bin_counts;
        });
        histogram(graph, values, Bins::digit(0), {.output = bins, .tuning = shapes.histogram});

        const auto places = trial_.input("places", places_);
        const auto gathered = output("gathered", [this](std::uint32_t n) {
            return items_at(values_, Words(places_.begin(), places_.begin() + n));
        });
        gather(graph, values.with_count(most()), places, {.output = gathered});
        const auto scattered = output("scattered", [this](std::uint32_t n) {
            Words all = poisoned(most());
            std::reverse_copy(values_.begin(), values_.begin() + n, all.end() - n);
            return all;
        });
        scatter(graph, values, places, scattered.with_count(most()));

        fill(graph, output("filled", [](std::uint32_t n) { return Words(n, 7); }).with_count(trial_.count), 7U);
        const auto sequence = output("sequence", [](std::uint32_t n) { return ascending(n, 3); });
        iota(graph, sequence.with_count(trial_.count), 3U);
        const auto differences = output("differences", [this](std::uint32_t n) {
            Words all(n);
            std::adjacent_difference(values_.begin(), values_.begin() + n, all.begin());
            return all;
        });
        adjacent_difference(graph, values, {.output = differences});
        const auto transformed = output("transformed", [this](std::uint32_t n) {
            return tabulated(n, [this](std::uint32_t i) { return values_[i] * 3 + i; });
        });
        transform<std::uint32_t>(graph, values, "x * 3u + i", {.output = transformed});

        const auto sorted = trial_.input("sorted", sorted_), more = trial_.input("more sorted", sorted_);
        const auto merged = output("merged", 2 * most(), [this](std::uint32_t n) {
            Words all(2 * std::size_t{n});
            std::merge(sorted_.begin(), sorted_.begin() + n, sorted_.begin(), sorted_.begin() + n, all.begin());
            return all;
        });
        merge(graph, sorted, more, {.output_keys = merged});
        for (const bool upper : {false, true}) {
            const auto bounds = output("bounds", [this, upper](std::uint32_t n) {
                // `items_` holds keys from 0 to 5. `sorted_` begins with three 0s and three 5s.
                return tabulated(n, [&](std::uint32_t i) {
                    const std::uint32_t below = items_[i] == 0 ? 0 : 3;
                    return std::min(n, upper ? items_[i] == 5 ? 6U : 3U : below);
                });
            });
            upper ? upper_bound(graph, sorted, items, {.output = bounds})
                  : lower_bound(graph, sorted, items, {.output = bounds});
        }
    }

    Trial trial_;
    Words items_, values_, flags_, counts_, sorted_, places_;
    std::vector<std::pair<BufferId, Expected>> made_;
};

} // namespace weir::tests
