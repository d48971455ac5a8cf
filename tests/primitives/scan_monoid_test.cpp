// Scans with custom operators, with and without custom loads and stores.

#include <array>
#include <bit>
#include <cstring>

#include "tests/primitives/harness.hpp"
#include "tests/primitives/instrument.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::scan_monoid_test {
namespace {

const OnOneDriver on_one_driver{"FusedScan.Moving*", "FusedScan.Compile*", "FusedScan.StoreSeesLast*",
                                "ScanMonoids.Affine*"};
const Sweeps sweeps{"ScanMonoids.LargeInput", "ScanMonoids.Matrix*", "ScanMonoids.String*", "ScanMonoids.Sixteen*"};

using Words = std::vector<std::uint32_t>;

ScanTuning small_shape() {
    return {.workgroup = std::min(64U, max_workgroup()), .chunks = 2};
}

/// Checks an inclusive and an exclusive scan of `input` against `combine`, applied from left to right. The operator
/// must be exact.
template <class T, class Combine>
void check(const Monoid& monoid, const std::vector<T>& input, T identity, const Combine& combine,
           const Instrument& faults) {
    SCOPED_TRACE(monoid.name + (faults.one_in != 0 ? " with faults" : ""));
    const auto n = static_cast<std::uint32_t>(input.size());
    Graph graph(test_context());
    const auto in = graph.import_buffer<T>("in", n), other = graph.import_buffer<T>("other", n),
               total = graph.import_buffer<T>("total", 1);
    const auto scope = weir::testing::instrument(graph, faults);
    const auto out =
        scan(graph, in, {.op = monoid, .output_other = other, .output_total = total, .tuning = small_shape()});
    graph.export_buffer(out);
    Program program = ok(compile(test_context(), graph));
    const Buffer in_buffer = buffer_of(input), other_buffer = poisoned_buffer<T>(n),
                 total_buffer = poisoned_buffer<T>(1);
    ok(program.bind(in, in_buffer));
    ok(program.bind(other, other_buffer));
    ok(program.bind(total, total_buffer));
    ok(program.run());
    std::vector<T> inclusive, exclusive;
    T sum = identity;
    for (const T& item : input) {
        exclusive.push_back(sum);
        sum = combine(sum, item);
        inclusive.push_back(sum);
    }
    const std::size_t words = n * sizeof(T) / 4;
    expect_equal(contents(program.view(out), words), words_of(inclusive), "inclusive");
    expect_equal(contents(other_buffer, words), words_of(exclusive), "exclusive");
    expect_equal(contents(total_buffer, sizeof(T) / 4), words_of(std::vector<T>{sum}), "total");
}

constexpr Instrument fault_kinds[] = {{}, {.one_in = 3, .kind = Instrument::Kind::torn_post}};

TEST(ScanMonoids, BicyclicSemigroup) {
    Random random(1);
    std::vector<Bicyclic> input(5000);
    for (Bicyclic& item : input) {
        item = random.uniform(0, 1) != 0 ? Bicyclic{1, 0} : Bicyclic{0, 1};
    }
    for (const Instrument& faults : fault_kinds) {
        check(
            bicyclic, input, Bicyclic{0, 0}, [](Bicyclic a, Bicyclic b) { return combine(a, b); }, faults);
    }
}

// Large enough that tiles are scanned before the look-back.
TEST(ScanMonoids, LargeInput) {
    const std::uint32_t n = (1U << 21) + 77;
    const auto drawn = random_words(n, 8);
    std::vector<Bicyclic> input(n), expected(n);
    Bicyclic sum{0, 0};
    for (std::uint32_t i = 0; i < n; ++i) {
        input[i] = drawn[i] % 2 != 0 ? Bicyclic{1, 0} : Bicyclic{0, 1};
        sum = combine(sum, input[i]);
        expected[i] = sum;
    }
    Graph graph(test_context());
    const auto in = graph.import_buffer<Bicyclic>("in", n);
    scan(graph, in, {.op = bicyclic, .output = in});
    Program program = ok(compile(test_context(), graph));
    const Buffer buffer = buffer_of(input);
    ok(program.bind(in, buffer));
    ok(program.run());
    expect_equal(contents(buffer, 2 * n), words_of(expected), "in place");
}

TEST(ScanMonoids, MatrixProductModuloTwoToThe32) {
    using Matrix = std::array<std::uint32_t, 4>; // rows
    const auto words = random_words(4 * 3001, 2);
    std::vector<Matrix> input(3001);
    for (std::size_t i = 0; i < input.size(); ++i) {
        input[i] = {words[4 * i] | 1, words[4 * i + 1], words[4 * i + 2], words[4 * i + 3]};
    }
    for (const Instrument& faults : fault_kinds) {
        check(
            {.name = "matrix",
             .fields = {"uvec2 first", "uvec2 second"},
             .identity = "T(uvec2(1, 0), uvec2(0, 1))",
             .combine = "return T(left.first.x * right.first + left.first.y * right.second,\n"
                        "         left.second.x * right.first + left.second.y * right.second);"},
            input, Matrix{1, 0, 0, 1},
            [](const Matrix& a, const Matrix& b) {
                return Matrix{a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2],
                              a[2] * b[1] + a[3] * b[3]};
            },
            faults);
    }
}

// Quarter turns, whose products are exact.
TEST(ScanMonoids, MatrixFields) {
    using Matrix = std::array<float, 4>; // columns
    const std::vector<Matrix> input(1003, Matrix{0, 1, -1, 0});
    Graph graph(test_context());
    const auto in = graph.import_buffer<Matrix>("in", 1003);
    const auto scope = weir::testing::instrument(graph, {.one_in = 2});
    const auto out = scan(graph, in,
                          {.op = Monoid{.name = "turn",
                                        .fields = {"mat2 m"},
                                        .identity = "T(mat2(1.0))",
                                        .combine = "return T(left.m * right.m);"},
                           .tuning = small_shape()});
    graph.export_buffer(out);
    Program program = ok(compile(test_context(), graph));
    const Buffer buffer = buffer_of(input);
    ok(program.bind(in, buffer));
    ok(program.run());
    const auto found = contents<Matrix>(program.view(out), 1003);
    const Matrix turns[] = {{1, 0, 0, 1}, {0, 1, -1, 0}, {-1, 0, 0, -1}, {0, -1, 1, 0}};
    for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_EQ(found[i], turns[(i + 1) % 4]) << i;
    }
}

TEST(ScanMonoids, AffineMapsModuloTwoToThe32) {
    struct Affine {
        std::uint32_t a, b;
    };
    const auto words = random_words(2 * 4099, 3);
    std::vector<Affine> input(4099);
    for (std::size_t i = 0; i < input.size(); ++i) {
        input[i] = {words[2 * i] | 1, words[2 * i + 1]};
    }
    for (const Instrument& faults : fault_kinds) {
        check(
            {.name = "affine",
             .fields = {"uint a", "uint b"},
             .identity = "T(1, 0)",
             .combine = "return T(right.a * left.a, right.a * left.b + right.b);"},
            input, Affine{1, 0},
            [](Affine l, Affine r) {
                return Affine{r.a * l.a, r.a * l.b + r.b};
            },
            faults);
    }
}

// Length and hash of a string as a fingerprint: 3 words.
TEST(ScanMonoids, StringFingerprint) {
    struct Fingerprint {
        std::uint32_t power, hash, letters;
    };
    std::vector<Fingerprint> input(2500);
    const auto letters = random_words(input.size(), 4);
    for (std::size_t i = 0; i < input.size(); ++i) {
        input[i] = {0x01000193, letters[i] & 0xFF, 1};
    }
    for (const Instrument& faults : fault_kinds) {
        check(
            {.name = "fingerprint",
             .fields = {"uint power", "uint hash", "uint letters"},
             .functions = "T joined(T a, T b) {\n    return T(a.power * b.power, a.hash * b.power + b.hash, a.letters "
                          "+ b.letters);\n}",
             .identity = "T(1, 0, 0)",
             .combine = "return joined(left, right);"},
            input, Fingerprint{1, 0, 0},
            [](Fingerprint a, Fingerprint b) {
                return Fingerprint{a.power * b.power, a.hash * b.power + b.hash, a.letters + b.letters};
            },
            faults);
    }
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
    Graph graph(test_context());
    const auto in = graph.import_buffer<Wide>("in", 700);
    const auto out = scan(graph, in,
                          {.op = Monoid{.name = "wide",
                                        .fields = {"uvec4 a", "uvec4 b", "uvec4 c", "ivec3 d", "int any"},
                                        .identity = "T(uvec4(0), uvec4(0), uvec4(0), ivec3(0), 0)",
                                        .combine = "return T(left.a + right.a, left.b + right.b, left.c + right.c,\n"
                                                   "right.any != 0 ? right.d : left.d, right.any | left.any);"},
                           .tuning = {.workgroup = small_shape().workgroup, .chunks = 1}});
    graph.export_buffer(out);
    Program program = ok(compile(test_context(), graph));
    for (Wide& item : input) {
        item[15] = 1; // the flag: not the identity
    }
    for (Wide& item : expected) {
        item[15] = 1;
    }
    const Buffer buffer = buffer_of(input);
    ok(program.bind(in, buffer));
    ok(program.run());
    expect_equal(contents(program.view(out), 16 * 700), words_of(expected), "out");
}

// An exponential moving average as a scan of affine maps that are never stored: the kernel reads x and writes y.
TEST(FusedScan, MovingAverage) {
    const std::uint32_t n = 20011;
    const float k = 0.25F;
    std::vector<float> x(n);
    Random random(6);
    for (float& item : x) {
        item = static_cast<float>(random.uniform<int>(0, 1000));
    }
    for (const bool in_place : {false, true}) {
        SCOPED_TRACE(in_place ? "in place" : "out of place");
        Graph graph(test_context());
        const auto in = graph.import_buffer<float>("x", n), out = graph.import_buffer<float>("y", n);
        const auto total = graph.import_buffer<std::uint32_t>("total", 2);
        const auto scope = weir::testing::instrument(graph, {.one_in = 3});
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
        fused_scan(graph, scan);
        Program program = ok(compile(test_context(), graph));
        const Buffer in_buffer = buffer_of(x), out_buffer = poisoned_buffer<float>(n),
                     total_buffer = poisoned_buffer(2);
        ok(program.bind(in, in_buffer));
        ok(program.bind(out, out_buffer));
        ok(program.bind(total, total_buffer));
        Words first;
        for (int run = 0; run < 5; ++run) {
            ok(test_context().upload(in_buffer, x));
            ok(program.run());
            const auto y = contents<float>(in_place ? in_buffer : out_buffer, n);
            float expected = 0;
            for (std::uint32_t i = 0; i < n; ++i) {
                expected = (1 - k) * expected + k * x[i];
                ASSERT_NEAR(y[i], expected, 1e-2) << i;
            }
            EXPECT_EQ(std::bit_cast<float>(contents(total_buffer, 2)[1]), y.back());
            const Words bits = words_of(y);
            if (run > 0) {
                expect_equal(bits, first, "the same bits in every run");
            }
            first = bits;
        }
    }
}

// Compaction: the position of an element is the exclusive count of elements kept before it.
TEST(FusedScan, StoreSeesElementExclusiveAndInclusive) {
    const std::uint32_t n = 7001;
    const auto values = random_words(n, 7);
    Graph graph(test_context());
    const auto in = graph.import_buffer<std::uint32_t>("in", n), out = graph.import_buffer<std::uint32_t>("out", n);
    const auto counted = graph.parameter("n", n);
    const auto scope = weir::testing::instrument(graph, {.one_in = 4});
    fused_scan(graph, {.monoid = {.name = "count",
                                  .fields = {"uint kept"},
                                  .identity = "T(0)",
                                  .combine = "return T(left.kept + right.kept);",
                                  .commutes = true},
                       .count = counted,
                       .buffers = {{"uint values[]", read(in)}, {"uint kept[]", write(out)}},
                       .load = "return T(values[i] & 1);",
                       .store = "if (element.kept != 0 && inclusive.kept == exclusive.kept + 1) {\n"
                                "    kept[exclusive.kept - 100] = values[i];\n}",
                       .initial = {100},
                       .tuning = small_shape()});
    Program program = ok(compile(test_context(), graph));
    const Buffer in_buffer = buffer_of(values);
    ok(program.bind(in, in_buffer));
    for (const std::uint32_t count : {n, 0U, 1234U}) {
        const Buffer out_buffer = poisoned_buffer(n);
        ok(program.bind(out, out_buffer));
        ok(program.set(counted, count));
        ok(program.run());
        Words expected = poisoned(n);
        std::copy_if(values.begin(), values.begin() + count, expected.begin(), [](auto x) { return (x & 1) != 0; });
        expect_equal(contents(out_buffer, n), expected, "kept of " + std::to_string(count));
    }
}

// The store sees the last element for any count, also with segments. Functions see values: constants, and a parameter
// that is set for each run.
TEST(FusedScan, StoreSeesLastElementAndValues) {
    const std::uint32_t n = 3001;
    const auto values = random_words(n, 8);
    for (const bool segmented : {false, true}) {
        Graph graph(test_context());
        const auto in = graph.import_buffer<std::uint32_t>("in", n), out = graph.import_buffer<std::uint32_t>("out", n);
        const auto ends = graph.import_buffer<std::uint32_t>("ends", 4);
        const auto counts = graph.import_buffer<std::uint32_t>("counts", 1);
        const auto added = graph.parameter("added", 100);
        const auto scope = weir::testing::instrument(graph, {.one_in = 4});
        fused_scan(graph, {.monoid = {.name = "sum",
                                      .fields = {"uint v"},
                                      .functions = "uint scaled(uint x) { return x * width; }",
                                      .identity = "T(0)",
                                      .combine = "return T(left.v + right.v);",
                                      .commutes = true},
                           .count = graph.count_in(counts, 0, n),
                           .buffers = {{"uint x[]", read(in)}, {"uint y[]", write(out)}, {"uint ends[]", write(ends)}},
                           .values = {{"width", 5U}, {"less", -3}, {"part", 0.5F}, {"added", added}},
                           .load = "return T(scaled(x[i]) + added);",
                           .store = "y[i] = inclusive.v;\n"
                                    "if (is_last) {\n"
                                    "    ends[0] = i; ends[1] = n; ends[2] = inclusive.v;\n"
                                    "    ends[3] = uint(less + int(part * 10.0));\n}",
                           .segments = segmented ? Segments::of_length(100) : Segments(),
                           .tuning = small_shape()});
        Program program = ok(compile(test_context(), graph));
        const Buffer in_buffer = buffer_of(values);
        ok(program.bind(in, in_buffer));
        for (const std::uint32_t count : {1U, 1234U, n}) {
            const Buffer out_buffer = poisoned_buffer(n), count_buffer = buffer_of(Words{count}),
                         end_buffer = poisoned_buffer(4);
            ok(program.bind(out, out_buffer));
            ok(program.bind(ends, end_buffer));
            ok(program.bind(counts, count_buffer));
            ok(program.set(added, count % 100));
            ok(program.run());
            Words expected = poisoned(n);
            std::uint32_t sum = 0;
            for (std::uint32_t i = 0; i < count; ++i) {
                sum = segmented && i % 100 == 0 ? 0 : sum;
                expected[i] = sum += values[i] * 5 + count % 100;
            }
            expect_equal(contents(out_buffer, n), expected, "scan of " + std::to_string(count));
            EXPECT_EQ(contents(end_buffer, 4), (Words{count - 1, count, sum, 2}));
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

    Graph graph(test_context());
    scan(graph, graph.import_buffer<std::uint32_t>("in", 8), {.op = bicyclic});
    EXPECT_THAT(plan_error(graph), HasSubstr("elements have 1 words, the struct of monoid 'bicyclic' has 2"));
    Graph other(test_context());
    fused_scan(other, {.monoid = bicyclic, .count = 8U, .initial = {1}});
    EXPECT_THAT(plan_error(other), HasSubstr("initial value has 1 words"));
    Graph large(test_context());
    fused_scan(large, {.monoid = bicyclic, .count = ~0U, .tuning = {.workgroup = max_workgroup(), .chunks = 63}});
    EXPECT_THAT(plan_error(large), testing::AnyOf(HasSubstr("beyond element 2^32"), HasSubstr("at most 262140")));
}

} // namespace
} // namespace weir::tests::scan_monoid_test
