#pragma once

#include <volk.h>

// Weir's private copy of volk (see volk.c). It defines none of volk's own symbols and loads no global function.
extern "C" {

// Opens the Vulkan loader of this machine. Null where there is none. Not to be called by two threads at once: for
// vulkan_loader alone.
PFN_vkGetInstanceProcAddr weir_volk_open_loader(void);

// Fills the table by asking `load` for each function of `device`; what the device lacks becomes null.
void weir_volk_load_device_table(struct VolkDeviceTable* table, VkDevice device, PFN_vkGetDeviceProcAddr load);
}

namespace weir {

/// The Vulkan loader of this machine, which is opened once per process. Null where there is none.
PFN_vkGetInstanceProcAddr vulkan_loader();

} // namespace weir
