#pragma once

#include <cstdint>
#include <vector>

namespace weir {

/// Numbers the ids of a SPIR-V module anew, in the order in which they are defined: the optimizer leaves them in none.
/// Modules with instructions that are not known here are left alone. Returns whether the ids are in order now.
bool renumber_ids(std::vector<std::uint32_t>& words);

} // namespace weir
