// Descriptors of every mode, and buffer addresses.

#include "tests/graph/programs.hpp"
#include "tests/support/commands.hpp"
#include "tests/support/descriptor_modes.hpp"

#include "engine/device/device.hpp"

namespace weir::tests::descriptors_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const Capabilities& device() {
    return test_context().capabilities();
}

TEST(ProgramDescriptors, PendingRecordingsWithDifferentBuffers) {
    for (const DescriptorMode mode : descriptor_modes(device())) {
        SCOPED_TRACE(to_string(mode));
        Adder adder(1000, 1, {.frames_in_flight = 3, .descriptors = mode});
        EXPECT_EQ(adder.program->descriptors(), mode);
        const Context& context = test_context();
        Commands host(ContextAccess::device(context)->vk(), context.device(), context.queue(), context.queue_family());
        std::vector<Values> inputs;
        std::vector<Buffer> from, to;
        std::vector<VkCommandBuffer> recorded;
        for (std::uint32_t frame = 0; frame < 3; ++frame) {
            inputs.push_back(Random(frame).vector(1000));
            from.push_back(buffer_of(inputs.back()));
            to.push_back(poisoned_buffer(1000));
            ok(adder.program->bind(adder.in, from.back()));
            ok(adder.program->bind(adder.out, to.back()));
            recorded.push_back(host.begin());
            ok(adder.program->record(recorded.back()));
            host.end(recorded.back());
        }
        for (const VkCommandBuffer commands : recorded) {
            host.submit(commands);
        }
        host.wait();
        for (std::uint32_t frame = 0; frame < 3; ++frame) {
            EXPECT_EQ(contents(to[frame], 1000), plus(inputs[frame], 1)) << frame;
        }
    }
}

TEST(ProgramDescriptors, ContextSetsDefaultMode) {
    for (const DescriptorMode mode : descriptor_modes(device())) {
        ContextOptions options = validated();
        options.descriptors = mode;
        const Context context = ok(Context::create(options));
        Graph graph(context);
        const WordRef data = graph.import_buffer<std::uint32_t>("data", 64);
        graph.add_pass(simple_pass("increment", increment_source, {read_write(data)}));
        const Program usual = ok(compile(context, graph));
        EXPECT_EQ(usual.descriptors(), mode);
        const Program other = ok(compile(context, graph, {.descriptors = DescriptorMode::sets}));
        EXPECT_EQ(other.descriptors(), DescriptorMode::sets);
    }
}

TEST(ProgramDescriptors, TooManyPushDescriptors) {
    Graph graph(test_context());
    Pass pass = simple_pass("many", increment_source, {});
    for (std::uint32_t i = 0; i <= device().max_push_descriptors; ++i) {
        pass.bindings.push_back(read_write(graph.import_buffer<std::uint32_t>(std::to_string(i), 64)));
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
        Graph graph(test_context());
        const HostData start = graph.host_data("start", 4);
        const WordRef settings = graph.import_buffer<std::uint32_t>("settings", 4, {}, Access::none),
                      first = graph.transient_buffer<std::uint32_t>("first", 4),
                      out = graph.import_buffer<std::uint32_t>("out", 64);
        graph.add_update("update", start, first);
        graph.add_pass(simple_pass("pass", uniform_source, {uniform(settings), write(out), uniform(first)}));
        Program program = ok(compile(test_context(), graph, {.descriptors = mode}));
        const std::uint32_t step = std::max(device().uniform_offset_alignment, device().storage_offset_alignment);
        const Buffer both = ok(
            test_context().create_buffer(step + 16, {.usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, .name = "settings"}));
        ok(test_context().upload(BufferView{both.handle(), 0, 16}, Values{1, 1, 3, 1}));
        ok(test_context().upload(BufferView{both.handle(), step, 16}, Values{2, 2, 5, 2}));
        const Buffer to = poisoned_buffer(64);
        ok(program.bind(out, to));
        for (const std::uint32_t factor : {3U, 5U}) {
            ok(program.bind(settings, {both.handle(), factor == 3 ? 0 : step, 16}));
            ok(program.set(start, factor + 1));
            ok(program.run());
            Values expected(64);
            for (std::uint32_t i = 0; i < 64; ++i) {
                expected[i] = factor * i + factor + 1;
            }
            EXPECT_EQ(contents(to, 64), expected);
        }
    }
}

TEST(ProgramDescriptors, UniformBufferLimits) {
    Capabilities limits = device();
    limits.max_uniform_range = 64;
    limits.uniform_offset_alignment = 512;
    for (const std::uint32_t words : {16U, 17U}) {
        Graph graph(limits);
        const WordRef settings = graph.import_buffer<std::uint32_t>("settings", words),
                      out = graph.import_buffer<std::uint32_t>("out", 64);
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
        in = graph.import_buffer<std::uint32_t>("in", n);
        out = graph.import_buffer<std::uint32_t>("out", n);
        const WordRef wide = graph.transient_buffer<std::uint32_t>("wide", wide_words);
        graph.add_pass(by_address("there", by_address_source, {}, {read(in), write(wide)}, n, stride));
        graph.add_pass(by_address("back", back_source, {write(out)}, {read(wide)}, n, stride));
    }

    static constexpr std::uint32_t n = 100;
    Graph graph;
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
        ok(program.bind(detour.out, to));
        ok(program.run());
        EXPECT_EQ(contents(to, Detour::n), plus(Values(input.begin() + 64, input.end()), 1));
    }
}

TEST(ProgramAddresses, UnusedBufferIsRejected) {
    Capabilities limits = device();
    limits.buffer_address = true;
    Graph graph(limits);
    const WordRef data = graph.import_buffer<std::uint32_t>("data", 64);
    graph.add_pass(by_address("idle", by_address_source, {}, {unused(data), write(data)}, 1, 1));
    expect_error(compile(test_context(), graph), ErrorCode::invalid_graph,
                 AllOf(HasSubstr("'idle'"), HasSubstr("'data'"), HasSubstr("no use")));
}

} // namespace
} // namespace weir::tests::descriptors_test
