#pragma once

#include "tests/primitives/trial.hpp"

namespace weir::tests {

/// Kernel shape of histograms with small workgroups, so that few elements make several workgroups.
constexpr HistogramTuning small_histogram{.workgroup = 64, .group_items = 256, .copies = 2};

/// Checks a histogram of the first n items, for some n. `add` adds it to the graph. An item adds to the bins that
/// bins_of(item, its index) returns; numbers of bins from `bins` on are in no bin.
template <class T, class BinsOf>
void check_histogram(const std::vector<T>& items, std::uint32_t bins,
                     const std::function<void(Trial&, BufferRef<T>, const HistogramOptions&)>& add,
                     const BinsOf& bins_of, const HistogramTuning& tuning = small_histogram,
                     Count::Kind kind = Count::Kind::parameter) {
    SCOPED_TRACE(std::to_string(bins) + " bins");
    const std::uint32_t most = count_of(items);
    Trial trial(most, kind);
    const auto counts = trial.output("counts", bins);
    add(trial, trial.input("items", items), {.output = counts, .tuning = tuning});
    for (const std::uint32_t wanted : {0U, 1U, 3U, 4U, 5U, 64U, 255U, 256U, 257U, 511U, 1027U, most}) {
        const std::uint32_t n = std::min(wanted, most);
        Words expected(bins);
        for (std::uint32_t i = 0; i < n; ++i) {
            for (const std::uint32_t bin : bins_of(items[i], i)) {
                if (bin < bins) {
                    ++expected[bin];
                }
            }
        }
        trial.run(n);
        trial.expect(counts, expected);
    }
}

} // namespace weir::tests
