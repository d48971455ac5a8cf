#include "engine/base/device_handle.hpp"

#include <string>

#include "engine/base/strings.hpp"

namespace weir {

const char* DeviceHandle::load_functions() {
    weir_volk_load_device_table(&vk_, parts_.device, parts_.functions.vkGetDeviceProcAddr);
    // A driver may provide these functions although the feature is not enabled. They must not be called then.
    if (!parts_.capabilities.synchronization2) {
        vk_.vkCmdPipelineBarrier2 = nullptr;
        vk_.vkCmdWriteTimestamp2 = nullptr;
        vk_.vkQueueSubmit2 = nullptr;
    }
    if (!parts_.capabilities.maintenance4) {
        vk_.vkGetDeviceBufferMemoryRequirements = nullptr;
    }
    const bool has_older = !parts_.capabilities.synchronization2;
    const std::pair<bool, const char*> needed[] = {
        {vk_.vkDestroyDevice != nullptr, "vkDestroyDevice"},
        {vk_.vkCreateBuffer != nullptr, "vkCreateBuffer"},
        {vk_.vkCreateComputePipelines != nullptr, "vkCreateComputePipelines"},
        {has_older || vk_.vkCmdPipelineBarrier2 != nullptr, "vkCmdPipelineBarrier2"},
        {has_older || vk_.vkCmdWriteTimestamp2 != nullptr, "vkCmdWriteTimestamp2"},
        {has_older || vk_.vkQueueSubmit2 != nullptr, "vkQueueSubmit2"},
    };
    for (const auto& [there, name] : needed) {
        if (!there) {
            return name;
        }
    }
    return nullptr;
}

void DeviceHandle::abandon() {
    const std::lock_guard lock(abandon_mutex_);
    if (is_abandoned()) {
        return;
    }
    auto table = std::make_unique<VolkDeviceTable>(vk_);
    const auto replace = []<class Object>(void(VKAPI_PTR * &function)(VkDevice, Object, const VkAllocationCallbacks*)) {
        function = [](VkDevice, Object, const VkAllocationCallbacks*) {};
    };
    replace(table->vkDestroyBuffer);
    replace(table->vkDestroyCommandPool);
    replace(table->vkDestroyDescriptorPool);
    replace(table->vkDestroyDescriptorSetLayout);
    replace(table->vkDestroyFence);
    replace(table->vkDestroyImage);
    replace(table->vkDestroyImageView);
    replace(table->vkDestroyPipeline);
    replace(table->vkDestroyPipelineLayout);
    replace(table->vkDestroyQueryPool);
    replace(table->vkDestroySemaphore);
    replace(table->vkFreeMemory);
    vk_abandoned_ = std::move(table);
    vk_in_use_.store(vk_abandoned_.get(), std::memory_order_release);
}

void DeviceHandle::set_name(VkObjectType type, std::uint64_t object, std::string_view name) const {
    if (!has_names()) {
        return;
    }
    const std::string text = name.empty() ? "weir" : concat("weir: ", name);
    VkDebugUtilsObjectNameInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
    info.objectType = type;
    info.objectHandle = object;
    info.pObjectName = text.c_str();
    parts_.functions.vkSetDebugUtilsObjectNameEXT(parts_.device, &info);
}

void DeviceHandle::begin_label(VkCommandBuffer commands, const char* name) const {
    if (parts_.functions.vkCmdBeginDebugUtilsLabelEXT != nullptr) {
        VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT};
        label.pLabelName = name;
        parts_.functions.vkCmdBeginDebugUtilsLabelEXT(commands, &label);
    }
}

void DeviceHandle::end_label(VkCommandBuffer commands) const {
    if (parts_.functions.vkCmdEndDebugUtilsLabelEXT != nullptr) {
        parts_.functions.vkCmdEndDebugUtilsLabelEXT(commands);
    }
}

} // namespace weir
