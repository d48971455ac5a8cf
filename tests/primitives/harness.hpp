#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <type_traits>
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

using Words = std::vector<std::uint32_t>;
using Ref = BufferRef<std::uint32_t>;

/// Returns the number of items as the 32 bits that Weir counts with.
template <class Items>
std::uint32_t count_of(const Items& items) {
    return static_cast<std::uint32_t>(items.size());
}

/// Returns f(0) to f(n - 1).
template <class F>
auto tabulated(std::uint32_t n, const F& f) {
    std::vector<std::decay_t<decltype(f(n))>> items;
    items.reserve(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        items.push_back(f(i));
    }
    return items;
}

/// Returns `first`, `first` + 1 and so on: `n` words.
inline Words ascending(std::uint32_t n, std::uint32_t first = 0) {
    return tabulated(n, [first](std::uint32_t i) { return first + i; });
}

/// Returns the numbers 0 to n - 1 in the order of a stable sort, where less(a, b) compares the items with these
/// indices.
template <class Less>
Words stable_order(std::uint32_t n, const Less& less) {
    Words order = ascending(n);
    std::stable_sort(order.begin(), order.end(), less);
    return order;
}

/// Returns the first `count` items, or all if there are fewer.
template <class T>
std::vector<T> at_most(std::vector<T> items, std::size_t count) {
    items.resize(std::min(items.size(), count));
    return items;
}

/// Returns the items at `indices`.
template <class T>
std::vector<T> at_indices(const std::vector<T>& items, const Words& indices) {
    return tabulated(count_of(indices), [&](std::uint32_t i) { return items[indices[i]]; });
}

inline Words random_words(std::size_t count, std::uint64_t seed) {
    return Random(seed).vector<std::uint32_t>(count);
}

/// Returns `n` floats of many magnitudes. Their sums round, so that another grouping gives other bits.
inline std::vector<float> floats_that_round(std::uint32_t n, std::uint64_t seed = 1) {
    Random random(seed);
    return tabulated(n, [&](std::uint32_t) {
        const auto mantissa = static_cast<float>(random.uniform<int>(-1000000, 1000000));
        return std::ldexp(mantissa, random.uniform<int>(-20, 20));
    });
}

/// Returns the 32-bit words of `items`. The last word is padded with zeros.
template <class T>
Words words_of(const std::vector<T>& items) {
    Words words((items.size() * sizeof(T) + 3) / 4);
    if (!items.empty()) {
        std::memcpy(words.data(), items.data(), items.size() * sizeof(T));
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
inline void expect_equal(const Words& found, const Words& expected, const std::string& what) {
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

/// Returns a new import of `capacity` elements.
template <class T = std::uint32_t>
BufferRef<T> imported(Graph& graph, std::uint32_t capacity = 100) {
    return graph.import_buffer<T>("buffer", capacity);
}

/// Calls `add` with a graph and its new imports: one of 100 words and one of 50, if it takes them. Returns the error of
/// planning the graph, or "no error".
template <class Add>
std::string error_of(const Add& add) {
    Graph graph(test_context());
    if constexpr (std::is_invocable_v<Add, Graph&>) {
        add(graph);
    } else if constexpr (std::is_invocable_v<Add, Graph&, Ref>) {
        add(graph, imported(graph));
    } else {
        add(graph, imported(graph), imported(graph, 50));
    }
    return plan_error(graph);
}

/// Checks that the error of the primitive that `add` adds contains `message`.
template <class Add>
void expect_refused(const std::string& message, const Add& add) {
    EXPECT_THAT(error_of(add), HasSubstr(message));
}

/// Checks the error of compiling a graph whose functions have a mistake on the line `place`, such as "nearer:2".
inline void expect_shader_error(const Graph& graph, const std::string& place) {
    const auto program = compile(test_context(), graph);
    ASSERT_FALSE(program) << place;
    EXPECT_EQ(program.error().code, ErrorCode::shader_compilation);
    EXPECT_THAT(program.error().message, HasSubstr(place));
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
constexpr auto combine_brackets = [](Bicyclic left, Bicyclic right) { return combine(left, right); };

/// Returns `n` random brackets.
inline std::vector<Bicyclic> random_brackets(std::uint32_t n, std::uint64_t seed) {
    Random random(seed);
    return tabulated(n, [&](std::uint32_t) {
        const auto closes = random.uniform(0U, 1U);
        return Bicyclic{closes, 1 - closes};
    });
}

} // namespace weir::tests
