#pragma once

#include <volk.h>

// Weir's private copy of volk (see volk.c). It defines none of volk's own symbols and loads no global function.
extern "C" {

// Opens the Vulkan loader of this machine. Returns null if it is not installed. Not thread-safe; only vulkan_loader
// calls it.
PFN_vkGetInstanceProcAddr weir_volk_open_loader(void);

// Fills the table with the functions that `load` returns for `device`. Functions that the device lacks become null.
void weir_volk_load_device_table(struct VolkDeviceTable* table, VkDevice device, PFN_vkGetDeviceProcAddr load);
}

namespace weir {

/// Returns the Vulkan loader of this machine, which is opened once per process; null if it is not installed.
PFN_vkGetInstanceProcAddr vulkan_loader();

} // namespace weir
