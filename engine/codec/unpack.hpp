#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/codec/packed.hpp"

namespace weir {

/// Returns the text that was packed.
std::string unpack_text(Packed text);

/// Returns the words of SPIR-V that were packed.
std::vector<std::uint32_t> unpack_words(Packed words);

} // namespace weir
