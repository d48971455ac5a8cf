// Scans with custom operators, with and without custom loads and stores.

#include <array>
#include <bit>

#include "tests/primitives/trial.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::scan_monoid_test {
namespace {

const OnOneDriver on_one_driver{"FusedScan.Moving*", "FusedScan.Compile*", "FusedScan.StoreSeesLast*",
                                "ScanMonoids.Affine*"};
const Sweeps sweeps{"ScanMonoids.LargeInput", "ScanMonoids.Matrix*", "ScanMonoids.String*", "ScanMonoids.Sixteen*"};

ScanTuning small_shape() {
    return {.workgroup = std::min(64U, max_workgroup()), .chunks = 2};
}

/// Checks an inclusive and an exclusive scan of `input` against `combine`, applied from left to right, without faults
/// and with faults. The operator must be exact.
template <class T, class Combine>
void check(const Monoid& monoid, const std::vector<T>& input, T identity, const Combine& combine) {
    std::vector<T> inclusive, exclusive;
    T sum = identity;
    for (const T& item : input) {
        exclusive.push_back(sum);
        sum = combine(sum, item);
        inclusive.push_back(sum);
    }
    const std::uint32_t n = count_of(input);
    for (const std::uint32_t one_in : {0U, 3U}) {
        SCOPED_TRACE(one_in != 0 ? "with faults" : "without faults");
        Trial trial(n, Count::Kind::constant);
        const auto out = trial.output<T>("inclusive", n), other = trial.output<T>("exclusive", n),
                   total = trial.output<T>("total", 1);
        const auto scope =
            weir::testing::instrument(trial.graph, {.one_in = one_in, .kind = Instrument::Kind::torn_post});
        scan(trial.graph, trial.input("in", input),
             {.op = monoid, .output = out, .output_other = other, .output_total = total, .tuning = small_shape()});
        trial.run(n);
        trial.expect(out, inclusive);
        trial.expect(other, exclusive);
        trial.expect(total, std::vector{sum});
    }
}

TEST(ScanMonoids, BicyclicSemigroup) {
    check(bicyclic, random_brackets(5000, 1), Bicyclic{0, 0}, combine_brackets);
}

// Large enough that tiles are scanned before the look-back.
TEST(ScanMonoids, LargeInput) {
    const std::uint32_t n = (1U << 21) + 77;
    std::vector<Bicyclic> items = random_brackets(n, 8);
    Trial trial(n, Count::Kind::constant);
    const auto both = trial.in_place("in and out", items);
    scan(trial.graph, both, {.op = bicyclic, .output = both});
    trial.run(n);
    std::partial_sum(items.begin(), items.end(), items.begin(), combine_brackets);
    trial.expect(both, items);
}

TEST(ScanMonoids, MatrixProductModuloTwoToThe32) {
    using Matrix = std::array<std::uint32_t, 4>; // rows
    const Words words = random_words(4 * 3001, 2);
    const auto input = tabulated(3001, [&](std::uint32_t i) {
        return Matrix{words[4 * i] | 1, words[4 * i + 1], words[4 * i + 2], words[4 * i + 3]};
    });
    check({.name = "matrix",
           .fields = {"uvec2 first", "uvec2 second"},
           .identity = "T(uvec2(1, 0), uvec2(0, 1))",
           .combine = "return T(left.first.x * right.first + left.first.y * right.second,\n"
                      "         left.second.x * right.first + left.second.y * right.second);"},
          input, Matrix{1, 0, 0, 1}, [](const Matrix& a, const Matrix& b) {
              return Matrix{a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
                            a[2] * b[1] + a[3] * b[3]};
          });
}

// Quarter turns, whose products are exact.
TEST(ScanMonoids, MatrixFields) {
    using Matrix = std::array<float, 4>; // columns
    Trial trial(1003, Count::Kind::constant);
    const auto out = trial.output<Matrix>("products", 1003);
    const auto scope = weir::testing::instrument(trial.graph, {.one_in = 2});
    scan(trial.graph, trial.input("in", std::vector<Matrix>(1003, Matrix{0, 1, -1, 0})),
         {.op = Monoid{.name = "turn",
                       .fields = {"mat2 m"},
                       .identity = "T(mat2(1.0))",
                       .combine = "return T(left.m * right.m);"},
          .output = out,
          .tuning = small_shape()});
    trial.run(1003);
    const Words found = trial.words_in(out, 4 * 1003);
    const Matrix turns[] = {{1, 0, 0, 1}, {0, 1, -1, 0}, {-1, 0, 0, -1}, {0, -1, 1, 0}};
    for (std::size_t i = 0; i < found.size(); ++i) { // as floats, because 0 equals -0
        ASSERT_EQ(std::bit_cast<float>(found[i]), turns[(i / 4 + 1) % 4].at(i % 4)) << i;
    }
}

TEST(ScanMonoids, AffineMapsModuloTwoToThe32) {
    struct Affine {
        std::uint32_t a, b;
    };
    const Words words = random_words(2 * 4099, 3);
    const auto input = tabulated(4099, [&](std::uint32_t i) { return Affine{words[2 * i] | 1, words[2 * i + 1]}; });
    check({.name = "affine",
           .fields = {"uint a", "uint b"},
           .identity = "T(1, 0)",
           .combine = "return T(right.a * left.a, right.a * left.b + right.b);"},
          input, Affine{1, 0}, [](Affine l, Affine r) {
              return Affine{r.a * l.a, r.a * l.b + r.b};
          });
}

// Length and hash of a string as a fingerprint: 3 words.
TEST(ScanMonoids, StringFingerprint) {
    struct Fingerprint {
        std::uint32_t power, hash, letters;
    };
    const Words letters = random_words(2500, 4);
    const auto input = tabulated(2500, [&](std::uint32_t i) { return Fingerprint{0x01000193, letters[i] & 0xFF, 1}; });
    check({.name = "fingerprint",
           .fields = {"uint power", "uint hash", "uint letters"},
           .functions = "T joined(T a, T b) {\n    return T(a.power * b.power, a.hash * b.power + b.hash, a.letters "
                        "+ b.letters);\n}",
           .identity = "T(1, 0, 0)",
           .combine = "return joined(left, right);"},
          input, Fingerprint{1, 0, 0}, [](Fingerprint a, Fingerprint b) {
              return Fingerprint{a.power * b.power, a.hash * b.power + b.hash, a.letters + b.letters};
          });
}

// The largest struct: 12 sums, the last 3 words, and a flag.
TEST(ScanMonoids, SixteenWords) {
    if (test_context().capabilities().driver.find("SwiftShader") != std::string::npos) {
        GTEST_SKIP() << "SwiftShader takes minutes to compile it"; // saves time: the other drivers run the same kernel
    }
    using Wide = std::array<std::uint32_t, 16>;
    const auto words = random_words(16 * 700, 5);
    std::vector<Wide> input(700), expected(700);
    Wide sum{};
    for (std::size_t i = 0; i < input.size(); ++i) {
        std::copy_n(words.begin() + static_cast<std::ptrdiff_t>(16 * i), 16, input[i].begin());
        for (std::size_t k = 0; k < 16; ++k) {
            sum[k] = k < 12 ? sum[k] + input[i][k] : input[i][k];
        }
        expected[i] = sum;
    }
    for (std::size_t i = 0; i < input.size(); ++i) {
        input[i][15] = expected[i][15] = 1; // the flag: not the identity
    }
    Trial trial(700, Count::Kind::constant);
    const auto out = trial.output<Wide>("out", 700);
    scan(trial.graph, trial.input("in", input),
         {.op = Monoid{.name = "wide",
                       .fields = {"uvec4 a", "uvec4 b", "uvec4 c", "ivec3 d", "int any"},
                       .identity = "T(uvec4(0), uvec4(0), uvec4(0), ivec3(0), 0)",
                       .combine = "return T(left.a + right.a, left.b + right.b, left.c + right.c,\n"
                                  "right.any != 0 ? right.d : left.d, right.any | left.any);"},
          .output = out,
          .tuning = {.workgroup = small_shape().workgroup, .chunks = 1}});
    trial.run(700);
    trial.expect(out, expected);
}

// An exponential moving average as a scan of affine maps that are never stored: the kernel reads x and writes y.
TEST(FusedScan, MovingAverage) {
    const std::uint32_t n = 20011;
    const float k = 0.25F;
    Random random(6);
    const auto x = tabulated(n, [&](auto) { return static_cast<float>(random.uniform<int>(0, 1000)); });
    for (const bool in_place : {false, true}) {
        SCOPED_TRACE(in_place ? "in place" : "out of place");
        Trial trial(n, Count::Kind::constant);
        const auto in = in_place ? trial.in_place("x", x) : trial.input("x", x);
        const auto out = in_place ? in : trial.output<float>("y", n);
        const auto total = trial.output("total", 2);
        const auto scope = weir::testing::instrument(trial.graph, {.one_in = 3});
        FusedScan scan{.monoid = {.name = "average",
                                  .fields = {"float a", "float b"},
                                  .identity = "T(1.0, 0.0)",
                                  .combine = "return T(right.a * left.a, right.a * left.b + right.b);"},
                       .count = n,
                       .buffers = {{"float x[]", in_place ? read_write(in) : read(in)}},
                       .load = "return T(0.75, 0.25 * x[i]);",
                       .store = in_place ? "x[i] = inclusive.b;" : "y[i] = inclusive.b;",
                       .output_total = total,
                       .tuning = small_shape()};
        if (!in_place) {
            scan.buffers.push_back({"float y[]", write(out)});
        }
        fused_scan(trial.graph, scan);
        Words first;
        for (int run = 0; run < 5; ++run) {
            trial.run(n);
            const Words bits = trial.words_in(out, n);
            float expected = 0;
            for (std::uint32_t i = 0; i < n; ++i) {
                expected = (1 - k) * expected + k * x[i];
                ASSERT_NEAR(std::bit_cast<float>(bits[i]), expected, 1e-2) << i;
            }
            EXPECT_EQ(trial.words_in(total, 2)[1], bits.back());
            first = first.empty() ? bits : first;
            trial.expect(out, first); // the same bits in every run
        }
    }
}

// Compaction: the position of an element is the exclusive count of elements kept before it.
TEST(FusedScan, StoreSeesElementExclusiveAndInclusive) {
    const std::uint32_t n = 7001;
    const Words values = random_words(n, 7);
    Trial trial(n);
    const auto in = trial.input("values", values), out = trial.output("kept", n);
    const auto scope = weir::testing::instrument(trial.graph, {.one_in = 4});
    fused_scan(trial.graph, {.monoid = {.name = "count",
                                        .fields = {"uint kept"},
                                        .identity = "T(0)",
                                        .combine = "return T(left.kept + right.kept);",
                                        .commutes = true},
                             .count = trial.count,
                             .buffers = {{"uint values[]", read(in)}, {"uint kept[]", write(out)}},
                             .load = "return T(values[i] & 1);",
                             .store = "if (element.kept != 0 && inclusive.kept == exclusive.kept + 1) {\n"
                                      "    kept[exclusive.kept - 100] = values[i];\n}",
                             .initial = {100},
                             .tuning = small_shape()});
    for (const std::uint32_t count : {n, 0U, 1234U}) {
        trial.run(count);
        Words expected(values.begin(), values.begin() + count);
        std::erase_if(expected, [](std::uint32_t x) { return (x & 1) == 0; });
        trial.expect(out, expected);
    }
}

// The store sees the last element for any count, also with segments. Functions see values: constants, and a parameter
// that is set for each run.
TEST(FusedScan, StoreSeesLastElementAndValues) {
    const std::uint32_t n = 3001;
    const Words values = random_words(n, 8);
    for (const bool segmented : {false, true}) {
        Trial trial(n, Count::Kind::gpu);
        const auto in = trial.input("x", values), out = trial.output("y", n), ends = trial.output("ends", 4);
        const auto scope = weir::testing::instrument(trial.graph, {.one_in = 4});
        fused_scan(trial.graph,
                   {.monoid = {.name = "sum",
                               .fields = {"uint v"},
                               .functions = "uint scaled(uint x) { return x * width; }",
                               .identity = "T(0)",
                               .combine = "return T(left.v + right.v);",
                               .commutes = true},
                    .count = trial.count,
                    .buffers = {{"uint x[]", read(in)}, {"uint y[]", write(out)}, {"uint ends[]", write(ends)}},
                    .values = {{"width", 5U}, {"less", -3}, {"part", 0.5F}, {"added", trial.seed}},
                    .load = "return T(scaled(x[i]) + added);",
                    .store = "y[i] = inclusive.v;\n"
                             "if (is_last) {\n"
                             "    ends[0] = i; ends[1] = n; ends[2] = inclusive.v;\n"
                             "    ends[3] = uint(less + int(part * 10.0));\n}",
                    .segments = segmented ? Segments::of_length(100) : Segments(),
                    .tuning = small_shape()});
        for (const std::uint32_t count : {1U, 1234U, n}) {
            const std::uint32_t added = count % 100;
            trial.run(count, added);
            std::uint32_t sum = 0;
            trial.expect(out, tabulated(count, [&](std::uint32_t i) {
                             sum = segmented && i % 100 == 0 ? 0 : sum;
                             return sum += values[i] * 5 + added;
                         }));
            trial.expect(ends, {count - 1, count, sum, 2});
        }
    }
}

std::string compile_error(const Monoid& monoid, const std::string& load, const std::string& store) {
    Graph graph(test_context());
    const auto in = graph.import_buffer<std::uint32_t>("in", 10), out = graph.import_buffer<std::uint32_t>("out", 10);
    fused_scan(graph, {.monoid = monoid,
                       .count = 10U,
                       .buffers = {{"uint source[]", read(in)}, {"uint target[]", write(out)}},
                       .load = load,
                       .store = store});
    const auto program = compile(test_context(), graph);
    return program ? "no error" : program.error().message;
}

TEST(FusedScan, CompileErrorsNameTheUsersLine) {
    const Monoid good = bicyclic;
    EXPECT_EQ(compile_error(good, "return T(source[i], 0);", "target[i] = inclusive.open;"), "no error");
    EXPECT_THAT(compile_error(good, "\n\nreturn nothing;", ""), HasSubstr("bicyclic.load:3: 'nothing'"));
    EXPECT_THAT(compile_error(good, "return T(0, 0);", "\ntarget[i] = oops;"), HasSubstr("bicyclic.store:2: 'oops'"));
    EXPECT_THAT(compile_error(good, "source[i] = 1; return T(0, 0);", ""), HasSubstr("bicyclic.load:1"));
    Monoid bad = good;
    bad.combine = "return left\n+ right;";
    EXPECT_THAT(compile_error(bad, "return T(0, 0);", ""), HasSubstr("bicyclic.combine:"));
    bad = good;
    bad.identity = "T(0, 0, 0)";
    EXPECT_THAT(compile_error(bad, "return T(0, 0);", ""), HasSubstr("bicyclic.identity:1"));
    bad = good;
    bad.functions = "\n\nuint f() { return g(); }";
    EXPECT_THAT(compile_error(bad, "return T(0, 0);", ""), HasSubstr("bicyclic.functions:3"));
}

TEST(FusedScan, RejectsInvalidArguments) {
    const auto with_fields = [](std::vector<std::string> fields) {
        Monoid monoid = bicyclic;
        monoid.fields = std::move(fields);
        return compile_error(monoid, "", "");
    };
    EXPECT_THAT(with_fields({}), HasSubstr("has 0 words"));
    EXPECT_THAT(with_fields({"mat2 a", "mat2 b", "mat2 c", "mat2 d", "uint e"}), HasSubstr("has 17 words"));
    EXPECT_THAT(with_fields({"half x"}), HasSubstr("'half x'"));
    EXPECT_THAT(with_fields({"uint x y"}), HasSubstr("'uint x y'"));
    EXPECT_THAT(with_fields({"uint"}), HasSubstr("'uint'"));

    expect_refused("elements have 1 words, the struct of monoid 'bicyclic' has 2",
                   [](Graph& g, Ref in) { scan(g, in, {.op = bicyclic}); });
    expect_refused("initial value has 1 words",
                   [](Graph& g) { fused_scan(g, {.monoid = bicyclic, .count = 8U, .initial = {1}}); });
    const std::string large = error_of([](Graph& g) {
        fused_scan(g, {.monoid = bicyclic, .count = ~0U, .tuning = {.workgroup = max_workgroup(), .chunks = 63}});
    });
    EXPECT_THAT(large, testing::AnyOf(HasSubstr("beyond element 2^32"), HasSubstr("at most 262140")));
}

} // namespace
} // namespace weir::tests::scan_monoid_test
