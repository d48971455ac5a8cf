#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <weir/paths/scene.hpp>
#include <weir/svg/values.hpp>

// Parsers of SVG attributes: numbers, lengths, colors, transforms.

namespace weir::svg {

/// A number with a unit.
struct Length {
    enum class Unit : std::uint8_t { px, percent, em, ex, in, cm, mm, pt, pc };
    float value = 0;
    Unit unit = Unit::px;
};

/// Converts to pixels. For relative units, returns the number alone.
float absolute(const Length& length);

/// Parses a text from its start. Skips white space before an item and one comma after it.
class Scanner {
public:
    explicit Scanner(std::string_view text) : rest_(text) {}

    /// Returns true if only white space is left.
    bool at_end();
    /// Parses a number. Returns nullopt if the next item is something else.
    std::optional<float> number();
    /// Parses a number with an optional unit.
    std::optional<Length> length();
    /// Parses an angle, in degrees or with a unit: deg, grad, rad or turn. Returns degrees.
    std::optional<float> angle();
    /// Parses a flag of an arc, 0 or 1. No separator is needed after it.
    std::optional<bool> flag();
    /// Skips `word` if it is next. Returns true if it was.
    bool skip(std::string_view word);
    /// Returns and skips the next character; 0 at the end.
    char character();
    /// Returns and skips the next word: letters, digits, '-' and '_'.
    std::string_view word();
    [[nodiscard]] std::string_view rest() const { return rest_; } ///< remaining text

private:
    void skip_space();
    void skip_comma();
    std::string_view rest_;
};

/// Removes white space at both ends.
std::string_view trimmed(std::string_view text);
/// Converts to lower case.
std::string lower(std::string_view text);

/// Returns the position of the first character of CSS outside of quotes and escapes for which `is_end` is true, or
/// npos. `depth` is the number of open brackets, after the character if it is one.
std::size_t find_unquoted(std::string_view text, const std::function<bool(char character, int depth)>& is_end);
/// Returns the position after the bracket that closes the one at the start of `text`; npos if there is none.
std::size_t end_of_brackets(std::string_view text);
/// Splits a text at a separator outside of brackets and quotes. Trims the parts.
std::vector<std::string_view> split(std::string_view text, char separator);
/// Removes the quotes around a text, if it has any.
std::string_view unquoted(std::string_view text);

/// Parses the property `transform` of CSS, whose arguments have units. `pixels` converts a length along x or y. Returns
/// nullopt if it is invalid or has a function in three dimensions.
std::optional<weir::paths::Transform> read_css_transform(std::string_view text,
                                                         const std::function<float(const Length&, bool is_x)>& pixels);

/// Parses a list of numbers, up to the first item that is not a number.
std::vector<float> number_list(std::string_view text);
/// Parses a list of lengths. Returns an empty list if an item is not a length.
std::vector<Length> length_list(std::string_view text);

/// Parses a color at the start of a text.
std::optional<weir::paths::Color> read_color(Scanner& scanner);

} // namespace weir::svg
