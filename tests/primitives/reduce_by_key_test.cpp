#include "tests/primitives/scan_cases.hpp"
#include "tests/primitives/trial.hpp"
#include "tests/support/long_tests.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::reduce_by_key_test {
namespace {

const Sweeps sweeps{
    "ReduceByKey.FaultsDoNotChangeResults", "ReduceByKey.SameBits*",     "ReduceByKey.SumsOfRuns*",
    "ReduceByKey.KeysAndStructs*",          "ReduceByKey.MoreRuns*",     "ReduceByKey.CustomOperators",
    "ReduceByKey.UnknownSubgroupSize",      "ReduceByKey.WritesNoMore*", "ReduceByKey/*.EveryOperator/*"};

using Kind = Instrument::Kind;

/// Returns `n` keys of `words` words in runs of random lengths from 1 to `longest`. Keys of adjacent runs differ in one
/// word only.
Words keys_in_runs(std::uint32_t n, std::uint32_t longest, std::uint32_t words = 1) {
    Random random;
    Words key(words, 7), keys;
    while (keys.size() < std::size_t{n} * words) {
        const auto length = random.uniform(1U, longest);
        for (std::uint32_t i = 0; i < length; ++i) {
            keys.insert(keys.end(), key.begin(), key.end());
        }
        key[random.uniform(0U, words - 1)] += random.uniform(1U, 5U);
    }
    keys.resize(std::size_t{n} * words);
    return keys;
}

/// Returns the number of runs of equal keys of one word.
std::uint32_t runs_in(Words keys) {
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return count_of(keys);
}

Words sum(const Words& values) {
    return {std::accumulate(values.begin(), values.end(), 0U)};
}

struct Case {
    Words keys, values;
    ElementType element = {};
    std::variant<Operator, Monoid> op = Operator::add;
    std::function<Words(const Words& values)> total = sum; ///< reduces the values of a run, after `initial`
    std::optional<std::array<std::uint32_t, 16>> initial = {};
    std::uint32_t key_words = 1;
    std::uint32_t key_room = ~0U, value_room = ~0U; ///< output capacities in runs, at most most()
    Count::Kind count = Count::Kind::parameter;
    Instrument faults = {};
    ScanTuning tuning = {};

    [[nodiscard]] std::uint32_t most() const { return static_cast<std::uint32_t>(keys.size() / key_words); }
};

/// A case compiled for the test device.
class Reduction {
public:
    explicit Reduction(Case reduced) : case_(std::move(reduced)), trial_(case_.most(), case_.count) {
        const std::uint32_t most = case_.most(), words = case_.element.words();
        const std::uint32_t key_room = std::min(most, case_.key_room), value_room = std::min(most, case_.value_room);
        room_ = std::min(key_room, value_room);
        keys_ = trial_.output("keys of runs", key_room * case_.key_words);
        values_ = trial_.output("reduced values", value_room * words);
        count_ = trial_.output("count", 1);
        const auto scope = weir::testing::instrument(trial_.graph, with_seed(case_.faults, trial_.seed));
        detail::add_reduce_by_key(trial_.graph, {.element = case_.element,
                                                 .key_words = case_.key_words,
                                                 .op = &case_.op,
                                                 .initial = case_.initial,
                                                 .count = trial_.count,
                                                 .keys = trial_.input("keys", case_.keys),
                                                 .values = trial_.input("values", case_.values),
                                                 .output_keys = keys_,
                                                 .output_values = values_,
                                                 .key_capacity = most,
                                                 .value_capacity = most,
                                                 .room = room_,
                                                 .run_count = count_,
                                                 .tuning = case_.tuning});
    }

    void check(std::uint32_t n) {
        run(n);
        Words keys, values;
        std::uint32_t runs = 0;
        for (std::uint32_t first = 0, past = 0; first < n; first = past) {
            const Words key = slice(case_.keys, first, first + 1, case_.key_words);
            while (past < n && slice(case_.keys, past, past + 1, case_.key_words) == key) {
                ++past;
            }
            if (runs++ < room_) {
                keys.insert(keys.end(), key.begin(), key.end());
                const Words total = case_.total(slice(case_.values, first, past, case_.element.words()));
                values.insert(values.end(), total.begin(), total.end());
            }
        }
        trial_.expect(count_, {runs});
        trial_.expect(keys_, keys);
        trial_.expect(values_, values);
    }

    void run(std::uint32_t n, std::uint32_t seed = 1) { trial_.run(n, seed); }

    [[nodiscard]] Words reduced(std::uint32_t runs) const {
        return trial_.words_in(values_, std::size_t{runs} * case_.element.words());
    }

private:
    static Words slice(const Words& items, std::uint32_t from, std::uint32_t to, std::uint32_t words) {
        return {items.begin() + static_cast<std::ptrdiff_t>(from) * words,
                items.begin() + static_cast<std::ptrdiff_t>(to) * words};
    }

    Case case_;
    Trial trial_;
    std::uint32_t room_ = 0;
    Ref keys_, values_, count_;
};

TEST(ReduceByKey, SumsOfRunsOfEveryLength) {
    const std::uint32_t tile = small_scan_tile(), most = 40 * tile + 3;
    const Words values = random_words(most, 5);
    for (const auto kind : {Count::Kind::parameter, Count::Kind::gpu}) {
        Reduction some({.keys = keys_in_runs(most, 7), .values = values, .count = kind, .tuning = small_scan()});
        for (const std::uint32_t n : {0U, 1U, 2U, 3U, 4U, 5U, tile - 1, tile, tile + 1, 2 * tile - 1, 2 * tile,
                                      2 * tile + 1, 16 * tile + 1, most - 1, most}) {
            some.check(n);
        }
    }
    for (const std::uint32_t longest : {1U, 3 * tile, 30 * tile}) {
        Reduction lists({.keys = keys_in_runs(most, longest), .values = values, .tuning = small_scan()});
        lists.check(most);
        lists.check(17 * tile);
    }
    Reduction one({.keys = Words(most, 3), .values = values, .tuning = small_scan()});
    one.check(most);
    Reduction chosen({.keys = keys_in_runs(300000, 20), .values = random_words(300000, 6)});
    chosen.check(300000);
    chosen.check(77);
}

TEST(ReduceByKey, MoreRunsInATileThanWorkgroupMemoryHolds) {
    const std::uint32_t n = 30011, workgroup = max_workgroup(), chunks = std::max(1U, 512 / workgroup);
    for (const std::uint32_t longest : {1U, 3U}) {
        Reduction runs({.keys = keys_in_runs(n, longest),
                        .values = random_words(n, longest),
                        .tuning = {.workgroup = workgroup, .chunks = chunks}});
        runs.check(n);
        runs.check(n - 1);
    }
}

class ReduceByKeyTypes : public testing::TestWithParam<ElementType> {};
INSTANTIATE_TEST_SUITE_P(ReduceByKey, ReduceByKeyTypes, testing::ValuesIn(all_elements),
                         [](const auto& info) { return to_string(info.param); });

TEST_P(ReduceByKeyTypes, EveryOperator) {
    const ElementType element = GetParam();
    const std::uint32_t n = 6 * small_scan_tile() + 3;
    for (const Operator op : all_operators) {
        const auto number = static_cast<std::uint32_t>(op);
        if (!exists(element, op) || !is_turn(number + number_of(element), 4 * configurations)) {
            continue;
        }
        SCOPED_TRACE(to_string(op));
        Case reduced{.element = element, .op = op, .key_words = 1 + (number + number_of(element)) % 3};
        reduced.keys = keys_in_runs(n, number % 2 == 0 ? 9 : 300, reduced.key_words);
        reduced.values = exact_elements(element, op, n, number + 1);
        ScanCase expected{.element = element, .op = op, .segments = Segments::Kind::keys};
        expected.initial = number % 2 == 0;
        const Words initial = exact_elements(element, op, 1, 99);
        if (expected.initial) {
            std::copy(initial.begin(), initial.end(), reduced.initial.emplace().begin());
        }
        reduced.total = [=](const Words& values) {
            ScanCase run = expected;
            run.n = count_of(values) / element.words();
            return expected_total(run, values, initial);
        };
        reduced.faults.one_in = number % 3 == 0 ? 0 : 3;
        reduced.tuning = small_scan();
        Reduction(reduced).check(n);
    }
}

TEST(ReduceByKey, CustomOperators) {
    const std::uint32_t n = 3001;
    Words brackets;
    for (const std::uint32_t word : random_words(n, 3)) {
        brackets.insert(brackets.end(), {word % 2, 1 - word % 2});
    }
    const auto balance = [](Bicyclic all, const Words& values) {
        for (std::size_t i = 0; i < values.size(); i += 2) {
            all = combine(all, {values[i], values[i + 1]});
        }
        return Words{all.close, all.open};
    };
    Monoid monoid = bicyclic;
    for (const bool exact : {false, true}) {
        monoid.exact = exact;
        if (!is_turn(exact ? 1 : 0, configurations)) {
            continue;
        }
        Reduction({.keys = keys_in_runs(n, 40, 3),
                   .values = brackets,
                   .element = {Scalar::custom, 2},
                   .op = monoid,
                   .total =
                       [&](const Words& values) {
                           return balance({2, 5}, values);
                       },
                   .initial = {{2, 5}},
                   .key_words = 3,
                   .faults = {.one_in = 4},
                   .tuning = small_scan()})
            .check(n);
    }
}

/// Returns the last of the items of `words` words whose first word is not 0. If all of these are 0, returns the first
/// item.
Words last_item(const Words& items, std::uint32_t words) {
    std::size_t at = items.size() - words;
    while (at != 0 && items[at] == 0) {
        at -= words;
    }
    return {items.begin() + static_cast<std::ptrdiff_t>(at), items.begin() + static_cast<std::ptrdiff_t>(at + words)};
}

TEST(ReduceByKey, KeysAndStructsOfUpToSixteenWords) {
    const std::uint32_t n = 3001;
    Monoid last{.name = "last", .identity = "T(", .combine = "if (right.a.x == 0u) {\n return left;\n}\nreturn right;"};
    for (const char* field : {"a", "b", "c", "d"}) {
        last.fields.push_back(std::string("uvec4 ") + field);
        last.identity += last.fields.size() == 1 ? "uvec4(0)" : ", uvec4(0)";
        const auto words = 4 * count_of(last.fields);
        if (words != 4 && !long_tests()) { // drivers take long to compile larger ones
            continue;
        }
        Words items = random_words(std::size_t{words} * n, 4);
        for (std::uint32_t i = 0; i < n; ++i) {
            if (items[std::size_t{words} * i] % 2 == 0) {
                std::fill_n(items.begin() + std::ptrdiff_t{words} * i, words, 0);
            }
        }
        Monoid monoid = last;
        monoid.identity += ")";
        Reduction({.keys = keys_in_runs(n, 400, 16),
                   .values = items,
                   .element = {Scalar::custom, words},
                   .op = monoid,
                   .total = [&](const Words& values) { return last_item(values, words); },
                   .key_words = 16,
                   .tuning = small_scan()})
            .check(n);
    }
}

TEST(ReduceByKey, FaultsDoNotChangeResults) {
    const std::uint32_t n = 40 * small_scan_tile() + 7;
    for (const auto kind : all_faults) {
        for (const std::uint32_t one_in : {1U, 2U, 5U}) {
            Reduction reduction({.keys = keys_in_runs(n, one_in == 1 ? 3 : 5 * small_scan_tile()),
                                 .values = random_words(n, 4),
                                 .faults = {.one_in = one_in, .kind = kind, .seed = one_in == 5 ? 7U : 0U},
                                 .tuning = small_scan()});
            for (int repeat = 0; repeat < 3; ++repeat) {
                reduction.check(n);
            }
        }
    }
}

TEST(ReduceByKey, SameBitsInEveryRun) {
    const std::uint32_t n = 40 * small_scan_tile() + 11;
    const Words keys = keys_in_runs(n, 6 * small_scan_tile());
    const std::uint32_t runs = runs_in(keys);
    Case reduced{
        .keys = keys, .values = words_of(floats_that_round(n)), .element = {Scalar::f32, 1}, .tuning = small_scan()};
    Words first;
    for (const Instrument& faults : {Instrument{}, Instrument{.one_in = 2, .seed = 1U},
                                     Instrument{.one_in = 3, .kind = Kind::late_post, .seed = 1U},
                                     Instrument{.one_in = 2, .kind = Kind::torn_post, .seed = 1U}}) {
        reduced.faults = faults;
        Reduction reduction(reduced);
        for (std::uint32_t seed = 1; seed <= 6; ++seed) {
            reduction.run(n, seed);
            const Words found = reduction.reduced(runs);
            if (first.empty()) {
                first = found;
            }
            expect_equal(found, first, "run " + std::to_string(seed));
        }
    }
}

TEST(ReduceByKey, WritesNoMoreThanCapacity) {
    const Words keys = keys_in_runs(3000, 9);
    const std::uint32_t runs = runs_in(keys);
    Case reduced{.keys = keys, .values = random_words(3000, 8), .tuning = small_scan()};
    for (const auto& [key_room, value_room] : {std::pair{runs, runs}, {runs - 1, runs}, {runs, runs - 1}, {1U, 5U}}) {
        reduced.key_room = key_room;
        reduced.value_room = value_room;
        Reduction(reduced).check(3000);
    }
}

TEST(ReduceByKey, UnknownSubgroupSize) {
    const std::uint32_t n = 5003;
    const Words values = random_words(n, 11);
    Trial trial(n, Count::Kind::constant, without_known_subgroup_size());
    const auto runs = reduce_by_key(trial.graph, trial.input("keys", Words(n, 1)), trial.input("values", values),
                                    {.tuning = small_scan()});
    EXPECT_EQ(runs.values.count.max, n);
    trial.exported(runs.values);
    trial.run(n);
    trial.expect_exported(runs.values, sum(values));
}

TEST(ReduceByKey, RejectsInvalidArguments) {
    expect_refused("reduce by key: the input of values is null",
                   [](Graph& g, Ref keys) { reduce_by_key(g, keys, Ref{}); });
    expect_refused("reduce by key: the input of keys is null",
                   [](Graph& g, Ref values) { reduce_by_key(g, Ref{}, values); });
    expect_refused("reduce by key: the input of values has a capacity of 50 elements; 100 are required",
                   [](Graph& g, Ref keys, Ref values) { reduce_by_key(g, keys, values); });
    expect_refused("reduce by key: an output is also an input",
                   [](Graph& g, Ref keys) { reduce_by_key(g, keys, imported(g), {.output_keys = keys}); });
    expect_refused("reduce by key: values have 1 words, the struct of monoid 'bicyclic' has 2",
                   [](Graph& g, Ref keys) { reduce_by_key(g, keys, imported(g), {.op = bicyclic}); });
    expect_refused("reduce by key: the operator 'xor' is not supported for floats",
                   [](Graph& g, Ref keys) { reduce_by_key(g, keys, imported<float>(g), {.op = Operator::bit_xor}); });
}

} // namespace
} // namespace weir::tests::reduce_by_key_test
