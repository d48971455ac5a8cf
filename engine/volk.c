#include "weir_volk_names.h"

#include <volk.c>

PFN_vkGetInstanceProcAddr weir_volk_open_loader(void) {
    return volkInitialize() == VK_SUCCESS ? vkGetInstanceProcAddr : NULL;
}

struct device_loader {
    VkDevice device;
    PFN_vkGetDeviceProcAddr load;
};

static PFN_vkVoidFunction load_function(void* context, const char* name) {
    const struct device_loader* from = context;
    return from->load(from->device, name);
}

void weir_volk_load_device_table(struct VolkDeviceTable* table, VkDevice device, PFN_vkGetDeviceProcAddr load) {
    struct device_loader from = {device, load};
    volkGenLoadDeviceTable(table, &from, load_function);
}
