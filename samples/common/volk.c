// Implementation of volk, for samples that create their own device.
#include <volk.c>
