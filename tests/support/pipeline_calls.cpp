#include "tests/support/pipeline_calls.hpp"

#include <array>
#include <string_view>

namespace weir::tests {

namespace {

// Globals, because Vulkan passes no user pointer to these functions.
PipelineCalls* calls = nullptr;
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

PFN_vkVoidFunction counted(std::string_view name, PFN_vkVoidFunction real) {
    if (name == "vkSetDebugUtilsObjectNameEXT") {
        return nullptr; // the layer does not know the made-up handles
    }
    return name == "vkCreateShaderModule"       ? ReplacedFunctions::take(real, create_module, &count_module)
           : name == "vkCreateComputePipelines" ? ReplacedFunctions::take(real, create_pipelines, &count_made)
           : name == "vkDestroyPipeline"        ? ReplacedFunctions::take(real, destroy_pipeline, &count_destroyed)
                                                : real;
}

} // namespace

CountedHost::CountedHost() : adopted_(host_.adopted()), replaced_(adopted_, counted) {
    tests::calls = &calls;
}

CountedHost::~CountedHost() {
    tests::calls = nullptr;
}

} // namespace weir::tests
