// A host with its own volk, linked next to Weir. Neither uses the other's symbols.
#define VOLK_IMPLEMENTATION
#include <volk.h>

#include <cstdio>

#include <weir/engine/context.hpp>

int main() {
    if (volkInitialize() != VK_SUCCESS) {
        std::puts("no Vulkan loader");
        return 1;
    }
    const auto before = vkCreateInstance;
    const auto context = weir::Context::create();
    if (!context) {
        std::printf("%s\n", context.error().message.c_str());
        return 1;
    }
    if (vkCreateInstance != before || vkCreateDevice != nullptr || vkCmdDispatch != nullptr) {
        std::puts("creating a context changed the host's function pointers");
        return 1;
    }
    std::printf("device: %s\n", context->capabilities().device_name.c_str());
    return 0;
}
