#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weir::svg {

/// Computed properties of text. The first ones are inherited. Lengths are in pixels.
struct TextProperties {
    enum class Anchor : std::uint8_t { start, middle, end };
    enum class Slant : std::uint8_t { normal, italic, oblique };
    /// Lines of text-decoration, as bits.
    static constexpr std::uint32_t underline = 1, overline = 2, line_through = 4;

    std::vector<std::string> families = {"Times New Roman", "serif"};
    float weight = 400, stretch = 100;
    Slant slant = Slant::normal;
    bool is_small_caps = false, is_kerned = true;
    float letter_spacing = 0, word_spacing = 0;
    std::vector<std::pair<std::string, float>> features, axes; ///< OpenType features, axes of variable fonts
    Anchor anchor = Anchor::start;
    std::string dominant_baseline;
    bool is_right_to_left = false, is_vertical = false;
    bool keeps_spaces = false; ///< xml:space or white-space
    std::string language;
    std::uint32_t decoration = 0; ///< lines of the element and its parents

    std::uint32_t own_decoration = 0; ///< lines of the element alone
    std::string alignment_baseline, baseline_shift;
    std::string bidi; ///< unicode-bidi

    /// Resets the properties that are not inherited.
    void reset_own();
    /// Sets a property of text. Ignores other properties, and invalid values. `font_size` is that of the element.
    void set(std::string_view name, std::string_view value, float font_size);
};

/// Splits a value of the shorthand `font` into its properties. Returns an empty list if it is invalid.
std::vector<std::pair<std::string, std::string>> split_font(std::string_view value);

} // namespace weir::svg
