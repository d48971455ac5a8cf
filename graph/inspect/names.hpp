#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <vulkan/vulkan_core.h>

#include <weir/graph/plan.hpp>

// Names and short descriptions that a plan's text, pictures and JSON share.

namespace weir {

const char* to_string(Dependency::Reason reason);

/// Returns "import", "state", "history", "transient", or "export" for a transient that is exported.
const char* lifetime_of(const GraphDescription::Resource& buffer);

/// Returns a name for each condition of `only_if` that must hold for pass number `pass` to run: the name of a switch or
/// of a parameter, "word 2 of BUFFER" for a count on the GPU, or the number of a constant count.
std::vector<std::string> conditions_of(const GraphDescription& graph, std::uint32_t pass);

/// Returns the names of the switches that must be off for pass number `pass` to run.
std::vector<std::string> switches_off_for(const GraphDescription& graph, std::uint32_t pass);

/// Returns " only if 'a' and 'b' unless 'c' or 'd'", or an empty string if the pass has no conditions.
std::string only_if(const GraphDescription& graph, std::uint32_t pass);

/// Returns "256 bytes" for a buffer, or "R8G8B8A8Unorm 64 x 32 x 8, 6 mips, 2 layers, 4 samples" for an image. Omits a
/// depth and counts of 1.
std::string shape_of(const GraphDescription::Resource& resource);

/// Returns the name of the image or piece that a barrier changes, or for several pieces "IMAGE mips 0 to 3 layer 1".
std::string name_of(const GraphDescription& graph, const ImageBarrier& barrier);

/// Returns the result of vk::to_string, such as "R16G16B16A16Sfloat" or "ShaderReadOnlyOptimal".
std::string name_of(VkFormat format);
std::string name_of(VkImageLayout layout);

} // namespace weir
