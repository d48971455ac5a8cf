#include "tests/support/failing_calls.hpp"

#include <array>
#include <atomic>
#include <stdexcept>
#include <string>

namespace weir::tests {

namespace {

struct Function {
    const char* name = "";
    PFN_vkVoidFunction (*wrap)(PFN_vkVoidFunction) = nullptr;
    std::atomic<int> calls = 0;
    std::atomic<int> works = 0; ///< so many times more,
    std::atomic<int> fails = 0; ///< then fails so many times
    std::atomic<VkResult> status = VK_SUCCESS;
};

template <std::size_t I, class Pointer>
struct Wrapped;

extern std::array<Function, 7> functions;

/// Function i as a driver would have it.
template <std::size_t I, class... Arguments>
struct Wrapped<I, VkResult(VKAPI_PTR*)(Arguments...)> {
    using Pointer = VkResult(VKAPI_PTR*)(Arguments...);
    static inline Pointer real = nullptr;

    static VkResult VKAPI_CALL call(Arguments... arguments) {
        Function& function = functions.at(I);
        ++function.calls;
        if (function.fails > 0 && function.works-- <= 0) {
            --function.fails;
            if (function.status == VK_ERROR_DEVICE_LOST) { // the layer has to see that nothing runs any more
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

std::array<Function, 7> functions{{
    {"vkQueueSubmit2", Wrapped<0, PFN_vkQueueSubmit2>::wrap},
    {"vkWaitForFences", Wrapped<1, PFN_vkWaitForFences>::wrap},
    {"vkGetFenceStatus", Wrapped<2, PFN_vkGetFenceStatus>::wrap},
    {"vkWaitSemaphores", Wrapped<3, PFN_vkWaitSemaphores>::wrap},
    {"vkGetSemaphoreCounterValue", Wrapped<4, PFN_vkGetSemaphoreCounterValue>::wrap},
    {"vkResetCommandPool", Wrapped<5, PFN_vkResetCommandPool>::wrap},
    {"vkEnumerateDeviceExtensionProperties", Wrapped<6, PFN_vkEnumerateDeviceExtensionProperties>::wrap},
}};

Function& find(std::string_view name) {
    for (Function& function : functions) {
        if (name == function.name) {
            return function;
        }
    }
    throw std::invalid_argument(std::string(name) + " is none of those that may fail");
}

PFN_vkGetInstanceProcAddr real_instance_proc = nullptr;
PFN_vkGetDeviceProcAddr real_device_proc = nullptr;
std::string removed;

PFN_vkVoidFunction wrapped(const char* name, PFN_vkVoidFunction real) {
    for (const Function& function : functions) {
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
    for (Function& function : functions) {
        function.calls = 0;
        mend(function.name);
    }
}

FailingCalls::~FailingCalls() {
    removed.clear();
    for (const Function& function : functions) {
        mend(function.name);
    }
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

int FailingCalls::calls(std::string_view function) const {
    return find(function).calls;
}

} // namespace weir::tests
