#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <weir/engine/error.hpp>

namespace samples {

/// Texts are padded to a multiple of this many bytes.
constexpr std::uint32_t text_unit = 16;

/// Returns the contents of the files, one after the other, with a byte that is not a letter after each. Errors: `io`;
/// `limit_exceeded` if the text would exceed `most` bytes.
weir::Result<std::string> read_text(const std::vector<std::string>& paths, std::uint64_t most);

/// Converts a letter to lower case. Other characters may change, but never into a letter.
constexpr char lower(char letter) {
    return static_cast<char>(letter | 0x20);
}

/// Compares two words in byte order, both in lower case.
bool comes_before(std::string_view a, std::string_view b);

} // namespace samples
