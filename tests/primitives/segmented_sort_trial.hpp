#pragma once

#include "tests/primitives/radix_sort_trial.hpp"

namespace weir::tests {

/// Returns a shape with few keys per tile, so that short segments fill a tile and long segments take many. All tests
/// share this shape and few combinations of keys, values and indices, because compiling kernels takes most of the time.
inline SegmentedSortTuning few_keys() {
    return {.workgroup = 4 * test_context().capabilities().subgroup_size, .keys_per_invocation = 2, .segments = 7};
}
inline std::uint32_t few() {
    return few_keys().workgroup * 2;
}

/// Returns that shape with sweeps of equally small tiles, for all segments that do not fit one.
inline SegmentedSortTuning few_keys_and_sweeps() {
    SegmentedSortTuning tuning = few_keys();
    tuning.long_keys = 1;
    tuning.sweeps = {.workgroup = tuning.workgroup, .keys_per_invocation = 2};
    return tuning;
}

struct Segmentation {
    std::uint32_t length = 0;       ///< keys per segment; 0: segments are at offsets
    std::uint32_t most_offsets = 1; ///< maximum number of offsets; the number is on the GPU
    bool end_given = false;         ///< the last offset is the end
};

/// A sort of segments of the first n keys, which is compared with std::stable_sort.
template <class K, class V = std::uint32_t>
class SegmentSorter : public SortBuffers<K, V, SegmentedSortOptions<K, V>> {
public:
    using Options = SegmentedSortOptions<K, V>;

    SegmentSorter(const std::vector<K>& keys, SortOf what, Segmentation segments, const Options& options = {},
                  const SortSetup& setup = {.kind = Count::Kind::gpu})
        : SortBuffers<K, V, Options>(keys, what, options, setup), segments_(segments) {
        Trial& trial = this->trial_;
        Segments given = Segments::of_length(segments.length);
        if (segments.length == 0) {
            number_ = trial.input("number of segments", Words{0});
            offsets_ = trial.input("offsets", Words(segments.most_offsets));
            const Count count = trial.graph.count_in(number_, 0, segments.most_offsets - (segments.end_given ? 1 : 0));
            given = segments.end_given ? Segments::between_offsets(offsets_, count)
                                       : Segments::at_offsets(offsets_.with_count(count));
        }
        const Instrument faults = with_seed(setup.instrument, trial.seed);
        const auto scope = weir::testing::instrument(trial.graph, setup.counts ? trial.counted(faults) : faults);
        segmented_sort<K, V>(trial.graph, this->input_, given, this->options_);
    }

    void check(std::uint32_t n, const Words& offsets = {}, std::uint32_t seed = 1) {
        if (segments_.length == 0) {
            this->trial_.refill(number_, Words{count_of(offsets) - (segments_.end_given ? 1 : 0)});
            this->trial_.refill(offsets_, offsets);
        }
        this->trial_.run(n, seed);
        this->expect_order(order_of(std::min(n, this->capacity()), offsets));
    }

    [[nodiscard]] std::string plan() const { return ok(make_plan(this->trial_.graph.description())).text(); }

private:
    /// Returns the index of the key that moves to each place, and `none` for places that are not written.
    Words order_of(std::uint32_t n, Words starts) const {
        for (std::uint32_t at = 0; segments_.length != 0 && at < n; at += segments_.length) {
            starts.push_back(at);
        }
        Words order(this->capacity(), this->none);
        for (std::size_t s = 0; s + (segments_.end_given ? 1 : 0) < starts.size(); ++s) {
            const std::uint32_t first = std::min(starts[s], n);
            const std::uint32_t end = s + 1 < starts.size() ? std::min(starts[s + 1], n) : n;
            const Words sorted = sorted_order(this->keys_, first, end, this->options_);
            std::copy(sorted.begin(), sorted.end(), order.begin() + first);
        }
        return order;
    }

    Segmentation segments_;
    Ref offsets_, number_;
};

/// Returns the offsets of segments with the given lengths.
inline Words offsets_of(const Words& lengths) {
    Words offsets(lengths.size());
    std::exclusive_scan(lengths.begin(), lengths.end(), offsets.begin(), 0U);
    return offsets;
}

inline Words random_offsets(std::uint32_t segments, std::uint32_t longest, std::uint64_t seed) {
    return offsets_of(Random(seed).vector<std::uint32_t>(segments, 0, longest));
}

/// Returns offsets of segments that cover n keys: some are empty, some share a tile, some fill one and some take
/// several.
inline Words mixed_offsets(std::uint32_t n) {
    const std::uint32_t tile = few();
    const Words lengths{0, 1, 2, 3, tile, 1, tile - 1, tile + 1, 0, 0, tile / 2, tile / 2, 5, 3 * tile + 7, 1, 2};
    Words offsets{0};
    for (std::size_t i = 0; offsets.back() < n; ++i) {
        offsets.push_back(offsets.back() + lengths[i % lengths.size()]);
    }
    offsets.push_back(n); // the last segment is empty too
    return offsets;
}

} // namespace weir::tests
