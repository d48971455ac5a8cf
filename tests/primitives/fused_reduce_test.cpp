#include <array>
#include <bit>

#include "tests/primitives/trial.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::fused_reduce_test {
namespace {

const OnOneDriver on_one_driver{"FusedReduce.EveryCount*", "FusedReduce.EveryElementType", "FusedReduce.BitIdentical*"};

/// Returns a kernel shape with small workgroups, so that few elements make several workgroups.
ReduceTuning small_shape() {
    return {.workgroup = std::min(32U, max_workgroup()), .chunks = 2, .workgroups = 3};
}

TEST(FusedReduce, EveryCountUpToThreeTurns) {
    // Elements that all workgroups load in one turn.
    const std::uint32_t turn = small_shape().workgroup * small_shape().chunks * 4 * small_shape().workgroups;
    const std::uint32_t most = 3 * turn + 1;
    const Words a = random_words(most, 1), b = random_words(most, 2);
    for (const auto kind : {Count::Kind::parameter, Count::Kind::gpu}) {
        Trial trial(most, kind);
        const auto output = trial.output("product", 1);
        fused_reduce<std::uint32_t>(
            trial.graph, {.count = trial.count,
                          .buffers = {{"uint a[]", read(trial.input("a", a))}, {"uint b[]", read(trial.input("b", b))}},
                          .load = "return a[i] * b[i];",
                          .output = output,
                          .tuning = small_shape()});
        for (std::uint32_t n = 0; n <= most && !HasFailure(); n += n < turn - 3 || n > turn + 1 ? 7 : 1) {
            std::uint32_t sum = 0;
            for (std::uint32_t i = 0; i < n; ++i) {
                sum += a[i] * b[i];
            }
            trial.run(n);
            trial.expect(output, {sum});
        }
    }
}

/// Reduces the first n elements that `reduction.load` returns, for some n. `declaration` declares the buffer of
/// `items`.
template <class T, class From>
void check(const std::vector<From>& items, const char* declaration, FusedReduce<T> reduction,
           const std::function<T(std::uint32_t)>& expected) {
    const auto most = count_of(items);
    Trial trial(most);
    const auto output = trial.output<T>("output", 1);
    reduction.count = trial.count;
    reduction.buffers = {{declaration, read(trial.input("items", items))}};
    reduction.values = {{"seed", trial.seed}};
    reduction.output = output;
    reduction.tuning = small_shape();
    fused_reduce<T>(trial.graph, reduction);
    for (const std::uint32_t n : {0U, 1U, 2U, 255U, 256U, 257U, 511U, 512U, 513U, most}) {
        trial.run(n, 7);
        trial.expect(output, std::vector<T>{expected(n)});
    }
}

TEST(FusedReduce, CustomOperator) {
    // Brackets: about one element in eight closes. The others open if their index is odd.
    const Words words = random_words(3001, 3);
    check<Bicyclic>(words, "uint x[]",
                    {.op = bicyclic,
                     .functions = "bool closes(uint word) {\n    return (word & seed) == 0;\n}",
                     .load = "return closes(x[i]) ? T(1, 0) : T(0, i % 2);",
                     .initial = Bicyclic{3, 2}},
                    [&](std::uint32_t n) {
                        Bicyclic sum{3, 2};
                        for (std::uint32_t i = 0; i < n; ++i) {
                            sum = combine(sum, (words[i] & 7) == 0 ? Bicyclic{1, 0} : Bicyclic{0, i % 2});
                        }
                        return sum;
                    });
}

TEST(FusedReduce, EveryElementType) {
    using Vector = std::array<float, 3>;
    const auto numbers = Random(4).vector<std::int32_t>(1501, -1000, 1000);
    check<Vector>(numbers, "int x[]",
                  {.op = Operator::min,
                   .load = "return vec3(x[i], -x[i], 0.5 * float(i));",
                   .initial = Vector{900.0F, 900.0F, 0.25F}},
                  [&](std::uint32_t n) {
                      Vector least{900.0F, 900.0F, 0.25F};
                      for (std::uint32_t i = 0; i < n; ++i) {
                          const auto x = static_cast<float>(numbers[i]);
                          least = {std::min(least[0], x), std::min(least[1], -x), i == 0 ? 0.0F : least[2]};
                      }
                      return least;
                  });
    check<std::uint64_t>(numbers, "int x[]", {.load = "return uvec2(x[i], 1);"}, [&](std::uint32_t n) {
        std::uint64_t sum = 0;
        for (std::uint32_t i = 0; i < n; ++i) {
            sum += std::uint64_t{1} << 32 | static_cast<std::uint32_t>(numbers[i]);
        }
        return sum;
    });
    check<std::int32_t>(numbers, "int x[]", {.op = Operator::max, .load = "return x[i] - int(seed);"},
                        [&](std::uint32_t n) {
                            std::int32_t greatest = std::numeric_limits<std::int32_t>::min();
                            for (std::uint32_t i = 0; i < n; ++i) {
                                greatest = std::max(greatest, numbers[i] - 7);
                            }
                            return greatest;
                        });
    std::vector<double> doubles(1501);
    for (std::size_t i = 0; i < doubles.size(); ++i) {
        doubles[i] = numbers[i] * 1e30;
    }
    check<double>(doubles, "uvec2 x[]", {.op = Operator::max, .load = "return x[i] ^ uvec2(0, 0x80000000u);"},
                  [&](std::uint32_t n) {
                      double greatest = -std::numeric_limits<double>::infinity();
                      for (std::uint32_t i = 0; i < n; ++i) {
                          greatest = std::max(greatest, -doubles[i]);
                      }
                      return greatest;
                  });
}

TEST(FusedReduce, BitIdenticalToReduceOfTransform) {
    const std::uint32_t most = 100003;
    const auto items = floats_that_round(most, 5);
    Trial trial(most);
    const auto input = trial.input("items", items);
    const auto fused = trial.output<float>("fused", 1), apart = trial.output<float>("apart", 1);
    fused_reduce<float>(trial.graph, {.count = trial.count,
                                      .buffers = {{"float x[]", read(input)}},
                                      .load = "return x[i] * x[i] + 0.1;",
                                      .output = fused});
    reduce(trial.graph, transform<float>(trial.graph, input, "x * x + 0.1"), {.output = apart});
    for (const std::uint32_t n : {0U, 1U, 1000U, 65536U, most}) {
        trial.run(n);
        const Words bits = trial.words_in(apart, 1);
        EXPECT_EQ(bits[0] == 0, n == 0);
        trial.expect(fused, bits);
        for (int again = 0; again < 5; ++again) {
            trial.run(n);
            trial.expect(fused, bits);
        }
    }
}

TEST(FusedReduce, RejectsInvalidArguments) {
    const auto error = [](const std::function<void(FusedReduce<float>&, BufferRef<float>)>& change) {
        Graph graph(test_context());
        const auto in = graph.import_buffer<float>("in", 100);
        FusedReduce<float> reduction{
            .count = 100, .buffers = {{"float x[]", read(in)}}, .load = "return x[i];", .name = "energy"};
        change(reduction, in);
        fused_reduce<float>(graph, reduction);
        return plan_error(graph);
    };
    EXPECT_EQ(error([](auto&, auto) {}), "no error");
    EXPECT_THAT(error([](auto& reduction, auto) { reduction.load = ""; }), HasSubstr("energy: the load is empty"));
    EXPECT_THAT(error([](auto& reduction, auto in) { reduction.output = in; }),
                HasSubstr("energy: an output is also an input"));
    EXPECT_THAT(error([](auto& reduction, auto in) { reduction.buffers[0].binding = write(in); }),
                HasSubstr("energy: the buffers of a load must be read-only"));
    EXPECT_THAT(error([](auto& reduction, auto in) {
                    reduction.output = in;
                    reduction.output.capacity = 0;
                }),
                HasSubstr("energy: the output has a capacity of 0 elements; 1 are required"));
    EXPECT_THAT(error([](auto& reduction, auto) { reduction.op = bicyclic; }),
                HasSubstr("energy: elements have 1 words, the struct of monoid 'bicyclic' has 2"));
    EXPECT_THAT(error([](auto& reduction, auto) { reduction.op = Operator::bit_or; }),
                HasSubstr("energy: the operator 'or' is not supported for floats"));
    EXPECT_THAT(error([](auto& reduction, auto) {
                    reduction.values = {{"2k", 1U}};
                }),
                HasSubstr("energy: '2k' is not a valid name for a value"));
    EXPECT_THAT(error([](auto& reduction, auto) { reduction.tuning.workgroup = 100; }),
                HasSubstr("energy: a workgroup of 100 invocations"));
}

TEST(FusedReduce, CompileErrorsNameTheUsersLine) {
    Graph graph(test_context());
    graph.export_buffer(fused_reduce<float>(graph, {.count = 10, .load = "return 1.0 +\nnothing;", .name = "energy"}));
    expect_shader_error(graph, "energy.load:2");
}

} // namespace
} // namespace weir::tests::fused_reduce_test
