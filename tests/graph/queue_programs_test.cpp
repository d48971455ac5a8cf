// Programs on several queues. On devices with one queue, the others are emulated.

#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "engine/base/strings.hpp"
#include "engine/device/device.hpp"
#include "engine/memory/image.hpp"
#include "tests/graph/programs.hpp"
#include "tests/graph/recorder.hpp"
#include "tests/support/descriptor_modes.hpp"
#include "tests/support/failing_calls.hpp"
#include "tests/support/host_device.hpp"
#include "tests/support/replaced_functions.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::queue_programs_test {
namespace {

const OnOneDriver on_one_driver{"QueuePrograms.*"};

using testing::HasSubstr;

constexpr std::uint32_t items = 5000;

/// out = 2 * in + 1 + number of earlier executions. Some passes run on other queues.
struct Beside {
    explicit Beside(const CompileOptions& options = {}) {
        WordGraph graph;
        in = graph.import("in", items);
        out = graph.import("out", items);
        const auto runs = graph.history("runs", items);
        const WordRef staged = graph.transient("staged", items), left = graph.transient("left", items),
                      right = graph.transient("right", items), sum = graph.transient("sum", items);
        {
            const auto scope = graph.on_queue(QueueKind::transfer);
            graph.add_copy("stage", in, staged, items * 4ULL);
        }
        {
            const auto scope = graph.on_queue(QueueKind::compute);
            graph.add_pass(add_pass(staged, left, items, 1));
            graph.add_pass(add_pass(runs.previous, runs.current, items, 1));
        }
        graph.add_pass(add_pass(staged, right, items, 0));
        const auto add_sum = [&](const WordRef& a, const WordRef& b, const WordRef& to) {
            graph.add_pass(word_pass("sum", {{"a", read(a)}, {"b", read(b)}, {"result", write(to)}},
                                     "result[i] = a[i] + b[i];", items));
        };
        add_sum(left, right, sum);
        add_sum(sum, runs.previous, out);
        program.emplace(ok(compile(test_context(), graph, options)));
    }
    static Values expected(const Values& in, std::uint32_t runs_before) {
        Values out = in;
        for (std::uint32_t& x : out) {
            x = 2 * x + 1 + runs_before;
        }
        return out;
    }
    /// Binds buffers of random numbers and of results.
    void bind() { bind_all(*program, {{in, input_buffer}, {out, results}}); }
    void expect_results(std::uint32_t runs_before) const {
        EXPECT_EQ(contents(results, items), expected(input, runs_before));
    }
    WordRef in, out;
    Values input = Random().vector(items);
    Buffer input_buffer = buffer_of(input), results = poisoned_buffer(items);
    std::optional<Program> program;
};

TEST(QueuePrograms, OneAndSeveralQueuesGiveSameResults) {
    ASSERT_TRUE(test_context().capabilities().timeline_semaphores);
    for (const DescriptorMode mode : descriptor_modes(test_context().capabilities())) {
        for (const bool one_queue : {false, true}) {
            Beside beside({.descriptors = mode, .one_queue = one_queue});
            EXPECT_EQ(beside.program->plan().batches.size() > 1, !one_queue);
            beside.bind();
            for (std::uint32_t run = 0; run < 5; ++run) {
                SCOPED_TRACE(concat(to_string(mode), ", one queue: ", one_queue, ", run ", run));
                ok(beside.program->run());
                beside.expect_results(run);
            }
        }
    }
}

TEST(QueuePrograms, ManyPendingExecutions) {
    Beside beside({.frames_in_flight = 3});
    std::vector<Buffer> outs;
    beside.bind();
    for (std::uint32_t run = 0; run < 40; ++run) {
        outs.push_back(poisoned_buffer(items));
        ok(beside.program->bind(beside.out, outs.back()));
        ok(beside.program->submit());
    }
    ok(beside.program->wait());
    for (std::uint32_t run = 0; run < 40; ++run) {
        ASSERT_EQ(contents(outs[run], items), Beside::expected(beside.input, run)) << run;
    }
}

TEST(QueuePrograms, ApplicationSubmitsBatches) {
    WordGraph graph;
    const WordRef data = graph.import("data");
    graph.add_pass(increment(data, "here"));
    graph.add_pass_on(QueueKind::compute, increment(data, "there"));
    graph.add_pass(increment(data, "here again"));
    Program program = ok(compile(test_context(), graph));
    const Buffer buffer = buffer_of(Values(64, 0));
    ok(program.bind(data, buffer));
    BatchRecorder host(program);
    ASSERT_EQ(host.commands().size(), 3U);
    ok(program.record(host.commands()));
    host.end();
    for (int run = 1; run <= 10; ++run) { // recorded once, submitted 10 times
        host.submit(ok(program.next_submission()));
        ok(program.wait());
        ASSERT_THAT(contents(buffer, 64), testing::Each(3U * static_cast<std::uint32_t>(run)));
    }
}

TEST(QueuePrograms, SubmissionSignalsFence) {
    Adder adder;
    const Values input = Random().vector(1000);
    const Buffer in = buffer_of(input), out = poisoned_buffer(1000);
    ok(adder.program->wait()); // nothing was submitted
    bind_all(*adder.program, {{adder.in, in}, {adder.out, out}});
    VkFenceCreateInfo info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkFence fence = VK_NULL_HANDLE;
    ASSERT_EQ(vk().vkCreateFence(test_context().device(), &info, nullptr, &fence), VK_SUCCESS);
    ok(adder.program->submit({.fence = fence}));
    EXPECT_EQ(vk().vkWaitForFences(test_context().device(), 1, &fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
    ok(adder.program->wait());
    vk().vkDestroyFence(test_context().device(), fence, nullptr);
    EXPECT_EQ(contents(out, 1000), plus(input, 1));
}

TEST(QueuePrograms, SubmissionsWaitForAndSignalSemaphores) {
    Adder first, second(1000, 10);
    const Values input = Random().vector(1000);
    const Buffer in = buffer_of(input), between = poisoned_buffer(1000), out = poisoned_buffer(1000);
    bind_all(*first.program, {{first.in, in}, {first.out, between}});
    bind_all(*second.program, {{second.in, between}, {second.out, out}});
    VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    VkSemaphore semaphore = VK_NULL_HANDLE;
    ASSERT_EQ(vk().vkCreateSemaphore(test_context().device(), &info, nullptr, &semaphore), VK_SUCCESS);
    VkSemaphoreSubmitInfo point{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
    point.semaphore = semaphore;
    point.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    ok(first.program->submit({.signaled = {&point, 1}}));
    ok(second.program->submit({.waits = {&point, 1}}));
    ok(second.program->wait());
    EXPECT_EQ(contents(out, 1000), plus(input, 11));
    vk().vkDestroySemaphore(test_context().device(), semaphore, nullptr);
}

TEST(QueuePrograms, MoveToChangesQueueOfPass) {
    WordGraph graph;
    const WordRef data = graph.import("data");
    for (const char* name : {"first", "second", "third"}) {
        graph.add_pass(increment(data, name));
    }
    const auto moved = [](QueueKind to) {
        return [to](const std::string& pass, QueueKind queue) { return pass == "second" ? to : queue; };
    };
    Program program = ok(compile(test_context(), graph, {.move_to = moved(QueueKind::compute)}));
    ASSERT_EQ(program.plan().batches.size(), 3U);
    EXPECT_EQ(program.plan().batches[1].queue, QueueKind::compute);
    EXPECT_EQ(run_on(program, data, Values(64, 0)), Values(64, 3));
    expect_error(compile(test_context(), graph, {.move_to = moved(QueueKind::transfer)}), ErrorCode::invalid_graph,
                 HasSubstr("pass 'second' computes, which the transfer queue does not support"));
}

TEST(QueuePrograms, RecordNeedsCommandBufferForEachBatch) {
    Beside beside;
    beside.bind();
    BatchRecorder host(*beside.program);
    expect_error(beside.program->record(host.commands().front()), ErrorCode::invalid_argument,
                 HasSubstr("1 command buffers; the program requires " + std::to_string(host.commands().size())));
    host.end();
}

TEST(QueuePrograms, DestructorWaitsForSubmissions) {
    Beside beside;
    beside.bind();
    for (int run = 0; run < 3; ++run) {
        ok(beside.program->submit());
    }
    beside.program.reset();
    beside.expect_results(2);
}

TEST(QueuePrograms, FailedSecondBatchEndsProgram) {
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    FailingCalls calls(adopted);
    adopted.compute_queue = {adopted.queue, adopted.queue_family, {}, {}};
    const Context context = ok(Context::adopt(adopted));
    const IncrementGraph graph(context, QueueKind::compute);
    Program program = ok(compile(context, graph));
    const Buffer buffer = buffer_on(context, Values(64, 1));
    ok(program.bind(graph.data, buffer));
    ok(program.submit());
    calls.fail("vkQueueSubmit2", VK_ERROR_OUT_OF_DEVICE_MEMORY, 1);
    expect_error(program.submit(), ErrorCode::out_of_memory,
                 HasSubstr("submitting batch 0 of a program to the main queue"));
    ok(program.submit()); // the failure had no effect
    ok(program.wait());
    calls.fail("vkQueueSubmit2", VK_ERROR_OUT_OF_DEVICE_MEMORY, 1, 1);
    const auto fails = [](const auto& result) {
        expect_error(result, ErrorCode::out_of_memory,
                     HasSubstr("submitting batch 1 of a program to the compute queue"));
    };
    fails(program.submit());
    fails(program.wait()); // does not wait for the missing batch
    fails(program.submit());
    fails(program.next_submission());
    EXPECT_EQ(ok(context.download<std::uint32_t>(buffer, 64)), Values(64, 3));
}

PFN_vkQueueSubmit2 real_submit = nullptr;
std::vector<VkCommandBuffer> waiting_commands; ///< command buffers in submissions that wait for semaphores

VkResult VKAPI_CALL watched_submit(VkQueue queue, std::uint32_t count, const VkSubmitInfo2* submits, VkFence fence) {
    for (const VkSubmitInfo2& submit : std::span(submits, count)) {
        for (std::uint32_t i = 0; submit.waitSemaphoreInfoCount != 0 && i < submit.commandBufferInfoCount; ++i) {
            waiting_commands.push_back(submit.pCommandBufferInfos[i].commandBuffer);
        }
    }
    return real_submit(queue, count, submits, fence);
}
PFN_vkVoidFunction replace_submit(std::string_view name, PFN_vkVoidFunction real) {
    return name == "vkQueueSubmit2" ? ReplacedFunctions::take(real, real_submit, watched_submit) : real;
}

/// After a submission has signaled, Mesa still uses the timelines that it waited for. The program destroys them.
TEST(QueuePrograms, CommandsOnCpuDriverWaitForNoOtherBatch) {
    if (test_context().capabilities().kind != DeviceKind::cpu) {
        GTEST_SKIP() << "not a CPU driver";
    }
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    const ReplacedFunctions replaced(adopted, replace_submit);
    adopted.compute_queue = {adopted.queue, adopted.queue_family, {}, {}};
    const Context context = ok(Context::adopt(adopted));
    const IncrementGraph graph(context, QueueKind::compute);
    const Buffer buffer = buffer_on(context, Values(64, 1));
    waiting_commands.clear();
    for (int run = 0; run < 50; ++run) {
        Program program = ok(compile(context, graph));
        ok(program.bind(graph.data, buffer));
        ok(program.submit());
        ok(program.submit());
    }
    EXPECT_THAT(waiting_commands, testing::IsEmpty());
    EXPECT_EQ(ok(context.download<std::uint32_t>(buffer, 64)), Values(64, 101));
}

PFN_vkGetPhysicalDeviceQueueFamilyProperties real_families = nullptr;
PFN_vkCmdPipelineBarrier2 real_barrier = nullptr;
VkPipelineStageFlags2 barrier_stages = 0; ///< stages of all recorded memory barriers

/// Replaces the queries of queue families and the recording of barriers.
template <auto families, auto barrier>
PFN_vkVoidFunction replace(std::string_view name, PFN_vkVoidFunction real) {
    return name == "vkGetPhysicalDeviceQueueFamilyProperties" ? ReplacedFunctions::take(real, real_families, families)
           : name == "vkCmdPipelineBarrier2"                  ? ReplacedFunctions::take(real, real_barrier, barrier)
                                                              : real;
}

void VKAPI_CALL families_without_drawing(VkPhysicalDevice device, std::uint32_t* count,
                                         VkQueueFamilyProperties* families) {
    real_families(device, count, families);
    for (std::uint32_t i = 0; families != nullptr && i < *count; ++i) {
        families[i].queueFlags &= ~VkQueueFlags{VK_QUEUE_GRAPHICS_BIT};
    }
}
void VKAPI_CALL watched_barrier(VkCommandBuffer commands, const VkDependencyInfo* info) {
    for (std::uint32_t i = 0; i < info->memoryBarrierCount; ++i) {
        barrier_stages |= info->pMemoryBarriers[i].srcStageMask | info->pMemoryBarriers[i].dstStageMask;
    }
    real_barrier(commands, info);
}

/// The queue computes and cannot draw. The import arrives and leaves for reads of uniform buffers.
TEST(QueuePrograms, BarriersUseOnlyStagesOfQueue) {
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    const ReplacedFunctions replaced(adopted, replace<families_without_drawing, watched_barrier>);
    const Context context = ok(Context::adopt(adopted));
    EXPECT_NE(context.capabilities().queue_flags[0] & VK_QUEUE_COMPUTE_BIT, 0U);
    EXPECT_EQ(context.capabilities().queue_flags[0] & VK_QUEUE_GRAPHICS_BIT, 0U);
    EXPECT_EQ(context.capabilities().queue_flags[1], 0U);
    WordGraph graph(context);
    const WordRef data = graph.import("data", 64, Access::uniform_read);
    graph.add_pass(increment(data));
    graph.export_buffer(data, Access::uniform_read);
    Program program = ok(compile(context, graph));
    const Buffer buffer = buffer_on(context, Values(64, 1));
    ok(program.bind(data, buffer));
    barrier_stages = 0;
    Recorder(context).record(program);
    EXPECT_EQ(barrier_stages, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT);
}

/// Recorded barriers between queue families.
std::vector<VkBufferMemoryBarrier2> buffer_handovers;
std::vector<VkImageMemoryBarrier2> image_handovers;

/// Records barriers between queue families and removes them, because the device does not have these families.
void VKAPI_CALL barrier_within_a_family(VkCommandBuffer commands, const VkDependencyInfo* info) {
    const auto take = [](const auto* barriers, std::uint32_t& count, auto& taken) {
        std::vector<std::remove_cvref_t<decltype(*barriers)>> left;
        for (std::uint32_t i = 0; i < count; ++i) {
            const bool is_handover = barriers[i].srcQueueFamilyIndex != barriers[i].dstQueueFamilyIndex;
            (is_handover ? taken : left).push_back(barriers[i]);
        }
        count = static_cast<std::uint32_t>(left.size());
        return left;
    };
    VkDependencyInfo rest = *info;
    const auto buffers = take(info->pBufferMemoryBarriers, rest.bufferMemoryBarrierCount, buffer_handovers);
    const auto images = take(info->pImageMemoryBarriers, rest.imageMemoryBarrierCount, image_handovers);
    rest.pBufferMemoryBarriers = buffers.data();
    rest.pImageMemoryBarriers = images.data();
    real_barrier(commands, &rest);
}

/// Reports one family more than the driver has. It is a copy of the first one.
void VKAPI_CALL one_more_family(VkPhysicalDevice device, std::uint32_t* count, VkQueueFamilyProperties* families) {
    if (families == nullptr) {
        real_families(device, count, nullptr);
        ++*count;
        return;
    }
    std::uint32_t there = *count - 1;
    real_families(device, &there, families);
    families[there] = families[0];
}

/// Checks the release and the acquisition of a handover. Both must name the same families; each has its own scope.
template <class Barrier>
void expect_handover(const std::vector<Barrier>& barriers, std::size_t first, std::uint32_t from, std::uint32_t to) {
    ASSERT_GT(barriers.size(), first + 1);
    const Barrier &release = barriers[first], &acquire = barriers[first + 1];
    for (const Barrier* one : {&release, &acquire}) {
        EXPECT_EQ(one->srcQueueFamilyIndex, from);
        EXPECT_EQ(one->dstQueueFamilyIndex, to);
    }
    EXPECT_NE(release.srcStageMask, 0U);
    EXPECT_EQ(release.dstAccessMask, 0U);
    EXPECT_EQ(acquire.srcAccessMask, 0U);
    EXPECT_NE(acquire.dstStageMask, 0U);
    EXPECT_NE(acquire.dstAccessMask, 0U);
}

TEST(QueuePrograms, RecordsBothSidesOfHandover) {
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    const ReplacedFunctions replaced(adopted, replace<one_more_family, barrier_within_a_family>);
    std::uint32_t families = 0;
    host.instance_functions().vkGetPhysicalDeviceQueueFamilyProperties(host.physical_device(), &families, nullptr);
    const std::uint32_t main = host.queue_family(), compute = families;
    std::uint32_t no_queue = 0; // nothing is submitted to it
    adopted.compute_queue = {.queue = reinterpret_cast<VkQueue>(&no_queue), .family = compute};
    const Context context = ok(Context::adopt(adopted));
    WordGraph graph(context);
    const ImageInfo info{.format = VK_FORMAT_R32_UINT, .extent = {8, 8, 1}};
    const WordRef numbers = graph.import("numbers", 64, Access::transfer_write);
    const ImageId image = graph.import_image("image", info, Access::transfer_write);
    {
        const auto scope = graph.on_queue(QueueKind::compute);
        graph.add_pass(simple_pass("add", R"(#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Numbers { uint numbers[]; };
layout(set = 0, binding = 1, r32ui) uniform uimage2D image;
void main() {
    const ivec2 at = ivec2(gl_LocalInvocationIndex % 8, gl_LocalInvocationIndex / 8);
    imageStore(image, at, imageLoad(image, at) + numbers[gl_LocalInvocationIndex]++);
})",
                                   {read_write(numbers), read_write(image)}));
    }
    graph.export_image(image, Access::transfer_read);
    Program program = ok(compile(context, graph));
    const Buffer buffer = ok(context.create_buffer(1024));
    ok(program.bind(numbers, BufferView{buffer.handle(), 256, 512}));
    const auto made = ok(Image::create(
        ContextAccess::device(context), info,
        VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT, "image"));
    const VkMemoryRequirements& needs = made->needs();
    const auto memory = ok(ImageMemory::create(ContextAccess::device(context)->memory(), needs.size, needs.alignment,
                                               needs.memoryTypeBits, false, "image"));
    ok(made->bind(memory->memory(), memory->offset()));
    ok(program.bind(image, made->view()));

    buffer_handovers.clear();
    image_handovers.clear();
    Recorder commands(context);
    const std::vector<VkCommandBuffer> batches{commands.begin(), commands.begin(), commands.begin()};
    ok(program.record(batches));
    for (const VkCommandBuffer batch : batches) {
        commands.end(batch);
    }
    ASSERT_EQ(buffer_handovers.size(), 4U);
    expect_handover(buffer_handovers, 0, main, compute);
    expect_handover(buffer_handovers, 2, compute, main);
    for (const VkBufferMemoryBarrier2& barrier : buffer_handovers) {
        EXPECT_EQ(barrier.buffer, buffer.handle());
        EXPECT_EQ(barrier.offset, 256U);
        EXPECT_EQ(barrier.size, 256U);
    }
    ASSERT_EQ(image_handovers.size(), 4U);
    expect_handover(image_handovers, 0, main, compute);
    expect_handover(image_handovers, 2, compute, main);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(image_handovers[i].image, made->view().image);
        EXPECT_EQ(image_handovers[i].oldLayout, i < 2 ? VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL : VK_IMAGE_LAYOUT_GENERAL);
        EXPECT_EQ(image_handovers[i].newLayout, i < 2 ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    }
}

TEST(QueuePrograms, SubmissionNeedsQueue) {
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    adopted.queue = VK_NULL_HANDLE;
    const Context context = ok(Context::adopt(adopted));
    Program program = ok(compile(context, IncrementGraph(context)));
    expect_error(program.submit(), ErrorCode::invalid_argument, HasSubstr("adopted without a main queue"));
}

TEST(QueuePrograms, PooledMemoryNeedsOneQueue) {
    const IncrementGraph graph(test_context(), QueueKind::compute);
    const MemoryPool pool(test_context());
    expect_error(compile(test_context(), graph, {.pool = pool}), ErrorCode::unsupported, HasSubstr("one queue"));
    EXPECT_TRUE(compile(test_context(), graph, {.pool = pool, .one_queue = true}));
}

} // namespace
} // namespace weir::tests::queue_programs_test
