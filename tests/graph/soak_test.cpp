// Runs a program as a renderer does, for a thousand frames with three in flight. Everything that may change between
// frames changes, every result is compared with a reference in plain C++, and memory must not grow.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <malloc.h>
#include <mutex>
#include <numeric>
#include <string_view>
#include <thread>

#include <weir/weir.hpp>

#include "tests/graph/programs.hpp"
#include "tests/graph/recorder.hpp"
#include "tests/support/host_device.hpp"
#include "tests/support/replaced_functions.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::soak_test {
namespace {

const OnOneDriver on_one_driver{"Soak.*"};

/// Counts the live objects of one kind: calls of its create function minus calls of its destroy function.
template <class Create, class Destroy>
struct Live;
template <class... In, class... Out>
struct Live<VkResult(VKAPI_PTR*)(In...), void(VKAPI_PTR*)(Out...)> {
    static inline VkResult(VKAPI_PTR* create)(In...) = nullptr;
    static inline void(VKAPI_PTR* destroy)(Out...) = nullptr;
    static inline int count = 0;
    static VkResult VKAPI_CALL make(In... in) {
        ++count;
        return create(in...);
    }
    static void VKAPI_CALL end(Out... out) {
        --count;
        destroy(out...);
    }
};
using Memories = Live<PFN_vkAllocateMemory, PFN_vkFreeMemory>;
using Pools = Live<PFN_vkCreateDescriptorPool, PFN_vkDestroyDescriptorPool>;

PFN_vkVoidFunction count_live(std::string_view name, PFN_vkVoidFunction real) {
    const auto take = [&](auto& into, auto ours) { return ReplacedFunctions::take(real, into, ours); };
    return name == "vkAllocateMemory"          ? take(Memories::create, &Memories::make)
           : name == "vkFreeMemory"            ? take(Memories::destroy, &Memories::end)
           : name == "vkCreateDescriptorPool"  ? take(Pools::create, &Pools::make)
           : name == "vkDestroyDescriptorPool" ? take(Pools::destroy, &Pools::end)
                                               : real;
}

constexpr std::uint32_t capacity = 1500;
constexpr std::uint32_t limit = 1U << 31; ///< smaller numbers are selected

/// A scan, plus the number of its executions.
struct Sums {
    WordGraph graph;
    Count n = graph.parameter("n", capacity);
    WordRef in = graph.import("in", capacity, n);
    WordRef out = graph.import("out", capacity, n);

    explicit Sums(const Context& context) : graph(context) {
        const WordRef runs = graph.state("runs");
        graph.add_pass(increment(runs, "count"));
        graph.add_pass(word_pass("add runs",
                                 {{"source", read(scan(graph, in))}, {"runs", read(runs)}, {"sums", write(out)}},
                                 "sums[i] = source[i] + runs[0];", n));
    }
};

/// Inputs of a frame and its expected results.
struct Frame {
    std::uint32_t n = 0, factor = 0, gate = 0;
    bool on = false, gpu_on = false;
    Values in;
    Values sorted, by_host, by_gpu, blended;
    std::uint32_t kept = 0;
};

/// The program under test. It selects the numbers below the limit and sorts them. It computes sums of all numbers, once
/// under a switch and once under a count on the GPU. It adds the first 64 numbers to `factor` times the previous blend.
struct Renderer {
    WordRef in, gate, sorted, kept, by_host, by_gpu, blended;
    Count n, factor, host_n, gpu_n;
    Switch on;
    std::optional<Program> program;

    explicit Renderer(const Context& context) {
        WordGraph graph(context);
        n = graph.parameter("n", capacity);
        factor = graph.parameter("factor", 1000);
        in = graph.import("in", capacity, n, Access::host_write);
        gate = graph.import("gate", 2, Access::host_write);
        sorted = graph.import("sorted", capacity, Access::host_write);
        kept = graph.import("kept", 1, Access::host_write);
        by_host = graph.import("by host", capacity, Access::host_write);
        by_gpu = graph.import("by gpu", capacity, Access::host_write);
        blended = graph.import("blended", 64, Access::host_write);
        on = graph.add_switch("on");

        const auto selected = select_if(graph, in, Predicate::compare(Comparison::less, limit));
        graph.add_copy("count", selected.count, kept, 4);
        radix_sort(graph, selected.items, {.output_keys = sorted});
        const Sums sums(context);
        {
            const auto scope = graph.only_if(on);
            const auto made = graph.add_graph(sums.graph, {{sums.in, in}, {sums.out, by_host}}, "by host");
            host_n = made.count(sums.n);
        }
        {
            const auto scope = graph.only_if(graph.count_in(gate, 1, 100));
            const auto made = graph.add_graph(sums.graph, {{sums.in, in}, {sums.out, by_gpu}}, "by gpu");
            gpu_n = made.count(sums.n);
        }
        const auto history = graph.history("blend");
        graph.add_pass(word_pass(
            "blend", {{"source", read(in)}, {"previous", read(history.previous)}, {"current", write(history.current)}},
            "current[i] = factor * previous[i] + source[i];", 64U, {{"factor", factor}}));
        graph.add_copy("show", history.current, blended, 256);
        for (const WordRef& out : {sorted, kept, by_host, by_gpu, blended}) {
            graph.export_buffer(out, Access::host_read);
        }
        program.emplace(ok(compile(context, graph, {.frames_in_flight = 3})));
    }
};

/// Computes the inputs and results of the next frame in plain C++.
class Reference {
public:
    Frame next(std::uint32_t index) {
        Frame frame;
        frame.n = index % 50 == 7 ? 0 : random_.uniform(1U, capacity);
        frame.factor = random_.uniform(0U, 1000U);
        frame.on = index % 3 != 0;
        frame.gpu_on = index % 5 < 2;
        frame.gate = frame.gpu_on ? random_.uniform(1U, 1000U) : 0;
        frame.in = random_.vector(capacity);
        const Values meant(frame.in.begin(), frame.in.begin() + frame.n);
        std::copy_if(meant.begin(), meant.end(), std::back_inserter(frame.sorted),
                     [](std::uint32_t x) { return x < limit; });
        frame.kept = static_cast<std::uint32_t>(frame.sorted.size());
        std::sort(frame.sorted.begin(), frame.sorted.end());
        Values sums = meant;
        std::partial_sum(sums.begin(), sums.end(), sums.begin());
        frame.by_host = frame.on ? plus(sums, ++host_runs_) : Values();
        frame.by_gpu = frame.gpu_on ? plus(sums, ++gpu_runs_) : Values();
        for (std::size_t i = 0; i < blended_.size(); ++i) {
            blended_[i] = frame.factor * blended_[i] + frame.in[i];
        }
        frame.blended = blended_;
        return frame;
    }

private:
    Random random_;
    std::uint32_t host_runs_ = 0, gpu_runs_ = 0;
    Values blended_ = Values(64, 0);
};

/// A frame in flight: command buffer, fence, and buffers. Frames alternate between two places in each buffer.
class Slot {
public:
    Slot(const HostDevice& host, const Context& context) : host_(host) {
        VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
        pool.queueFamilyIndex = host.queue_family();
        VkCommandBufferAllocateInfo commands{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
        commands.commandBufferCount = 1;
        VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
        EXPECT_EQ(host.vk().vkCreateCommandPool(host.device(), &pool, nullptr, &pool_), VK_SUCCESS);
        commands.commandPool = pool_;
        EXPECT_EQ(host.vk().vkAllocateCommandBuffers(host.device(), &commands, &commands_), VK_SUCCESS);
        EXPECT_EQ(host.vk().vkCreateFence(host.device(), &fence, nullptr, &fence_), VK_SUCCESS);
        for (Buffer& buffer : buffers_) {
            buffer = ok(context.create_buffer(std::uint64_t{2} * place_bytes, MemoryKind::download));
        }
    }
    ~Slot() {
        host_.vk().vkDestroyFence(host_.device(), fence_, nullptr);
        host_.vk().vkDestroyCommandPool(host_.device(), pool_, nullptr);
    }
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;

    void run(Renderer& renderer, Frame frame, std::uint32_t index) {
        frame_ = std::move(frame);
        place_ = index % 2 * place_bytes;
        for (std::size_t i = 0; i < buffers_.size(); ++i) {
            std::memset(buffers_[i].mapped(), 0xA5, buffers_[i].size());
        }
        std::memcpy(buffers_[0].mapped() + place_, frame_.in.data(), frame_.in.size() * 4);
        const std::uint32_t gate[] = {1, frame_.gate};
        std::memcpy(buffers_[1].mapped() + place_, gate, sizeof(gate));

        Program& program = *renderer.program;
        const WordRef imports[] = {renderer.in,      renderer.gate,   renderer.sorted, renderer.kept,
                                   renderer.by_host, renderer.by_gpu, renderer.blended};
        for (std::size_t i = 0; i < buffers_.size(); ++i) {
            ok(program.bind(imports[i], {buffers_[i].handle(), place_, place_bytes}));
        }
        ok(program.set(renderer.n, frame_.n));
        ok(program.set(renderer.host_n, frame_.n));
        ok(program.set(renderer.gpu_n, frame_.n));
        ok(program.set(renderer.factor, frame_.factor));
        ok(program.set(renderer.on, frame_.on));
        VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
        begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
        EXPECT_EQ(host_.vk().vkResetCommandPool(host_.device(), pool_, 0), VK_SUCCESS);
        EXPECT_EQ(host_.vk().vkBeginCommandBuffer(commands_, &begin), VK_SUCCESS);
        ok(program.record(commands_));
        EXPECT_EQ(host_.vk().vkEndCommandBuffer(commands_), VK_SUCCESS);
        VkCommandBufferSubmitInfo commands{VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
        commands.commandBuffer = commands_;
        VkSubmitInfo2 submit{VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
        submit.commandBufferInfoCount = 1;
        submit.pCommandBufferInfos = &commands;
        EXPECT_EQ(host_.vk().vkQueueSubmit2(host_.queue(), 1, &submit, fence_), VK_SUCCESS);
        pending_ = true;
    }

    /// Waits for the pending frame, if there is one, and checks its results.
    void finish() {
        if (!pending_) {
            return;
        }
        pending_ = false;
        EXPECT_EQ(host_.vk().vkWaitForFences(host_.device(), 1, &fence_, VK_TRUE, UINT64_MAX), VK_SUCCESS);
        EXPECT_EQ(host_.vk().vkResetFences(host_.device(), 1, &fence_), VK_SUCCESS);
        expect(2, frame_.sorted, frame_.sorted.size());
        expect(3, {frame_.kept}, 1);
        expect(4, frame_.by_host, capacity); // poison if it is off, and beyond its end
        expect(5, frame_.by_gpu, capacity);
        expect(6, frame_.blended, 64);
    }

private:
    void expect(std::size_t buffer, Values expected, std::size_t count) const {
        expected.resize(count, 0xA5A5A5A5);
        Values found(count);
        if (count != 0) {
            std::memcpy(found.data(), buffers_[buffer].mapped() + place_, count * 4);
        }
        EXPECT_EQ(found, expected) << "buffer " << buffer;
    }

    static constexpr std::uint32_t place_bytes = 8192;
    const HostDevice& host_;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    VkCommandBuffer commands_ = VK_NULL_HANDLE;
    VkFence fence_ = VK_NULL_HANDLE;
    std::array<Buffer, 7> buffers_;
    Frame frame_;
    VkDeviceSize place_ = 0;
    bool pending_ = false;
};

#if defined(_WIN32)
std::size_t heap_bytes() {
    std::size_t bytes = 0;
    _HEAPINFO block{};
    while (_heapwalk(&block) == _HEAPOK) {
        bytes += block._useflag == _USEDENTRY ? block._size : 0;
    }
    return bytes;
}
#else
std::size_t heap_bytes() {
    return mallinfo2().uordblks;
}
#endif

/// Returns the number of frames: WEIR_SOAK_FRAMES, but at least 1000.
std::uint32_t soak_frames() {
    const char* wanted = std::getenv("WEIR_SOAK_FRAMES");
    return wanted != nullptr ? std::max(1000U, static_cast<std::uint32_t>(std::atol(wanted))) : 1000U;
}

TEST(Soak, AThousandFrames) {
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    const ReplacedFunctions counting(adopted, count_live);
    const Context context = ok(Context::adopt(adopted));
    Renderer renderer(context);
    Reference reference;
    Slot first(host, context), second(host, context), third(host, context);
    const std::array<Slot*, 3> slots{&first, &second, &third};

    const std::uint64_t memory = renderer.program->memory();
    const int memories = Memories::count, pools = Pools::count;
    EXPECT_GT(memories, 0);
    EXPECT_GT(pools, 0);
    // Heap bytes of the whole process, including layer and driver. These hold more memory while frames are in flight,
    // so the minimum over many frames is compared. NVIDIA's driver allocates 200 KiB once, between frames 100 and 200.
    std::size_t early_heap = ~std::size_t{0}, late_heap = early_heap;
    const std::uint32_t frames = soak_frames();
    for (std::uint32_t frame = 0; frame < frames && !testing::Test::HasFailure(); ++frame) {
        SCOPED_TRACE("frame " + std::to_string(frame));
        Slot& slot = *slots[frame % 3];
        slot.finish();
        slot.run(renderer, reference.next(frame), frame);
        if (frame >= 300 && frame < 400) {
            early_heap = std::min(early_heap, heap_bytes());
        } else if (frame >= frames - 100) {
            late_heap = std::min(late_heap, heap_bytes());
        }
    }
    for (Slot* slot : slots) {
        slot->finish();
    }
    EXPECT_EQ(renderer.program->memory(), memory);
    EXPECT_EQ(Memories::count, memories);
    EXPECT_EQ(Pools::count, pools);
    // The C library keeps memory that threads freed last and counts it as used: up to 256 KiB after many frames.
    const std::size_t most_kept = std::min<std::size_t>((frames - 400) * std::size_t{64}, 256 * 1024);
    EXPECT_LT(late_heap, early_heap + most_kept);
    RecordProperty("heap_growth", std::to_string(late_heap) + " - " + std::to_string(early_heap));
}

/// Each thread has its own program. All share one device and lock its queue.
TEST(Soak, SeveralThreads) {
    const HostDevice host;
    std::mutex queue;
    AdoptedDevice adopted = host.adopted();
    adopted.lock_queue = [&] { queue.lock(); };
    adopted.unlock_queue = [&] { queue.unlock(); };
    const Context context = ok(Context::adopt(adopted));
    constexpr std::uint32_t frames = 60;
    std::array<Values, 4> found, expected;
    std::vector<std::thread> threads;
    for (std::uint32_t t = 0; t < found.size(); ++t) {
        threads.emplace_back([&, t] {
            WordGraph graph(context);
            const auto sums = graph.history("sums");
            const WordRef in = graph.import("in"), out = graph.import("out");
            const Switch sorting = graph.add_switch("sorting");
            graph.add_copy("carry", sums.previous, sums.current, 256);
            {
                const auto scope = graph.only_if(sorting);
                const auto sorted = radix_sort(graph, in);
                graph.add_pass(word_pass("add", {{"source", read(sorted.keys)}, {"sums", read_write(sums.current)}},
                                         "sums[i] += source[i];"));
            }
            graph.add_copy("copy", sums.current, out, 256);
            Program program = ok(compile(context, graph));
            Values values = Random(t).vector(64);
            const Buffer input = buffer_on(context, values), output = ok(context.create_buffer(256));
            bind_all(program, {{in, input}, {out, output}});
            std::sort(values.begin(), values.end());
            expected[t].assign(64, 0);
            Recorder commands(context);
            for (std::uint32_t frame = 0; frame < frames; ++frame) {
                const bool on = (frame + t) % 3 != 0;
                ok(program.set(sorting, on));
                std::transform(values.begin(), values.end(), expected[t].begin(), expected[t].begin(),
                               [&](std::uint32_t value, std::uint32_t sum) { return sum + (on ? value : 0); });
                const VkCommandBuffer recorded = commands.record(program);
                const std::lock_guard lock(queue);
                commands.submit(recorded);
                if (frame % 3 == 2) {
                    commands.wait();
                }
            }
            found[t] = ok(context.download<std::uint32_t>(output, 64));
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(found, expected);
}

/// The work of a thread in the next test, on the GPU and in plain C++.
struct ThreadWork {
    std::uint32_t kind = 0;

    void add(WordGraph& graph, WordRef in, WordRef out) const {
        switch (kind) {
        case 0: scan(graph, in, {.output = out}); break;
        case 1: radix_sort(graph, in, {.output_keys = out}); break;
        case 2: reduce(graph, in, {.output = out}); break;
        default: fill(graph, out, 7U); break;
        }
    }
    [[nodiscard]] Values expected(Values values) const {
        switch (kind) {
        case 0: std::inclusive_scan(values.begin(), values.end(), values.begin()); return values;
        case 1: std::sort(values.begin(), values.end()); return values;
        case 2: return {std::accumulate(values.begin(), values.end(), 0U)};
        default: return Values(values.size(), 7);
        }
    }
};

/// All threads compile, record, run and destroy programs of one context. The programs share shaders, pipelines, memory
/// and the queue.
TEST(Soak, SixtyFourThreadsOfOneContext) {
    constexpr std::uint32_t threads = 64, rounds = 3;
    const Context& context = test_context();
    std::array<std::string, threads> failures;
    const auto run = [&](std::uint32_t thread) {
        for (std::uint32_t round = 0; round < rounds; ++round) {
            const ThreadWork work{(thread + round) % 4};
            const Values values = Random(thread * rounds + round).vector(500 + thread);
            const auto n = static_cast<std::uint32_t>(values.size());
            WordGraph graph(context);
            const WordRef in = graph.import("in", n), out = graph.import("out", n);
            work.add(graph, in, out);
            Program program = ok(compile(context, graph));
            const Buffer input = buffer_on(context, values), output = ok(context.create_buffer(n * 4));
            run_with(program, {{in, input}, {out, output}});
            ok(context.submit([&](VkCommandBuffer commands) { return program.record(commands); }));
            const Values expected = work.expected(values);
            if (ok(context.download<std::uint32_t>(output, expected.size())) != expected) {
                failures[thread] += "wrong results in round " + std::to_string(round) + "; ";
            }
        }
    };
    std::vector<std::thread> running;
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
        running.emplace_back([&, thread] {
            try {
                run(thread);
            } catch (const std::exception& error) {
                failures[thread] += error.what();
            }
        });
    }
    for (std::thread& thread : running) {
        thread.join();
    }
    EXPECT_EQ(failures, (std::array<std::string, threads>{}));
}

} // namespace
} // namespace weir::tests::soak_test
