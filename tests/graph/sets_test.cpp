// Descriptor sets of the application next to set 0.

#include <numeric>

#include "tests/graph/programs.hpp"
#include "tests/graph/recorder.hpp"
#include "tests/support/descriptor_modes.hpp"
#include "tests/support/own_image.hpp"
#include "tests/support/own_set.hpp"
#include "tests/support/pipeline_calls.hpp"

#include "engine/base/strings.hpp"

namespace weir::tests::sets_test {
namespace {

using testing::HasSubstr;

constexpr VkDescriptorType storage = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
constexpr std::uint32_t items = 64;

const Capabilities& device() {
    return test_context().capabilities();
}

VkDescriptorSetLayoutBinding one(std::uint32_t binding, VkDescriptorType type, std::uint32_t count = 1) {
    return {binding, type, count, VK_SHADER_STAGE_COMPUTE_BIT, nullptr};
}

/// out[i] = a[i] + 10 * b[i] + 100 * c[i], from set 0, binding 3 of set 1 and set 2
const char* const three_sets_source = R"(#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { uint a[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uint result[]; };
layout(set = 1, binding = 3) readonly buffer B { uint b[]; };
layout(set = 2, binding = 0) readonly buffer C { uint c[]; };
void main() {
    const uint i = gl_GlobalInvocationID.x;
    result[i] = a[i] + 10 * b[i] + 100 * c[i];
})";

/// A set with one buffer.
struct FilledSet : OwnSet {
    explicit FilledSet(const Buffer& buffer, std::uint32_t binding = 0) : OwnSet({one(binding, storage)}) {
        write(binding, 0, storage, buffer);
    }
};

Values counting(std::uint32_t from) {
    Values values(items);
    std::iota(values.begin(), values.end(), from);
    return values;
}

TEST(DescriptorSets, SetsOfApplicationNextToSet0) {
    const Values a = counting(1), b = counting(2), c = counting(3), d = counting(40);
    const Buffer of_a = buffer_of(a), of_b = buffer_of(b), of_c = buffer_of(c), of_d = buffer_of(d);
    const FilledSet first(of_b, 3), second(of_c), other(of_d);
    for (const DescriptorMode mode : descriptor_modes(device())) {
        SCOPED_TRACE(to_string(mode));
        WordGraph graph;
        const DescriptorSetId one_set = graph.import_set("first", first.layout()),
                              another = graph.import_set("second", second.layout());
        const WordRef in = graph.import("in", items), out = graph.import("out", items);
        Pass pass = simple_pass("three sets", three_sets_source, {read(in), write(out)});
        pass.sets = {one_set, another};
        graph.add_pass(pass);
        Program program = ok(compile(test_context(), graph, {.frames_in_flight = 1, .descriptors = mode}));
        EXPECT_EQ(program.descriptors(), mode);
        const Buffer to = poisoned_buffer(items);
        bind_all(program, {{in, of_a}, {out, to}});
        ok(program.bind(one_set, first.set()));
        expect_error(program.run(), ErrorCode::invalid_argument,
                     HasSubstr("record: descriptor set 'second' is not bound"));
        ok(program.bind(another, second.set()));
        for (const auto& [set, values] : {std::pair(second.set(), &c), std::pair(other.set(), &d)}) {
            ok(program.bind(another, set));
            ok(program.run());
            Values expected(items);
            for (std::uint32_t i = 0; i < items; ++i) {
                expected[i] = a[i] + 10 * b[i] + 100 * (*values)[i];
            }
            EXPECT_EQ(contents(to, items), expected);
        }
        // Sets of the application take no descriptor tables. Therefore two recordings can be pending with one table.
        Recorder host;
        for (const VkDescriptorSet set : {second.set(), other.set()}) {
            ok(program.bind(another, set));
            host.submit(host.record(program));
        }
        host.wait();
    }
}

/// Passes with and without sets of the application alternate. Descriptors of both kinds are bound before their use.
TEST(DescriptorSets, AlternateWithPassesWithoutSets) {
    const Buffer words = buffer_of(Values(items, 0));
    const FilledSet own(words);
    for (const DescriptorMode mode : descriptor_modes(device())) {
        SCOPED_TRACE(to_string(mode));
        ok(test_context().upload(words, Values(items, 5)));
        WordGraph graph;
        const DescriptorSetId set = graph.import_set("set", own.layout());
        const WordRef data = graph.import("data", items);
        for (const bool through_set : {false, true, true, false, false, true}) {
            graph.add_pass(through_set ? increment_through(set, data) : increment(data));
        }
        Program program = ok(compile(test_context(), graph, {.descriptors = mode}));
        EXPECT_EQ(program.plan().groups.size(), 6U + (program.plan().groups.back().passes.empty() ? 1 : 0));
        ok(program.bind(data, words));
        ok(program.bind(set, own.set()));
        ok(program.run());
        EXPECT_EQ(contents(words, items), Values(items, 11));
    }
}

/// A graph is twice a node of another one, each time with a different set.
TEST(DescriptorSets, NestedGraph) {
    const Buffer one_buffer = buffer_of(Values(items, 1)), another = buffer_of(Values(items, 100));
    const FilledSet first(one_buffer), second(another);
    WordGraph inner;
    const DescriptorSetId set = inner.import_set("set", first.layout());
    const WordRef words = inner.import("words", items);
    inner.add_pass(increment_through(set, words));
    WordGraph graph;
    const DescriptorSetId unused = graph.import_set("unused", first.layout()); // need not be bound
    const WordRef a = graph.import("a", items), b = graph.import("b", items);
    const Subgraph of_a = graph.add_graph(inner, {{words, a}}, "of a"),
                   of_b = graph.add_graph(inner, {{words, b}}, "of b");
    EXPECT_NE(of_a.set(set), of_b.set(set));
    EXPECT_NE(of_a.set(set), unused);
    EXPECT_EQ(of_a.set(unused), DescriptorSetId());
    Program program = ok(compile(test_context(), graph));
    ok(program.bind(a, one_buffer));
    ok(program.bind(b, another));
    ok(program.bind(of_a.set(set), first.set()));
    expect_error(program.run(), ErrorCode::invalid_argument, HasSubstr("descriptor set 'of b/set' is not bound"));
    ok(program.bind(of_b.set(set), second.set()));
    ok(program.run());
    ok(program.run());
    EXPECT_EQ(contents(one_buffer, items), Values(items, 3));
    EXPECT_EQ(contents(another, items), Values(items, 102));
}

/// result[i] = sum of words[i] of two buffers of a table, chosen for each invocation.
const char* const table_source = R"(#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) writeonly buffer Out { uint result[]; };
layout(set = 1, binding = 0) readonly buffer Table { uint words[]; } table[];
void main() {
    const uint i = gl_GlobalInvocationID.x;
    result[i] = table[nonuniformEXT(i % 3)].words[i] + table[nonuniformEXT(7 - i % 2)].words[i];
})";

/// A table that is partially bound, and changes after the recording.
TEST(DescriptorSets, TableOfBuffers) {
    if (!device().descriptor_indexing) {
        GTEST_SKIP() << "the device has no descriptor indexing";
    }
    const OwnSet table({one(0, storage, 8)},
                       {VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT | VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT});
    std::vector<Values> values;
    std::vector<Buffer> buffers;
    for (std::uint32_t i = 0; i < 5; ++i) {
        values.push_back(Random(i).vector(items));
        buffers.push_back(buffer_of(values.back()));
        table.write(0, i < 3 ? i : i + 3, storage, buffers.back()); // 0, 1, 2, 6, 7
    }
    for (const DescriptorMode mode : descriptor_modes(device())) {
        SCOPED_TRACE(to_string(mode));
        WordGraph graph;
        const DescriptorSetId set = graph.import_set("table", table.layout());
        const WordRef last = graph.import("last of the table", items), out = graph.import("out", items);
        graph.add_pass(increment(last));
        Pass pass = simple_pass("table", table_source, {write(out)});
        pass.sets = {set};
        pass.uses = {{last, Access::shader_read}}; // no pass writes the others
        graph.add_pass(pass);
        Program program = ok(compile(test_context(), graph, {.descriptors = mode}));
        const Buffer to = poisoned_buffer(items);
        bind_all(program, {{last, buffers[4]}, {out, to}});
        ok(program.bind(set, table.set()));
        const auto expected = [&] {
            Values sums(items);
            for (std::uint32_t i = 0; i < items; ++i) {
                sums[i] = values[i % 3][i] + values[i % 2 == 0 ? 4 : 3][i];
            }
            return sums;
        };
        Recorder host;
        const VkCommandBuffer commands = host.record(program);
        const Values other = Random(17).vector(items), before = values[1];
        const Buffer replacing = buffer_of(other);
        for (const bool is_replaced : {false, true}) {
            if (is_replaced) {
                table.write(0, 1, storage, replacing);
                values[1] = other;
            }
            host.submit(commands);
            host.wait();
            values[4] = plus(values[4], 1);
            EXPECT_EQ(contents(to, items), expected());
        }
        table.write(0, 1, storage, buffers[1]);
        values[1] = before;
    }
}

/// result[i] = texel of image i % 3, fetched without a sampler, + 1000 * texel of image 1, with a separate sampler.
/// Only one image is sampled, because SwiftShader samples the image of the first invocation for the whole subgroup.
const char* const textures_source = R"(#version 460
#extension GL_EXT_nonuniform_qualifier : require
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) writeonly buffer Out { uint result[]; };
layout(set = 1, binding = 0) uniform sampler nearest;
layout(set = 1, binding = 1) uniform utexture2D textures[];
void main() {
    const uint i = gl_GlobalInvocationID.x;
    const uint fetched = texelFetch(textures[nonuniformEXT(i % 3)], ivec2(i % 8, i / 8), 0).x;
    const vec2 at = (vec2(i % 8, i / 8) + 0.5) / 8.0;
    result[i] = fetched + 1000 * textureLod(usampler2D(textures[1], nearest), at, 0).x;
})";

/// image[x, y] = y * 8 + x + base
const char* const paint_source = R"(#version 460
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, r32ui) writeonly uniform uimage2D image;
layout(push_constant) uniform Push { uint base; };
void main() {
    const uvec2 at = gl_GlobalInvocationID.xy;
    imageStore(image, ivec2(at), uvec4(at.y * 8 + at.x + base));
})";

/// The graph writes images that a pass samples from a table. They are in the layout that the pass declares.
TEST(DescriptorSets, TableOfTextures) {
    if (!device().descriptor_indexing) {
        GTEST_SKIP() << "the device has no descriptor indexing";
    }
    constexpr ImageInfo info{.format = VK_FORMAT_R32_UINT, .extent = {8, 8, 1}};
    constexpr VkDescriptorType texture = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    const OwnSampler sampler;
    const OwnSet table({one(0, VK_DESCRIPTOR_TYPE_SAMPLER), one(1, texture, 5)},
                       {0, VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT | VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT});
    table.write(0, 0, VK_DESCRIPTOR_TYPE_SAMPLER, VkDescriptorImageInfo{sampler});
    std::vector<std::unique_ptr<OwnImage>> own;
    for (std::uint32_t i = 0; i < 3; ++i) {
        own.push_back(std::make_unique<OwnImage>(VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT, info));
        table.write(1, i, texture,
                    VkDescriptorImageInfo{VK_NULL_HANDLE, own[i]->view().view, layout_of(Access::sampled_read)});
    }
    for (const DescriptorMode mode : descriptor_modes(device())) {
        SCOPED_TRACE(to_string(mode));
        WordGraph graph;
        const DescriptorSetId set = graph.import_set("textures", table.layout());
        const WordRef out = graph.import("out", items);
        Pass pass = simple_pass("textures", textures_source, {write(out)});
        pass.sets = {set};
        std::vector<ImageId> images;
        for (std::uint32_t i = 0; i < 3; ++i) {
            images.push_back(graph.import_image(concat("image ", i), info, Access::none));
            Pass paint = simple_pass(concat("paint ", i), paint_source, {write(images.back())});
            paint.push = {1000 * i};
            graph.add_pass(paint);
            pass.uses.push_back({images.back(), Access::sampled_read});
        }
        graph.add_pass(pass);
        Program program = ok(compile(test_context(), graph, {.descriptors = mode}));
        ok(program.bind(set, table.set()));
        for (std::uint32_t i = 0; i < 3; ++i) {
            ok(program.bind(images[i], own[i]->view()));
        }
        Values expected(items);
        for (std::uint32_t i = 0; i < items; ++i) {
            expected[i] = i + 1000 * (i % 3) + 1000 * (i + 1000);
        }
        EXPECT_EQ(run_on(program, out, poisoned(items)), expected);
    }
}

/// The set layout may be destroyed while programs exist, and its handle reused for another layout. Therefore pipelines
/// with sets of the application are not cached by this handle.
TEST(DescriptorSets, PipelinesAreNotCachedByLayoutHandle) {
    CountedHost host;
    const Context context = ok(Context::adopt(host.adopted()));
    VkDescriptorSetLayoutCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    const VkDescriptorSetLayoutBinding binding = one(0, storage);
    info.bindingCount = 1;
    info.pBindings = &binding;
    const auto& vk = ContextAccess::device(context)->vk();
    VkDescriptorSetLayout layout = VK_NULL_HANDLE;
    ASSERT_EQ(vk.vkCreateDescriptorSetLayout(context.device(), &info, nullptr, &layout), VK_SUCCESS);
    WordGraph graph(context);
    const WordRef words = graph.import("words", items);
    for (const bool through_set : {true, false}) {
        graph.add_pass(through_set ? increment_through(graph.import_set("set", layout), words) : increment(words));
    }
    const int before = host.calls.made;
    {
        const Program first = ok(compile(context, graph));
        EXPECT_EQ(host.calls.made - before, 2);
        const Program second = ok(compile(context, graph));
        EXPECT_EQ(host.calls.made - before, 3);
        const Program third = ok(first.resized(graph));
        EXPECT_EQ(host.calls.made - before, 4);
        EXPECT_EQ(host.calls.destroyed, 0);
    }
    EXPECT_EQ(host.calls.destroyed, 3);
    vk.vkDestroyDescriptorSetLayout(context.device(), layout, nullptr);
}

TEST(DescriptorSets, LayoutMayBeDestroyedAfterCompile) {
    const Buffer words = buffer_of(Values(items, 7));
    FilledSet own(words);
    WordGraph graph;
    const DescriptorSetId set = graph.import_set("set", own.layout());
    const WordRef data = graph.import("data", items);
    graph.add_pass(increment_through(set, data));
    Program program = ok(compile(test_context(), graph));
    own.destroy_layout();
    ok(program.bind(data, words));
    ok(program.bind(set, own.set()));
    ok(program.run());
    EXPECT_EQ(contents(words, items), Values(items, 8));
}

TEST(DescriptorSets, MistakesInBinding) {
    const OwnSet own({one(0, storage)});
    WordGraph graph, other;
    const DescriptorSetId set = graph.import_set("set", own.layout()),
                          foreign = other.import_set("foreign", own.layout());
    const WordRef data = graph.import("data", items);
    graph.add_pass(increment(data));
    Program program = ok(compile(test_context(), graph));
    expect_error(program.bind(foreign, own.set()), ErrorCode::invalid_argument,
                 HasSubstr("bind: the descriptor set is of another graph than the program"));
    expect_error(program.bind(DescriptorSetId(), own.set()), ErrorCode::invalid_argument,
                 HasSubstr("bind: the descriptor set is not an import of this program's graph"));
    expect_error(program.bind(set, VK_NULL_HANDLE), ErrorCode::invalid_argument,
                 HasSubstr("bind 'set': the descriptor set is null"));
}

/// Compiles a pass with `sets` copies of one set and the accesses of `uses`.
Result<Program> compile_with_set(const char* source, const std::vector<Use>& uses, std::size_t sets) {
    const OwnSet own({one(0, storage)});
    WordGraph graph;
    const WordRef data = graph.import("data", items);
    Pass pass = simple_pass("pass", source, {});
    pass.sets.resize(sets, graph.import_set("set", own.layout()));
    pass.uses = uses.empty() ? uses : std::vector<Use>{{data, uses[0].access}};
    graph.add_pass(pass);
    return compile(test_context(), graph);
}

TEST(DescriptorSets, UsesMustBeDeclared) {
    const Use writing{{}, Access::shader_read_write}, reading{{}, Access::shader_read};
    EXPECT_TRUE(compile_with_set(increment_set_source, {writing}, 1));
    EXPECT_TRUE(compile_with_set(increment_set_source, {writing}, 2));
    expect_error(compile_with_set(increment_set_source, {writing}, 0), ErrorCode::invalid_graph,
                 HasSubstr("pass 'pass': the shader uses binding 0 of set 1; the pass has set 0 only"));
    std::string third = increment_set_source;
    third.replace(third.find("set = 1"), 7, "set = 3");
    expect_error(compile_with_set(third.c_str(), {writing}, 2), ErrorCode::invalid_graph,
                 HasSubstr("of set 3; the pass has set 0 to 2"));
    // Without the declaration the pass would be culled, and no pass would wait for it.
    for (const std::vector<Use>& uses : {std::vector<Use>{}, std::vector<Use>{reading}}) {
        expect_error(compile_with_set(increment_set_source, uses, 1), ErrorCode::invalid_graph,
                     HasSubstr("the shader writes binding 0 of set 1; Pass::uses declares no write"));
    }
}

} // namespace
} // namespace weir::tests::sets_test
