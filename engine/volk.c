#include "weir_volk_names.h"

#include <volk.c>

#include <pthread.h>

static pthread_once_t loader_once = PTHREAD_ONCE_INIT;
static PFN_vkGetInstanceProcAddr loader;

static void open_loader(void) {
    loader = volkInitialize() == VK_SUCCESS ? vkGetInstanceProcAddr : NULL;
}

PFN_vkGetInstanceProcAddr weir_volk_open_loader(void) {
    pthread_once(&loader_once, open_loader);
    return loader;
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
