#pragma once

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

/// The same between quotes.
inline std::string in_quotes(std::string_view text) {
    return std::string("'").append(escaped(text)).append("'");
}

} // namespace samples
