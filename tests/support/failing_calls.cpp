#include "tests/support/failing_calls.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <stdexcept>
#include <string>

namespace weir::tests {

namespace {

// Functions with a VkResult that Weir, its allocator and the windows of samples call, except those that create
// instances, devices and surfaces.
#define WEIR_TESTS_CALLS(call)                                                                                         \
    call(vkAcquireNextImageKHR) call(vkAllocateCommandBuffers) call(vkAllocateDescriptorSets) call(vkAllocateMemory)   \
        call(vkBeginCommandBuffer) call(vkBindBufferMemory) call(vkBindBufferMemory2) call(vkBindImageMemory)          \
            call(vkBindImageMemory2) call(vkCreateBuffer) call(vkCreateCommandPool) call(vkCreateComputePipelines)     \
                call(vkCreateDescriptorPool) call(vkCreateDescriptorSetLayout) call(vkCreateFence) call(               \
                    vkCreateFramebuffer) call(vkCreateGraphicsPipelines) call(vkCreateImage) call(vkCreateImageView)   \
                    call(vkCreatePipelineCache) call(vkCreatePipelineLayout) call(vkCreateQueryPool)                   \
                        call(vkCreateRenderPass) call(vkCreateSampler) call(vkCreateSemaphore)                         \
                            call(vkCreateShaderModule) call(vkCreateSwapchainKHR) call(vkDeviceWaitIdle)               \
                                call(vkEndCommandBuffer) call(vkEnumerateDeviceExtensionProperties)                    \
                                    call(vkEnumeratePhysicalDevices) call(vkFlushMappedMemoryRanges)                   \
                                        call(vkGetFenceStatus) call(vkGetPhysicalDeviceImageFormatProperties2) call(   \
                                            vkGetPhysicalDeviceSurfaceCapabilitiesKHR)                                 \
                                            call(vkGetPhysicalDeviceSurfaceFormatsKHR) call(                           \
                                                vkGetPhysicalDeviceSurfaceSupportKHR) call(vkGetPipelineCacheData)     \
                                                call(vkGetPipelineExecutableStatisticsKHR) call(vkGetQueryPoolResults) \
                                                    call(vkGetSemaphoreCounterValue) call(vkGetSwapchainImagesKHR)     \
                                                        call(vkInvalidateMappedMemoryRanges) call(vkMapMemory)         \
                                                            call(vkMergePipelineCaches) call(vkQueuePresentKHR)        \
                                                                call(vkQueueSubmit) call(vkQueueSubmit2)               \
                                                                    call(vkQueueWaitIdle) call(vkResetCommandPool)     \
                                                                        call(vkResetFences)                            \
                                                                            call(vkSetDebugUtilsObjectNameEXT)         \
                                                                                call(vkWaitForFences)                  \
                                                                                    call(vkWaitSemaphores)

enum Call : std::size_t {
#define WEIR_TESTS_INDEX(name) index_of_##name,
    WEIR_TESTS_CALLS(WEIR_TESTS_INDEX)
#undef WEIR_TESTS_INDEX
        number_of_calls
};

// Functions that may report the loss of the device.
constexpr std::array calls_that_lose{index_of_vkAcquireNextImageKHR,
                                     index_of_vkDeviceWaitIdle,
                                     index_of_vkGetFenceStatus,
                                     index_of_vkGetQueryPoolResults,
                                     index_of_vkGetSemaphoreCounterValue,
                                     index_of_vkQueuePresentKHR,
                                     index_of_vkQueueSubmit,
                                     index_of_vkQueueSubmit2,
                                     index_of_vkQueueWaitIdle,
                                     index_of_vkWaitForFences,
                                     index_of_vkWaitSemaphores};

struct Function {
    const char* name = "";
    PFN_vkVoidFunction (*wrap)(PFN_vkVoidFunction) = nullptr;
    std::atomic<int> calls = 0;
    std::atomic<int> works = 0; ///< remaining calls that work
    std::atomic<int> fails = 0; ///< remaining calls that fail after these
    std::atomic<VkResult> status = VK_SUCCESS;
};

extern std::array<Function, number_of_calls> wrapped_functions;

VkDevice hosts_device = VK_NULL_HANDLE;
std::atomic<int> calls_before_loss = -1; ///< calls of calls_that_lose until the loss; negative: no loss
std::atomic<int> losing_calls = 0;       ///< calls of calls_that_lose so far
std::atomic<std::size_t> last_losing_call = number_of_calls;
std::atomic<bool> has_any_failed = false;
std::atomic<bool> is_lost = false;
PFN_vkDeviceWaitIdle wait_until_idle = nullptr;

constexpr bool loses(std::size_t call) {
    return std::find(calls_that_lose.begin(), calls_that_lose.end(), call) != calls_that_lose.end();
}

/// Counts a call that may report the loss of the device, and returns true if it does. Of consecutive polls of a fence
/// only the first counts. Waits for the device before the loss: the application may then destroy objects that are in
/// use, but neither the driver nor the layer knows of the loss.
bool lost(std::size_t call) {
    const bool polls_again = call == index_of_vkGetFenceStatus && last_losing_call == call;
    last_losing_call = call;
    if (is_lost || polls_again) {
        return is_lost;
    }
    ++losing_calls;
    if (calls_before_loss >= 0 && calls_before_loss-- == 0) {
        wait_until_idle(hosts_device);
        is_lost = true;
    }
    return is_lost;
}

template <std::size_t I, class Pointer>
struct Wrapped;

/// Wrapper of function I with the signature of the driver's function.
template <std::size_t I, class... Arguments>
struct Wrapped<I, VkResult(VKAPI_PTR*)(Arguments...)> {
    using Pointer = VkResult(VKAPI_PTR*)(Arguments...);
    static inline Pointer real = nullptr;

    static VkResult VKAPI_CALL call(Arguments... arguments) {
        Function& function = wrapped_functions.at(I);
        ++function.calls;
        if constexpr (loses(I)) {
            if (lost(I)) {
                has_any_failed = true;
                return VK_ERROR_DEVICE_LOST;
            }
        }
        if (function.fails > 0 && function.works-- <= 0) {
            --function.fails;
            has_any_failed = true;
            if (function.status == VK_ERROR_DEVICE_LOST) { // the layer must see that nothing runs any more
                real(arguments...);
            }
            return function.status;
        }
        return real(arguments...);
    }
    static PFN_vkVoidFunction wrap(PFN_vkVoidFunction function) {
        real = reinterpret_cast<Pointer>(function);
        return reinterpret_cast<PFN_vkVoidFunction>(&call);
    }
};

std::array<Function, number_of_calls> wrapped_functions{{
#define WEIR_TESTS_FUNCTION(name) {#name, Wrapped<index_of_##name, PFN_##name>::wrap},
    WEIR_TESTS_CALLS(WEIR_TESTS_FUNCTION)
#undef WEIR_TESTS_FUNCTION
}};

Function& find(std::string_view name) {
    for (Function& function : wrapped_functions) {
        if (name == function.name) {
            return function;
        }
    }
    throw std::invalid_argument(std::string(name) + " is not one of FailingCalls::functions()");
}

PFN_vkGetInstanceProcAddr real_instance_proc = nullptr;
PFN_vkGetDeviceProcAddr real_device_proc = nullptr;
std::string removed;

PFN_vkVoidFunction wrapped(const char* name, PFN_vkVoidFunction real) {
    for (const Function& function : wrapped_functions) {
        if (std::string_view(name) == function.name && real != nullptr) {
            return function.wrap(real);
        }
    }
    return real;
}

PFN_vkVoidFunction VKAPI_CALL device_proc(VkDevice device, const char* name) {
    return removed == name ? nullptr : wrapped(name, real_device_proc(device, name));
}

PFN_vkVoidFunction VKAPI_CALL instance_proc(VkInstance instance, const char* name) {
    return std::string_view(name) == "vkGetDeviceProcAddr" ? reinterpret_cast<PFN_vkVoidFunction>(&device_proc)
                                                           : wrapped(name, real_instance_proc(instance, name));
}

} // namespace

FailingCalls::FailingCalls(AdoptedDevice& host) {
    real_instance_proc = host.get_instance_proc_addr;
    real_device_proc =
        reinterpret_cast<PFN_vkGetDeviceProcAddr>(real_instance_proc(host.instance, "vkGetDeviceProcAddr"));
    host.get_instance_proc_addr = instance_proc;
    if (host.device != VK_NULL_HANDLE) {
        set_device(host.device);
    }
    for (Function& function : wrapped_functions) {
        function.calls = 0;
    }
    losing_calls = 0;
    last_losing_call = number_of_calls;
    has_any_failed = false;
    mend();
}

void FailingCalls::set_device(VkDevice device) {
    hosts_device = device;
    wait_until_idle = reinterpret_cast<PFN_vkDeviceWaitIdle>(real_device_proc(device, "vkDeviceWaitIdle"));
}

FailingCalls::~FailingCalls() {
    removed.clear();
    mend();
}

void FailingCalls::mend() {
    for (const Function& function : wrapped_functions) {
        mend(function.name);
    }
    calls_before_loss = -1;
    is_lost = false;
}

void FailingCalls::fail(std::string_view function, VkResult status, int times, int later) {
    Function& found = find(function);
    found.fails = 0;
    found.works = later;
    found.status = status;
    found.fails = times;
}

void FailingCalls::remove(std::string_view function) {
    removed = function;
}

void FailingCalls::lose_device(int later) {
    calls_before_loss = later;
}

int FailingCalls::calls_that_may_lose() const {
    return losing_calls;
}

bool FailingCalls::has_failed() const {
    return has_any_failed;
}

std::vector<std::string> FailingCalls::functions() {
    std::vector<std::string> names;
    for (const Function& function : wrapped_functions) {
        names.emplace_back(function.name);
    }
    return names;
}

int FailingCalls::calls(std::string_view function) const {
    return find(function).calls;
}

} // namespace weir::tests
