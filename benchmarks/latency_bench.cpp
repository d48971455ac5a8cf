#include "latency_bench.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "common/propagate.hpp"

namespace weir::bench {

namespace {

constexpr std::uint32_t items = 1U << 10;
constexpr std::uint32_t least_runs = 200;

double now_ms() {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Submission without Weir: a command buffer that is recorded once, and a fence.
class Bare {
public:
    explicit Bare(const Context& context) : device_(context.device()), queue_(context.queue()) {
        find_device_ = reinterpret_cast<PFN_vkGetDeviceProcAddr>(
            context.get_instance_proc_addr()(context.instance(), "vkGetDeviceProcAddr"));
        find(submit_, "vkQueueSubmit");
        find(wait_, "vkWaitForFences");
        find(status_, "vkGetFenceStatus");
        find(reset_, "vkResetFences");
        find(destroy_fence_, "vkDestroyFence");
        find(destroy_pool_, "vkDestroyCommandPool");
    }
    Bare(const Bare&) = delete;
    Bare& operator=(const Bare&) = delete;
    ~Bare() {
        destroy_fence_(device_, fence_, nullptr);
        destroy_pool_(device_, pool_, nullptr);
    }

    /// Records commands once, for any number of runs.
    Result<> create(std::uint32_t family, const std::function<Result<>(VkCommandBuffer)>& record) {
        PFN_vkCreateCommandPool create_pool = nullptr;
        PFN_vkAllocateCommandBuffers allocate = nullptr;
        PFN_vkCreateFence create_fence = nullptr;
        PFN_vkBeginCommandBuffer begin = nullptr;
        PFN_vkEndCommandBuffer end = nullptr;
        find(create_pool, "vkCreateCommandPool");
        find(allocate, "vkAllocateCommandBuffers");
        find(create_fence, "vkCreateFence");
        find(begin, "vkBeginCommandBuffer");
        find(end, "vkEndCommandBuffer");
        VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
        pool.queueFamilyIndex = family;
        VkCommandBufferAllocateInfo buffers{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
        buffers.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
        buffers.commandBufferCount = 1;
        const VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
        const VkCommandBufferBeginInfo how{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
        if (create_pool(device_, &pool, nullptr, &pool_) != VK_SUCCESS) {
            return failed("creating a command pool");
        }
        buffers.commandPool = pool_;
        if (allocate(device_, &buffers, &commands_) != VK_SUCCESS ||
            create_fence(device_, &fence, nullptr, &fence_) != VK_SUCCESS || begin(commands_, &how) != VK_SUCCESS) {
            return failed("beginning a command buffer");
        }
        return record(commands_).and_then([&]() -> Result<> {
            return end(commands_) == VK_SUCCESS ? Result<>() : failed("ending a command buffer");
        });
    }

    Result<> run(bool polls) {
        VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO};
        info.commandBufferCount = 1;
        info.pCommandBuffers = &commands_;
        VkResult status = submit_(queue_, 1, &info, fence_);
        if (status == VK_SUCCESS && polls) {
            while ((status = status_(device_, fence_)) == VK_NOT_READY) {
            }
        } else if (status == VK_SUCCESS) {
            status = wait_(device_, 1, &fence_, VK_TRUE, UINT64_MAX);
        }
        return status == VK_SUCCESS && reset_(device_, 1, &fence_) == VK_SUCCESS ? Result<>() : failed("a submission");
    }

private:
    template <class Function>
    void find(Function& function, const char* name) {
        function = reinterpret_cast<Function>(find_device_(device_, name));
    }
    static Result<> failed(const char* what) {
        return tl::unexpected(Error{ErrorCode::vulkan, std::string("latency: ") + what + " failed"});
    }

    VkDevice device_;
    VkQueue queue_;
    PFN_vkGetDeviceProcAddr find_device_ = nullptr;
    PFN_vkQueueSubmit submit_ = nullptr;
    PFN_vkWaitForFences wait_ = nullptr;
    PFN_vkGetFenceStatus status_ = nullptr;
    PFN_vkResetFences reset_ = nullptr;
    PFN_vkDestroyFence destroy_fence_ = nullptr;
    PFN_vkDestroyCommandPool destroy_pool_ = nullptr;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    VkCommandBuffer commands_ = VK_NULL_HANDLE;
    VkFence fence_ = VK_NULL_HANDLE;
};

/// Returns the program of a sort of few keys, with its own buffers.
Result<Program> small_sort(const Context& context) {
    Graph graph(context);
    const auto keys = graph.transient_buffer<std::uint32_t>("keys", items);
    iota(graph, keys, 3U);
    const auto sorted = radix_sort(graph, keys, {.descending = true});
    graph.export_buffer(sorted.keys);
    return compile(context, graph);
}

constexpr const char* names[] = {"latency/nothing/driver", "latency/sort/driver", "latency/sort/driver polled",
                                 "latency/sort/run",       "latency/sort/submit", "latency/sort/execute"};

} // namespace

std::vector<std::string> latency_row_names() {
    return {std::begin(names), std::end(names)};
}

Result<> time_latencies(const Context& context, std::uint32_t repeats,
                        const std::function<bool(const std::string& name)>& selected,
                        const std::function<void(const Row& row)>& report) {
    auto program = small_sort(context);
    SAMPLES_PROPAGATE(program);
    Bare nothing(context), sort(context);
    // The first run clears the buffers that must be zero before first use.
    auto ready = program->run()
                     .and_then([&](const RunReport&) {
                         return nothing.create(context.queue_family(), [](VkCommandBuffer) { return Result<>(); });
                     })
                     .and_then([&] {
                         return sort.create(context.queue_family(),
                                            [&](VkCommandBuffer commands) { return program->record(commands); });
                     });
    SAMPLES_PROPAGATE(ready);
    std::optional<double> gpu_ms;
    const std::function<Result<>()> calls[] = {
        [&] { return nothing.run(false); },
        [&] { return sort.run(false); },
        [&] { return sort.run(true); },
        [&] { return program->run().map([&](const RunReport& run) { gpu_ms = run.gpu_ms; }); },
        [&] { return program->submit().and_then([&] { return program->wait(); }); },
        [&] { return Result<>(); },
    };
    const std::uint32_t runs = std::max(repeats, least_runs);
    std::vector<double> took[std::size(names)];
    for (std::uint32_t run = 0; run < 2 * runs; ++run) {
        for (std::size_t i = 0; i < std::size(names); ++i) {
            const double begin = now_ms();
            SAMPLES_PROPAGATE(calls[i]());
            const double ms = i + 1 == std::size(names) ? gpu_ms.value_or(0) : now_ms() - begin;
            if (run >= runs) {
                took[i].push_back(ms);
            }
        }
    }
    for (std::size_t i = 0; i < std::size(names); ++i) {
        if (selected(names[i])) {
            report(row_of(names[i], items, took[i]));
        }
    }
    return {};
}

} // namespace weir::bench
