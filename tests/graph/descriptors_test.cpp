// Descriptors of every mode, and buffer addresses.

#include <algorithm>

#include "tests/graph/programs.hpp"
#include "tests/graph/recorder.hpp"
#include "tests/support/descriptor_modes.hpp"

namespace weir::tests::descriptors_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const Capabilities& device() {
    return test_context().capabilities();
}

TEST(ProgramDescriptors, PendingRecordingsKeepBuffersAndParameters) {
    constexpr std::uint32_t frames = 4;
    for (const DescriptorMode mode : descriptor_modes(device())) {
        SCOPED_TRACE(to_string(mode));
        Adder adder(1000, 1, {.frames_in_flight = frames, .descriptors = mode});
        EXPECT_EQ(adder.program->descriptors(), mode);
        Recorder host;
        std::vector<Values> inputs;
        std::vector<Buffer> from, to;
        std::vector<VkCommandBuffer> recorded;
        for (std::uint32_t frame = 0; frame < frames; ++frame) {
            inputs.push_back(Random(frame).vector(1000));
            from.push_back(buffer_of(inputs.back()));
            to.push_back(poisoned_buffer(1000));
            bind_all(*adder.program, {{adder.in, from.back()}, {adder.out, to.back()}});
            ok(adder.program->set(adder.n, 1000 - 100 * frame));
            recorded.push_back(host.record(*adder.program));
        }
        for (const VkCommandBuffer commands : recorded) {
            host.submit(commands);
        }
        host.wait();
        for (std::uint32_t frame = 0; frame < frames; ++frame) {
            Values expected = plus(inputs[frame], 1);
            std::fill(expected.end() - 100 * frame, expected.end(), 0xA5A5A5A5);
            EXPECT_EQ(contents(to[frame], 1000), expected) << frame;
        }
    }
}

TEST(ProgramDescriptors, ContextSetsDefaultMode) {
    for (const DescriptorMode mode : descriptor_modes(device())) {
        ContextOptions options = validated();
        options.descriptors = mode;
        const Context context = ok(Context::create(options));
        const IncrementGraph graph(context);
        const Program usual = ok(compile(context, graph));
        EXPECT_EQ(usual.descriptors(), mode);
        const Program other = ok(compile(context, graph, {.descriptors = DescriptorMode::sets}));
        EXPECT_EQ(other.descriptors(), DescriptorMode::sets);
    }
}

TEST(ProgramDescriptors, TooManyPushDescriptors) {
    WordGraph graph;
    Pass pass = simple_pass("many", increment_source, {});
    for (std::uint32_t i = 0; i <= device().max_push_descriptors; ++i) {
        pass.bindings.push_back(read_write(graph.import(std::to_string(i), 64)));
    }
    graph.add_pass(pass);
    expect_error(compile(test_context(), graph, {.descriptors = DescriptorMode::push}), ErrorCode::unsupported,
                 HasSubstr("supports at most " + std::to_string(device().max_push_descriptors)));
}

/// out[i] = factor[2] * i + first
const char* const uniform_source = R"(#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform Settings { uvec4 factor; };
layout(set = 0, binding = 1) writeonly buffer Out { uint words[]; };
layout(set = 0, binding = 2) uniform Start { uint first; };
void main() { words[gl_GlobalInvocationID.x] = factor[2] * gl_GlobalInvocationID.x + first; })";

/// One uniform buffer is an import, the other is written by each execution.
TEST(ProgramDescriptors, UniformBuffers) {
    for (const DescriptorMode mode : descriptor_modes(device())) {
        SCOPED_TRACE(to_string(mode));
        WordGraph graph;
        const HostData start = graph.host_data("start", 4);
        const WordRef settings = graph.import("settings", 4, Access::none), first = graph.transient("first", 4),
                      out = graph.import("out");
        graph.add_update("update", start, first);
        graph.add_pass(simple_pass("pass", uniform_source, {uniform(settings), write(out), uniform(first)}));
        Program program = ok(compile(test_context(), graph, {.descriptors = mode}));
        const std::uint32_t step = std::max(device().uniform_offset_alignment, device().storage_offset_alignment);
        const Buffer both = ok(
            test_context().create_buffer(step + 16, {.usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, .name = "settings"}));
        ok(test_context().upload(BufferView{both.handle(), 0, 16}, Values{1, 1, 3, 1}));
        ok(test_context().upload(BufferView{both.handle(), step, 16}, Values{2, 2, 5, 2}));
        for (const std::uint32_t factor : {3U, 5U}) {
            ok(program.bind(settings, {both.handle(), factor == 3 ? 0 : step, 16}));
            ok(program.set(start, factor + 1));
            Values expected(64);
            for (std::uint32_t i = 0; i < 64; ++i) {
                expected[i] = factor * i + factor + 1;
            }
            EXPECT_EQ(run_on(program, out, poisoned(64)), expected);
        }
    }
}

TEST(ProgramDescriptors, UniformBufferLimits) {
    Capabilities limits = device();
    limits.max_uniform_range = 64;
    limits.uniform_offset_alignment = 512;
    for (const std::uint32_t words : {16U, 17U}) {
        WordGraph graph(limits);
        const WordRef settings = graph.import("settings", words), out = graph.import("out");
        graph.add_pass(simple_pass("pass", uniform_source, {uniform(settings), write(out), uniform(settings)}));
        auto program = compile(test_context(), graph);
        if (words > 16) {
            expect_error(program, ErrorCode::limit_exceeded,
                         HasSubstr("buffer 'settings' has 68 bytes; the device's limit is 64 "
                                   "(maxUniformBufferRange)"));
            continue;
        }
        const Buffer buffer = ok(test_context().create_buffer(1024, {.usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT}));
        expect_error(ok(std::move(program)).bind(settings, {buffer.handle(), 256, 64}), ErrorCode::invalid_argument,
                     HasSubstr("bind 'settings': offset 256 is not a multiple of 512"));
    }
}

/// to[i * stride] = from[i] + 1 for i < n.
const char* const by_address_source = R"(#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 64) in;
layout(buffer_reference, std430) readonly buffer In { uint words[]; };
layout(buffer_reference, std430) writeonly buffer Out { uint words[]; };
layout(push_constant) uniform Push { In from; Out to; uint n; uint stride; };
void main() {
    const uint i = gl_GlobalInvocationID.x;
    if (i < n) {
        to.words[i * stride] = from.words[i] + 1;
    }
})";

/// from[i * stride] -> to[i]
const char* const back_source = R"(#version 460
#extension GL_EXT_buffer_reference : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) writeonly buffer To { uint to[]; };
layout(buffer_reference, std430) readonly buffer In { uint words[]; };
layout(push_constant) uniform Push { In from; uint n; uint stride; };
void main() {
    const uint i = gl_GlobalInvocationID.x;
    if (i < n) {
        to[i] = from.words[i * stride];
    }
})";

Pass by_address(const std::string& name, const char* source, std::vector<Binding> bindings,
                std::vector<Binding> addressed, std::uint32_t n, std::uint32_t stride) {
    Pass pass = simple_pass(name, source, std::move(bindings));
    pass.addressed = std::move(addressed);
    pass.push = {n, stride};
    pass.dispatch = Dispatch::elements(n, 64);
    return pass;
}

/// out = in + 1, by way of a transient of `wide_words` words, in which elements are `stride` words apart.
struct Detour {
    Detour(const Capabilities& on, std::uint32_t wide_words, std::uint32_t stride) : graph(on) {
        in = graph.import("in", n);
        out = graph.import("out", n);
        const WordRef wide = graph.transient("wide", wide_words);
        graph.add_pass(by_address("there", by_address_source, {}, {read(in), write(wide)}, n, stride));
        graph.add_pass(by_address("back", back_source, {write(out)}, {read(wide)}, n, stride));
    }

    static constexpr std::uint32_t n = 100;
    WordGraph graph;
    WordRef in, out;
};

TEST(ProgramAddresses, BufferTooLargeToBind) {
    if (!device().buffer_address) {
        const Detour detour(device(), 1000, 10);
        expect_error(compile(test_context(), detour.graph), ErrorCode::unsupported,
                     AllOf(HasSubstr("'there'"), HasSubstr("bufferDeviceAddress")));
        return;
    }
    // If the device's limit is at most 2^28, the buffer exceeds it. Otherwise the graph is made for a lower limit,
    // because larger buffers need too much memory for test machines.
    Capabilities limits = device();
    limits.max_storage_range = std::min<std::uint64_t>(limits.max_storage_range, 1U << 28U);
    const auto wide_words = static_cast<std::uint32_t>(limits.max_storage_range / 4 + 1024);
    for (const DescriptorMode mode : descriptor_modes(device())) {
        SCOPED_TRACE(to_string(mode));
        const Detour detour(limits, wide_words, wide_words / Detour::n);
        Program program = ok(compile(test_context(), detour.graph, {.descriptors = mode}));
        const Values input = Random().vector(Detour::n + 64);
        const Buffer from = buffer_of(input), to = poisoned_buffer(Detour::n);
        ok(program.bind(detour.in, {from.handle(), 256, Detour::n * 4})); // an offset is part of the address
        run_with(program, {{detour.out, to}});
        EXPECT_EQ(contents(to, Detour::n), plus(Values(input.begin() + 64, input.end()), 1));
    }
}

TEST(ProgramAddresses, UnusedBufferIsRejected) {
    Capabilities limits = device();
    limits.buffer_address = true;
    WordGraph graph(limits);
    const WordRef data = graph.import("data");
    graph.add_pass(by_address("idle", by_address_source, {}, {unused(data), write(data)}, 1, 1));
    expect_error(compile(test_context(), graph), ErrorCode::invalid_graph,
                 AllOf(HasSubstr("'idle'"), HasSubstr("'data'"), HasSubstr("no use")));
}

} // namespace
} // namespace weir::tests::descriptors_test
