#pragma once

#include <array>
#include <charconv>
#include <string>
#include <string_view>

namespace samples {

/// Returns the first `most` characters of an untrusted text for printing. Bytes that are not printable ASCII are
/// written as \x1b.
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

/// Formats a number with `digits` significant digits, like printf's "%g" in the classic locale.
inline std::string general(double value, int digits) {
    std::array<char, 32> text; // NOLINT(cppcoreguidelines-pro-type-member-init): written by to_chars
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, digits);
    return {text.data(), end.ptr};
}

/// Formats a number with `decimals` digits after the point, like printf's "%f" in the classic locale.
inline std::string fixed(double value, int decimals) {
    std::array<char, 400> text; // NOLINT(cppcoreguidelines-pro-type-member-init): written by to_chars
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
    return {text.data(), end.ptr};
}

/// Returns `escaped(text)` in single quotes.
inline std::string in_quotes(std::string_view text) {
    return std::string("'").append(escaped(text)).append("'");
}

} // namespace samples
