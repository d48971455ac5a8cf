// A Vulkan layer for tests of whole programs. It lets one call fail, and reports how much memory the program uses.
// Environment variables control it:
//
//     WEIR_FAILING_CALL=FUNCTION:LATER:STATUS
//         After LATER calls of the function that work, one call returns STATUS, a number of VkResult.
//     WEIR_FAILING_CALL=lose:LATER
//         The device is lost after LATER calls that may report the loss.
//     WEIR_CALLS_FILE=FILE
//         Writes FILE when a device or an instance is destroyed. It has a line for each function that was called so
//         far, with its name and the number of calls; a line "lose" with the number of calls that may report the loss
//         of the device; and a line "failed" with 1 if a call failed, or 0.
//     WEIR_MEMORY_FILE=FILE
//         Appends a line to FILE before each 16th picture of a window is presented: the bytes that malloc has given
//         out, in all arenas.
//
// Calls are counted over all instances and devices of the program, which may have one device at a time. This must be
// the layer next to the program, so that the layers below do not see the calls that fail.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <malloc.h>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <vulkan/vk_layer.h>

#include "tests/support/failing_calls.hpp"

namespace weir::tests {

namespace {

/// The value of WEIR_FAILING_CALL.
struct Wanted {
    std::string function; ///< empty: no call fails
    int later = 0;
    VkResult status = VK_SUCCESS;

    Wanted() {
        const char* text = std::getenv("WEIR_FAILING_CALL");
        const std::string all = text == nullptr ? "" : text;
        const std::size_t first = all.find(':'), second = all.find(':', first + 1);
        function = all.substr(0, first);
        later = first == std::string::npos ? 0 : std::atoi(all.c_str() + first + 1);
        status =
            second == std::string::npos ? VK_ERROR_UNKNOWN : static_cast<VkResult>(std::atoi(all.c_str() + second + 1));
    }
};

PFN_vkGetInstanceProcAddr below = nullptr;      ///< the next layer's function
PFN_vkGetDeviceProcAddr device_below = nullptr; ///< the next layer's function
PFN_vkGetInstanceProcAddr failing = nullptr;    ///< the lookup of FailingCalls
std::map<void*, VkInstance> instances;          ///< by the loader's table, see table_of
std::optional<FailingCalls> calls;              ///< created with the first instance
int instances_made = 0, devices_made = 0;
bool failed_to_make = false; ///< vkCreateInstance or vkCreateDevice was the failing call
PFN_vkDestroyInstance destroy_instance_below = nullptr;
PFN_vkDestroyDevice destroy_below = nullptr;
PFN_vkQueuePresentKHR present_below = nullptr;

/// Returns the loader's table of functions, to which the handles of an instance and of its physical devices point.
void* table_of(const void* dispatchable_handle) {
    return *static_cast<void* const*>(dispatchable_handle);
}

PFN_vkVoidFunction VKAPI_CALL device_function_below(VkDevice device, const char* name) {
    return device_below(device, name);
}

/// Looks up functions in the next layer, for FailingCalls. If this is the last layer, the loader's own
/// vkGetDeviceProcAddr would ask this layer again.
PFN_vkVoidFunction VKAPI_CALL function_below(VkInstance instance, const char* name) {
    return std::string_view(name) == "vkGetDeviceProcAddr" ? reinterpret_cast<PFN_vkVoidFunction>(device_function_below)
                                                           : below(instance, name);
}

/// Returns the element of a chain with the loader's link to the next layer, or null.
template <class Link, class Info>
Link* link_of(const Info* info, VkStructureType type) {
    auto* link = static_cast<Link*>(const_cast<void*>(info->pNext));
    while (link != nullptr && !(link->sType == type && link->function == VK_LAYER_LINK_INFO)) {
        link = static_cast<Link*>(const_cast<void*>(link->pNext));
    }
    return link;
}

VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo* info, const VkAllocationCallbacks* allocator,
                                    VkInstance* instance) {
    auto* link = link_of<VkLayerInstanceCreateInfo>(info, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO);
    if (link == nullptr) {
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    const Wanted wanted;
    if (wanted.function == "vkCreateInstance" && instances_made++ == wanted.later) {
        failed_to_make = true;
        return wanted.status;
    }
    below = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const auto create = reinterpret_cast<PFN_vkCreateInstance>(below(VK_NULL_HANDLE, "vkCreateInstance"));
    if (const VkResult status = create(info, allocator, instance); status != VK_SUCCESS) {
        return status;
    }
    instances[table_of(*instance)] = *instance;
    if (calls) {
        return VK_SUCCESS;
    }
    AdoptedDevice host;
    host.get_instance_proc_addr = function_below;
    host.instance = *instance;
    calls.emplace(host);
    failing = host.get_instance_proc_addr;
    if (wanted.function == "lose") {
        calls->lose_device(wanted.later);
    } else if (!wanted.function.empty() && wanted.function != "vkCreateInstance" &&
               wanted.function != "vkCreateDevice") {
        calls->fail(wanted.function, wanted.status, 1, wanted.later);
    }
    return VK_SUCCESS;
}

void write_calls() {
    const char* path = std::getenv("WEIR_CALLS_FILE");
    if (path == nullptr || !calls) {
        return;
    }
    std::ofstream file(path);
    for (const std::string& function : FailingCalls::functions()) {
        if (calls->calls(function) != 0) {
            file << function << ' ' << calls->calls(function) << '\n';
        }
    }
    file << "lose " << calls->calls_that_may_lose() << "\nfailed " << (failed_to_make || calls->has_failed()) << '\n';
}

void VKAPI_CALL destroy_instance(VkInstance instance, const VkAllocationCallbacks* allocator) {
    write_calls();
    if (instance != VK_NULL_HANDLE) {
        instances.erase(table_of(instance));
    }
    destroy_instance_below(instance, allocator);
}

VkResult VKAPI_CALL create_device(VkPhysicalDevice physical_device, const VkDeviceCreateInfo* info,
                                  const VkAllocationCallbacks* allocator, VkDevice* device) {
    auto* link = link_of<VkLayerDeviceCreateInfo>(info, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO);
    if (link == nullptr) {
        return VK_ERROR_INITIALIZATION_FAILED;
    }
    if (const Wanted wanted; wanted.function == "vkCreateDevice" && devices_made++ == wanted.later) {
        failed_to_make = true;
        return wanted.status;
    }
    const PFN_vkGetInstanceProcAddr next = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    device_below = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    const auto create =
        reinterpret_cast<PFN_vkCreateDevice>(next(instances[table_of(physical_device)], "vkCreateDevice"));
    if (const VkResult status = create(physical_device, info, allocator, device); status != VK_SUCCESS) {
        return status;
    }
    calls->set_device(*device);
    return VK_SUCCESS;
}

void VKAPI_CALL destroy_device(VkDevice device, const VkAllocationCallbacks* allocator) {
    write_calls();
    destroy_below(device, allocator);
}

/// Returns the number that follows the last `name` in a text, or 0 if the text does not contain `name`.
std::int64_t last_number(const std::string& text, const std::string& name) {
    const std::size_t found = text.rfind(name);
    return found == std::string::npos ? 0 : std::atoll(text.c_str() + found + name.size());
}

/// Returns the bytes that are allocated with malloc and not freed. The last numbers of malloc_info cover all arenas.
std::int64_t bytes_in_use() {
    char* text = nullptr;
    std::size_t size = 0;
    std::FILE* file = open_memstream(&text, &size);
    malloc_info(0, file);
    std::fclose(file);
    const std::string info(text, size);
    std::free(text);
    const std::size_t fast = info.rfind("<total type=\"fast\""), rest = info.rfind("<total type=\"rest\""),
                      mapped = info.rfind("<total type=\"mmap\""), end = info.rfind("<system type=\"current\"");
    const auto size_of = [&](std::size_t from, std::size_t to) {
        return last_number(info.substr(from, to - from), "size=\"");
    };
    return last_number(info, "<system type=\"current\" size=\"") + size_of(mapped, end) - size_of(fast, rest) -
           size_of(rest, mapped);
}

VkResult VKAPI_CALL present(VkQueue queue, const VkPresentInfoKHR* info) {
    static int pictures = 0;
    const char* path = std::getenv("WEIR_MEMORY_FILE");
    if (path != nullptr && ++pictures % 16 == 0) {
        std::ofstream(path, std::ios::app) << bytes_in_use() << '\n';
    }
    return present_below(queue, info);
}

PFN_vkVoidFunction VKAPI_CALL device_function(VkDevice device, const char* name) {
    const auto of_device = reinterpret_cast<PFN_vkGetDeviceProcAddr>(failing(VK_NULL_HANDLE, "vkGetDeviceProcAddr"));
    const PFN_vkVoidFunction function = of_device(device, name);
    const std::string_view is = name;
    if (is == "vkDestroyDevice") {
        destroy_below = reinterpret_cast<PFN_vkDestroyDevice>(function);
        return reinterpret_cast<PFN_vkVoidFunction>(destroy_device);
    }
    if (is == "vkQueuePresentKHR") {
        present_below = reinterpret_cast<PFN_vkQueuePresentKHR>(function);
        return function == nullptr ? nullptr : reinterpret_cast<PFN_vkVoidFunction>(present);
    }
    return is == "vkGetDeviceProcAddr" ? reinterpret_cast<PFN_vkVoidFunction>(device_function) : function;
}

PFN_vkVoidFunction VKAPI_CALL instance_function(VkInstance instance, const char* name) {
    const std::string_view is = name;
    if (is == "vkGetInstanceProcAddr") {
        return reinterpret_cast<PFN_vkVoidFunction>(instance_function);
    }
    if (is == "vkGetDeviceProcAddr") {
        return reinterpret_cast<PFN_vkVoidFunction>(device_function);
    }
    if (is == "vkCreateInstance") {
        return reinterpret_cast<PFN_vkVoidFunction>(create_instance);
    }
    if (is == "vkCreateDevice") {
        return reinterpret_cast<PFN_vkVoidFunction>(create_device);
    }
    if (is == "vkDestroyInstance") {
        destroy_instance_below = reinterpret_cast<PFN_vkDestroyInstance>(below(instance, name));
        return reinterpret_cast<PFN_vkVoidFunction>(destroy_instance);
    }
    if (failing != nullptr && (is.starts_with("vkEnumerate") || is.starts_with("vkGetPhysicalDevice"))) {
        return failing(instance, name);
    }
    return below == nullptr ? nullptr : below(instance, name);
}

} // namespace

} // namespace weir::tests

extern "C" VkResult VKAPI_CALL vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface* layer) {
    layer->loaderLayerInterfaceVersion = 2;
    layer->pfnGetInstanceProcAddr = weir::tests::instance_function;
    layer->pfnGetDeviceProcAddr = weir::tests::device_function;
    layer->pfnGetPhysicalDeviceProcAddr = nullptr;
    return VK_SUCCESS;
}
