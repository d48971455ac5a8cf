// Passes in HLSL.

#include <bit>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/graph/programs.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::hlsl_programs_test {
namespace {

const OnOneDriver on_one_driver{"HlslProgram.Rejects*", "HlslProgram.EntryPoints*"};

// Constant buffers, structured and byte address buffers, push constants, specialization constants, workgroup memory.
TEST(HlslProgram, UsesEveryKindOfBuffer) {
    const std::string text = R"(
struct Item { uint number; float weight; uint2 pair; };
cbuffer Settings : register(b0) { uint add; row_major float2x3 rows; };
StructuredBuffer<Item> items : register(t1);
RWByteAddressBuffer bytes : register(u2);
RWStructuredBuffer<uint> result : register(u3);
struct Push { uint n; uint factor; };
[[vk::push_constant]] ConstantBuffer<Push> push;
[[vk::constant_id(1)]] const uint SHIFT = 0;
groupshared uint total;
uint scaled(uint number) { return number * push.factor << SHIFT; }
[numthreads(64, 1, 1)]
void work(uint3 at : SV_DispatchThreadID, uint in_group : SV_GroupIndex) {
    if (in_group == 0) { total = 0; }
    GroupMemoryBarrierWithGroupSync();
    const uint i = at.x;
    uint old;
    if (i < push.n) {
        InterlockedAdd(total, items[i].pair.y, old);
        result[i] = scaled(items[i].number) + add + uint(items[i].weight * rows[1][2]);
        bytes.Store(4 * i, bytes.Load(4 * i) + 1);
    }
    GroupMemoryBarrierWithGroupSync();
    if (in_group == 0) { bytes.InterlockedAdd(400, total, old); }
})";
    const std::uint32_t n = 100;
    WordGraph graph;
    Values rows(11);
    rows[0] = 1000;
    rows[10] = std::bit_cast<std::uint32_t>(3.0F); // the second row begins at byte 32
    const WordRef settings = graph.transient("settings", 11), items = graph.import("items", 4 * n),
                  bytes = graph.import("bytes", n + 1), result = graph.import("result", n);
    const WordRef given = graph.import("given", 11);
    graph.add_copy("settings", given, settings, 44);
    Pass pass;
    pass.name = "work";
    pass.shader = ShaderSource::hlsl(text, "work.hlsl").entry_point("work");
    pass.bindings = {uniform(settings), read(items), read_write(bytes), write(result)};
    pass.push = {n, 5U};
    pass.constants = {0, 2};
    pass.dispatch = Dispatch::groups(2);
    graph.add_pass(pass);
    Program program = ok(compile(test_context(), graph));

    Values item_words(4 * std::size_t{n}), expected_bytes(n + 1, 8), expected(n);
    expected_bytes[n] = 7;
    for (std::uint32_t i = 0; i < n; ++i) {
        const Values item{i, std::bit_cast<std::uint32_t>(static_cast<float>(i)), 0, i};
        std::copy(item.begin(), item.end(), &item_words[4 * std::size_t{i}]);
        expected[i] = (i * 5 << 2) + 1000 + 3 * i;
        expected_bytes[n] += i;
    }
    const Buffer in_settings = buffer_of(rows), in_items = buffer_of(item_words),
                 in_bytes = buffer_of(Values(n + 1, 7)), out = poisoned_buffer(n);
    run_with(program, {{given, in_settings}, {items, in_items}, {bytes, in_bytes}, {result, out}});
    EXPECT_EQ(contents(out, n), expected);
    EXPECT_EQ(contents(in_bytes, n + 1), expected_bytes);
}

const std::string two = "RWStructuredBuffer<uint> a : register(u0);\n"
                        "[numthreads(64, 1, 1)] void add(uint3 i : SV_DispatchThreadID) { a[i.x] += 10; }\n"
                        "[numthreads(64, 1, 1)] void twice(uint3 i : SV_DispatchThreadID) { a[i.x] *= 2; }\n";

TEST(HlslProgram, EntryPointsOfOneText) {
    WordGraph graph;
    const WordRef data = graph.import("data");
    for (const char* name : {"add", "twice", "add"}) {
        Pass pass = simple_pass(name, "", {read_write(data)});
        pass.shader = ShaderSource::hlsl(two).entry_point(name);
        graph.add_pass(pass);
    }
    Program program = ok(compile(test_context(), graph));
    EXPECT_EQ(run_on(program, data, Values(64, 1)), Values(64, 32));
}

Values words_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    Values words(bytes.size() / 4);
    std::memcpy(words.data(), bytes.data(), words.size() * 4);
    return words;
}

// Checks a module of tests/graph/compilers.hlsl.
void check_work(const ShaderSource& shader) {
    constexpr std::uint32_t n = 128;
    WordGraph graph;
    const WordRef items = graph.import("items", 4 * n), given = graph.import("given", 12),
                  settings = graph.transient("settings", 12), result = graph.transient("result", n + 2);
    graph.add_copy("settings", given, settings, 48);
    graph.add_fill("clear", result, 0);
    Pass pass = simple_pass("work", "", {read(items), read_write(result), uniform(settings)});
    pass.shader = shader;
    pass.dispatch = Dispatch::groups(2);
    graph.add_pass(pass);
    graph.export_buffer(result);
    Program program = ok(compile(test_context(), graph));
    Values setting_words(12), item_words, expected;
    setting_words[0] = 5;
    setting_words[10] = std::bit_cast<std::uint32_t>(3.0F); // row 1, column 2
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t weight = std::bit_cast<std::uint32_t>(static_cast<float>(i));
        item_words.insert(item_words.end(), {0, i, weight, i + 7});
        expected.push_back((i + 7) * 5 + 3 * i);
    }
    expected.insert(expected.end(), {63 * 64 / 2, 63 * 64 / 2 + 64 * 64}); // sums of the workgroups
    run_with(program, {{items, buffer_of(item_words)}, {given, buffer_of(setting_words)}});
    EXPECT_EQ(ok(test_context().download<std::uint32_t>(program.view(result), n + 2)), expected);
}

// Checks a module of examples/particles.hlsl: sums of 36 and 64 particles.
void check_move(const ShaderSource& shader) {
    constexpr std::uint32_t n = 100;
    WordGraph graph;
    const WordRef before = graph.import("before", 8 * n), after = graph.transient("after", 8 * n),
                  energies = graph.transient("energies", 2);
    Pass pass = simple_pass("move", "", {read(before), write(after), write(energies)});
    pass.shader = shader;
    pass.push = {std::bit_cast<std::uint32_t>(0.5F), n};
    pass.dispatch = Dispatch::groups(2);
    graph.add_pass(pass);
    graph.export_buffer(energies);
    Program program = ok(compile(test_context(), graph));
    Values particles;
    for (std::uint32_t i = 0; i < n; ++i) {
        for (const float number : {0.0F, 1.0F, 2.0F, 2.0F, 1.0F, 0.0F, 2.0F, 0.0F}) {
            particles.push_back(std::bit_cast<std::uint32_t>(number));
        }
    }
    run_with(program, {{before, buffer_of(particles)}});
    EXPECT_EQ(ok(test_context().download<float>(program.view(energies), 2)), (std::vector<float>{320, 180}));
}

// SPIR-V that tests/scripts/hlsl.sh compiled. Modules have one entry point of another name than main.
TEST(HlslProgram, RunsModules) {
    const char* folder = std::getenv("WEIR_HLSL_MODULES");
    if (folder == nullptr) {
        GTEST_SKIP() << "WEIR_HLSL_MODULES is not set";
    }
    std::size_t count = 0;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        const std::string name = file.path().filename().string();
        SCOPED_TRACE(name);
        const ShaderSource shader = ShaderSource::spirv(words_of(file.path()), name);
        name.ends_with(".work.spv") ? check_work(shader) : check_move(shader);
        ++count;
    }
    EXPECT_GT(count, 0U);
}

/// Returns the error of a pass with this shader and these bindings; empty if it compiles.
std::string error_of(const std::string& text, std::size_t bindings) {
    WordGraph graph;
    Pass pass = simple_pass("pass", "", {});
    pass.shader = ShaderSource::hlsl(text, "mine.hlsl");
    for (std::size_t i = 0; i < bindings; ++i) {
        pass.bindings.push_back(read_write(graph.import("buffer " + std::to_string(i))));
    }
    graph.add_pass(pass);
    const auto program = compile(test_context(), graph);
    return program ? "" : program.error().message;
}

TEST(HlslProgram, RejectsMistakes) {
    const auto in_main = [](const std::string& declarations, const std::string& statement) {
        return declarations + "\n[numthreads(1, 1, 1)] void main() { " + statement + " }\n";
    };
    const std::string buffer = "RWStructuredBuffer<uint> a : register(u0); ";
    EXPECT_EQ(error_of(in_main(buffer, "a[0] = 1;"), 1), "");
    EXPECT_THAT(error_of(in_main(buffer, "a[0] = b;"), 1), testing::HasSubstr("mine.hlsl:2: 'b' : unknown variable"));
    EXPECT_THAT(error_of(in_main(buffer + "StructuredBuffer<uint> b;", "a[0] = b[1];"), 2),
                testing::HasSubstr("the shader has two resources at binding 0: 'a' and 'b'"));
    EXPECT_THAT(error_of(in_main("RWStructuredBuffer<uint> a : register(u1); uint COUNT;", "a[0] = COUNT;"), 2),
                testing::HasSubstr("'$Global' in the shader"));
    EXPECT_THAT(error_of(in_main(buffer, "a[a.IncrementCounter()] = 1;"), 1), testing::HasSubstr("the counter of 'a'"));
    EXPECT_THAT(error_of(in_main(buffer, "a[0] = WavePrefixSum(1);"), 1),
                testing::HasSubstr("glslang compiles to inclusive scans"));
}

} // namespace
} // namespace weir::tests::hlsl_programs_test
