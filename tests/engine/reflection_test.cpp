// Reflection of valid and of broken modules.

#include "engine/spirv/reflection.hpp"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include <weir/engine/shader.hpp>

#include "engine/base/strings.hpp"
#include "engine/codec/unpack.hpp"
#include "engine/shader/shaderc_library.hpp"
#include "engine/spirv/spirv.hpp"
#include "tests/support/result.hpp"
#include "weir_shaders.hpp"

namespace weir::tests::reflection_test {
namespace {

using Kind = Reflection::Kind;
using Words = std::vector<std::uint32_t>;
using Push = std::vector<std::optional<std::uint32_t>>;

std::string shader(const std::string& text) {
    return "#version 460\n"
           "#extension GL_KHR_memory_scope_semantics : require\n"
           "#extension GL_EXT_buffer_reference : require\n"
           "#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require\n"
           "layout(local_size_x = 1) in;\n" +
           text;
}

Words optimized(const std::string& text) {
    return ok(compile_shader(ShaderSource::glsl(shader(text))));
}

/// Compiles without optimization, as debug builds and other compilers do: functions, variables and names remain.
Words plain(const std::string& text) {
    const ShadercLibrary& shaderc = *ok(shaderc_library());
    static const std::unique_ptr<shaderc_compiler, decltype(shaderc.compiler_release)> compiler(
        shaderc.compiler_initialize(), shaderc.compiler_release); // starting one takes longer than compiling
    const std::unique_ptr<shaderc_compile_options, decltype(shaderc.options_release)> options(
        shaderc.options_initialize(), shaderc.options_release);
    shaderc.options_set_target_env(options.get(), shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_3);
    shaderc.options_set_target_spirv(options.get(), shaderc_spirv_version_1_6);
    shaderc.options_set_optimization_level(options.get(), shaderc_optimization_level_zero);
    const std::string whole = shader(text);
    const std::unique_ptr<shaderc_compilation_result, decltype(shaderc.result_release)> result(
        shaderc.compile_into_spv(compiler.get(), whole.c_str(), whole.size(), shaderc_glsl_compute_shader, "test",
                                 "main", options.get()),
        shaderc.result_release);
    EXPECT_EQ(shaderc.result_get_compilation_status(result.get()), shaderc_compilation_status_success)
        << shaderc.result_get_error_message(result.get());
    const auto* words = reinterpret_cast<const std::uint32_t*>(shaderc.result_get_bytes(result.get()));
    return {words, words + shaderc.result_get_length(result.get()) / sizeof(std::uint32_t)};
}

/// Returns the uses of the bindings from 0, with spaces between them: "-" for not used, "u" for used without reading
/// and writing, "r", "w" or "rw".
std::string uses(const Reflection& reflection) {
    EXPECT_TRUE(reflection.followed);
    std::vector<std::string> list;
    for (const auto& resource : reflection.resources) {
        list.resize(std::max<std::size_t>(list.size(), resource.binding + 1), "-");
        const std::string use = concat(resource.read ? "r" : "", resource.written ? "w" : "");
        list[resource.binding] = !resource.used ? "-" : use.empty() ? "u" : use;
    }
    std::string text;
    for (const std::string& use : list) {
        text += (text.empty() ? "" : " ") + use;
    }
    return text;
}

/// Returns the uses in a shader, and checks that they are equal with and without optimization.
std::string uses(const std::string& text, const Words& constants = {}, const Push& push = {}) {
    std::string uses_of_plain = uses(reflect(plain(text), constants, push));
    EXPECT_EQ(uses(reflect(optimized(text), constants, push)), uses_of_plain);
    return uses_of_plain;
}

const std::string three = "layout(binding = 0) buffer A { uint a[]; };\n"
                          "layout(binding = 1) buffer B { uint b[]; };\n"
                          "layout(binding = 2) buffer C { uint c[]; };\n";

TEST(Reflection, ReadsAndWrites) {
    EXPECT_EQ(uses(three + "void main() { b[0] = a[0]; c[1] += 1; }"), "r w rw");
    EXPECT_EQ(uses(three + "void main() { a[b.length()] = 1; }"), "w u");
    EXPECT_EQ(uses(three + "void main() {}"), "");
}

TEST(Reflection, Atomics) {
    EXPECT_EQ(uses(three + "void main() { atomicAdd(a[0], 1); }"), "rw");
    EXPECT_EQ(uses(three + "void main() { atomicExchange(a[0], atomicCompSwap(b[0], 1, 2)); }"), "rw rw");
    const std::string relaxed = "gl_ScopeDevice, gl_StorageSemanticsBuffer, gl_SemanticsRelaxed)";
    EXPECT_EQ(uses(three + "void main() { atomicStore(b[0], atomicLoad(a[0], " + relaxed + ", " + relaxed + "; }"),
              "r w");
}

TEST(Reflection, BranchesOnConstants) {
    const std::string text = "layout(constant_id = 0) const bool FIRST = false;\n"
                             "layout(constant_id = 1) const uint SIZE = 4;\n"
                             "const bool LARGE = SIZE / 2 > 8 && !FIRST;\n" +
                             three +
                             "void main() {\n"
                             "    if (FIRST) { a[0] = 1; }\n"
                             "    if (LARGE) { b[0] = 1; }\n"
                             "    if (FIRST || SIZE == 5) { c[0] = 1; }\n"
                             "}\n";
    EXPECT_EQ(uses(text), "- - -");
    EXPECT_EQ(uses(text, {1}), "w - w");
    EXPECT_EQ(uses(text, {0, 32}), "- w -");
    EXPECT_EQ(uses(text, {1, 32}), "w - w");
    EXPECT_EQ(uses(text, {0, 5}), "- - w");
}

TEST(Reflection, BranchesOnUnknownValues) {
    EXPECT_EQ(uses(three + "void main() { if (a[0] > 3) { b[0] = 1; } else { c[0] = 1; } }"), "r w w");
    EXPECT_EQ(uses(three + "void main() { for (uint i = 0; i < a[0]; ++i) { b[i] = c[i]; } }"), "r w r");
    EXPECT_EQ(uses(three + "void main() { uint x; if (a[0] > 3) { x = 1; } if (x == 1) { b[0] = 1; } }"), "r w");
}

TEST(Reflection, Switches) {
    const std::string text = "layout(constant_id = 0) const uint KIND = 7;\n" + three +
                             "void main() {\n"
                             "    switch (KIND) {\n"
                             "    case 0: a[0] = 1; break;\n"
                             "    case 1: b[0] = 1; // falls through\n"
                             "    default: c[0] = 1;\n"
                             "    }\n"
                             "}\n";
    EXPECT_EQ(uses(text), "- - w");
    EXPECT_EQ(uses(text, {0}), "w - -");
    EXPECT_EQ(uses(text, {1}), "- w w");
}

TEST(Reflection, FunctionArguments) {
    const std::string text = "layout(constant_id = 0) const bool TWO = false;\n" + three +
                             "uint load(bool second, uint i) { return second ? b[i] : a[i]; }\n"
                             "uint both(bool first) { if (first) { return load(false, 1); } return load(true, 2); }\n"
                             "void main() { c[0] = both(!TWO); }\n";
    EXPECT_EQ(uses(text), "r - w");
    EXPECT_EQ(uses(text, {1}), "- r w");
}

TEST(Reflection, FunctionVariables) {
    const std::string text = "layout(constant_id = 0) const uint KIND = 0;\n"
                             "bool seen = KIND == 1;\n" +
                             three +
                             "void find(out bool found, bool value) { found = value; }\n"
                             "void main() {\n"
                             "    bool found;\n"
                             "    find(found, KIND == 2);\n"
                             "    for (uint i = 0; i < 3; ++i) { if (found) { a[i] = 1; } }\n"
                             "    if (seen) { b[0] = 1; }\n"
                             "    bool any = false;\n"
                             "    for (uint i = 0; i < 3; ++i) { if (any) { c[0] = 1; } any = KIND == 3; }\n"
                             "}\n";
    EXPECT_EQ(uses(text), "- - -");
    EXPECT_EQ(uses(text, {1}), "- w -");
    EXPECT_EQ(uses(text, {2}), "w - -");
    EXPECT_EQ(uses(text, {3}), "- - w");
}

TEST(Reflection, BranchesOnKnownPushConstants) {
    const std::string text = "layout(push_constant) uniform Push { uint n; uint list[2]; uint64_t wide; };\n" + three +
                             "void main() {\n"
                             "    if (n != 0) { a[0] = 1; }\n"
                             "    if (list[1] == 5) { b[0] = 1; }\n"
                             "    if (wide != 0) { c[0] = 1; }\n"
                             "}\n";
    EXPECT_EQ(uses(text), "w w w");
    EXPECT_EQ(uses(text, {}, {0, 5, 4, 0, 0, 0}), "- - w");
    EXPECT_EQ(uses(text, {}, {std::nullopt, 0, 5, 0, 0, 0}), "w w w");
    EXPECT_EQ(uses(text, {}, {1, 0, 0}), "w - w");
}

TEST(Reflection, BranchesOnWorkgroupSize) {
    const std::string text = "layout(local_size_x_id = 0) in;\n" + three +
                             "void main() { if (gl_WorkGroupSize.x > 64) { a[0] = 1; } else { b[0] = 1; } }";
    const auto with = [&](const Words& constants) { return uses(reflect(plain(text), constants)); };
    EXPECT_EQ(with({64}), "- w");
    EXPECT_EQ(with({65}), "w -");
}

TEST(Reflection, WorkgroupSizes) {
    using Size = std::array<std::optional<std::uint32_t>, 3>;
    const auto both = [](const std::string& text, const Words& constants) {
        const Size plainly = reflect(plain(text), constants).workgroup_size;
        EXPECT_EQ(reflect(optimized(text), constants).workgroup_size, plainly);
        return plainly;
    };
    EXPECT_EQ(both("layout(local_size_y = 5) in; void main() {}", {}), (Size{1, 5, 1}));
    const std::string sized = "layout(local_size_x_id = 1, local_size_z_id = 0) in;"
                              "layout(set = 0, binding = 0) buffer A { uint a[]; };"
                              "void main() { a[0] = gl_WorkGroupSize.x; }";
    EXPECT_EQ(both(sized, {7, 0}), (Size{0, 1, 7}));
    EXPECT_EQ(both(sized, {~0U, 1U << 20U}), (Size{1U << 20U, 1, ~0U}));
    EXPECT_EQ(both(sized, {}), (Size{1, 1, 1}));
    EXPECT_EQ(reflect({}, {}).workgroup_size, Size{});
}

/// Returns the components of the workgroup's place that are read, "/", those of NumWorkgroups, and " loop" for a loop.
std::string place(const std::string& text, const Words& constants = {}) {
    const auto describe = [](const Reflection& found) {
        EXPECT_TRUE(found.followed);
        const auto letters = [](std::uint8_t components) {
            return concat((components & 1) != 0 ? "x" : "", (components & 2) != 0 ? "y" : "",
                          (components & 4) != 0 ? "z" : "");
        };
        return concat(letters(found.place), "/", letters(found.group_counts), found.loops ? " loop" : "");
    };
    std::string of_plain = describe(reflect(plain(text), constants));
    EXPECT_EQ(describe(reflect(optimized(text), constants)), of_plain) << text;
    return of_plain;
}

TEST(Reflection, WorkgroupPlaceComponents) {
    const auto in_main = [](const std::string& body) { return place(three + "void main() { " + body + " }\n"); };
    EXPECT_EQ(in_main("a[0] = gl_LocalInvocationIndex + gl_LocalInvocationID.y;"), "/");
    EXPECT_EQ(in_main("a[gl_GlobalInvocationID.x] = 1;"), "x/");
    EXPECT_EQ(in_main("a[gl_WorkGroupID.x + gl_LocalInvocationID.y] = 1;"), "x/");
    EXPECT_EQ(in_main("a[gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x] = 1;"), "xy/x");
    EXPECT_EQ(in_main("a[gl_WorkGroupID.x] = gl_GlobalInvocationID.z;"), "xz/");
    EXPECT_EQ(in_main("a[gl_WorkGroupID[a[1]]] = 1;"), "xyz/");
    EXPECT_EQ(in_main("uvec3 at = gl_GlobalInvocationID; a[at.x] = 1;"), "x/");
    EXPECT_EQ(in_main("ivec3 at = ivec3(gl_GlobalInvocationID); a[at.x] = 1;"), "x/");
    EXPECT_EQ(in_main("uvec3 at = gl_GlobalInvocationID; if (a[1] == 0) { at = gl_NumWorkGroups; } a[at.x] = 1;"),
              "xyz/xyz");
    EXPECT_EQ(in_main("uvec2 at = gl_GlobalInvocationID.xy; a[at.x + at.y] = 1;"), "xy/");
    EXPECT_EQ(in_main("uvec2 at = gl_GlobalInvocationID.xz; a[at.x + at.y] = 1;"), "xz/");
    EXPECT_EQ(in_main("a[uint(dot(vec3(gl_WorkGroupID), vec3(1)))] = 1;"), "xyz/");
    EXPECT_EQ(in_main("a[0] = gl_NumWorkGroups.y;"), "/y");
    EXPECT_EQ(in_main("for (uint i = gl_GlobalInvocationID.x; i < b[0]; i += gl_NumWorkGroups.x) { a[i] = c[i]; }"),
              "x/x loop");
}

TEST(Reflection, WorkgroupPlaceInFunctionsAndBranches) {
    const std::string text = "layout(constant_id = 0) const bool BOTH = false;\n" + three +
                             "uint row(uvec3 at) { return BOTH ? at.y : 0; }\n"
                             "uint number(uvec3 at) { return row(at) + at.x; }\n"
                             "void main() { if (BOTH) { a[number(gl_WorkGroupID)] = 1; } else { a[gl_WorkGroupID.x] = "
                             "1; } }\n";
    EXPECT_EQ(place(text), "x/");
    EXPECT_EQ(place(text, {1}), "xy/");
}

TEST(Reflection, ResourceKinds) {
    const Reflection found = reflect(
        plain("layout(set = 3, binding = 0) uniform U { uint u; };\n"
              "layout(binding = 1, r32ui) uniform uimage2D stored;\n"
              "layout(binding = 2) uniform texture2D sampled;\n"
              "layout(binding = 3) uniform sampler how;\n"
              "layout(binding = 4) uniform sampler2D both;\n"
              "layout(binding = 5) buffer B { uint b[]; } several[2];\n"
              "layout(binding = 6) buffer Block { uint data[]; } variable;\n"
              "layout(binding = 7, r32ui) uniform uimageBuffer texels;\n"
              "layout(binding = 8) buffer Never { uint never[]; };\n"
              "void main() {\n"
              "    imageStore(stored, ivec2(0), uvec4(imageAtomicAdd(stored, ivec2(1), 1u)));\n"
              "    variable.data[0] = uint(texture(sampler2D(sampled, how), vec2(0)).x) + u + several[1].b[0];\n"
              "    variable.data[1] = uint(textureLod(both, vec2(0), 0).x) + imageLoad(texels, 0).x;\n"
              "    variable.data[2] = imageSize(stored).x + textureSize(both, 0).x;\n"
              "}\n"));
    EXPECT_TRUE(found.followed);
    std::string text;
    for (const auto& resource : found.resources) {
        text += concat(resource.set, " ", resource.binding, " ", resource.is_array ? "array of " : "",
                       to_string(resource.kind), " ", resource.name, resource.used ? " used" : "",
                       resource.read ? " read" : "", resource.written ? " written" : "", "\n");
    }
    EXPECT_EQ(text, "0 1 storage image stored used read written\n"
                    "0 6 storage buffer variable used written\n"
                    "0 2 sampled image sampled used read\n"
                    "0 3 sampler how used read\n"
                    "3 0 uniform buffer U used read\n"
                    "0 5 array of storage buffer several used read\n"
                    "0 4 combined image sampler both used read\n"
                    "0 7 resource texels used read\n");
}

TEST(Reflection, VariablesSharingABinding) {
    EXPECT_EQ(uses("layout(binding = 0) readonly buffer A { uint a[]; };\n"
                   "layout(binding = 0) writeonly buffer B { uvec4 b[]; };\n"
                   "void main() { b[0] = uvec4(a[4]); }"),
              "rw");
}

TEST(Reflection, BufferReferencesBindNothing) {
    EXPECT_EQ(uses("layout(buffer_reference) buffer Far { uint far[]; };\n"
                   "layout(push_constant) uniform Push { Far address; };\n"
                   "layout(binding = 1) buffer B { uint b[]; };\n"
                   "void main() { address.far[0] = b[0]; }"),
              "- r");
}

TEST(Reflection, TooManyResourcesAreNotFollowed) {
    std::string text, body;
    for (int i = 0; i < 65; ++i) {
        text += concat("layout(binding = ", i, ") buffer B", i, " { uint b", i, "[]; };\n");
        body += concat("b", i, "[0] = 1;\n");
    }
    const Reflection found = reflect(plain(text + "void main() {" + body + "}"));
    EXPECT_FALSE(found.followed);
    EXPECT_EQ(found.resources.size(), 65U);
}

TEST(Reflection, PushConstantSizes) {
    const auto bytes = [](const std::string& members, const std::string& use) {
        const std::string text = "struct Pair { uint x; uvec2 y; };\n"
                                 "layout(constant_id = 0) const uint COUNT = 2;\n"
                                 "layout(push_constant) uniform Push { " +
                                 members + " };\n" + three + "void main() { a[0] = uint(" + use + "); }";
        const std::uint64_t of_plain = reflect(plain(text)).push_bytes;
        EXPECT_EQ(reflect(optimized(text)).push_bytes, of_plain);
        return of_plain;
    };
    EXPECT_EQ(bytes("uint x;", "x"), 4U);
    EXPECT_EQ(bytes("uint x;", "1"), 0U); // not used at all
    EXPECT_EQ(bytes("uint x; uint y[5];", "x"), 24U);
    EXPECT_EQ(bytes("uint x; uvec3 y;", "x"), 28U);
    EXPECT_EQ(bytes("uvec3 x; uint y;", "x.x"), 16U);
    EXPECT_EQ(bytes("uint64_t x; uint y;", "x"), 12U);
    EXPECT_EQ(bytes("uint x; mat3 y;", "x"), 60U);                     // columns at 16, 32 and 48, of 12 bytes
    EXPECT_EQ(bytes("uint x; layout(row_major) mat3x2 y;", "x"), 44U); // rows at 16 and 32
    EXPECT_EQ(bytes("uint x; mat2 y[3];", "x"), 56U);                  // 3 of 16 bytes at 8
    EXPECT_EQ(bytes("uint x; Pair y[2];", "x"), 40U);                  // 2 of 16 bytes at 8
    EXPECT_EQ(bytes("layout(offset = 32) uint x;", "x"), 36U);
}

/// Assembles instructions, for modules that GLSL cannot express.
class Assembler {
public:
    explicit Assembler(std::uint32_t bound) : words_{0x07230203, 0x00010600, 0, bound, 0} {}
    Assembler& operator()(std::uint32_t operation, const Words& operands) {
        words_.push_back((static_cast<std::uint32_t>(operands.size()) + 1) << 16U | operation);
        words_.insert(words_.end(), operands.begin(), operands.end());
        return *this;
    }
    [[nodiscard]] const Words& words() const { return words_; }

private:
    Words words_;
};

/// Returns the beginning of a module with three storage buffers. Its ids: 1 is the function main (label 30); 2 is void;
/// 3 is the type of functions without parameters; 5 is the type of 32-bit integers and 6 of pointers to them; 7 to 9
/// are the buffers, with bindings 0 to 2; 10 and 11 are the constants 0 and 1; 12 is bool; 13 is the type of functions
/// with one pointer.
Assembler three_buffers() {
    Assembler assembler(64);
    assembler(15, {5, 1, 0x6e69616d, 0, 7, 8, 9});
    for (std::uint32_t i = 0; i < 3; ++i) {
        assembler(71, {7 + i, 34, 0})(71, {7 + i, 33, i});
    }
    assembler(71, {14, 2})(72, {14, 0, 35, 0});
    assembler(19, {2})(33, {3, 2})(21, {5, 32, 0})(32, {6, 12, 5})(20, {12})(33, {13, 2, 6});
    assembler(30, {14, 5})(32, {15, 12, 14})(43, {5, 10, 0})(43, {5, 11, 1});
    return assembler(59, {15, 7, 12})(59, {15, 8, 12})(59, {15, 9, 12});
}

TEST(Reflection, SwitchesOf64Bits) {
    for (const std::uint32_t high : {0, 1, 2}) {
        Assembler assembler = three_buffers();
        assembler(21, {16, 64, 0})(43, {16, 17, 5, high});
        assembler(54, {2, 1, 0, 3})(248, {30})(251, {17, 33, 5, 0, 31, 5, 1, 32});
        assembler(248, {31})(65, {6, 40, 7, 10})(62, {40, 11})(253, {});
        assembler(248, {32})(65, {6, 41, 8, 10})(62, {41, 11})(253, {});
        assembler(248, {33})(65, {6, 42, 9, 10})(62, {42, 11})(253, {})(56, {});
        EXPECT_EQ(uses(reflect(assembler.words())), high == 0 ? "w - -" : high == 1 ? "- w -" : "- - w");
    }
}

TEST(Reflection, SelectedPointers) {
    Assembler assembler = three_buffers();
    assembler(54, {2, 1, 0, 3})(248, {30});
    assembler(65, {6, 40, 7, 10})(65, {6, 41, 8, 10})(65, {6, 42, 9, 10});
    assembler(61, {5, 43, 40})(170, {12, 44, 43, 10}); // a == 0
    assembler(169, {6, 45, 44, 41, 42})(62, {45, 11}); // (a == 0 ? &b : &c) = 1
    assembler(253, {})(56, {});
    EXPECT_EQ(uses(reflect(assembler.words())), "r w w");
}

TEST(Reflection, PointersInPhi) {
    Assembler assembler = three_buffers();
    assembler(54, {2, 1, 0, 3})(248, {30});
    assembler(65, {6, 40, 7, 10})(65, {6, 41, 8, 10})(249, {31});
    assembler(248, {31})(245, {6, 42, 40, 30, 43, 31})(83, {6, 43, 42}); // phi of a and itself
    assembler(62, {43, 11})(61, {5, 44, 41})(170, {12, 45, 44, 10});
    assembler(246, {32, 31, 0})(250, {45, 31, 32})(248, {32})(253, {})(56, {});
    EXPECT_EQ(uses(reflect(assembler.words())), "w r");
}

TEST(Reflection, PointersAsArguments) {
    Assembler assembler = three_buffers();
    assembler(54, {2, 1, 0, 3})(248, {30});
    assembler(65, {6, 40, 7, 10})(65, {6, 41, 8, 10});
    assembler(57, {2, 42, 20, 40})(57, {2, 43, 21, 41})(253, {})(56, {});
    assembler(54, {2, 20, 0, 13})(55, {6, 50})(248, {33})(62, {50, 11})(253, {})(56, {});    // stores
    assembler(54, {2, 21, 0, 13})(55, {6, 51})(248, {34})(61, {5, 52, 51})(253, {})(56, {}); // loads
    assembler(54, {2, 22, 0, 13})(55, {6, 53})(248, {35})(63, {53, 9})(253, {})(56, {});     // is not called
    EXPECT_EQ(uses(reflect(assembler.words())), "w r");
}

TEST(Reflection, Copies) {
    Assembler assembler = three_buffers();
    assembler(54, {2, 1, 0, 3})(248, {30})(63, {7, 8})(253, {})(56, {});
    EXPECT_EQ(uses(reflect(assembler.words())), "w r");
}

TEST(Reflection, RecursionIsNotFollowed) {
    Assembler assembler = three_buffers();
    assembler(54, {2, 1, 0, 3})(248, {30})(57, {2, 40, 1})(62, {7, 11})(253, {})(56, {});
    const Reflection found = reflect(assembler.words());
    EXPECT_FALSE(found.followed);
    EXPECT_EQ(found.resources.size(), 1U);
}

TEST(Reflection, ExponentialCallsAreNotFollowed) {
    Assembler assembler = three_buffers();
    assembler(54, {2, 1, 0, 3})(248, {30})(57, {2, 63, 16})(253, {})(56, {});
    for (std::uint32_t i = 0; i < 40; ++i) { // ids are used twice, which does not matter here
        const std::uint32_t next = 17 + i;
        assembler(54, {2, 16 + i, 0, 3})(248, {59})(57, {2, 60, next})(57, {2, 61, next})(253, {})(56, {});
    }
    EXPECT_FALSE(reflect(assembler.words()).followed);
}

/// Returns kernels of Weir and a module that is compiled without optimization.
std::vector<Words> samples() {
    std::vector<Words> list;
    for (const Packed& shader : {shaders::dispatch_arguments, shaders::reduce_u32, shaders::scan_u32_segmented}) {
        list.push_back(unpack_words(shader));
    }
    list.push_back(plain("layout(constant_id = 0) const uint KIND = 0;\n"
                         "layout(push_constant) uniform Push { uint n; mat3 m[2]; };\n" +
                         three +
                         "layout(binding = 3, r32ui) uniform uimage2D image;\n"
                         "void f(inout uint x) { switch (x + n) { case 1: x = a[0]; case 2: b[x] = 1; } }\n"
                         "void main() {\n"
                         "    uint x = KIND; f(x); if (KIND == 3) { imageStore(image, ivec2(0), uvec4(x)); }\n"
                         "    for (uint i = 0; i < 3; ++i) { f(x); c[i] = x; }\n"
                         "}\n"));
    return list;
}

TEST(Reflection, BrokenModulesDoNotCrash) {
    std::mt19937 random(1); // NOLINT(bugprone-random-generator-seed): the same modules every time
    const std::vector<Words> modules = samples();
    const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random() % end); };
    for (int i = 0; i < 6000; ++i) {
        Words words = modules[below(modules.size())];
        for (std::size_t changes = below(8); changes-- > 0;) {
            std::uint32_t& word = words[below(words.size())];
            switch (below(4)) {
            case 0: word ^= 1U << below(32); break;
            case 1: word = words[below(words.size())]; break;
            case 2: word = static_cast<std::uint32_t>(below(words[3] & 0xffffU ? words[3] & 0xffffU : 1)); break;
            default: word = (word & 0xffff0000U) | (words[below(words.size())] & 0xffffU); break;
            }
        }
        if (below(4) == 0) {
            words.resize(below(words.size()));
        }
        (void)reflect(words, {{1, 2, 3, 0, 0, 1}}, {{std::nullopt, 1, 2}});
    }
}

TEST(Reflection, TruncatedModulesDoNotCrash) {
    const Words words = samples().back();
    for (std::size_t size = 0; size < words.size(); ++size) {
        (void)reflect(std::span(words).first(size));
    }
}

} // namespace
} // namespace weir::tests::reflection_test
