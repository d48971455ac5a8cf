// Preloaded into a program (LD_PRELOAD): hides the memory model and subgroup arithmetic of Vulkan devices, without
// which ggml's own kernels of cumsum and of long argsorts are not supported. Weir needs neither.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include <vulkan/vulkan.h>

static PFN_vkGetInstanceProcAddr real_get;
static PFN_vkGetPhysicalDeviceProperties2 real_properties;
static PFN_vkGetPhysicalDeviceFeatures2 real_features;

__attribute__((constructor)) static void find_functions(void) {
    *(void**)&real_get = dlsym(RTLD_NEXT, "vkGetInstanceProcAddr");
    *(void**)&real_properties = dlsym(RTLD_NEXT, "vkGetPhysicalDeviceProperties2");
    *(void**)&real_features = dlsym(RTLD_NEXT, "vkGetPhysicalDeviceFeatures2");
}

void vkGetPhysicalDeviceProperties2(VkPhysicalDevice device, VkPhysicalDeviceProperties2* properties) {
    real_properties(device, properties);
    for (VkBaseOutStructure* next = properties->pNext; next != NULL; next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES) {
            ((VkPhysicalDeviceVulkan11Properties*)next)->subgroupSupportedOperations &=
                ~(VkSubgroupFeatureFlags)VK_SUBGROUP_FEATURE_ARITHMETIC_BIT;
        } else if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES) {
            ((VkPhysicalDeviceSubgroupProperties*)next)->supportedOperations &=
                ~(VkSubgroupFeatureFlags)VK_SUBGROUP_FEATURE_ARITHMETIC_BIT;
        }
    }
}

void vkGetPhysicalDeviceFeatures2(VkPhysicalDevice device, VkPhysicalDeviceFeatures2* features) {
    real_features(device, features);
    for (VkBaseOutStructure* next = features->pNext; next != NULL; next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES) {
            VkPhysicalDeviceVulkan12Features* all = (VkPhysicalDeviceVulkan12Features*)next;
            all->vulkanMemoryModel = all->vulkanMemoryModelDeviceScope = VK_FALSE;
            all->vulkanMemoryModelAvailabilityVisibilityChains = VK_FALSE;
        } else if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_MEMORY_MODEL_FEATURES) {
            VkPhysicalDeviceVulkanMemoryModelFeatures* model = (VkPhysicalDeviceVulkanMemoryModelFeatures*)next;
            model->vulkanMemoryModel = model->vulkanMemoryModelDeviceScope = VK_FALSE;
            model->vulkanMemoryModelAvailabilityVisibilityChains = VK_FALSE;
        }
    }
}

PFN_vkVoidFunction vkGetInstanceProcAddr(VkInstance instance, const char* name) {
    const PFN_vkVoidFunction found = real_get(instance, name);
    return found == NULL                                            ? NULL
           : strcmp(name, "vkGetInstanceProcAddr") == 0             ? (PFN_vkVoidFunction)vkGetInstanceProcAddr
           : strstr(name, "vkGetPhysicalDeviceProperties2") == name ? (PFN_vkVoidFunction)vkGetPhysicalDeviceProperties2
           : strstr(name, "vkGetPhysicalDeviceFeatures2") == name   ? (PFN_vkVoidFunction)vkGetPhysicalDeviceFeatures2
                                                                    : found;
}
