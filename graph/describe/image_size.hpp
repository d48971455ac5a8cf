#pragma once

#include <cstdint>

#include <weir/graph/graph.hpp>

namespace weir {

/// Estimates the memory of an image in bytes: the size of its texels in all mips, layers and samples, rounded up to a
/// multiple of 64 KiB. Assumes 16 bytes per texel for formats that Vulkan's headers do not know.
std::uint64_t estimated_bytes(const ImageInfo& info);

/// Checks if texels of the format are in compressed blocks.
bool is_compressed(VkFormat format);

} // namespace weir
