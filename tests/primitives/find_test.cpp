#include <array>
#include <limits>

#include "tests/primitives/numbers.hpp"
#include "tests/primitives/trial.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::find_test {
namespace {

const OnOneDriver on_one_driver{"Find.EveryCount*", "Find.Compares*", "Find.ExpressionPredicates", "IsSorted.*"};

/// Returns a kernel shape with small workgroups, so that few elements make several workgroups.
ReduceTuning small_shape() {
    return {.workgroup = std::min(32U, max_workgroup()), .chunks = 1, .workgroups = 5};
}

/// Runs count_if and find_if over the first n items and compares with `holds`. Items are arranged by `layout`.
template <class T>
class Finder {
public:
    Finder(std::vector<T> items, const Predicate& predicate, std::function<bool(T, std::uint32_t)> holds,
           Count::Kind kind = Count::Kind::parameter, WordLayout layout = {})
        : items_(std::move(items)), holds_(std::move(holds)), trial_(count_of(items_), kind) {
        const auto size = count_of(items_);
        const std::uint32_t words = sizeof(T) / 4, stride = layout.stride != 0 ? layout.stride : words;
        Words spread = random_words((layout.offset + size * stride + words - 1) / words * words, 1);
        const Words dense = words_of(items_);
        for (std::uint32_t i = 0; i < size * words; ++i) {
            spread[layout.offset + i / words * stride + i % words] = dense[i];
        }
        std::vector<T> placed(spread.size() / words);
        std::memcpy(placed.data(), spread.data(), spread.size() * 4);
        const auto input = trial_.input("items", placed);
        count_ = trial_.output("count", 1);
        first_ = trial_.output("first", 1);
        count_if(trial_.graph, input, predicate, {.output = count_, .input_layout = layout, .tuning = small_shape()});
        find_if(trial_.graph, input, predicate, {.output = first_, .input_layout = layout, .tuning = small_shape()});
    }

    void check(std::uint32_t n) {
        std::uint32_t count = 0, first = n;
        for (std::uint32_t i = n; i-- > 0;) {
            if (holds_(items_[i], i)) {
                ++count;
                first = i;
            }
        }
        trial_.run(n);
        trial_.expect(count_, {count});
        trial_.expect(first_, {first});
    }

    void check_some() {
        const auto most = count_of(items_);
        for (const std::uint32_t n : {0U, 1U, 2U, 127U, 128U, 129U, 640U, 641U, most}) {
            check(std::min(n, most));
        }
    }

private:
    std::vector<T> items_;
    std::function<bool(T, std::uint32_t)> holds_;
    Trial trial_;
    Ref count_, first_;
};

TEST(Find, EveryCountUpToThreeTurns) {
    // Three turns, in each of which every invocation loads four items, and one more item.
    const std::uint32_t most = 3 * 4 * small_shape().workgroup * small_shape().workgroups + 1;
    Words items = Random(1).vector<std::uint32_t>(most, 0, 99);
    std::fill_n(items.begin(), most / 2, 99); // no match in the first third: small counts find none
    items[most / 3] = 7;
    for (const auto kind : {Count::Kind::parameter, Count::Kind::gpu}) {
        Finder<std::uint32_t> finder(
            items, Predicate::compare(Comparison::less, 50U), [](std::uint32_t x, auto) { return x < 50; }, kind);
        for (std::uint32_t n = 0; n <= most && !HasFailure(); n += n % 128 < 125 && n % 128 > 2 ? 9 : 1) {
            finder.check(n);
        }
    }
}

template <class T>
void check_comparison(const std::vector<T>& items, Comparison comparison, T number,
                      const std::function<bool(T, std::uint32_t)>& holds) {
    Finder<T>(items, Predicate::compare(comparison, number), holds).check_some();
}

TEST(Find, ComparesNumbersOfEveryType) {
    const auto u32 = few_numbers<std::uint32_t>(1283, 1);
    check_comparison<std::uint32_t>(u32, Comparison::equal, u32[99], [&](auto x, auto) { return x == u32[99]; });
    const auto i32 = few_numbers<std::int32_t>(1283, 2);
    check_comparison<std::int32_t>(i32, Comparison::less, -1, [](auto x, auto) { return x < -1; });
    auto f32 = few_numbers<float>(1283, 3);
    f32[0] = f32[200] = std::numeric_limits<float>::quiet_NaN();
    f32[1] = -0.0F;
    check_comparison<float>(f32, Comparison::not_equal, 0.0F, [](auto x, auto) { return x != 0; });
    check_comparison<float>(f32, Comparison::less_equal, 0.0F, [](auto x, auto) { return x <= 0; });
    const auto u64 = few_numbers<std::uint64_t>(1283, 4);
    check_comparison<std::uint64_t>(u64, Comparison::greater, u64[9], [&](auto x, auto) { return x > u64[9]; });
    const auto i64 = few_numbers<std::int64_t>(1283, 5);
    check_comparison<std::int64_t>(i64, Comparison::greater_equal, 5, [](auto x, auto) { return x >= 5; });
    const auto f64 = few_numbers<double>(1283, 6);
    check_comparison<double>(f64, Comparison::less, f64[7], [&](auto x, auto) { return x < f64[7]; });
}

struct Triple {
    std::uint32_t a, b, c;
};

TEST(Find, ExpressionPredicates) {
    const Predicate odd{.expression = "x % width == 1u", .values = {{"width", 2U}}};
    Finder<std::uint32_t>(random_words(1283, 7), odd, [](std::uint32_t x, auto) { return x % 2 == 1; }).check_some();
    const auto triples = tabulated(1283, [&](std::uint32_t i) { return Triple{i, i / 2, i % 300 == 299 ? ~i : i}; });
    const Predicate differs{.expression = "differ(x) && i != 299",
                            .functions = "bool differ(uint x[3]) {\n    return x[0] != x[2];\n}"};
    Finder<Triple>(triples, differs, [](const Triple& x, std::uint32_t i) { return x.a != x.c && i != 299; },
                   Count::Kind::gpu, {.offset = 5, .stride = 4})
        .check_some();
    using Vector = std::array<float, 2>;
    const auto vectors = tabulated(700, [&](std::uint32_t i) { return Vector{static_cast<float>(i), 0.5F}; });
    Finder<Vector>(vectors, {.expression = "dot(x, x) > 250000.0"}, [](const Vector& x, auto) {
        return x[0] * x[0] + x[1] * x[1] > 250000;
    }).check_some();
}

TEST(Find, PredicateReadsBuffersAndValues) {
    const std::uint32_t most = 1283;
    const Words words = random_words(most, 8);
    Words marks(most);
    marks[700] = marks[900] = 1;
    Trial trial(most);
    const auto first = trial.output("first", 1);
    const Predicate marked{.expression = "marks[i] == mark",
                           .buffers = {{"uint marks[]", read(trial.input("marks", marks))}},
                           .values = {{"mark", trial.seed}}};
    find_if(trial.graph, trial.input("items", words), marked, {.output = first});
    for (const std::uint32_t n : {0U, 1U, 700U, 701U, most}) {
        trial.run(n);
        trial.expect(first, {std::min(n, 700U)});
        trial.run(n, 2);
        trial.expect(first, {n});
    }
}

template <class T>
void check_order(std::vector<T> items, bool descending, Count::Kind kind = Count::Kind::parameter) {
    const auto before = [&](T a, T b) { return descending ? comes_before(b, a) : comes_before(a, b); };
    std::sort(items.begin(), items.end(), before);
    const auto most = count_of(items);
    Trial trial(most, kind);
    const auto input = trial.input("items", items);
    const auto whether = trial.output("whether", 1), until = trial.output("until", 1);
    is_sorted(trial.graph, input, {.output = whether, .descending = descending, .tuning = small_shape()});
    is_sorted_until(trial.graph, input, {.output = until, .descending = descending, .tuning = small_shape()});
    for (const std::uint32_t swapped : {most, 1U, 128U, 600U, most - 1}) { // index to which the first item moves
        auto some = items;
        if (swapped < most) {
            std::swap(some[0], some[swapped]);
        }
        trial.refill(input, some);
        for (const std::uint32_t n : {0U, 1U, 2U, 128U, 129U, 600U, 601U, most}) {
            SCOPED_TRACE("n = " + std::to_string(n) + ", swapped " + std::to_string(swapped));
            const auto place = std::is_sorted_until(some.begin(), some.begin() + n, before) - some.begin();
            trial.run(n);
            trial.expect(until, {static_cast<std::uint32_t>(place)});
            trial.expect(whether, {place == n ? 1U : 0U});
        }
    }
}

TEST(IsSorted, NumbersOfEveryType) {
    check_order(few_numbers<std::uint32_t>(1283, 1), false);
    check_order(few_numbers<std::int32_t>(1283, 2), true, Count::Kind::gpu);
    check_order(few_numbers<float>(1283, 3), true);
    check_order(few_numbers<std::uint64_t>(1283, 4), true);
    check_order(few_numbers<std::int64_t>(1283, 5), false, Count::Kind::gpu);
    check_order(few_numbers<double>(1283, 6), false);
    const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
    std::vector<float> floats{nan, -nan, infinity, -infinity, 0.0F, -0.0F, 1.0F, -1.0F};
    floats.resize(1283, 0.5F);
    check_order(floats, false);
}

TEST(Find, RejectsInvalidArguments) {
    expect_refused("count if: the input is null", [](Graph& g) { count_if(g, Ref{}, "x == 0"); });
    expect_refused("find if: the input has a capacity of 100 words",
                   [](Graph& g, Ref in) { find_if(g, in, "x == 0", {.input_layout = {.offset = 1}}); });
    expect_refused("is sorted: an output is also an input", [](Graph& g, Ref in) { is_sorted(g, in, {.output = in}); });
    expect_refused("find if: a predicate requires an expression or a comparison",
                   [](Graph& g, Ref in) { find_if(g, in, ""); });
    expect_refused("count if: the number of a comparison must have the type of the elements",
                   [](Graph& g, Ref in) { count_if(g, in, Predicate::compare(Comparison::less, 1.0F)); });
    expect_refused("count if: an output is also an input", [](Graph& g, Ref in) {
        const auto out = imported(g, 1);
        Predicate predicate{.expression = "other[0] == x", .buffers = {{"uint other[]", read(out)}}};
        count_if(g, in, predicate, {.output = out});
    });
    expect_refused("count if: the buffers of a predicate must be read-only", [](Graph& g, Ref in) {
        Predicate predicate{.expression = "x == 0", .buffers = {{"uint other[]", write(in)}}};
        count_if(g, in, predicate);
    });
    expect_refused("is sorted until: a workgroup of 100 invocations",
                   [](Graph& g, Ref in) { is_sorted_until(g, in, {.tuning = {.workgroup = 100}}); });
}

TEST(Find, CompileErrorsNameTheUsersLine) {
    Graph graph(test_context());
    const Predicate predicate{.expression = "x ==\nnothing", .name = "bright"};
    graph.export_buffer(find_if(graph, graph.import_buffer<float>("in", 10), predicate));
    expect_shader_error(graph, "bright:2");
}

} // namespace
} // namespace weir::tests::find_test
