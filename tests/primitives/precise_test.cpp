#include "primitives/kernel/precise.hpp"

#include <algorithm>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include <weir/engine/shader.hpp>
#include <weir/primitives/scan.hpp>

#include "primitives/kernel/kernel_text.hpp"
#include "primitives/scan/scan_pass.hpp"
#include "tests/support/result.hpp"

namespace weir::tests::precise_test {
namespace {

TEST(Precise, FunctionsBecomePrecise) {
    const std::map<std::string, std::string> cases{
        {"", ""},
        {"float f(float x) { return x; }", "precise float f(float x) { return x; }"},
        {"\n  vec2 f()\n{ if (a) { b(); } }\nT g(T x) {}",
         "\n  precise vec2 f()\n{ if (a) { b(); } }\nprecise T g(T x) {}"},
        {"precise float f() { return 1.0; }", "precise float f() { return 1.0; }"},
        {"void f(out float x) { x = 1; }", "void f(out float x) { x = 1; }"},
        {"float f(float x);\nconst float c = f(2.0);\nfloat g() {}",
         "float f(float x);\nconst float c = f(2.0);\nprecise float g() {}"},
        {"struct S { float x; };\nS f() {}", "struct S { float x; };\nprecise S f() {}"},
        {"#define F(x) { x }\n#define G(x) \\\n  (x) {\nfloat f() {}",
         "#define F(x) { x }\n#define G(x) \\\n  (x) {\nprecise float f() {}"},
        {"// f() {\n/* g() { */ float h() {}", "// f() {\n/* g() { */ precise float h() {}"},
        {"float f() /* no */ // one\n {}", "precise float f() /* no */ // one\n {}"},
        {"/* no end", "/* no end"},
        {"float f(", "float f("},
        {"} float f() {}", "} float f() {}"},
        {"voidness f() {} preciseness g() {}", "precise voidness f() {} precise preciseness g() {}"},
    };
    for (const auto& [text, expected] : cases) {
        EXPECT_EQ(with_precise_functions(text), expected);
    }
}

/// Returns the number of results of floating-point arithmetic and fused multiply-adds that lack NoContraction.
std::size_t contractible(const std::vector<std::uint32_t>& words) {
    constexpr std::uint32_t extended = 12, decorate = 71, no_contraction = 42, fma = 50;
    std::set<std::uint32_t> results, decorated;
    for (std::size_t at = 5; at < words.size(); at += words[at] >> 16) {
        const std::uint32_t opcode = words[at] & 0xFFFF;
        const bool is_arithmetic = opcode == 127 || opcode == 129 || opcode == 131 || opcode == 133 || opcode == 136 ||
                                   opcode == 140 || opcode == 141 || (opcode >= 142 && opcode <= 148);
        if (is_arithmetic || (opcode == extended && words[at + 4] == fma)) {
            results.insert(words[at + 2]);
        } else if (opcode == decorate && words[at + 2] == no_contraction) {
            decorated.insert(words[at + 1]);
        }
    }
    std::vector<std::uint32_t> left;
    std::ranges::set_difference(results, decorated, std::back_inserter(left));
    return left.size();
}

// The owner of a tile and a fallback that computes the tile must round alike. Without NoContraction, a compiler may
// contract a product and a sum in one place and not in the other.
TEST(Precise, ScanFunctionsAreNotContracted) {
    FusedScan fused;
    fused.monoid = {.name = "affine",
                    .fields = {"float a", "vec2 b"},
                    .functions =
                        "float scale(float x) { for (uint i = 0u; i < 3u; ++i) { x = x * x + 0.3; } return x; }",
                    .identity = "T(1.0, vec2(0.0))",
                    .combine = "return T(scale(right.a) * left.a - 1.0, right.a * left.b + right.b);"};
    fused.buffers = {{"float x[]", {{}, Access::shader_read}}, {"float y[]", {{}, Access::shader_write}}};
    fused.load = "const float z = x[i] * x[i + 1u] + scale(x[i + 2u]);\nreturn T(z, mat2(z) * vec2(z * 3.0 + 1.0));";
    fused.store = "y[i] = inclusive.a;";
    const std::string functions = fused_functions(fused, 0);
    const std::string main = "layout(local_size_x = 1) in;\n"
                             "void main() {\n"
                             "    T sum = weir_identity();\n"
                             "    for (uint i = 0u; i < 5u; ++i) { sum = weir_combine(sum, load(i)); }\n"
                             "    store(0u, sum, sum, sum, 5u, false);\n"
                             "}\n";
    const auto words = ok(compile_shader(ShaderSource::glsl(glsl_version() + functions + main)));
    EXPECT_EQ(contractible(words), 0U);
}

} // namespace
} // namespace weir::tests::precise_test
