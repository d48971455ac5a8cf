#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <weir/engine/error.hpp>

namespace samples {

/// Texts have a multiple of so many bytes.
constexpr std::uint32_t text_unit = 16;

/// What files hold, one after the other, with something that is no letter between them and at the end. Errors: `io`;
/// `limit_exceeded` for more than `most` bytes.
weir::Result<std::string> read_text(const std::vector<std::string>& paths, std::uint64_t most);

/// A letter in lower case; anything else may become something else that is no letter.
constexpr char lower(char letter) {
    return static_cast<char>(letter | 0x20);
}

/// Whether the first word comes before the other one in byte order, both in lower case.
bool comes_before(std::string_view a, std::string_view b);

} // namespace samples
