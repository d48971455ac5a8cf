// Debug names and allocation callbacks of the Vulkan objects that Weir creates.

#include <set>
#include <string>

#include <weir/weir.hpp>

#include "tests/graph/programs.hpp"
#include "tests/support/created_objects.hpp"
#include "tests/support/descriptor_modes.hpp"
#include "tests/support/host_device.hpp"
#include "tests/support/host_memory.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::objects_test {
namespace {

const OnOneDriver on_one_driver{"Objects.*"};

using testing::Contains;
using testing::IsEmpty;
using testing::StartsWith;

constexpr std::uint32_t side = 32, items = side * side;
constexpr ImageInfo pyramid{.format = VK_FORMAT_R32_UINT, .extent = {side, side, 1}, .mips = 2};

const char* const fetch_source = R"(#version 460
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform utexture2D image;
layout(set = 0, binding = 1) readonly buffer Runs { uint runs[]; };
layout(set = 0, binding = 2) writeonly buffer Out { uint words[]; };
void main() {
    const uvec2 at = gl_GlobalInvocationID.xy;
    const uint i = at.y * 32 + at.x;
    words[i] = texelFetch(image, ivec2(at), 0).x + runs[i];
})";

/// Runs, submits and profiles a program called `name` with images, a history, an export per frame and three queues.
void use_all(const Context& context, DescriptorMode mode, const std::string& name) {
    WordGraph graph(context);
    const WordRef in = graph.import("in", items);
    const WordRef staged = graph.transient("staged", items), sum = graph.transient("sum", items),
                  out = graph.transient("out", items);
    const auto runs = graph.history("runs", items);
    const ImageId image = graph.transient_image("image", pyramid);
    const ImageId large = graph.part(image, {.mip = 0}), small = graph.part(image, {.mip = 1});
    {
        const auto scope = graph.on_queue(QueueKind::transfer);
        graph.add_copy("stage", in, staged, items * 4ULL);
    }
    {
        const auto scope = graph.on_queue(QueueKind::compute);
        Pass count = add_pass(runs.previous, runs.current, items, 1);
        count.name = "count";
        graph.add_pass(count);
    }
    Pass increment = add_pass(staged, sum, items, 5);
    increment.name = "increment";
    graph.add_pass(increment);
    graph.add_copy("store", sum, large);
    graph.add_copy("store small", sum, small);
    Pass fetch = simple_pass("fetch", fetch_source, {sampled(image), read(runs.previous), write(out)});
    fetch.dispatch = Dispatch::groups(4, 4);
    graph.add_pass(fetch);
    graph.export_buffer(out, Access::transfer_read, {.per_frame = true});
    CompileOptions options{.descriptors = mode};
    options.name = name;
    Program program = ok(compile(context, graph, options));
    EXPECT_GT(program.plan().batches.size(), 1U);

    const Buffer input = buffer_on(context, Values(items, 3));
    run_with(program, {{in, input}});
    ok(program.submit());
    ok(program.wait());
    EXPECT_EQ(ok(context.download<std::uint32_t>(program.view(out), items)), Values(items, 8 + 1)); // the second run
    ok(program.profile());
}

/// Runs and profiles a program on one queue. It uses a command buffer of the context.
void use_one_queue(const Context& context, const std::string& name) {
    WordGraph graph(context);
    const WordRef keys = graph.import("keys", items);
    const auto sorted = radix_sort(graph, keys);
    graph.export_buffer(sorted.keys);
    CompileOptions options;
    options.name = name;
    Program program = ok(compile(context, graph, options));
    const Buffer input = ok(context.create_buffer(items * 4ULL, {.name = "the keys"}));
    ok(context.upload(input, Values(items, 3)));
    run_with(program, {{keys, input}});
    ok(program.profile());
}

/// Returns an adopted device whose compute and transfer queues are the main queue.
AdoptedDevice with_queues(const HostDevice& host) {
    AdoptedDevice adopted = host.adopted();
    adopted.compute_queue = {.queue = adopted.queue, .family = adopted.queue_family};
    adopted.transfer_queue = adopted.compute_queue;
    return adopted;
}

std::vector<DescriptorMode> modes_of(const HostDevice& host) {
    return descriptor_modes(ok(Context::adopt(host.adopted())).capabilities());
}

TEST(Objects, AllHaveNames) {
    const HostDevice host;
    if (host.instance_functions().vkSetDebugUtilsObjectNameEXT == nullptr) {
        GTEST_SKIP() << "the instance has no VK_EXT_debug_utils";
    }
    for (const DescriptorMode mode : modes_of(host)) {
        SCOPED_TRACE(to_string(mode));
        AdoptedDevice adopted = with_queues(host);
        const CreatedObjects created(adopted);
        {
            const Context context = ok(Context::adopt(adopted));
            use_all(context, mode, "frame");
            use_one_queue(context, "");
            const Buffer nameless = ok(context.create_buffer(4));
            ok(context.submit([](VkCommandBuffer) { return Result<>(); }));
        }
        std::set<std::string> functions;
        for (const CreatedObjects::Object& object : created.objects()) {
            functions.insert(object.function);
            EXPECT_THAT(object.name, StartsWith("weir: ")) << object.function;
            EXPECT_GT(object.name.size(), std::string_view("weir: ").size()) << object.function;
        }
        for (const char* function :
             {"vkCreateBuffer", "vkCreateImage", "vkCreateImageView", "vkAllocateMemory", "vkCreateDescriptorSetLayout",
              "vkCreatePipelineLayout", "vkCreateShaderModule", "vkCreatePipelineCache", "vkCreateComputePipelines",
              "vkCreateCommandPool", "vkAllocateCommandBuffers", "vkCreateFence", "vkCreateSemaphore",
              "vkCreateQueryPool"}) {
            EXPECT_THAT(functions, Contains(function));
        }
        if (mode == DescriptorMode::sets) {
            EXPECT_GE(created.count("vkCreateDescriptorPool", "weir: frame: descriptors"), 1U);
            EXPECT_GE(created.count("vkAllocateDescriptorSets", "weir: frame: increment"), 1U);
        }
        // Names contain the program and the resource or pass.
        EXPECT_EQ(created.count("vkCreateImage", "weir: frame: image"), 1U);
        EXPECT_GE(created.count("vkCreateImageView", "weir: frame: image"), 1U);
        EXPECT_EQ(created.count("vkCreateBuffer", "weir: frame: out"), 3U); // for each frame in flight
        EXPECT_EQ(created.count("vkCreateBuffer", "weir: frame: runs"), 1U);
        EXPECT_EQ(created.count("vkCreateBuffer", "weir: the keys"), 1U);
        EXPECT_EQ(created.count("vkCreateBuffer", "weir: a buffer in device memory"), 2U);
        EXPECT_EQ(created.count("vkCreateComputePipelines", "weir: fetch"), 1U);
        EXPECT_EQ(created.count("vkCreateShaderModule", "weir: fetch"), 1U);
        for (const std::string queue : {"main", "compute", "transfer"}) {
            EXPECT_EQ(created.count("vkCreateSemaphore", "weir: frame: " + queue + " batches"), 1U) << queue;
            EXPECT_GE(created.count("vkCreateCommandPool", "weir: frame: " + queue + " commands"), 1U) << queue;
            EXPECT_GE(created.count("vkAllocateCommandBuffers", "weir: frame: " + queue + " commands"), 1U) << queue;
        }
        EXPECT_GE(created.count("vkCreateFence", "weir: submission"), 1U);
    }
}

TEST(Objects, CommandsHaveLabels) {
    const HostDevice host;
    if (host.instance_functions().vkCmdBeginDebugUtilsLabelEXT == nullptr) {
        GTEST_SKIP() << "the instance has no VK_EXT_debug_utils";
    }
    for (const bool has_name : {true, false}) {
        AdoptedDevice adopted = host.adopted();
        const CreatedObjects created(adopted);
        const Context context = ok(Context::adopt(adopted));
        WordGraph graph(context);
        const WordRef out = graph.transient("out", items);
        graph.add_fill("clear", out, 7);
        graph.export_buffer(out);
        CompileOptions options;
        options.name = has_name ? "frame" : "";
        Program program = ok(compile(context, graph, options));
        ok(program.run());
        using Labels = std::vector<std::string>;
        EXPECT_EQ(created.labels(), has_name ? Labels({"weir: frame", "clear", "", ""}) : Labels({"clear", ""}));
    }
}

TEST(Objects, UseCallbacksOfAdoptedDevice) {
    const HostDevice host;
    HostMemory memory;
    for (const DescriptorMode mode : modes_of(host)) {
        SCOPED_TRACE(to_string(mode));
        AdoptedDevice adopted = with_queues(host);
        const CreatedObjects created(adopted);
        {
            const VkAllocationCallbacks callbacks = *memory.callbacks(); // copied by adopt
            adopted.allocation_callbacks = &callbacks;
            const Context context = ok(Context::adopt(adopted));
            adopted.allocation_callbacks = nullptr;
            use_all(context, mode, "frame");
            use_one_queue(context, "");
        }
        const auto calls = created.callbacks();
        ASSERT_TRUE(calls.contains(&memory));
        EXPECT_GT(calls.at(&memory).size(), 50U);
        for (const auto& [whose, functions] : calls) {
            if (whose != &memory) {
                EXPECT_THAT(functions, IsEmpty()) << "called without the callbacks";
            }
        }
        for (const CreatedObjects::Object& object : created.objects()) {
            const bool goes_with_pool =
                object.function == "vkAllocateCommandBuffers" || object.function == "vkAllocateDescriptorSets";
            EXPECT_TRUE(goes_with_pool || !object.exists) << object.function << " '" << object.name << "'";
        }
        EXPECT_GT(memory.made(), 0U);
        EXPECT_EQ(memory.left(), 0U);
        EXPECT_EQ(memory.strange(), 0U);
    }
}

TEST(Objects, UseNoCallbacksByDefault) {
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    const CreatedObjects created(adopted);
    {
        const Context context = ok(Context::adopt(adopted));
        use_one_queue(context, "");
    }
    const auto calls = created.callbacks();
    ASSERT_EQ(calls.size(), 1U);
    EXPECT_EQ(calls.begin()->first, nullptr);
}

TEST(Objects, UseCallbacksOfCreatedContext) {
    // Avoids descriptor sets if possible: lavapipe of Mesa 22 never frees the names of sets that are destroyed with
    // their pool.
    const DescriptorMode mode = descriptor_modes(test_context().capabilities()).back();
    HostMemory memory;
    {
        ContextOptions options = validated();
        options.allocation_callbacks = memory.callbacks();
        options.emulate_queues = true;
        options.descriptors = mode;
        const Context context = ok(Context::create(options));
        use_all(context, DescriptorMode::automatic, "frame");
        use_one_queue(context, "sort");
    }
    EXPECT_GT(memory.made(), 0U);
    EXPECT_EQ(memory.left(), 0U);
    EXPECT_EQ(memory.strange(), 0U);
}

} // namespace
} // namespace weir::tests::objects_test
