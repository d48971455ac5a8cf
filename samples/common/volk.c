// Vulkan's functions, for samples with a device of their own.
#include <volk.c>
