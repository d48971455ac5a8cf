// HLSL sources, entry points of SPIR-V, and the forms in which compilers of HLSL declare resources.

#include <algorithm>
#include <cstring>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <weir/engine/shader.hpp>

#include "engine/spirv/reflection.hpp"
#include "engine/spirv/spirv.hpp"
#include "tests/engine/instructions.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/result.hpp"

namespace weir::tests::hlsl_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::uint32_t op_name = 5, op_extension = 10, op_entry_point = 15, op_execution_mode = 16, op_decorate = 71,
                        op_decorate_id = 332, op_decorate_string = 5632;

Words compiled(const std::string& text, const std::string& entry_point = "main") {
    return ok(compile_shader(ShaderSource::hlsl(text).entry_point(entry_point)));
}

Words assembled(std::uint32_t opcode, Words operands, const std::string& text = "") {
    Words words{0};
    words.insert(words.end(), operands.begin(), operands.end());
    if (!text.empty()) {
        const std::size_t begin = words.size();
        words.resize(begin + text.size() / 4 + 1);
        std::memcpy(&words[begin], text.data(), text.size());
    }
    words[0] = static_cast<std::uint32_t>(words.size()) << 16 | opcode;
    return words;
}

/// Returns the module with the words that `change` returns for each instruction.
template <class Change>
Words changed(const Words& module, const Change& change) {
    Words out(module.begin(), module.begin() + 5);
    for (const Words& one : instructions(module)) {
        const Words words = change(one, one[0] & 0xFFFF);
        out.insert(out.end(), words.begin(), words.end());
    }
    return out;
}

std::uint32_t id_of(const Words& module, const std::string& name) {
    std::uint32_t found = 0; // the last one is the variable; a block may have the same name
    for (const Words& one : instructions(module)) {
        found = one == assembled(op_name, {one[1]}, name) ? one[1] : found;
    }
    EXPECT_NE(found, 0U) << name;
    return found;
}

/// Returns the module with another name and another binding for variable `name`, as other compilers choose them.
Words with_variable(const Words& module, const std::string& name, const std::string& other, std::uint32_t binding) {
    const std::uint32_t id = id_of(module, name);
    return changed(module, [&](const Words& one, std::uint32_t opcode) {
        return opcode == op_name && one[1] == id                       ? assembled(op_name, {id}, other)
               : opcode == op_decorate && one[1] == id && one[2] == 33 ? assembled(op_decorate, {id, 33, binding})
                                                                       : one;
    });
}

/// Returns the module with an entry point for each name, all of the same function.
Words with_entry_points(const Words& module, const std::vector<std::string>& names) {
    return changed(module, [&](const Words& one, std::uint32_t opcode) {
        Words out;
        for (const std::string& name : names) {
            Words entry = assembled(opcode, {one[1], opcode == op_entry_point ? one[2] : 0}, name);
            entry.insert(entry.end(), one.begin() + (opcode == op_entry_point ? 5 : 0), one.end());
            entry[0] = static_cast<std::uint32_t>(entry.size()) << 16 | opcode;
            out.insert(out.end(), entry.begin(), entry.end());
        }
        return opcode == op_entry_point ? out : one;
    });
}

const std::string two_sizes = "RWStructuredBuffer<uint> a : register(u0);\n"
                              "[numthreads(8, 4, 2)] void first() { a[0] = 1; }\n"
                              "[numthreads(16, 1, 1)] void second() { a[0] += 2; }\n";

TEST(Hlsl, EntryPoints) {
    EXPECT_EQ(*reflect(compiled(two_sizes, "first")).workgroup_size[1], 4U);
    EXPECT_EQ(*reflect(compiled(two_sizes, "second")).workgroup_size[0], 16U);
    EXPECT_TRUE(check_spirv(compiled(two_sizes, "second"), "it"));
    EXPECT_THAT(compile_shader(ShaderSource::hlsl(two_sizes)),
                FailsWith(ErrorCode::shader_compilation, "shader: there is no function 'main' with numthreads; "
                                                         "choose one with ShaderSource::entry_point"));
    EXPECT_THAT(compile_shader(ShaderSource::hlsl(two_sizes).entry_point("third")),
                FailsWith(ErrorCode::shader_compilation, "shader: there is no function 'third' with numthreads"));
    EXPECT_THAT(compile_shader(ShaderSource::glsl("void main() {}", "mine").entry_point("first")),
                FailsWith(ErrorCode::invalid_argument, "'mine': the entry point of GLSL is main, not first"));
}

TEST(Hlsl, EntryPointsOfSpirv) {
    const Words module = compiled(two_sizes, "second");
    const auto chosen = [&](const std::vector<std::string>& names, const std::string& name) {
        return compile_shader(ShaderSource::spirv(with_entry_points(module, names), "mine").entry_point(name));
    };
    EXPECT_EQ(ok(chosen({"work"}, "")), module); // the only one
    EXPECT_EQ(ok(chosen({"work"}, "work")), module);
    EXPECT_EQ(ok(chosen({"a longer name", "work"}, "a longer name")), module);
    EXPECT_EQ(ok(chosen({"main", "work"}, "work")), module);
    EXPECT_EQ(ok(chosen({"main", "work"}, "")), with_entry_points(module, {"main", "work"}));
    const auto fails = [](const std::string& why) {
        return FailsWith(ErrorCode::invalid_argument, "'mine' is not a SPIR-V shader: it has " + why);
    };
    EXPECT_THAT(chosen({"work", "play"}, ""),
                fails("compute entry points 'work', 'play'; choose one with ShaderSource::entry_point"));
    EXPECT_THAT(chosen({"work", "play"}, "rest"), fails("no compute entry point 'rest'; it has 'work', 'play'"));
    EXPECT_THAT(chosen({}, ""), fails("no compute entry point"));
    EXPECT_THAT(chosen({"work"}, "main"), fails("no compute entry point 'main'; it has 'work'"));
    const Words unnamed = changed(module, [](const Words& one, std::uint32_t opcode) {
        Words words = one;
        if (opcode == op_entry_point) {
            words[3] = 0;
        }
        return words;
    });
    EXPECT_THAT(compile_shader(ShaderSource::spirv(unnamed, "mine")), fails("no compute entry point"));
}

// The modes of other entry points would name functions that are no entry points.
TEST(Hlsl, EntryPointsThatAreRemovedHaveNoModes) {
    const Words module = compiled(two_sizes, "second");
    const Words other = changed(module, [&](const Words& one, std::uint32_t opcode) {
        Words words = one;
        if (opcode == op_entry_point) {
            const Words entry = assembled(op_entry_point, {5, 1}, "other");
            words.insert(words.begin(), entry.begin(), entry.end());
        } else if (opcode == op_execution_mode) {
            const Words mode = assembled(op_execution_mode, {1, 17, 1, 1, 1});
            words.insert(words.end(), mode.begin(), mode.end());
        }
        return words;
    });
    const auto chosen = with_main(changed(other,
                                          [](const Words& one, std::uint32_t opcode) {
                                              Words words = one;
                                              if (opcode == op_entry_point && one[2] != 1) {
                                                  words[3] = 0x6b726f77; // "work"
                                              }
                                              return words;
                                          }),
                                  "work", "it");
    EXPECT_EQ(ok(chosen), module);
}

TEST(Hlsl, ErrorsNameFileAndLine) {
    const auto source = ShaderSource::hlsl("[numthreads(1, 1, 1)]\nvoid main() {\n    undeclared = 1;\n}\n", "mine");
    EXPECT_THAT(compile_shader(source), FailsWith(ErrorCode::shader_compilation,
                                                  testing::AllOf(StartsWith("mine:3: 'undeclared'"),
                                                                 testing::Not(HasSubstr("HLSL parsing failed")))));
    EXPECT_THAT(compile_shader(ShaderSource::hlsl_file("no/file.hlsl")),
                FailsWith(ErrorCode::io, HasSubstr("no/file.hlsl")));
}

TEST(Hlsl, IncludesAndMacros) {
    const auto source = ShaderSource::hlsl("#include \"size.hlsl\"\n[numthreads(SIZE, COUNT, 1)] void main() {}\n")
                            .include_text("size.hlsl", "#define SIZE 32\n")
                            .define("COUNT", "2");
    const auto size = reflect(ok(compile_shader(source))).workgroup_size;
    EXPECT_EQ(*size[0], 32U);
    EXPECT_EQ(*size[1], 2U);
}

TEST(Hlsl, KindsAndUses) {
    const Reflection reflection = reflect(compiled(R"(
struct Item { float3 place; uint number; };
Texture2D<float4> picture : register(t0);
SamplerState smooth : register(s1);
RWTexture2D<float4> drawn : register(u2);
StructuredBuffer<Item> items : register(t3);
RWByteAddressBuffer bytes : register(u4);
cbuffer Settings : register(b5) { float scale; };
[[vk::push_constant]] cbuffer Push { uint first; row_major float2x3 rows; };
[[vk::constant_id(3)]] const uint WAY = 0;
[numthreads(8, 8, 1)] void main(uint3 at : SV_DispatchThreadID) {
    drawn[at.xy] = picture.SampleLevel(smooth, float2(at.xy) * rows[1][2], 0) * items[first].number;
    if (WAY == 1) { bytes.Store(0, uint(scale)); }
})"));
    using Kind = Reflection::Kind;
    std::map<std::uint32_t, Kind> kinds;
    for (const auto& resource : reflection.resources) {
        kinds[resource.binding] = resource.kind;
    }
    EXPECT_EQ(kinds, (std::map<std::uint32_t, Kind>{{0, Kind::sampled_image},
                                                    {1, Kind::sampler},
                                                    {2, Kind::storage_image},
                                                    {3, Kind::storage_buffer},
                                                    {4, Kind::storage_buffer},
                                                    {5, Kind::uniform_buffer}}));
    EXPECT_EQ(reflection.push_bytes, 16 + 16 + 12U);
    EXPECT_EQ(reflection.place, 3); // x and y
    EXPECT_EQ(reflection.mistake, "");
}

std::string mistake_of(const std::string& text) {
    return reflect(compiled(text)).mistake;
}

TEST(Hlsl, RejectsSharedBindings) {
    const std::string main = "[numthreads(1, 1, 1)] void main() { a[0] = b[0]; }\n";
    const std::string expected = "the shader has two resources at binding 0: 'a' and 'b'; use registers with different "
                                 "numbers, or [[vk::binding]]";
    // glslang uses binding 0 for resources without register.
    EXPECT_EQ(mistake_of("RWStructuredBuffer<uint> a; StructuredBuffer<uint> b;\n" + main), expected);
    EXPECT_EQ(
        mistake_of("RWStructuredBuffer<uint> a : register(u0); StructuredBuffer<uint> b : register(t0);\n" + main),
        expected);
    EXPECT_EQ(
        mistake_of("RWStructuredBuffer<uint> a : register(u0); StructuredBuffer<uint> b : register(t1);\n" + main), "");
    EXPECT_EQ(
        mistake_of("RWStructuredBuffer<uint> a : register(u0); uint b[4];\n" + main),
        "the shader has two resources at binding 0: 'a' and '$Global'; global variables that are not static are a "
        "uniform buffer: put them into a cbuffer");
}

const std::string counts = "RWStructuredBuffer<uint> a : register(u0);\n"
                           "[numthreads(1, 1, 1)] void main() { a[a.IncrementCounter()] = 1; }\n";

TEST(Hlsl, Counters) {
    EXPECT_EQ(mistake_of(counts),
              "the shader has two resources at binding 0: 'a' and the counter of 'a'; use a buffer of "
              "its own and InterlockedAdd as the counter, or compile with DXC and "
              "[[vk::counter_binding]]");
    const Words module = compiled(counts);
    // DXC's name, with a binding that it chooses, and glslang's.
    for (const char* name : {"counter.var.a", "a@count"}) {
        const Reflection reflection = reflect(with_variable(module, "a@count", name, 1));
        EXPECT_EQ(reflection.mistake, "");
        ASSERT_EQ(reflection.resources.size(), 2U);
        const auto& counter = reflection.resources[reflection.resources[0].binding == 1 ? 0 : 1];
        EXPECT_EQ(quoted(counter), "the counter of 'a'");
        EXPECT_TRUE(counter.read && counter.written);
    }
    // The decoration of SPV_GOOGLE_hlsl_functionality1 names the counter.
    const Words plain = with_variable(module, "a@count", "b", 1);
    const Words decorated = changed(plain, [&](const Words& one, std::uint32_t opcode) {
        Words words = one;
        if (opcode == op_decorate && one[1] == id_of(plain, "b") && one[2] == 33) {
            const Words of = assembled(op_decorate_id, {id_of(plain, "a"), 5634, id_of(plain, "b")});
            words.insert(words.end(), of.begin(), of.end());
        }
        return words;
    });
    std::string names;
    for (const auto& resource : reflect(decorated).resources) {
        names += quoted(resource) + ";";
    }
    EXPECT_THAT(names, HasSubstr("the counter of 'a';"));
}

// glslang compiles WavePrefixSum to an inclusive scan.
TEST(Hlsl, RejectsInclusivePrefix) {
    const auto prefix = [](const std::string& call) {
        return mistake_of("RWStructuredBuffer<uint> a : register(u0);\n"
                          "[numthreads(64, 1, 1)] void main(uint3 i : SV_DispatchThreadID) { a[i.x] = " +
                          call + "; }\n");
    };
    EXPECT_THAT(prefix("WavePrefixSum(i.x)"), StartsWith("the shader calls WavePrefixSum or WavePrefixProduct"));
    EXPECT_THAT(prefix("WavePrefixProduct(i.x)"), StartsWith("the shader calls WavePrefixSum or WavePrefixProduct"));
    EXPECT_EQ(prefix("WaveActiveSum(i.x) + WaveReadLaneAt(i.x, 0)"), "");
}

// glslang declares a variable for each function that calls WaveGetLaneIndex.
TEST(Hlsl, MergesInputVariables) {
    const Words module = compiled("RWStructuredBuffer<uint> a : register(u0);\n"
                                  "uint lane() { return WaveGetLaneIndex(); }\n"
                                  "uint last() { return WaveGetLaneCount() - 1 - WaveGetLaneIndex(); }\n"
                                  "[numthreads(64, 1, 1)] void main() { a[lane()] = last(); }\n");
    const auto count_inputs = [](const Words& words, std::uint32_t built_in) {
        std::size_t count = 0;
        for (const Words& one : instructions(words, op_decorate)) {
            count += one[1] == 11 && one[2] == built_in ? 1 : 0;
        }
        return count;
    };
    constexpr std::uint32_t subgroup_size = 36, lane = 41;
    EXPECT_EQ(count_inputs(module, lane), 2U);
    const auto unique = without_repetitions(module);
    ASSERT_TRUE(unique);
    EXPECT_TRUE(check_spirv(*unique, "it"));
    EXPECT_EQ(count_inputs(*unique, lane), 1U);
    EXPECT_EQ(count_inputs(*unique, subgroup_size), 1U);
    EXPECT_EQ(instructions(*unique, op_entry_point)[0].size(), instructions(module, op_entry_point)[0].size() - 1);
    EXPECT_FALSE(without_repetitions(*unique));
}

// A compiler may declare a variable for each entry point. An entry point must list the variables that it reads.
TEST(Hlsl, KeepsInputVariablesOfOtherEntryPoints) {
    const Words module = compiled("RWStructuredBuffer<uint> a : register(u0);\n"
                                  "uint lane() { return WaveGetLaneIndex(); }\n"
                                  "uint next() { return WaveGetLaneIndex() + 1; }\n"
                                  "[numthreads(64, 1, 1)] void main() { a[lane()] = next(); }\n");
    constexpr std::uint32_t lane = 41;
    const auto lanes_of = [](const Words& words) {
        Words variables;
        for (const Words& one : instructions(words, op_decorate)) {
            if (one[1] == 11 && one[2] == lane) {
                variables.push_back(one[0]);
            }
        }
        return variables;
    };
    const Words lanes = lanes_of(module);
    ASSERT_EQ(lanes.size(), 2U);
    const Words apart = changed(module, [&](const Words& one, std::uint32_t opcode) {
        Words words = one;
        if (opcode == op_entry_point) {
            words.erase(std::remove(words.begin() + 5, words.end(), lanes[1]), words.end());
            words[0] = static_cast<std::uint32_t>(words.size()) << 16 | opcode;
            Words other = assembled(op_entry_point, {5, one[2]}, "other");
            other.push_back(lanes[1]);
            other[0] = static_cast<std::uint32_t>(other.size()) << 16 | opcode;
            words.insert(words.end(), other.begin(), other.end());
        }
        return words;
    });
    EXPECT_EQ(lanes_of(without_repetitions(module).value_or(module)).size(), 1U);
    EXPECT_EQ(lanes_of(without_repetitions(apart).value_or(apart)), lanes);
}

// vkd3d decorates a type again for each variable.
TEST(Hlsl, RemovesRepeatedDecorations) {
    const Words module = compiled(two_sizes, "second");
    EXPECT_FALSE(without_repetitions(module));
    const auto twice = changed(module, [](const Words& one, std::uint32_t opcode) {
        Words words = one;
        if (opcode == op_decorate) {
            words.insert(words.end(), one.begin(), one.end());
        }
        return words;
    });
    EXPECT_EQ(without_repetitions(twice), module);
}

TEST(Hlsl, NamesOfBlocks) {
    const Words module = compiled("cbuffer Settings : register(b0) { uint n; };\n"
                                  "RWStructuredBuffer<uint> a : register(u1);\n"
                                  "[numthreads(1, 1, 1)] void main() { a[0] = n; }\n");
    const Reflection reflection = reflect(with_variable(module, "Settings", "type.Settings", 0)); // DXC's
    const auto& block = reflection.resources[reflection.resources[0].binding == 0 ? 0 : 1];
    EXPECT_EQ(block.name, "Settings");
}

// Devices need not support the extensions.
TEST(Hlsl, RemovesDecorationsForTools) {
    const Words module = compiled(counts);
    const Words extension = assembled(op_extension, {}, "SPV_GOOGLE_hlsl_functionality1");
    const Words user_type = assembled(op_extension, {}, "SPV_GOOGLE_user_type");
    const std::uint32_t a = id_of(module, "a"), counter = id_of(module, "a@count");
    const Words decorated = changed(module, [&](const Words& one, std::uint32_t opcode) {
        Words words;
        if (opcode == 14) { // OpMemoryModel
            words = extension;
            words.insert(words.end(), user_type.begin(), user_type.end());
        } else if (opcode == op_decorate && one[1] == a && one[2] == 33) {
            words = assembled(op_decorate_id, {a, 5634, counter});
            const Words type = assembled(op_decorate_string, {a, 5636}, "structuredbuffer:<uint>");
            words.insert(words.end(), type.begin(), type.end());
        }
        words.insert(words.end(), one.begin(), one.end());
        return words;
    });
    EXPECT_TRUE(has_hlsl_decorations(decorated));
    EXPECT_FALSE(has_hlsl_decorations(module));
    EXPECT_GT(decorated.size(), module.size());
    EXPECT_EQ(without_hlsl_decorations(decorated), module);
}

} // namespace
} // namespace weir::tests::hlsl_test
