#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <weir/paths/scene.hpp>

// The small languages in SVG's attributes: numbers, lengths, colours, transforms.

namespace samples {

/// A number with a unit.
struct Length {
    enum class Unit : std::uint8_t { px, percent, em, ex, in, cm, mm, pt, pc };
    float value = 0;
    Unit unit = Unit::px;
};

/// In pixels; of those that are relative to something else, the number alone.
float absolute(const Length& length);

/// Reads a text from its beginning. White space before an item, and one comma behind it, are skipped.
class Scanner {
public:
    explicit Scanner(std::string_view text) : rest_(text) {}

    /// Whether nothing but white space is left.
    bool at_end();
    /// The next number; none if there is something else.
    std::optional<float> number();
    /// The same with a unit.
    std::optional<Length> length();
    /// An angle in degrees. It may have a unit: deg, grad, rad or turn.
    std::optional<float> angle();
    /// A flag of an arc, 0 or 1, which needs nothing behind it.
    std::optional<bool> flag();
    /// Skips `word` if it is next.
    bool skip(std::string_view word);
    /// The next letter or other character; 0 at the end.
    char character();
    /// Letters, digits, '-' and '_'.
    std::string_view word();
    [[nodiscard]] std::string_view rest() const { return rest_; } ///< what is left

private:
    void skip_space();
    void skip_comma();
    std::string_view rest_;
};

/// Without white space at both ends.
std::string_view trimmed(std::string_view text);
/// In small letters.
std::string lower(std::string_view text);

/// All numbers of a list; fewer if there is something else.
std::vector<float> number_list(std::string_view text);
/// All lengths of a list; none if there is something else.
std::vector<Length> length_list(std::string_view text);

/// A colour as CSS has it: a name, #rgb, #rgba, #rrggbb, #rrggbbaa, rgb(), rgba(), hsl() or hsla(). Skips it.
std::optional<weir::paths::Color> read_color(Scanner& scanner);

/// A list of transforms as SVG has it; none if it is wrong.
std::optional<weir::paths::Transform> read_transform(std::string_view text);

/// Path data as SVG has it, up to the first error.
weir::paths::Path read_path_data(std::string_view text);

} // namespace samples
