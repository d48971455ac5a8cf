#pragma once

#include <cstdint>
#include <vector>

namespace weir {

/// Numbers the ids of a SPIR-V module in the order of their definitions, because the optimizer leaves them unordered.
/// Leaves modules with unknown instructions unchanged. Returns true if the ids are now in order.
bool renumber_ids(std::vector<std::uint32_t>& words);

} // namespace weir
