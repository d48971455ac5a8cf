#pragma once

#include <string>

#include <weir/graph/access.hpp>

// Uses that the application describes in terms of Vulkan.

namespace weir {

/// Returns the mistake of a raw use of an image or a buffer, as a clause after "which"; empty if it is correct.
std::string mistake_of(const UseScope& raw, bool is_image);

/// Returns the use with the stages and accesses that plans distinguish: combined ones instead of single ones of the
/// same kind, and all commands instead of unknown stages.
UseScope with_known_masks(UseScope raw);

} // namespace weir
