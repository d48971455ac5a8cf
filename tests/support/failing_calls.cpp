#include "tests/support/failing_calls.hpp"

#include <atomic>
#include <stdexcept>
#include <string>

namespace weir::tests {

namespace {

/// A function that may fail.
struct Function {
    const char* name = "";
    PFN_vkVoidFunction (*wrap)(Function& function, PFN_vkVoidFunction real) = nullptr;
    bool may_lose = false; ///< may report the loss of the device
    std::atomic<int> calls = 0;
    std::atomic<int> works = 0; ///< remaining calls that work
    std::atomic<int> fails = 0; ///< remaining calls that fail after these
    std::atomic<VkResult> status = VK_SUCCESS;
};

VkDevice hosts_device = VK_NULL_HANDLE;
std::atomic<int> calls_before_loss = -1; ///< calls of functions that may lose until the loss; negative: no loss
std::atomic<int> losing_calls = 0;       ///< calls of functions that may lose so far
std::atomic<const Function*> last_losing_call = nullptr;
std::atomic<bool> has_any_failed = false;
std::atomic<bool> is_lost = false;
PFN_vkDeviceWaitIdle wait_until_idle = nullptr;

/// Counts a call that may report the loss of the device, and returns true if it does. Of consecutive polls of a fence
/// only the first counts. Waits for the device before the loss: the application may then destroy objects that are in
/// use, but neither the driver nor the layer knows of the loss.
bool lost(const Function& function) {
    const bool polls_again =
        last_losing_call.exchange(&function) == &function && function.name == std::string_view("vkGetFenceStatus");
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

/// Wrapper of a function with the signature of the driver's function. Each function has its own tag.
template <class Tag, class Pointer>
struct Wrapped;

template <class Tag, class... Arguments>
struct Wrapped<Tag, VkResult(VKAPI_PTR*)(Arguments...)> {
    using Pointer = VkResult(VKAPI_PTR*)(Arguments...);
    static inline Pointer real = nullptr;
    static inline Function* function = nullptr;

    static VkResult VKAPI_CALL call(Arguments... arguments) {
        ++function->calls;
        if (function->may_lose && lost(*function)) {
            has_any_failed = true;
            return VK_ERROR_DEVICE_LOST;
        }
        if (function->fails > 0 && function->works-- <= 0) {
            --function->fails;
            has_any_failed = true;
            if (function->status == VK_ERROR_DEVICE_LOST) { // the layer must see that nothing runs any more
                real(arguments...);
            }
            return function->status;
        }
        return real(arguments...);
    }
    static PFN_vkVoidFunction wrap(Function& of, PFN_vkVoidFunction driver) {
        function = &of;
        real = reinterpret_cast<Pointer>(driver);
        return reinterpret_cast<PFN_vkVoidFunction>(&call);
    }
};

// Functions with a VkResult that Weir, its allocator and the windows of samples call, except those that create
// instances, devices and surfaces. clang-format would put each on its own line.
// clang-format off
#define CALL(name) {#name, Wrapped<struct of_##name, PFN_##name>::wrap}
#define LOSING_CALL(name) {#name, Wrapped<struct of_##name, PFN_##name>::wrap, true}
Function wrapped_functions[] = {
    LOSING_CALL(vkAcquireNextImageKHR), CALL(vkAllocateCommandBuffers), CALL(vkAllocateDescriptorSets),
    CALL(vkAllocateMemory), CALL(vkBeginCommandBuffer), CALL(vkBindBufferMemory), CALL(vkBindBufferMemory2),
    CALL(vkBindImageMemory), CALL(vkBindImageMemory2), CALL(vkCreateBuffer), CALL(vkCreateCommandPool),
    CALL(vkCreateComputePipelines), CALL(vkCreateDescriptorPool), CALL(vkCreateDescriptorSetLayout),
    CALL(vkCreateFence), CALL(vkCreateFramebuffer), CALL(vkCreateGraphicsPipelines), CALL(vkCreateImage),
    CALL(vkCreateImageView), CALL(vkCreatePipelineCache), CALL(vkCreatePipelineLayout), CALL(vkCreateQueryPool),
    CALL(vkCreateRenderPass), CALL(vkCreateSampler), CALL(vkCreateSemaphore), CALL(vkCreateShaderModule),
    CALL(vkCreateSwapchainKHR), LOSING_CALL(vkDeviceWaitIdle), CALL(vkEndCommandBuffer),
    CALL(vkEnumerateDeviceExtensionProperties), CALL(vkEnumeratePhysicalDevices), CALL(vkFlushMappedMemoryRanges),
    LOSING_CALL(vkGetFenceStatus), CALL(vkGetPhysicalDeviceImageFormatProperties2),
    CALL(vkGetPhysicalDeviceSurfaceCapabilitiesKHR), CALL(vkGetPhysicalDeviceSurfaceFormatsKHR),
    CALL(vkGetPhysicalDeviceSurfaceSupportKHR), CALL(vkGetPipelineCacheData),
    CALL(vkGetPipelineExecutableStatisticsKHR), LOSING_CALL(vkGetQueryPoolResults),
    LOSING_CALL(vkGetSemaphoreCounterValue), CALL(vkGetSwapchainImagesKHR), CALL(vkInvalidateMappedMemoryRanges),
    CALL(vkMapMemory), CALL(vkMergePipelineCaches), LOSING_CALL(vkQueuePresentKHR), LOSING_CALL(vkQueueSubmit),
    LOSING_CALL(vkQueueSubmit2), LOSING_CALL(vkQueueWaitIdle), CALL(vkResetCommandPool), CALL(vkResetFences),
    CALL(vkSetDebugUtilsObjectNameEXT), LOSING_CALL(vkWaitForFences), LOSING_CALL(vkWaitSemaphores),
};
#undef CALL
#undef LOSING_CALL
// clang-format on

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
    for (Function& function : wrapped_functions) {
        if (std::string_view(name) == function.name && real != nullptr) {
            return function.wrap(function, real);
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
    last_losing_call = nullptr;
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
