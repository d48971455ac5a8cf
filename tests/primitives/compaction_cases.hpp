#pragma once

// Inputs of compactions, and what is to become of them.

#include <bit>
#include <cmath>
#include <functional>
#include <limits>

#include "tests/primitives/trial.hpp"

namespace weir::tests {

using Words = std::vector<std::uint32_t>;
using Kind = FaultInjection::Kind;

/// Several tiles for few elements.
inline CompactionTuning small_compaction() {
    return {.workgroup = std::min(std::max(32U, test_context().capabilities().subgroup_size), max_workgroup()),
            .rows = 3};
}
inline std::uint32_t small_compaction_tile() {
    return small_compaction().workgroup * small_compaction().rows;
}

/// The indices of those of the first n elements that `keeps` holds for.
inline Words indices_where(std::uint32_t n, const std::function<bool(std::uint32_t)>& keeps) {
    Words indices;
    for (std::uint32_t i = 0; i < n; ++i) {
        if (keeps(i)) {
            indices.push_back(i);
        }
    }
    return indices;
}

/// The words of the items at `indices`, `words` each.
inline Words items_at(const Words& items, const Words& indices, std::uint32_t words = 1) {
    Words found;
    for (const std::uint32_t i : indices) {
        found.insert(found.end(), items.begin() + i * words, items.begin() + (i + 1) * words);
    }
    return found;
}

inline Words at_most(Words words, std::size_t count) {
    words.resize(std::min(words.size(), count));
    return words;
}

/// Words below 100, so that half of them are below 50.
inline Words hundreds(std::uint32_t n, std::uint64_t seed = 1) {
    return Random(seed).vector<std::uint32_t>(n, 0, 99);
}

/// Runs of random lengths, short ones or long ones, of few values. Neighbouring runs may be of the same value.
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

/// Five words.
struct Particle {
    std::array<std::uint32_t, 5> words;
};

} // namespace weir::tests
