#pragma once

#include <iterator>

#include "tests/primitives/numbers.hpp"
#include "tests/primitives/trial.hpp"

// Operations on two arrays of sorted keys.

namespace weir::tests {

template <class T>
std::vector<T> sorted(std::vector<T> items) {
    std::sort(items.begin(), items.end(), comes_before);
    return items;
}

/// Returns `n` sorted numbers of few distinct values.
template <class T>
std::vector<T> few_sorted(std::uint32_t n, std::uint64_t seed) {
    return sorted(few_numbers<T>(n, seed));
}

/// Returns `n` sorted words up to `most`.
inline Words sorted_words(std::uint32_t n, std::uint64_t seed, std::uint32_t most = ~0U) {
    return sorted(Random(seed).vector<std::uint32_t>(n, 0, most));
}

/// An operation on two arrays, and the function of the standard library that has the same results.
template <class K>
struct Operation {
    const char* name;
    std::uint32_t most; ///< maximum number of resulting keys
    std::function<void(Graph&, BufferRef<K> first, BufferRef<K> second, BufferRef<K> keys, Ref count)> add;
    std::function<void(const std::vector<K>& a, const std::vector<K>& b, std::back_insert_iterator<std::vector<K>>)>
        expected;
};

/// Checks operations on the first n keys of `some` and all keys of `all`, for each n in `counts`.
template <class K>
void check_operations(const std::vector<Operation<K>>& operations, const std::vector<K>& some,
                      const std::vector<K>& all, const Words& counts, Count::Kind kind) {
    SCOPED_TRACE("second array of " + std::to_string(all.size()));
    Trial trial(count_of(some), kind);
    const auto first = trial.input("some", some);
    const auto second = trial.input("all", all).with_count(trial.fixed(count_of(all)));
    std::vector<std::pair<BufferRef<K>, Ref>> outputs;
    for (const Operation<K>& operation : operations) {
        const auto keys = trial.output<K>(operation.name, operation.most);
        const auto count = trial.output((std::string(operation.name) + " count").c_str(), 1);
        operation.add(trial.graph, first, second, keys, count);
        outputs.emplace_back(keys, count);
    }
    for (const std::uint32_t n : counts) {
        const std::vector<K> part(some.begin(), some.begin() + n);
        trial.run(n);
        for (std::size_t i = 0; i < operations.size(); ++i) {
            std::vector<K> expected;
            operations[i].expected(part, all, std::back_inserter(expected));
            trial.expect(outputs[i].second, {count_of(expected)});
            trial.expect(outputs[i].first, expected);
        }
    }
}

} // namespace weir::tests
