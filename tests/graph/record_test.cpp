// Program::record allocates, submits and waits for nothing.

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <weir/weir.hpp>

#include "tests/support/allocations.hpp"
#include "tests/support/commands.hpp"
#include "tests/support/data.hpp"
#include "tests/support/host_device.hpp"
#include "tests/support/own_set.hpp"
#include "tests/support/replaced_functions.hpp"
#include "tests/support/result.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::record_test {
namespace {

const OnOneDriver on_one_driver{"Record.*"};

/// Counts the calls of a Vulkan function. Allocations of the driver or a layer during a call are not counted as Weir's.
template <std::size_t Tag, class Function>
struct Watched;
template <std::size_t Tag, class R, class... Arguments>
struct Watched<Tag, R(VKAPI_PTR*)(Arguments...)> {
    static inline R(VKAPI_PTR* real)(Arguments...) = nullptr;
    static inline int calls = 0;
    static R VKAPI_CALL call(Arguments... arguments) {
        const AllocationPause pause;
        ++calls;
        return real(arguments...);
    }
    static PFN_vkVoidFunction watch(PFN_vkVoidFunction function) {
        if (function != nullptr) {
            real = reinterpret_cast<decltype(real)>(function);
            function = reinterpret_cast<PFN_vkVoidFunction>(&call);
        }
        return function;
    }
};

struct Entry {
    const char* name;
    bool recording; ///< may be called while recording
    PFN_vkVoidFunction (*watch)(PFN_vkVoidFunction);
    int* calls;
};
template <std::size_t Tag, class Function>
Entry entry(const char* name, bool recording) {
    using Function_ = Watched<Tag, Function>;
    return {name, recording, Function_::watch, &Function_::calls};
}

const Entry entries[] = {
    entry<0, PFN_vkCmdPipelineBarrier2>("vkCmdPipelineBarrier2", true),
    entry<1, PFN_vkCmdBindPipeline>("vkCmdBindPipeline", true),
    entry<2, PFN_vkCmdBindDescriptorSets>("vkCmdBindDescriptorSets", true),
    entry<3, PFN_vkCmdPushConstants>("vkCmdPushConstants", true),
    entry<4, PFN_vkCmdDispatch>("vkCmdDispatch", true),
    entry<5, PFN_vkCmdDispatchIndirect>("vkCmdDispatchIndirect", true),
    entry<6, PFN_vkCmdFillBuffer>("vkCmdFillBuffer", true),
    entry<7, PFN_vkCmdCopyBuffer>("vkCmdCopyBuffer", true),
    entry<8, PFN_vkUpdateDescriptorSets>("vkUpdateDescriptorSets", true),
    entry<9, PFN_vkCmdBeginDebugUtilsLabelEXT>("vkCmdBeginDebugUtilsLabelEXT", true),
    entry<10, PFN_vkCmdEndDebugUtilsLabelEXT>("vkCmdEndDebugUtilsLabelEXT", true),
    entry<11, PFN_vkAllocateMemory>("vkAllocateMemory", false),
    entry<12, PFN_vkCreateBuffer>("vkCreateBuffer", false),
    entry<13, PFN_vkCreateDescriptorPool>("vkCreateDescriptorPool", false),
    entry<14, PFN_vkAllocateDescriptorSets>("vkAllocateDescriptorSets", false),
    entry<15, PFN_vkCreateComputePipelines>("vkCreateComputePipelines", false),
    entry<16, PFN_vkCreateShaderModule>("vkCreateShaderModule", false),
    entry<17, PFN_vkQueueSubmit>("vkQueueSubmit", false),
    entry<18, PFN_vkQueueSubmit2>("vkQueueSubmit2", false),
    entry<19, PFN_vkQueueWaitIdle>("vkQueueWaitIdle", false),
    entry<20, PFN_vkDeviceWaitIdle>("vkDeviceWaitIdle", false),
    entry<21, PFN_vkWaitForFences>("vkWaitForFences", false),
    entry<22, PFN_vkWaitSemaphores>("vkWaitSemaphores", false),
};

PFN_vkVoidFunction watch(std::string_view name, PFN_vkVoidFunction function) {
    const auto* const entry =
        std::find_if(std::begin(entries), std::end(entries), [&](const Entry& one) { return name == one.name; });
    return entry != std::end(entries) ? entry->watch(function) : function;
}

int calls_of(std::string_view name) {
    for (const Entry& entry : entries) {
        if (name == entry.name) {
            return *entry.calls;
        }
    }
    return -1;
}

TEST(Record, AllocatesSubmitsAndWaitsForNothing) {
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    const ReplacedFunctions watching(adopted, watch);
    const Context context = ok(Context::adopt(adopted));

    // All kinds of passes: a scan, a sort with a count on the GPU, a fill under a switch, copies, a history, and a pass
    // with a set of the application.
    constexpr std::uint32_t capacity = 100'000;
    Graph graph(context);
    const Count n = graph.parameter("n", capacity);
    const auto in = graph.import_buffer<std::uint32_t>("in", capacity, n);
    const auto counts = graph.import_buffer<std::uint32_t>("counts", 1);
    const auto out = graph.import_buffer<std::uint32_t>("out", capacity);
    const auto scanned = scan(graph, in);
    const auto sorted = radix_sort(graph, scanned.with_count(graph.count_in(counts, 0, capacity)));
    const Switch filling = graph.add_switch("filling");
    {
        const auto scope = graph.only_if(filling);
        graph.add_fill("fill", out, 1);
    }
    graph.add_copy("copy", sorted.keys, out, 400);
    const auto history = graph.history_buffer<std::uint32_t>("history", 100);
    const auto last = graph.transient_buffer<std::uint32_t>("last", 100);
    graph.add_copy("remember", sorted.keys, history.current, 400);
    graph.add_copy("recall", history.previous, last, 400);
    const OwnSet own({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}}, {}, context);
    const DescriptorSetId set = graph.import_set("set", own.layout());
    graph.add_pass({.name = "through a set",
                    .shader = ShaderSource::glsl("layout(local_size_x = 1) in;\n"
                                                 "layout(set = 1, binding = 0) buffer Out { uint words[]; };\n"
                                                 "void main() { words[0] = 7; }"),
                    .sets = {set},
                    .uses = {{out, Access::shader_write}},
                    .dispatch = Dispatch::groups(1)});
    graph.export_buffer(last);
    graph.export_buffer(out);
    graph.export_buffer(sorted.keys);
    Program program = ok(compile(context, graph));

    const Buffer input = ok(context.create_buffer(capacity * 4)), count = ok(context.create_buffer(4));
    const Buffer outputs[] = {ok(context.create_buffer(capacity * 4)), ok(context.create_buffer(capacity * 4))};
    ok(context.upload(input, Random().vector(capacity)));
    ok(context.upload(count, std::vector<std::uint32_t>{5000}));
    ok(program.bind(in, input));
    ok(program.bind(counts, count));
    own.write(0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, outputs[0]);

    Commands commands(host.vk(), host.device(), host.queue(), host.queue_family());
    for (std::uint32_t i = 0; i < 4; ++i) {
        for (const Entry& entry : entries) {
            *entry.calls = 0;
        }
        const VkCommandBuffer buffer = commands.begin();
        std::size_t allocations = 0;
        bool worked = true;
        {
            const AllocationCounter counter;
            worked = worked && program.bind(out, outputs[i % 2]);
            worked = worked && program.bind(set, own.set());
            worked = worked && program.set(n, i * 1000);
            worked = worked && program.set(filling, i % 2 == 0);
            worked = worked && program.record(buffer);
            allocations = counter.count();
        }
        commands.end(buffer);
        EXPECT_TRUE(worked);
        EXPECT_EQ(allocations, 0U) << "recording " << i;
        for (const Entry& entry : entries) {
            if (!entry.recording) {
                EXPECT_EQ(*entry.calls, 0) << entry.name;
            }
        }
        int barriers = 0, passes = 0;
        for (const PlanGroup& group : program.plan().groups) {
            barriers += group.barriers.empty() ? 0 : 1;
            passes += static_cast<int>(group.passes.size());
        }
        EXPECT_EQ(calls_of("vkCmdPipelineBarrier2"), barriers);
        const int skipped = i % 2 == 0 ? (i == 0 ? 1 : 0) : 1; // a scan of 0 elements, or the fill
        EXPECT_EQ(calls_of("vkCmdDispatch") + calls_of("vkCmdDispatchIndirect") + calls_of("vkCmdFillBuffer") +
                      calls_of("vkCmdCopyBuffer"),
                  passes - skipped);
        EXPECT_GT(calls_of("vkCmdDispatchIndirect"), 0);
        commands.submit(buffer);
        commands.wait();
    }
}

TEST(Record, CallsAllocateSubmitAndWaitForNothing) {
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    const ReplacedFunctions watching(adopted, watch);
    const Context context = ok(Context::adopt(adopted));
    constexpr std::uint32_t capacity = 100'000;
    Call sort = ok(sort_call<std::uint32_t>(context, {.max_count = capacity}));
    const Buffer keys = ok(context.create_buffer(capacity * 4));
    Commands commands(host.vk(), host.device(), host.queue(), host.queue_family());
    for (std::uint32_t i = 0; i < 3; ++i) {
        for (const Entry& entry : entries) {
            *entry.calls = 0;
        }
        const VkCommandBuffer buffer = commands.begin();
        std::size_t allocations = 0;
        bool worked = true;
        {
            const AllocationCounter counter;
            worked = sort.record(buffer, capacity - i, {keys}).has_value();
            allocations = counter.count();
        }
        commands.end(buffer);
        EXPECT_TRUE(worked);
        EXPECT_EQ(allocations, 0U) << "recording " << i;
        EXPECT_GT(calls_of("vkCmdDispatch"), 0);
        for (const Entry& entry : entries) {
            EXPECT_TRUE(entry.recording || *entry.calls == 0) << entry.name;
        }
        commands.submit(buffer);
        commands.wait();
    }
}

TEST(Record, AllocationCounterCounts) {
    if (!AllocationCounter::works()) {
        GTEST_SKIP() << "a sanitizer replaces new and delete"; // so the counter sees no allocations
    }
    const AllocationCounter counter;
    const std::string text(1000, 'x');
    EXPECT_EQ(counter.count(), 1U);
    {
        const AllocationPause pause;
        const std::string more(1000, 'x');
    }
    EXPECT_EQ(counter.count(), 1U);
}

} // namespace
} // namespace weir::tests::record_test
