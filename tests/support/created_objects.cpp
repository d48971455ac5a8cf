#include "tests/support/created_objects.hpp"

#include <algorithm>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <utility>

namespace weir::tests {

namespace created_objects { // other files of the same unity build have such names, too
namespace {

using Key = std::pair<VkObjectType, std::uint64_t>;

// Globals, because Vulkan passes no user pointer to these functions.
struct Seen {
    std::mutex mutex;
    std::vector<CreatedObjects::Object> objects;
    std::map<Key, std::size_t> places; ///< index in `objects` of the latest object with that handle
    std::map<const void*, std::vector<std::string>> callbacks;
    std::vector<std::string> labels;
};
Seen* seen = nullptr;

template <class Handle>
std::uint64_t number(Handle handle) {
    return reinterpret_cast<std::uint64_t>(handle);
}

void take_callbacks(const char* function, const VkAllocationCallbacks* callbacks) {
    const std::lock_guard lock(seen->mutex);
    seen->callbacks[callbacks != nullptr ? callbacks->pUserData : nullptr].emplace_back(function);
}
void made(VkObjectType type, const char* function, std::uint64_t handle) {
    const std::lock_guard lock(seen->mutex);
    seen->places[{type, handle}] = seen->objects.size();
    seen->objects.push_back({function, ""});
}
void destroyed(VkObjectType type, std::uint64_t handle) {
    const std::lock_guard lock(seen->mutex);
    if (const auto place = seen->places.find({type, handle}); place != seen->places.end()) {
        seen->objects[place->second].exists = false;
    }
}

/// Wrappers of the functions that create and destroy objects of one type.
template <VkObjectType type, class Info, class Handle>
struct Watched {
    using Create = VkResult(VKAPI_PTR*)(VkDevice, const Info*, const VkAllocationCallbacks*, Handle*);
    using Destroy = void(VKAPI_PTR*)(VkDevice, Handle, const VkAllocationCallbacks*);
    static inline Create create = nullptr;
    static inline Destroy destroy = nullptr;
    static inline const char* creates = "";
    static inline const char* destroys = "";

    static VkResult VKAPI_CALL on_create(VkDevice device, const Info* info, const VkAllocationCallbacks* callbacks,
                                         Handle* out) {
        take_callbacks(creates, callbacks);
        const VkResult status = create(device, info, callbacks, out);
        if (status == VK_SUCCESS) {
            made(type, creates, number(*out));
        }
        return status;
    }
    static void VKAPI_CALL on_destroy(VkDevice device, Handle handle, const VkAllocationCallbacks* callbacks) {
        take_callbacks(destroys, callbacks);
        destroyed(type, number(handle));
        destroy(device, handle, callbacks);
    }
    static PFN_vkVoidFunction watch_create(const char* name, PFN_vkVoidFunction real) {
        creates = name;
        return ReplacedFunctions::take(real, create, &on_create);
    }
    static PFN_vkVoidFunction watch_destroy(const char* name, PFN_vkVoidFunction real) {
        destroys = name;
        return ReplacedFunctions::take(real, destroy, &on_destroy);
    }
};

PFN_vkCreateComputePipelines create_pipelines = nullptr;
PFN_vkDestroyPipeline destroy_pipeline = nullptr;
PFN_vkAllocateCommandBuffers allocate_commands = nullptr;
PFN_vkAllocateDescriptorSets allocate_sets = nullptr;
PFN_vkSetDebugUtilsObjectNameEXT set_name = nullptr;
PFN_vkCmdBeginDebugUtilsLabelEXT begin_label = nullptr;
PFN_vkCmdEndDebugUtilsLabelEXT end_label = nullptr;

VkResult VKAPI_CALL on_pipelines(VkDevice device, VkPipelineCache cache, std::uint32_t count,
                                 const VkComputePipelineCreateInfo* infos, const VkAllocationCallbacks* callbacks,
                                 VkPipeline* out) {
    take_callbacks("vkCreateComputePipelines", callbacks);
    const VkResult status = create_pipelines(device, cache, count, infos, callbacks, out);
    for (std::uint32_t i = 0; status == VK_SUCCESS && i < count; ++i) {
        made(VK_OBJECT_TYPE_PIPELINE, "vkCreateComputePipelines", number(out[i]));
    }
    return status;
}
void VKAPI_CALL on_pipeline_destroyed(VkDevice device, VkPipeline pipeline, const VkAllocationCallbacks* callbacks) {
    take_callbacks("vkDestroyPipeline", callbacks);
    destroyed(VK_OBJECT_TYPE_PIPELINE, number(pipeline));
    destroy_pipeline(device, pipeline, callbacks);
}
VkResult VKAPI_CALL on_commands(VkDevice device, const VkCommandBufferAllocateInfo* info, VkCommandBuffer* out) {
    const VkResult status = allocate_commands(device, info, out);
    for (std::uint32_t i = 0; status == VK_SUCCESS && i < info->commandBufferCount; ++i) {
        made(VK_OBJECT_TYPE_COMMAND_BUFFER, "vkAllocateCommandBuffers", number(out[i]));
    }
    return status;
}
VkResult VKAPI_CALL on_sets(VkDevice device, const VkDescriptorSetAllocateInfo* info, VkDescriptorSet* out) {
    const VkResult status = allocate_sets(device, info, out);
    for (std::uint32_t i = 0; status == VK_SUCCESS && i < info->descriptorSetCount; ++i) {
        made(VK_OBJECT_TYPE_DESCRIPTOR_SET, "vkAllocateDescriptorSets", number(out[i]));
    }
    return status;
}
VkResult VKAPI_CALL on_name(VkDevice device, const VkDebugUtilsObjectNameInfoEXT* info) {
    {
        const std::lock_guard lock(seen->mutex);
        if (const auto place = seen->places.find({info->objectType, info->objectHandle}); place != seen->places.end()) {
            seen->objects[place->second].name = info->pObjectName;
        }
    }
    return set_name(device, info);
}
void VKAPI_CALL on_label(VkCommandBuffer commands, const VkDebugUtilsLabelEXT* label) {
    seen->labels.emplace_back(label->pLabelName);
    begin_label(commands, label);
}
void VKAPI_CALL on_label_end(VkCommandBuffer commands) {
    seen->labels.emplace_back();
    end_label(commands);
}

template <class PFN, PFN& real, PFN ours>
PFN_vkVoidFunction watch_one(const char* /*name*/, PFN_vkVoidFunction function) {
    return ReplacedFunctions::take(function, real, ours);
}

using Watch = PFN_vkVoidFunction (*)(const char* name, PFN_vkVoidFunction real);
std::map<std::string_view, Watch> watches() {
    std::map<std::string_view, Watch> out{
        {"vkCreateComputePipelines", watch_one<PFN_vkCreateComputePipelines, create_pipelines, on_pipelines>},
        {"vkDestroyPipeline", watch_one<PFN_vkDestroyPipeline, destroy_pipeline, on_pipeline_destroyed>},
        {"vkAllocateCommandBuffers", watch_one<PFN_vkAllocateCommandBuffers, allocate_commands, on_commands>},
        {"vkAllocateDescriptorSets", watch_one<PFN_vkAllocateDescriptorSets, allocate_sets, on_sets>},
        {"vkSetDebugUtilsObjectNameEXT", watch_one<PFN_vkSetDebugUtilsObjectNameEXT, set_name, on_name>},
        {"vkCmdBeginDebugUtilsLabelEXT", watch_one<PFN_vkCmdBeginDebugUtilsLabelEXT, begin_label, on_label>},
        {"vkCmdEndDebugUtilsLabelEXT", watch_one<PFN_vkCmdEndDebugUtilsLabelEXT, end_label, on_label_end>}};
    const auto add = [&]<VkObjectType type, class Info, class Handle>(Watched<type, Info, Handle> /*functions*/,
                                                                      const char* creates, const char* destroys) {
        out[creates] = Watched<type, Info, Handle>::watch_create;
        out[destroys] = Watched<type, Info, Handle>::watch_destroy;
    };
    add(Watched<VK_OBJECT_TYPE_BUFFER, VkBufferCreateInfo, VkBuffer>(), "vkCreateBuffer", "vkDestroyBuffer");
    add(Watched<VK_OBJECT_TYPE_IMAGE, VkImageCreateInfo, VkImage>(), "vkCreateImage", "vkDestroyImage");
    add(Watched<VK_OBJECT_TYPE_IMAGE_VIEW, VkImageViewCreateInfo, VkImageView>(), "vkCreateImageView",
        "vkDestroyImageView");
    add(Watched<VK_OBJECT_TYPE_DEVICE_MEMORY, VkMemoryAllocateInfo, VkDeviceMemory>(), "vkAllocateMemory",
        "vkFreeMemory");
    add(Watched<VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, VkDescriptorSetLayoutCreateInfo, VkDescriptorSetLayout>(),
        "vkCreateDescriptorSetLayout", "vkDestroyDescriptorSetLayout");
    add(Watched<VK_OBJECT_TYPE_PIPELINE_LAYOUT, VkPipelineLayoutCreateInfo, VkPipelineLayout>(),
        "vkCreatePipelineLayout", "vkDestroyPipelineLayout");
    add(Watched<VK_OBJECT_TYPE_SHADER_MODULE, VkShaderModuleCreateInfo, VkShaderModule>(), "vkCreateShaderModule",
        "vkDestroyShaderModule");
    add(Watched<VK_OBJECT_TYPE_PIPELINE_CACHE, VkPipelineCacheCreateInfo, VkPipelineCache>(), "vkCreatePipelineCache",
        "vkDestroyPipelineCache");
    add(Watched<VK_OBJECT_TYPE_DESCRIPTOR_POOL, VkDescriptorPoolCreateInfo, VkDescriptorPool>(),
        "vkCreateDescriptorPool", "vkDestroyDescriptorPool");
    add(Watched<VK_OBJECT_TYPE_COMMAND_POOL, VkCommandPoolCreateInfo, VkCommandPool>(), "vkCreateCommandPool",
        "vkDestroyCommandPool");
    add(Watched<VK_OBJECT_TYPE_FENCE, VkFenceCreateInfo, VkFence>(), "vkCreateFence", "vkDestroyFence");
    add(Watched<VK_OBJECT_TYPE_SEMAPHORE, VkSemaphoreCreateInfo, VkSemaphore>(), "vkCreateSemaphore",
        "vkDestroySemaphore");
    add(Watched<VK_OBJECT_TYPE_QUERY_POOL, VkQueryPoolCreateInfo, VkQueryPool>(), "vkCreateQueryPool",
        "vkDestroyQueryPool");
    return out;
}

PFN_vkVoidFunction watched(std::string_view name, PFN_vkVoidFunction real) {
    static const std::map<std::string_view, Watch> known = watches();
    if (const auto found = known.find(name); found != known.end()) {
        return real != nullptr ? found->second(found->first.data(), real) : nullptr;
    }
    const bool is_unknown = name.starts_with("vkCreate") || name.starts_with("vkAllocate");
    return is_unknown && name != "vkCreateDevice" ? nullptr : real; // an instance's table needs vkCreateDevice
}

} // namespace
} // namespace created_objects

CreatedObjects::CreatedObjects(AdoptedDevice& host) : replaced_(host, created_objects::watched) {
    created_objects::seen = new created_objects::Seen;
}

CreatedObjects::~CreatedObjects() {
    delete std::exchange(created_objects::seen, nullptr);
}

std::vector<CreatedObjects::Object> CreatedObjects::objects() const {
    const std::lock_guard lock(created_objects::seen->mutex);
    return created_objects::seen->objects;
}

std::size_t CreatedObjects::count(const std::string& function) const {
    const std::vector<Object> all = objects();
    return static_cast<std::size_t>(std::ranges::count(all, function, &Object::function));
}

std::size_t CreatedObjects::count(const std::string& function, const std::string& name) const {
    const std::vector<Object> all = objects();
    return static_cast<std::size_t>(std::ranges::count_if(
        all, [&](const Object& object) { return object.function == function && object.name == name; }));
}

std::map<const void*, std::vector<std::string>> CreatedObjects::callbacks() const {
    const std::lock_guard lock(created_objects::seen->mutex);
    return created_objects::seen->callbacks;
}

std::vector<std::string> CreatedObjects::labels() const {
    return created_objects::seen->labels;
}

} // namespace weir::tests
