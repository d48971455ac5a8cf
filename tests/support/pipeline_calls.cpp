#include "tests/support/pipeline_calls.hpp"

#include <array>
#include <string_view>

namespace weir::tests {

namespace {

// Functions without an object, as drivers have them.
PipelineCalls* calls = nullptr;
PFN_vkGetInstanceProcAddr of_instance = nullptr;
PFN_vkGetDeviceProcAddr of_device = nullptr;
PFN_vkCreateShaderModule create_module = nullptr;
PFN_vkCreateComputePipelines create_pipelines = nullptr;
PFN_vkDestroyPipeline destroy_pipeline = nullptr;

VkResult VKAPI_CALL count_module(VkDevice device, const VkShaderModuleCreateInfo* info,
                                 const VkAllocationCallbacks* callbacks, VkShaderModule* module) {
    ++calls->modules;
    return create_module(device, info, callbacks, module);
}

VkResult VKAPI_CALL count_made(VkDevice device, VkPipelineCache cache, std::uint32_t count,
                               const VkComputePipelineCreateInfo* infos, const VkAllocationCallbacks* callbacks,
                               VkPipeline* pipelines) {
    if (calls->left-- <= 0) {
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    const int number = ++calls->made;
    if (calls->pretend) {
        static std::array<char, 4096> places;
        *pipelines = reinterpret_cast<VkPipeline>(&places.at(static_cast<std::size_t>(number)));
        return VK_SUCCESS;
    }
    return create_pipelines(device, cache, count, infos, callbacks, pipelines);
}

void VKAPI_CALL count_destroyed(VkDevice device, VkPipeline pipeline, const VkAllocationCallbacks* callbacks) {
    calls->destroyed += pipeline != VK_NULL_HANDLE ? 1 : 0;
    if (!calls->pretend) {
        destroy_pipeline(device, pipeline, callbacks);
    }
}

template <class Function>
PFN_vkVoidFunction replace(PFN_vkVoidFunction function, Function& real, Function ours) {
    real = reinterpret_cast<Function>(function);
    return reinterpret_cast<PFN_vkVoidFunction>(ours);
}

PFN_vkVoidFunction VKAPI_CALL device_function(VkDevice device, const char* name) {
    const PFN_vkVoidFunction found = of_device(device, name);
    const std::string_view is = name;
    return is == "vkCreateShaderModule"       ? replace(found, create_module, &count_module)
           : is == "vkCreateComputePipelines" ? replace(found, create_pipelines, &count_made)
           : is == "vkDestroyPipeline"        ? replace(found, destroy_pipeline, &count_destroyed)
                                              : found;
}

PFN_vkVoidFunction VKAPI_CALL instance_function(VkInstance instance, const char* name) {
    const std::string_view is = name;
    if (is == "vkSetDebugUtilsObjectNameEXT") {
        return nullptr; // the layer would miss what is pretended
    }
    const PFN_vkVoidFunction found = of_instance(instance, name);
    return is == "vkGetDeviceProcAddr" ? replace(found, of_device, &device_function) : found;
}

} // namespace

CountedHost::CountedHost() {
    tests::calls = &calls;
    of_instance = host_.instance_functions().vkGetInstanceProcAddr;
}

CountedHost::~CountedHost() {
    tests::calls = nullptr;
}

AdoptedDevice CountedHost::adopted() const {
    AdoptedDevice out = host_.adopted();
    out.get_instance_proc_addr = instance_function;
    return out;
}

} // namespace weir::tests
