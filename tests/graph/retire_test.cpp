// Programs and buffers that are retired while the GPU may still use them.

#include <atomic>
#include <thread>

#include <weir/graph/command_pass.hpp>

#include "engine/device/device.hpp"
#include "tests/graph/programs.hpp"
#include "tests/graph/recorder.hpp"
#include "tests/support/commands.hpp"
#include "tests/support/failing_calls.hpp"
#include "tests/support/host_device.hpp"
#include "tests/support/host_timeline.hpp"

namespace weir::tests::retire_test {
namespace {

using testing::Each;
using testing::HasSubstr;

/// Creates a program that increments `data` by way of memory of its own.
Program make_program(const Context& context, WordRef& data) {
    WordGraph graph(context);
    data = graph.import("data");
    const WordRef runs = graph.state("runs");
    graph.add_copy("take", data, runs, 256);
    graph.add_pass(increment(runs));
    graph.add_copy("give", runs, data, 256);
    graph.export_buffer(data);
    return ok(compile(context, graph));
}

/// Retires a program, or a buffer. On failure the argument stays valid.
Result<> retire(Program& program, std::vector<TimelinePoint> until) {
    return std::move(program).retire(std::move(until));
}
Result<> retire(const Context& context, Buffer& buffer, std::vector<TimelinePoint> until) {
    return context.retire(std::move(buffer), std::move(until));
}

TEST(Retire, KeepsObjectsUntilPointsAreReached) {
    const Context& context = test_context();
    ASSERT_EQ(ok(context.collect()), 0U);
    const std::uint64_t before = context.memory_in_use();
    WordRef data;
    std::optional<Program> program(make_program(context, data));
    std::optional<Buffer> buffer(buffer_of(Values(64, 5)));
    Buffer result = poisoned_buffer(64);
    ok(program->bind(data, *buffer));
    Recorder host(context);
    const VkCommandBuffer commands = host.record([&](VkCommandBuffer recorded) {
        ok(program->record(recorded));
        const VkBufferCopy all{0, 0, 256};
        vk().vkCmdCopyBuffer(recorded, buffer->handle(), result.handle(), 1, &all);
    });
    const HostTimeline gate, done;
    const VkSemaphoreSubmitInfo opened = gate.at(1), finished = done.at(7);
    host.submit(commands, VK_NULL_HANDLE, {&opened, 1}, {&finished, 1});

    const std::uint64_t in_use = context.memory_in_use();
    ok(std::move(*program).retire({{done.handle(), 7}}));
    program.reset();
    ok(context.retire(std::move(*buffer), {{gate.handle(), 0}, {done.handle(), 7}}));
    buffer.reset();
    EXPECT_EQ(ok(context.collect()), 2U);
    EXPECT_EQ(context.memory_in_use(), in_use);
    gate.signal(1);
    done.wait(7);
    host.wait();
    EXPECT_EQ(ok(context.collect()), 0U);
    EXPECT_EQ(context.memory_in_use(), before + result.size());
    EXPECT_THAT(contents(result, 64), Each(6U));
}

TEST(Retire, DestroysOnlyAfterAllPoints) {
    const Context& context = test_context();
    const HostTimeline one, other;
    for (std::uint64_t i = 1; i <= 3; ++i) {
        ok(context.retire(buffer_of(Values(64, 0)), {{one.handle(), i}, {other.handle(), 4 - i}}));
    }
    const std::uint64_t in_use = context.memory_in_use();
    const auto left = [&](std::uint64_t a, std::uint64_t b) {
        if (one.value() < a) {
            one.signal(a);
        }
        if (other.value() < b) {
            other.signal(b);
        }
        const std::size_t count = ok(context.collect());
        EXPECT_EQ(context.memory_in_use(), in_use - (3 - count) * 256);
        return count;
    };
    EXPECT_EQ(left(0, 0), 3U);
    EXPECT_EQ(left(2, 0), 3U);
    EXPECT_EQ(left(2, 1), 3U);
    EXPECT_EQ(left(2, 2), 2U);
    EXPECT_EQ(left(3, 2), 1U);
    EXPECT_EQ(left(3, 3), 0U);
}

TEST(Retire, WaitsForSubmissionsOfProgram) {
    const Context& context = test_context();
    const Buffer buffer = buffer_of(Values(64, 0));
    WordRef data;
    Program program = make_program(context, data);
    ok(program.bind(data, buffer));
    const HostTimeline gate, done;
    const VkSemaphoreSubmitInfo opened = gate.at(1), finished = done.at(1);
    ok(program.submit({.waits = {&opened, 1}}));
    ok(program.submit({.signaled = {&finished, 1}}));
    ok(std::move(program).retire());
    EXPECT_EQ(ok(context.collect()), 1U);
    gate.signal(1);
    done.wait(1);
    while (ok(context.collect()) != 0) { // the program's own semaphore may be signaled after `done`
        std::this_thread::yield();
    }
    EXPECT_THAT(contents(buffer, 64), Each(2U));
}

TEST(Retire, DestroysUnsubmittedProgramAtOnce) {
    const Context& context = test_context();
    WordRef data;
    ok(make_program(context, data).retire());
    const auto alive = std::make_shared<int>(1);
    WordGraph graph(context);
    graph.add_command_pass({.name = "nothing",
                            .uses = {},
                            .record = [alive](VkCommandBuffer, const CommandPassContext&) {},
                            .keep = true});
    Program program = ok(compile(context, graph));
    graph = WordGraph(context);
    EXPECT_EQ(alive.use_count(), 2);
    ok(std::move(program).retire());
    EXPECT_EQ(alive.use_count(), 1); // before collect()
    EXPECT_EQ(ok(context.collect()), 0U);
}

TEST(Retire, InvalidPointLeavesObjectUnchanged) {
    const Context& context = test_context();
    const Buffer buffer = buffer_of(Values(64, 0));
    Buffer other = buffer_of(Values(64, 3));
    WordRef data;
    Program program = make_program(context, data);
    ok(program.bind(data, buffer));
    expect_error(retire(program, {{VK_NULL_HANDLE, 1}}), ErrorCode::invalid_argument,
                 HasSubstr("retire: the semaphore of a point is null"));
    expect_error(retire(context, other, {{VK_NULL_HANDLE, 1}}), ErrorCode::invalid_argument,
                 HasSubstr("semaphore of a point is null"));
    ok(program.run());
    EXPECT_THAT(contents(buffer, 64), Each(1U));
    EXPECT_THAT(contents(other, 64), Each(3U));
    EXPECT_EQ(ok(context.collect()), 0U);
}

TEST(Retire, NeedsTimelineSemaphoresForPoints) {
    const HostDevice host([](HostFeatures& features) { features.vulkan12.timelineSemaphore = VK_FALSE; });
    const Context context = ok(Context::adopt(host.adopted()));
    WordRef data;
    Program program = make_program(context, data);
    const VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    VkSemaphore any = VK_NULL_HANDLE;
    ASSERT_EQ(host.vk().vkCreateSemaphore(host.device(), &info, nullptr, &any), VK_SUCCESS);
    expect_error(retire(program, {{any, 1}}), ErrorCode::unsupported, HasSubstr("require timelineSemaphore"));
    ok(std::move(program).retire());
    host.vk().vkDestroySemaphore(host.device(), any, nullptr);
    EXPECT_EQ(ok(context.collect()), 0U);
}

/// The destructor of the last context waits for retired objects, then destroys them.
TEST(Retire, ContextWaitsForRetiredObjects) {
    const HostDevice host;
    std::optional<Context> context(ok(Context::adopt(host.adopted())));
    const std::weak_ptr<Device> device = ContextAccess::device(*context);
    VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    const VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type};
    VkSemaphoreSubmitInfo done{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
    done.value = 1;
    done.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    ASSERT_EQ(host.vk().vkCreateSemaphore(host.device(), &info, nullptr, &done.semaphore), VK_SUCCESS);
    Commands commands(host.vk(), host.device(), host.queue(), host.queue_family());
    {
        Buffer buffer = buffer_on(*context, Values(64, 0));
        WordRef data;
        const MemoryPool pool(*context); // keeps the device alive, too
        Program program = make_program(*context, data);
        ok(program.bind(data, buffer));
        const VkCommandBuffer many = commands.begin();
        for (int i = 0; i < 200; ++i) {
            ok(program.record(many));
        }
        commands.end(many);
        commands.submit(many, VK_NULL_HANDLE, {}, {&done, 1});
        ok(std::move(program).retire({{done.semaphore, 1}}));
        ok(context->retire(std::move(buffer), {{done.semaphore, 1}}));
    }
    context.reset();
    EXPECT_TRUE(device.expired());
    std::uint64_t value = 0;
    EXPECT_EQ(host.vk().vkGetSemaphoreCounterValue(host.device(), done.semaphore, &value), VK_SUCCESS);
    EXPECT_EQ(value, 1U);
    commands.wait();
    host.vk().vkDestroySemaphore(host.device(), done.semaphore, nullptr);
}

/// Retired programs with a pool do not keep the device alive, even if the last Context object is destroyed before.
TEST(Retire, NothingKeepsTheContextAlive) {
    std::optional<Context> context(ok(Context::create(validated())));
    const std::weak_ptr<Device> device = ContextAccess::device(*context);
    {
        const MemoryPool pool(*context);
        WordGraph graph(*context);
        const WordRef out = graph.transient("out"), between = graph.transient("between");
        graph.add_fill("fill", between, 1);
        graph.add_copy("copy", between, out, 256);
        graph.export_buffer(out);
        Program program = ok(compile(*context, graph, {.pool = pool}));
        ok(program.run());
        ok(std::move(program).retire());
        Program last = ok(compile(*context, graph, {.pool = pool}));
        context.reset();
        ok(last.run());
        ok(std::move(last).retire());
    }
    EXPECT_TRUE(device.expired());
}

TEST(Retire, FailedSemaphoreQueryIsError) {
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    FailingCalls calls(adopted);
    const Context context = ok(Context::adopt(adopted));
    const auto timeline = ok(Timeline::create(ContextAccess::device(context), "the host's"));
    ok(context.retire(ok(context.create_buffer(256)), {{timeline->handle(), 0}}));
    calls.fail("vkGetSemaphoreCounterValue", VK_ERROR_OUT_OF_HOST_MEMORY, 1);
    expect_error(context.collect(), ErrorCode::out_of_memory, HasSubstr("a retired object"));
    EXPECT_EQ(context.memory_in_use(), 256U);
    EXPECT_EQ(ok(context.collect()), 0U);
    EXPECT_EQ(context.memory_in_use(), 0U);
}

TEST(Retire, ManyThreads) {
    const Context& context = test_context();
    std::atomic<bool> is_over = false;
    std::thread collector([&] {
        while (!is_over) {
            EXPECT_TRUE(context.collect());
        }
    });
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < 3; ++t) {
        threads.emplace_back([&, t] {
            for (std::uint32_t i = 0; i < 10; ++i) {
                Adder adder(1000, t + 1);
                Buffer in = buffer_of(Values(1000, i)), out = poisoned_buffer(1000);
                bind_all(*adder.program, {{adder.in, in}, {adder.out, out}});
                const HostTimeline done;
                const VkSemaphoreSubmitInfo finished = done.at(1);
                ok(adder.program->submit({.signaled = {&finished, 1}}));
                ok(std::move(*adder.program).retire({{done.handle(), 1}}));
                ok(context.retire(std::move(in), {{done.handle(), 1}}));
                done.wait(1);
                EXPECT_THAT(contents(out, 1000), Each(i + t + 1));
                while (ok(context.collect()) != 0) { // until no retired object refers to the semaphore
                    std::this_thread::yield();
                }
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    is_over = true;
    collector.join();
    EXPECT_EQ(ok(context.collect()), 0U);
}

} // namespace
} // namespace weir::tests::retire_test
