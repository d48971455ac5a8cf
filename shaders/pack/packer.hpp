#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

// The other half of engine/unpack.hpp, for the build.

namespace weir {

std::vector<std::uint8_t> pack_text(std::string_view text);

/// Empty if the words are no instructions. Ids are numbered anew, see renumber.hpp.
std::vector<std::uint8_t> pack_spirv(std::vector<std::uint32_t> words);

} // namespace weir
