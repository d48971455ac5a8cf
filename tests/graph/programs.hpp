#pragma once

// Graphs, passes and small programs that several tests of programs use.

#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <weir/graph/program.hpp>

#include "tests/support/buffers.hpp"

namespace weir::tests {

using Values = std::vector<std::uint32_t>;
using WordRef = BufferRef<std::uint32_t>;

/// A graph of buffers of words.
struct WordGraph : Graph {
    explicit WordGraph(const Context& context = test_context()) : Graph(context) {}
    explicit WordGraph(const Capabilities& device) : Graph(device) {}

    WordRef import(const std::string& name, std::uint32_t words = 64, const Accesses& arrives = Access::any) {
        return import_buffer<std::uint32_t>(name, words, {}, arrives);
    }
    WordRef import(const std::string& name, std::uint32_t words, const Count& n,
                   const Accesses& arrives = Access::any) {
        return import_buffer<std::uint32_t>(name, words, n, arrives);
    }
    WordRef transient(const std::string& name, std::uint32_t words = 64, std::optional<Count> n = {}) {
        return transient_buffer<std::uint32_t>(name, words, n);
    }
    WordRef state(const std::string& name, std::uint32_t words = 64) {
        return state_buffer<std::uint32_t>(name, words);
    }
    History<std::uint32_t> history(const std::string& name, std::uint32_t words = 64) {
        return history_buffer<std::uint32_t>(name, words);
    }
    void add_pass_on(QueueKind queue, Pass pass, SourceLocation where = SourceLocation::current()) {
        const auto scope = on_queue(queue);
        add_pass(std::move(pass), where);
    }
};

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

/// data[i] += 1 for 64 elements.
inline Pass increment(const WordRef& data, const std::string& name = "increment") {
    return simple_pass(name, increment_source, {read_write(data)});
}

/// A graph that increments its import `data`.
struct IncrementGraph : WordGraph {
    explicit IncrementGraph(const Context& context = test_context(), QueueKind queue = QueueKind::main)
        : WordGraph(context) {
        add_pass_on(queue, increment(data));
    }
    WordRef data = import("data");
};

/// data[i] += 1 for 64 elements in binding 0 of a descriptor set of the application.
inline const char* const increment_set_source = R"(#version 460
layout(local_size_x = 64) in;
layout(set = 1, binding = 0) buffer Data { uint data[]; };
void main() { data[gl_GlobalInvocationID.x] += 1; })";

inline Pass increment_through(DescriptorSetId set, const WordRef& data) {
    Pass pass = simple_pass("increment", increment_set_source, {});
    pass.sets = {set};
    pass.uses = {{data, Access::shader_read_write}};
    return pass;
}

/// A pass that runs `statement` for each i < n. In the statement, each buffer has a name, and so has each push
/// constant.
inline Pass word_pass(const std::string& name, const std::vector<std::pair<std::string, Binding>>& buffers,
                      const std::string& statement, const Count& n = 64U,
                      const std::vector<std::pair<std::string, PushWord>>& push = {}) {
    Pass pass = simple_pass(name, "", {});
    std::string text = "layout(local_size_x = 64) in;\n";
    for (const auto& [buffer, binding] : buffers) {
        const std::string number = std::to_string(pass.bindings.size());
        text += "layout(binding = " + number + ") buffer Buffer" + number + " { uint " + buffer + "[]; };\n";
        pass.bindings.push_back(binding);
    }
    text += "layout(push_constant) uniform Push { uint n;";
    pass.push = {n};
    for (const auto& [word, value] : push) {
        text += " uint " + word + ";";
        pass.push.push_back(value);
    }
    text += " };\nvoid main() {\n    const uint i = gl_GlobalInvocationID.x;\n    if (i < n) { " + statement + " }\n}";
    pass.shader = ShaderSource::glsl(text, name);
    pass.dispatch = Dispatch::elements(n, 64);
    return pass;
}

inline Values plus(Values values, std::uint32_t add) {
    for (std::uint32_t& value : values) {
        value += add;
    }
    return values;
}

using Buffers = std::initializer_list<std::pair<BufferId, BufferView>>;

/// Binds buffers to imports.
inline void bind_all(Program& program, Buffers buffers) {
    for (const auto& [import, buffer] : buffers) {
        ok(program.bind(import, buffer));
    }
}
/// Binds buffers to imports, and runs the program.
inline void run_with(Program& program, Buffers buffers) {
    bind_all(program, buffers);
    ok(program.run());
}

/// Runs the program on a buffer of `values`, which is bound to `import`. Returns its contents afterwards.
inline Values run_on(Program& program, const WordRef& import, const Values& values) {
    const Buffer buffer = buffer_of(values);
    run_with(program, {{import, buffer}});
    return contents(buffer, values.size());
}

/// out = in + add; both are imports of `capacity` elements.
struct Adder {
    explicit Adder(std::uint32_t capacity = 1000, std::uint32_t add = 1, const CompileOptions& options = {}) {
        WordGraph graph;
        n = graph.parameter("n", capacity);
        in = graph.import("in", capacity);
        out = graph.import("out", capacity);
        graph.add_pass(add_pass(in, out, n, add));
        graph.export_buffer(out);
        program.emplace(ok(compile(test_context(), graph, options)));
    }
    WordRef in, out;
    Count n;
    std::optional<Program> program;
};

/// Returns the number of passes of a plan, without those that are culled.
inline std::size_t count_passes(const Plan& plan) {
    std::size_t passes = 0;
    for (const PlanGroup& group : plan.groups) {
        passes += group.passes.size();
    }
    return passes;
}

/// Returns a new buffer of `context` that holds `values`.
inline Buffer buffer_on(const Context& context, const Values& values) {
    Buffer buffer = ok(context.create_buffer(values.size() * 4));
    ok(context.upload(buffer, values));
    return buffer;
}

template <class T>
void expect_error(const Result<T>& result, ErrorCode code, const testing::Matcher<std::string>& message) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, code) << result.error().message;
    EXPECT_THAT(result.error().message, message);
}

} // namespace weir::tests
