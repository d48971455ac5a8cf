#pragma once

#include <array>
#include <charconv>
#include <string>
#include <string_view>

namespace samples {

/// The beginning of a text of which nothing is known, as it may be printed: what is no printable ASCII as \x1b.
inline std::string escaped(std::string_view text, std::size_t most = 40) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string out;
    for (const char letter : text.substr(0, most)) {
        const auto byte = static_cast<unsigned char>(letter);
        if (byte >= ' ' && byte <= '~') {
            out += letter;
        } else {
            out.append("\\x").append({digits[byte / 16], digits[byte % 16]});
        }
    }
    return text.size() > most ? out + "..." : out;
}

/// A number with `digits` significant digits, as "%g" of printf writes it in the classic locale.
inline std::string general(double value, int digits) {
    std::array<char, 32> text; // NOLINT(cppcoreguidelines-pro-type-member-init): written by to_chars
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, digits);
    return {text.data(), end.ptr};
}

/// A number with `decimals` digits after the point, as "%f" of printf writes it in the classic locale.
inline std::string fixed(double value, int decimals) {
    std::array<char, 400> text; // NOLINT(cppcoreguidelines-pro-type-member-init): written by to_chars
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
    return {text.data(), end.ptr};
}

/// The same between quotes.
inline std::string in_quotes(std::string_view text) {
    return std::string("'").append(escaped(text)).append("'");
}

} // namespace samples
