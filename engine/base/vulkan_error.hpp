#pragma once

#include <string>

#include <vulkan/vulkan_core.h>

#include <weir/engine/error.hpp>

namespace weir {

/// Returns an Error for a failed Vulkan call. `what` says what was being done, and to which object.
Error vulkan_error(VkResult result, const std::string& what);

} // namespace weir
