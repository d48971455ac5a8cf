#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <weir/weir.hpp>

#include "tests/support/buffers.hpp"
#include "tests/support/data.hpp"
#include "tests/support/device.hpp"
#include "tests/support/result.hpp"

namespace weir::tests {

using testing::HasSubstr;

inline std::vector<std::uint32_t> random_words(std::size_t count, std::uint64_t seed) {
    return Random(seed).vector<std::uint32_t>(count);
}

/// Returns the 32-bit words of `items`.
template <class T>
std::vector<std::uint32_t> words_of(const std::vector<T>& items) {
    std::vector<std::uint32_t> words(items.size() * sizeof(T) / 4);
    if (!items.empty()) {
        std::memcpy(words.data(), items.data(), words.size() * 4);
    }
    return words;
}

/// Returns the maximum number of invocations of a workgroup with subgroups of the minimum size on the test device.
inline std::uint32_t max_workgroup() {
    const Capabilities& device = test_context().capabilities();
    return std::min(device.max_workgroup_invocations, device.subgroup_size_min * device.max_workgroup_subgroups);
}

/// Returns the capabilities of the test device, changed so that only the driver knows the subgroup size.
inline Capabilities without_known_subgroup_size() {
    Capabilities device = test_context().capabilities();
    device.subgroup_size_min = device.subgroup_size;
    device.subgroup_size_max = 2 * device.subgroup_size;
    device.subgroup_size_selectable = false;
    return device;
}

/// Compares all elements. The failure message has the first element that differs.
inline void expect_equal(const std::vector<std::uint32_t>& found, const std::vector<std::uint32_t>& expected,
                         const std::string& what) {
    ASSERT_EQ(found.size(), expected.size()) << what;
    const auto at = std::mismatch(found.begin(), found.end(), expected.begin());
    if (at.first != found.end()) {
        ADD_FAILURE() << what << ": element " << at.first - found.begin() << " of " << found.size() << " is "
                      << *at.first << ", not " << *at.second;
    }
}

/// Returns the error message of planning `graph`, or "no error".
inline std::string plan_error(const Graph& graph) {
    const auto plan = make_plan(graph.description());
    return plan ? "no error" : plan.error().message;
}

/// Numbers of unmatched closing and opening brackets. Combining them is associative, but not commutative.
struct Bicyclic {
    std::uint32_t close, open;
};
inline const Monoid bicyclic{.name = "bicyclic",
                             .fields = {"uint close", "uint open"},
                             .identity = "T(0, 0)",
                             .combine =
                                 "const uint matched = min(left.open, right.close);\n"
                                 "return T(left.close + right.close - matched, left.open + right.open - matched);"};
inline Bicyclic combine(Bicyclic left, Bicyclic right) {
    const std::uint32_t matched = std::min(left.open, right.close);
    return {left.close + right.close - matched, left.open + right.open - matched};
}

} // namespace weir::tests
