#pragma once

// Passes and small programs that several tests of programs use.

#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <weir/graph/program.hpp>

#include "tests/support/buffers.hpp"

namespace weir::tests {

using Values = std::vector<std::uint32_t>;
using WordRef = BufferRef<std::uint32_t>;

/// out[i] = in[i] + add for i < n.
inline const char* const add_source = R"(#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer In { uint source[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result[]; };
layout(push_constant) uniform Push { uint n; uint add; };
void main() {
    const uint i = gl_GlobalInvocationID.x;
    if (i < n) {
        result[i] = source[i] + add;
    }
})";

/// data[i] += 1 for 64 elements.
inline const char* const increment_source = R"(#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
void main() { data[gl_GlobalInvocationID.x] += 1; })";

inline Pass add_pass(const WordRef& in, const WordRef& out, const PushWord& n, std::uint32_t add) {
    Pass pass;
    pass.name = "add";
    pass.shader = ShaderSource::glsl(add_source, "add.comp");
    pass.bindings = {read(in), write(out)};
    pass.push = {n, add};
    pass.dispatch = Dispatch::elements(
        std::holds_alternative<Count>(n) ? std::get<Count>(n) : Count(std::get<std::uint32_t>(n)), 64);
    return pass;
}

/// A pass of one workgroup.
inline Pass simple_pass(const std::string& name, const char* source, std::vector<Binding> bindings) {
    Pass pass;
    pass.name = name;
    pass.shader = ShaderSource::glsl(source, name);
    pass.bindings = std::move(bindings);
    pass.dispatch = Dispatch::groups(1);
    return pass;
}

inline Values plus(Values values, std::uint32_t add) {
    for (std::uint32_t& value : values) {
        value += add;
    }
    return values;
}

/// out = in + add; both are imports of `capacity` elements.
struct Adder {
    explicit Adder(std::uint32_t capacity = 1000, std::uint32_t add = 1, const CompileOptions& options = {}) {
        Graph graph(test_context());
        n = graph.parameter("n", capacity);
        in = graph.import_buffer<std::uint32_t>("in", capacity);
        out = graph.import_buffer<std::uint32_t>("out", capacity);
        graph.add_pass(add_pass(in, out, n, add));
        graph.export_buffer(out);
        program.emplace(ok(compile(test_context(), graph, options)));
    }
    WordRef in, out;
    Count n;
    std::optional<Program> program;
};

template <class T>
void expect_error(const Result<T>& result, ErrorCode code, const testing::Matcher<std::string>& message) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, code) << result.error().message;
    EXPECT_THAT(result.error().message, message);
}

} // namespace weir::tests
