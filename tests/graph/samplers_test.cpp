// Samplers as separate bindings.

#include "tests/graph/programs.hpp"
#include "tests/support/descriptor_modes.hpp"
#include "tests/support/own_image.hpp"

namespace weir::tests::samplers_test {
namespace {

using testing::HasSubstr;

constexpr std::uint32_t side = 8, items = side * side;
constexpr ImageInfo info{.format = VK_FORMAT_R32_UINT, .extent = {side, side, 1}};

/// image[x, y] = y * 8 + x + 1
const char* const paint_source = R"(#version 460
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, r32ui) writeonly uniform uimage2D image;
void main() {
    const uvec2 at = gl_GlobalInvocationID.xy;
    imageStore(image, ivec2(at), uvec4(at.y * 8 + at.x + 1));
})";

/// Samples the texel half an image to the right with both samplers: result[i] = one + 1000 * other
const char* const sample_source = R"(#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform sampler one;
layout(set = 0, binding = 1) uniform utexture2D image;
layout(set = 0, binding = 2) writeonly buffer Out { uint result[]; };
layout(set = 0, binding = 3) uniform sampler other;
void main() {
    const uint i = gl_GlobalInvocationID.x;
    const vec2 at = (vec2(i % 8, i / 8) + 0.5) / 8.0 + vec2(0.5, 0);
    result[i] = textureLod(usampler2D(image, one), at, 0).x + 1000 * textureLod(usampler2D(image, other), at, 0).x;
})";

VkSamplerCreateInfo with(VkSamplerAddressMode mode) {
    return {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO, .addressModeU = mode};
}

struct Sampling {
    Sampling() {
        image = graph.transient_image("image", info);
        out = graph.import("out", items);
        graph.add_pass(simple_pass("paint", paint_source, {write(image)}));
        graph.add_pass(
            simple_pass("sample", sample_source, {sampler(repeating), sampled(image), write(out), sampler(clamping)}));
    }
    static Values expected() {
        Values values(items);
        for (std::uint32_t i = 0; i < items; ++i) {
            const std::uint32_t x = i % side + side / 2, row = i / side * side + 1;
            values[i] = row + x % side + 1000 * (row + std::min(x, side - 1));
        }
        return values;
    }

    const OwnSampler repeating{with(VK_SAMPLER_ADDRESS_MODE_REPEAT)};
    const OwnSampler clamping{with(VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE)};
    WordGraph graph;
    ImageId image;
    WordRef out;
};

TEST(Samplers, BoundWithoutImage) {
    const Sampling sampling;
    for (const DescriptorMode mode : descriptor_modes(test_context().capabilities())) {
        SCOPED_TRACE(to_string(mode));
        Program program = ok(compile(test_context(), sampling.graph, {.descriptors = mode}));
        for (int run = 0; run < 2; ++run) {
            EXPECT_EQ(run_on(program, sampling.out, poisoned(items)), Sampling::expected());
        }
    }
}

TEST(Samplers, NestedGraph) {
    const Sampling sampling;
    WordGraph graph;
    const WordRef out = graph.import("out", items);
    graph.add_graph(sampling.graph, {{sampling.out, out}}, "inner");
    Program program = ok(compile(test_context(), graph));
    EXPECT_EQ(run_on(program, out, poisoned(items)), Sampling::expected());
}

TEST(Samplers, Mistakes) {
    const OwnSampler own;
    const auto compiled = [](const auto& change) {
        WordGraph graph;
        const WordRef out = graph.import("out", items);
        const ImageId image = graph.transient_image("image", info);
        graph.add_pass(simple_pass("paint", paint_source, {write(image)}));
        Pass pass = simple_pass("sample", sample_source, {});
        change(pass, image, out);
        graph.add_pass(pass);
        return compile(test_context(), graph);
    };
    const auto mistake = [&](const auto& bindings, const char* what) {
        expect_error(
            compiled([&](Pass& pass, ImageId image, const WordRef& out) { pass.bindings = bindings(image, out); }),
            ErrorCode::invalid_graph, HasSubstr(what));
    };
    mistake(
        [&](ImageId image, auto out) {
            return std::vector{sampler(own), sampled(image), write(out), sampler({})};
        },
        "pass 'sample' binds a null sampler (samplers_test.cpp:");
    mistake(
        [&](ImageId image, auto out) {
            return std::vector{sampler(own), sampled(image), write(out), sampled(image)};
        },
        "binding 3, image 'image', is a sampler in the shader; the pass declares a sampled image");
    mistake(
        [&](ImageId image, auto out) {
            return std::vector{sampler(own), sampler(own), write(out), sampled(image)};
        },
        "binding 1, a sampler, is a sampled image in the shader; the pass declares a sampler");
    mistake(
        [&](ImageId image, auto out) {
            return std::vector{sampler(own), sampled(image), write(out)};
        },
        "the shader uses binding 3; the pass declares 3 bindings");
    if (test_context().capabilities().buffer_address) {
        expect_error(compiled([&](Pass& pass, auto, auto) { pass.addressed = {sampler(own)}; }),
                     ErrorCode::invalid_graph, HasSubstr("pass 'sample' takes the address of a sampler"));
    }
}

} // namespace
} // namespace weir::tests::samplers_test
