#include "weir_volk_names.h"

// volk's functions that Weir does not call are static, so the compiler removes them: 18 KB.
#undef volkLoadDevice
#undef volkLoadInstance
#undef volkLoadInstanceOnly
#define volkLoadDevice static inline weir_volk_volkLoadDevice
#define volkLoadInstance static inline weir_volk_volkLoadInstance
#define volkLoadInstanceOnly static inline weir_volk_volkLoadInstanceOnly

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
