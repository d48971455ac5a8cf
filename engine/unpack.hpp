#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/packed.hpp"

namespace weir {

/// The text that was packed.
std::string unpack_text(Packed text);

/// The words that were packed: SPIR-V.
std::vector<std::uint32_t> unpack_words(Packed words);

} // namespace weir
