#pragma once

// Inputs and expected outputs of compaction tests.

#include <bit>
#include <limits>

#include "tests/primitives/trial.hpp"

namespace weir::tests {

using Kind = Instrument::Kind;

/// Returns a kernel shape with small tiles, so that few elements make several tiles.
inline CompactionTuning small_compaction() {
    return {.workgroup = std::min(std::max(32U, test_context().capabilities().subgroup_size), max_workgroup()),
            .rows = 3};
}
inline std::uint32_t small_compaction_tile() {
    return small_compaction().workgroup * small_compaction().rows;
}

/// Returns the indices below `n` for which `keeps` returns true.
inline Words indices_where(std::uint32_t n, const std::function<bool(std::uint32_t)>& keeps) {
    Words indices;
    for (std::uint32_t i = 0; i < n; ++i) {
        if (keeps(i)) {
            indices.push_back(i);
        }
    }
    return indices;
}

/// Returns the words of the items at `indices`. An item has `words` words.
inline Words items_at(const Words& items, const Words& indices, std::uint32_t words = 1) {
    Words found;
    for (const std::uint32_t i : indices) {
        found.insert(found.end(), items.begin() + i * words, items.begin() + (i + 1) * words);
    }
    return found;
}

/// Returns `n` random words below 100. About half of them are below 50.
inline Words hundreds(std::uint32_t n, std::uint64_t seed = 1) {
    return Random(seed).vector<std::uint32_t>(n, 0, 99);
}

/// Returns `n` words in runs of random lengths from 1 to `longest`, with values from 0 to 5. Adjacent runs may have
/// equal values.
inline Words runs(std::uint32_t n, std::uint32_t longest, std::uint64_t seed = 1) {
    Random random(seed);
    Words words;
    while (words.size() < n) {
        words.insert(words.end(), random.uniform(1U, longest), random.uniform(0U, 5U));
    }
    words.resize(n);
    return words;
}

inline bool is_head(const Words& items, std::uint32_t i, std::uint32_t words = 1) {
    return i == 0 ||
           !std::equal(items.begin() + i * words, items.begin() + (i + 1) * words, items.begin() + (i - 1) * words);
}

/// An element of five words.
struct Particle {
    std::array<std::uint32_t, 5> words;
};

} // namespace weir::tests
