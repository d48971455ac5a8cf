// After a failed Vulkan call, Weir frees nothing that the GPU may still use, and loses nothing.

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <thread>

#include "tests/graph/programs.hpp"
#include "tests/support/buffers.hpp"
#include "tests/support/failing_calls.hpp"
#include "tests/support/host_device.hpp"
#include "tests/support/semaphores.hpp"

namespace weir::tests::failures_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Result<> nothing(VkCommandBuffer) {
    return {};
}

/// A host's device whose calls may fail.
struct Failing {
    HostDevice host;
    AdoptedDevice adopted = host.adopted();
    FailingCalls calls{adopted};
    Context context = ok(Context::adopt(adopted));
};

/// A graph with an import of 64 words, which is also an export.
struct WordsGraph : Graph {
    explicit WordsGraph(const Context& context) : Graph(context) { export_buffer(data); }
    void increment(const char* name = "increment") {
        add_pass(simple_pass(name, increment_source, {read_write(data)}));
    }
    WordRef data = import_buffer<std::uint32_t>("data", 64);
};

/// Blocks later submissions to the queue for 30 ms.
class Blockade {
public:
    explicit Blockade(const HostDevice& host) : host_(host), semaphore_(timeline_semaphore(host.vk(), host.device())) {
        const VkSemaphoreSubmitInfo wait = at_value(semaphore_, 1);
        VkSubmitInfo2 submit{VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
        submit.waitSemaphoreInfoCount = 1;
        submit.pWaitSemaphoreInfos = &wait;
        EXPECT_EQ(host.vk().vkQueueSubmit2(host.queue(), 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
        thread_ = std::thread([this] {
            std::this_thread::sleep_for(std::chrono::milliseconds(30));
            is_over_ = true;
            raise(host_.vk(), host_.device(), semaphore_, 1);
        });
    }
    ~Blockade() {
        thread_.join();
        EXPECT_EQ(host_.vk().vkQueueWaitIdle(host_.queue()), VK_SUCCESS);
        host_.vk().vkDestroySemaphore(host_.device(), semaphore_, nullptr);
    }
    Blockade(const Blockade&) = delete;
    Blockade& operator=(const Blockade&) = delete;

    [[nodiscard]] bool is_over() const { return is_over_; }

private:
    const HostDevice& host_;
    VkSemaphore semaphore_;
    std::atomic<bool> is_over_ = false;
    std::thread thread_;
};

TEST(Failures, FailedWaitIsNotTakenForCompletion) {
    Failing failing;
    for (const VkResult status : {VK_ERROR_OUT_OF_HOST_MEMORY, VK_TIMEOUT}) {
        const Blockade blockade(failing.host);
        failing.calls.fail("vkWaitForFences", status, 1);
        failing.calls.fail("vkGetFenceStatus", VK_ERROR_OUT_OF_DEVICE_MEMORY, 4); // before the wait, and after it
        ok(failing.context.submit(nothing));
        EXPECT_TRUE(blockade.is_over());
    }
}

TEST(Failures, UploadsAndDownloadsSurviveFailedWaits) {
    Failing failing;
    const Values values = Random().vector(1000);
    const Buffer buffer = ok(failing.context.create_buffer(4000));
    failing.calls.fail("vkWaitForFences", VK_ERROR_OUT_OF_HOST_MEMORY);
    ok(failing.context.upload(buffer, values));
    EXPECT_EQ(ok(failing.context.download<std::uint32_t>(buffer, 1000)), values);
}

TEST(Failures, CommandsThatCannotBeWaitedForAreNotFreed) {
    Failing failing;
    {
        const Blockade blockade(failing.host);
        failing.calls.fail("vkWaitForFences", VK_ERROR_OUT_OF_HOST_MEMORY);
        failing.calls.fail("vkGetFenceStatus", VK_ERROR_OUT_OF_HOST_MEMORY);
        expect_error(failing.context.submit(nothing), ErrorCode::out_of_memory,
                     AllOf(HasSubstr("waiting for submitted commands"), HasSubstr("the GPU may still be running")));
        EXPECT_EQ(failing.calls.calls("vkResetCommandPool"), 0);
    }
    failing.calls.mend("vkWaitForFences");
    ok(failing.context.submit(nothing));
    EXPECT_EQ(failing.calls.calls("vkResetCommandPool"), 0);
}

TEST(Failures, ProgramsSurviveFailedWaits) {
    Failing failing;
    WordsGraph graph(failing.context);
    graph.increment();
    const Buffer buffer = ok(failing.context.create_buffer(256));
    ok(failing.context.upload(buffer, Values(64, 0)));
    {
        Program program = ok(compile(failing.context, graph, {.frames_in_flight = 2}));
        ok(program.bind(graph.data, buffer));
        const Blockade blockade(failing.host);
        failing.calls.fail("vkWaitSemaphores", VK_ERROR_OUT_OF_HOST_MEMORY);
        failing.calls.fail("vkGetSemaphoreCounterValue", VK_ERROR_OUT_OF_HOST_MEMORY, 3);
        for (int i = 0; i < 3; ++i) { // the third waits for the first
            ok(program.submit());
        }
        EXPECT_TRUE(blockade.is_over());
        ok(program.wait());
        ok(program.submit());
    } // the destructor waits
    EXPECT_EQ(ok(failing.context.download<std::uint32_t>(buffer, 64)), Values(64, 4));
}

TEST(Failures, LostDeviceIsNotWaitedFor) {
    Failing failing;
    failing.calls.fail("vkGetFenceStatus", VK_ERROR_OUT_OF_HOST_MEMORY, 1); // so that the fence is waited for
    failing.calls.fail("vkWaitForFences", VK_ERROR_DEVICE_LOST, 1);
    expect_error(failing.context.submit(nothing), ErrorCode::device_lost, Not(HasSubstr("may still be running")));
}

TEST(Failures, ExceptionInSubmitFunctionIsAnError) {
    Failing failing;
    for (int i = 0; i < 3; ++i) {
        expect_error(
            failing.context.submit([](VkCommandBuffer) -> Result<> { throw std::runtime_error("no more ink"); }),
            ErrorCode::invalid_argument, HasSubstr("the function that records commands threw: no more ink"));
        expect_error(failing.context.submit([](VkCommandBuffer) -> Result<> { throw 5; }), ErrorCode::invalid_argument,
                     HasSubstr("threw something other than a std::exception"));
    }
    // Each failure gives the same command buffer back.
    EXPECT_EQ(failing.calls.calls("vkResetCommandPool"), 6);
    ok(failing.context.submit(nothing));
}

TEST(Failures, ExceptionInCommandPassIsAnError) {
    WordsGraph graph(test_context());
    bool throws = true;
    CommandPass drawing;
    drawing.name = "drawing";
    drawing.uses = {{graph.data, Access::any}};
    drawing.record = [&throws](VkCommandBuffer, const CommandPassContext&) {
        if (throws) {
            throw std::runtime_error("no more ink");
        }
    };
    graph.add_command_pass(drawing);
    graph.increment();
    Program program = ok(compile(test_context(), graph));
    const Buffer buffer = buffer_of(Values(64, 0));
    ok(program.bind(graph.data, buffer));
    const auto is_told = [](const auto& result) {
        expect_error(result, ErrorCode::invalid_argument,
                     HasSubstr("record: the function of command pass 'drawing' threw: no more ink"));
    };
    is_told(program.run());
    is_told(program.submit());
    throws = false;
    ok(program.run());
    EXPECT_EQ(contents(buffer, 64), Values(64, 1));
}

TEST(Failures, ExceptionInMoveToIsAnError) {
    WordsGraph graph(test_context());
    graph.increment();
    CompileOptions options;
    options.move_to = [](const std::string&, QueueKind) -> QueueKind { throw std::runtime_error("nowhere"); };
    expect_error(compile(test_context(), graph, options), ErrorCode::invalid_argument,
                 HasSubstr("CompileOptions::move_to threw: nowhere"));
}

/// A host's fence and semaphore, to be signaled by a submission.
class Awaited {
public:
    explicit Awaited(const HostDevice& host)
        : host_(host), signal_(at_value(timeline_semaphore(host.vk(), host.device()), 1)) {
        const VkFenceCreateInfo info{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
        EXPECT_EQ(host.vk().vkCreateFence(host.device(), &info, nullptr, &fence_), VK_SUCCESS);
    }
    ~Awaited() { // the layer reports the destruction of objects in use
        host_.vk().vkDestroyFence(host_.device(), fence_, nullptr);
        host_.vk().vkDestroySemaphore(host_.device(), signal_.semaphore, nullptr);
    }
    Awaited(const Awaited&) = delete;
    Awaited& operator=(const Awaited&) = delete;

    [[nodiscard]] SubmitOptions options() const { return {.signaled = {&signal_, 1}, .fence = fence_}; }
    /// Waits for both, because lavapipe signals the fence before the semaphore.
    [[nodiscard]] bool wait() const {
        VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
        info.semaphoreCount = 1;
        info.pSemaphores = &signal_.semaphore;
        info.pValues = &signal_.value;
        return host_.vk().vkWaitForFences(host_.device(), 1, &fence_, VK_TRUE, UINT64_MAX) == VK_SUCCESS &&
               host_.vk().vkWaitSemaphores(host_.device(), &info, UINT64_MAX) == VK_SUCCESS;
    }
    [[nodiscard]] bool is_signaled() const {
        std::uint64_t value = 0;
        host_.vk().vkGetSemaphoreCounterValue(host_.device(), signal_.semaphore, &value);
        const VkResult status = host_.vk().vkGetFenceStatus(host_.device(), fence_);
        EXPECT_EQ(status == VK_SUCCESS, value == 1);
        return value == 1;
    }

private:
    const HostDevice& host_;
    VkFence fence_ = VK_NULL_HANDLE;
    VkSemaphoreSubmitInfo signal_;
};

TEST(Failures, PartialSubmissionUsesNoFenceOrSemaphoreOfHost) {
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    adopted.compute_queue = {adopted.queue, adopted.queue_family, {}, {}};
    FailingCalls calls(adopted);
    const Context context = ok(Context::adopt(adopted));
    WordsGraph graph(context);
    graph.increment("first");
    {
        const auto scope = graph.on_queue(QueueKind::compute);
        graph.increment("second");
    }
    const Buffer buffer = ok(context.create_buffer(256));
    ok(context.upload(buffer, Values(64, 0)));
    const Awaited never(host), once(host);
    for (int accepted = 0, batches = 1; accepted < batches; ++accepted) {
        Program program = ok(compile(context, graph));
        batches = static_cast<int>(program.plan().batches.size());
        ASSERT_GT(batches, 1);
        ok(program.bind(graph.data, buffer));
        calls.fail("vkQueueSubmit2", VK_ERROR_OUT_OF_DEVICE_MEMORY, 1, accepted);
        expect_error(program.submit(never.options()), ErrorCode::out_of_memory, HasSubstr("submitting"));
        static_cast<void>(program.wait());
        EXPECT_FALSE(never.is_signaled()) << accepted << " accepted";
    }
    calls.mend("vkQueueSubmit2");
    Program program = ok(compile(context, graph));
    ok(program.bind(graph.data, buffer));
    ok(program.submit(once.options()));
    EXPECT_TRUE(once.wait() && once.is_signaled());
    ok(program.wait());
}

TEST(Failures, FunctionHiddenByOlderInstanceIsNamed) {
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    FailingCalls calls(adopted);
    calls.remove("vkCmdPipelineBarrier2");
    expect_error(Context::adopt(adopted), ErrorCode::invalid_argument,
                 AllOf(HasSubstr("vkCmdPipelineBarrier2"), HasSubstr("AdoptedDevice::api_version"),
                       HasSubstr("VkApplicationInfo::apiVersion")));
}

TEST(Failures, FailedListOfExtensionsIsAnError) {
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    FailingCalls calls(adopted);
    calls.fail("vkEnumerateDeviceExtensionProperties", VK_ERROR_OUT_OF_HOST_MEMORY);
    expect_error(Context::adopt(adopted), ErrorCode::out_of_memory,
                 HasSubstr("cannot be used: listing the extensions of the device: out of host memory"));
}

TEST(Failures, AllocatorWithoutAddressesNamesMissingFlag) {
    if (!test_context().capabilities().buffer_address) {
        GTEST_SKIP() << "buffers have no addresses"; // then the allocator needs no flag
    }
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    adopted.memory.create_buffer = [](const VkBufferCreateInfo&, MemoryKind, MemoryHooks::Allocation&) {
        return VK_ERROR_INITIALIZATION_FAILED;
    };
    adopted.memory.destroy_buffer = [](const MemoryHooks::Allocation&) {};
    const Context context = ok(Context::adopt(adopted));
    expect_error(context.create_buffer(64), ErrorCode::invalid_argument,
                 HasSubstr("VMA_ALLOCATOR_CREATE_BUFFER_DEVICE_ADDRESS_BIT"));
}

} // namespace
} // namespace weir::tests::failures_test
