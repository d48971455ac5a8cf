#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "svg/text_reader.hpp"

namespace weir::svg {

namespace {

using weir::text::CharacterRange;

/// Returns the argument of a function at the start of `text`, without quotes; empty if it is another function.
std::string_view argument_of(std::string_view function, std::string_view text) {
    if (lower(text.substr(0, function.size())) != function || text.substr(function.size(), 1) != "(") {
        return {};
    }
    text = text.substr(function.size());
    const std::size_t end = end_of_brackets(text);
    return end == std::string_view::npos ? std::string_view() : unquoted(trimmed(text.substr(1, end - 2)));
}

/// Parses a value of unicode-range: "U+26", "U+0-7F, U+4??".
std::vector<CharacterRange> read_ranges(std::string_view text) {
    std::vector<CharacterRange> ranges;
    for (std::string_view part : split(text, ',')) {
        part.remove_prefix(lower(part.substr(0, 2)) == "u+" ? 2 : 0);
        const std::size_t dash = part.find('-');
        const auto number = [](std::string_view digits, char wildcard) {
            std::string filled(digits);
            std::replace(filled.begin(), filled.end(), '?', wildcard);
            std::uint32_t value = 0;
            std::from_chars(filled.data(), filled.data() + filled.size(), value, 16);
            return static_cast<char32_t>(value);
        };
        ranges.push_back({number(part.substr(0, dash), '0'),
                          number(dash == std::string_view::npos ? part : part.substr(dash + 1), 'F')});
    }
    return ranges;
}

} // namespace

void Reader::add_font_faces() {
    for (const Properties& face : sheet_.font_faces()) {
        const auto get = [&](std::string_view name) {
            const auto found = face.find(name);
            return found == face.end() ? std::string_view() : std::string_view(found->second);
        };
        Style style;
        style.text.families.clear();
        // A weight that is the range of a variable font is ignored: such a font follows the text.
        for (const char* name : {"font-family", "font-weight", "font-style", "font-stretch"}) {
            style.text.set(name, get(name), style.font_size);
        }
        const weir::text::FontStyle as = text_style_of(style).font;
        const std::vector<CharacterRange> ranges =
            get("unicode-range").empty() ? std::vector<CharacterRange>() : read_ranges(get("unicode-range"));
        const auto add = [&](std::string_view source) {
            if (const std::string_view local = argument_of("local", source); !local.empty()) {
                return fonts_->fonts.add_local(std::string(local), as, ranges);
            }
            const std::string_view url = argument_of("url", source);
            auto bytes = data_of_url(url);
            if (!bytes && !folder_.empty()) {
                bytes = data_of_file(url, folder_);
            }
            return bytes && fonts_->fonts.add({bytes->begin(), bytes->end()}, as, ranges).has_value();
        };
        const auto sources = split(get("src"), ',');
        if (style.text.families.empty() || std::none_of(sources.begin(), sources.end(), add)) {
            warn("@font-face");
        }
    }
}

} // namespace weir::svg
