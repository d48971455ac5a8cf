#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <vulkan/vulkan_core.h>

#include <weir/graph/plan.hpp>

// Names that plans use in text, pictures and JSON.

namespace weir {

const char* to_string(Dependency::Reason reason);

/// Returns "import", "state", "history", "transient", or "export" for a transient that is exported.
const char* lifetime_of(const GraphDescription::Resource& buffer);

/// Returns the conditions under which a pass runs: names of switches, of parameters, and of the words that hold counts.
std::vector<std::string> conditions_of(const GraphDescription& graph, std::uint32_t pass);

/// Returns " only if 'a' and 'b'", or an empty string without conditions.
std::string only_if(const GraphDescription& graph, std::uint32_t pass);

/// Returns "256 bytes", or "R8G8B8A8Unorm 64 x 32 x 8, 6 mips, 2 layers, 4 samples" with the words that apply.
std::string shape_of(const GraphDescription::Resource& resource);

/// Returns the name in Vulkan-Hpp: "R16G16B16A16Sfloat", "ShaderReadOnlyOptimal".
std::string name_of(VkFormat format);
std::string name_of(VkImageLayout layout);

} // namespace weir
