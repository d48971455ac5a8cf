#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <weir/text/shape.hpp>

#include <hb.h>

namespace weir::text {

/// A text as code points, with what the algorithms of Unicode say about each.
struct Characters {
    std::vector<std::uint32_t> codes;
    std::vector<std::uint32_t> bytes; ///< position of each code point, then the length of the text
    std::vector<std::int8_t> levels;  ///< embedding levels; odd: right to left
    std::vector<hb_script_t> scripts; ///< resolved: marks and punctuation have the script of their neighbors
    std::int8_t base = 0;             ///< level of the paragraph
};

/// Decodes UTF-8. Each invalid byte becomes U+FFFD, each control character a space.
Characters decode(std::string_view text);
/// Computes `levels`.
Result<> find_levels(Characters& characters, Direction direction);
/// Computes `scripts`.
void find_scripts(Characters& characters);
/// Returns true if the code point changes its predecessor: a combining mark, a joiner, or a variation selector.
bool is_extension(std::uint32_t code);
/// Returns true if letter spacing is applied to a script. Letters of others are joined.
bool may_be_spaced(hb_script_t script);
/// Returns true for characters after which word spacing is added.
bool is_word_separator(std::uint32_t code);

} // namespace weir::text
