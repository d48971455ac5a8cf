#pragma once

#include <cstdint>

#include <weir/graph/graph.hpp>

namespace weir {

/// About how many bytes an image takes: those of its texels, in all mips, layers and samples, in whole 64 KiB. For a
/// format whose texels Vulkan's headers do not know, 16 bytes each.
std::uint64_t estimated_bytes(const ImageInfo& info);

} // namespace weir
