#pragma once

#include <cstdint>
#include <string>

#include <weir/graph/graph.hpp>

namespace weir {

/// About how many bytes an image takes: those of its texels, in all mips, layers and samples, in whole 64 KiB. For a
/// format whose texels Vulkan's headers do not know, 16 bytes each.
std::uint64_t estimated_bytes(const ImageInfo& info);

/// As Vulkan-Hpp names them: "R16G16B16A16Sfloat", "ShaderReadOnlyOptimal".
std::string name_of(VkFormat format);
std::string name_of(VkImageLayout layout);

} // namespace weir
