#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

// Packs texts and SPIR-V at build time. The counterpart of engine/codec/unpack.hpp.

namespace weir {

std::vector<std::uint8_t> pack_text(std::string_view text);

/// Renumbers the ids (see renumber.hpp) and packs the module. Returns an empty vector if `words` is not a sequence of
/// instructions.
std::vector<std::uint8_t> pack_spirv(std::vector<std::uint32_t> words);

} // namespace weir
