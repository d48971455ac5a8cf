#include "tests/support/replaced_functions.hpp"

namespace weir::tests {

namespace {

PFN_vkGetInstanceProcAddr of_instance = nullptr;
PFN_vkGetDeviceProcAddr of_device = nullptr;
ReplacedFunctions::Replace replaced = nullptr;

PFN_vkVoidFunction VKAPI_CALL device_function(VkDevice device, const char* name) {
    return replaced(name, of_device(device, name));
}

PFN_vkVoidFunction VKAPI_CALL instance_function(VkInstance instance, const char* name) {
    const PFN_vkVoidFunction real = of_instance(instance, name);
    return std::string_view(name) == "vkGetDeviceProcAddr" ? ReplacedFunctions::take(real, of_device, device_function)
                                                           : replaced(name, real);
}

} // namespace

ReplacedFunctions::ReplacedFunctions(AdoptedDevice& adopted, Replace replace) {
    of_instance = adopted.get_instance_proc_addr;
    replaced = replace;
    adopted.get_instance_proc_addr = instance_function;
}

ReplacedFunctions::~ReplacedFunctions() {
    replaced = [](std::string_view /*name*/, PFN_vkVoidFunction real) { return real; };
}

} // namespace weir::tests
