#include <functional>

#include "tests/primitives/trial.hpp"

namespace weir::tests {
namespace {

using Words = std::vector<std::uint32_t>;

/// Keys in runs of random lengths.
Words keys_in_runs(std::uint32_t n, std::uint32_t longest) {
    Random random;
    Words keys;
    while (keys.size() < n) {
        keys.insert(keys.end(), random.uniform(1U, longest), random.uniform<std::uint32_t>());
    }
    keys.resize(n);
    return keys;
}

/// What the values of each run add to, and the runs' keys.
template <class V, class Combine>
std::pair<Words, std::vector<V>> reduced(const Words& keys, const std::vector<V>& values, std::uint32_t n,
                                         const Combine& combine) {
    std::pair<Words, std::vector<V>> runs;
    for (std::uint32_t i = 0; i < n; ++i) {
        if (i == 0 || keys[i] != keys[i - 1]) {
            runs.first.push_back(keys[i]);
            runs.second.push_back(values[i]);
        } else {
            runs.second.back() = combine(runs.second.back(), values[i]);
        }
    }
    return runs;
}

/// Reduces the first n values of runs up to `longest` long, for some n.
template <class V, class Combine>
void check(const std::vector<V>& values, std::uint32_t longest, const Combine& combine, const Words& counts,
           ReduceByKeyOptions<std::uint32_t, V> options, Count::Kind kind = Count::Kind::parameter) {
    const auto most = static_cast<std::uint32_t>(values.size());
    const Words keys = keys_in_runs(most, longest);
    Trial trial(most, kind);
    const auto key_input = trial.input("keys", keys);
    const auto value_input = trial.input("values", values);
    options.keys = trial.output("keys of runs", most);
    options.values = trial.output<V>("reduced values", most);
    options.count = trial.output("count", 1);
    reduce_by_key(trial.graph, key_input, value_input, options);
    trial.compile();
    for (const std::uint32_t n : counts) {
        SCOPED_TRACE("n = " + std::to_string(n));
        trial.run(n);
        const auto expected = reduced(keys, values, n, combine);
        trial.expect(options.count, {static_cast<std::uint32_t>(expected.first.size())});
        trial.expect(options.keys, expected.first);
        trial.expect(options.values, words_of(expected.second));
    }
}

const auto add = [](auto a, auto b) { return a + b; };

TEST(ReduceByKey, SumsOfRunsOfEveryLength) {
    Words counts{0, 1, 2, 3, 255, 256, 257, 1023, 1024, 1025, 4095, 4096, 4097, 70000};
    for (const auto kind : {Count::Kind::parameter, Count::Kind::gpu}) {
        check(random_words(70000, 5), 7, add, counts, {}, kind);
    }
    for (const std::uint32_t longest : {1U, 500U, 70000U}) {
        check(random_words(70000, 6), longest, add, {70000, 4096}, {});
    }
}

TEST(ReduceByKey, ByAnyOperator) {
    std::vector<std::uint64_t> wide(3000);
    std::vector<float> floats(3000);
    std::vector<Bicyclic> brackets(3000);
    const Words drawn = random_words(3000, 3);
    for (std::uint32_t i = 0; i < 3000; ++i) {
        wide[i] = std::uint64_t{drawn[i]} << 20;
        floats[i] = static_cast<float>(drawn[i] % 1000) - 500;
        brackets[i] = drawn[i] % 2 != 0 ? Bicyclic{1, 0} : Bicyclic{0, 1};
    }
    check(wide, 40, add, {3000, 77}, {});
    check(floats, 40, [](float a, float b) { return std::min(a, b); }, {3000, 77}, {.op = Operator::min});
    check(brackets, 40, [](Bicyclic a, Bicyclic b) { return combine(a, b); }, {3000, 77}, {.op = bicyclic});
}

TEST(ReduceByKey, NeedsNobodysProgress) {
    for (const auto kind :
         {FaultInjection::Kind::never_post, FaultInjection::Kind::late_post, FaultInjection::Kind::torn_post}) {
        check(random_words(50000, 4), 3000, add, {50000, 49999}, {.faults = {.one_in = 2, .kind = kind}});
    }
}

TEST(ReduceByKey, RefusesOutputsWithoutRoom) {
    Graph graph(test_context());
    const auto keys = graph.import_buffer<std::uint32_t>("keys", 10),
               out = graph.import_buffer<std::uint32_t>("out", 9);
    reduce_by_key(graph, keys, graph.import_buffer<std::uint32_t>("values", 10), {.values = out});
    EXPECT_THAT(plan_error(graph), HasSubstr("reduce by key: an output has room for fewer runs than there are keys"));
}

} // namespace
} // namespace weir::tests
