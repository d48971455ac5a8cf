#include "engine/base/vulkan_error.hpp"

namespace weir {

namespace {

struct Known {
    VkResult result;
    ErrorCode code;
    const char* text;
};

constexpr Known known[] = {
    {VK_ERROR_OUT_OF_HOST_MEMORY, ErrorCode::out_of_memory, "out of host memory"},
    {VK_ERROR_OUT_OF_DEVICE_MEMORY, ErrorCode::out_of_memory, "out of device memory"},
    {VK_ERROR_OUT_OF_POOL_MEMORY, ErrorCode::out_of_memory, "out of pool memory"},
    {VK_ERROR_FRAGMENTED_POOL, ErrorCode::out_of_memory, "out of pool memory (fragmented)"},
    {VK_ERROR_FRAGMENTATION, ErrorCode::out_of_memory, "out of memory (fragmented)"},
    {VK_ERROR_TOO_MANY_OBJECTS, ErrorCode::limit_exceeded, "too many objects"},
    {VK_ERROR_DEVICE_LOST, ErrorCode::device_lost, "the device was lost"},
    {VK_ERROR_INITIALIZATION_FAILED, ErrorCode::vulkan, "initialization failed"},
    {VK_ERROR_MEMORY_MAP_FAILED, ErrorCode::vulkan, "memory could not be mapped"},
    {VK_ERROR_LAYER_NOT_PRESENT, ErrorCode::unsupported, "a layer is not available"},
    {VK_ERROR_EXTENSION_NOT_PRESENT, ErrorCode::unsupported, "an extension is not available"},
    {VK_ERROR_FEATURE_NOT_PRESENT, ErrorCode::unsupported, "a feature is not available"},
    {VK_ERROR_FORMAT_NOT_SUPPORTED, ErrorCode::unsupported, "a format is not supported"},
    {VK_ERROR_INCOMPATIBLE_DRIVER, ErrorCode::no_device, "no driver is compatible"},
    {VK_ERROR_INVALID_SHADER_NV, ErrorCode::vulkan, "the driver rejects the shader"},
    {VK_ERROR_UNKNOWN, ErrorCode::vulkan, "unknown error"},
    {VK_TIMEOUT, ErrorCode::vulkan, "timed out"},
    {VK_NOT_READY, ErrorCode::vulkan, "not ready"},
};

} // namespace

Error vulkan_error(VkResult result, const std::string& what) {
    const std::string number = " (VkResult " + std::to_string(static_cast<int>(result)) + ")";
    for (const Known& one : known) {
        if (one.result == result) {
            return {one.code, what + ": " + one.text + number, result};
        }
    }
    return {ErrorCode::vulkan, what + ": failed" + number, result};
}

} // namespace weir
