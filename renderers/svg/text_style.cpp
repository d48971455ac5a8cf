#include "svg/text_style.hpp"

#include <algorithm>
#include <optional>

#include "svg/syntax.hpp"

namespace weir::svg {

namespace {

constexpr std::pair<std::string_view, float> stretches[] = {
    {"normal", 100.0F},         {"ultra-condensed", 50.0F}, {"extra-condensed", 62.5F}, {"condensed", 75.0F},
    {"semi-condensed", 87.5F},  {"semi-expanded", 112.5F},  {"expanded", 125.0F},       {"extra-expanded", 150.0F},
    {"ultra-expanded", 200.0F}, {"narrower", 75.0F},        {"wider", 125.0F}};

bool is_quote(char c) {
    return c == '"' || c == '\'';
}

std::vector<std::string> read_families(std::string_view text) {
    std::vector<std::string> families;
    while (!(text = trimmed(text)).empty()) {
        std::string_view family;
        if (is_quote(text.front())) {
            const std::size_t end = std::min(text.size(), text.find(text.front(), 1));
            family = text.substr(1, end - 1);
            text.remove_prefix(std::min(text.size(), end + 1));
        } else {
            family = trimmed(text.substr(0, text.find(',')));
        }
        if (!family.empty()) {
            families.emplace_back(family);
        }
        text.remove_prefix(std::min(text.size(), std::min(text.size(), text.find(',')) + 1));
    }
    return families;
}

std::optional<float> read_weight(std::string_view text, float parent) {
    if (text == "normal" || text == "bold") {
        return text == "bold" ? 700.0F : 400.0F;
    }
    if (text == "bolder") {
        return parent < 350 ? 400.0F : parent < 550 ? 700.0F : 900.0F;
    }
    if (text == "lighter") {
        return parent < 550 ? 100.0F : parent < 750 ? 400.0F : 700.0F;
    }
    Scanner scanner(text);
    const auto weight = scanner.number();
    return weight && *weight >= 1 && *weight <= 1000 && scanner.at_end() ? weight : std::nullopt;
}

std::optional<float> read_spacing(std::string_view text, float font_size) {
    if (text == "normal") {
        return 0.0F;
    }
    Scanner scanner(text);
    const auto length = scanner.length();
    if (!length) {
        return {};
    }
    switch (length->unit) {
    case Length::Unit::percent: return length->value / 100 * font_size;
    case Length::Unit::em: return length->value * font_size;
    case Length::Unit::ex: return length->value * font_size / 2;
    default: return absolute(*length);
    }
}

/// Parses the values of font-feature-settings and font-variation-settings: "'smcp' 1, 'liga' off".
std::vector<std::pair<std::string, float>> read_settings(std::string_view text) {
    std::vector<std::pair<std::string, float>> settings;
    while (!(text = trimmed(text)).empty()) {
        const std::string_view one = trimmed(text.substr(0, text.find(',')));
        text.remove_prefix(std::min(text.size(), std::min(text.size(), text.find(',')) + 1));
        if (one.size() >= 6 && is_quote(one[0]) && one[5] == one[0]) {
            const std::string_view value = trimmed(one.substr(6));
            Scanner scanner(value);
            settings.emplace_back(one.substr(1, 4), value == "off" ? 0.0F : scanner.number().value_or(1.0F));
        }
    }
    return settings;
}

std::uint32_t read_decoration(std::string_view text) {
    std::uint32_t lines = 0;
    Scanner scanner(text);
    for (std::string_view word = scanner.word(); !word.empty(); word = scanner.word()) {
        lines |= word == "underline"      ? TextProperties::underline
                 : word == "overline"     ? TextProperties::overline
                 : word == "line-through" ? TextProperties::line_through
                                          : 0;
    }
    return lines;
}

} // namespace

void TextProperties::reset_own() {
    own_decoration = 0;
    alignment_baseline.clear();
    baseline_shift.clear();
    bidi.clear();
}

void TextProperties::set(std::string_view name, std::string_view value, float font_size) {
    if (name == "font-family") {
        if (auto read = read_families(value); !read.empty()) {
            families = std::move(read);
        }
    } else if (name == "font-weight") {
        weight = read_weight(value, weight).value_or(weight);
    } else if (name == "font-style") {
        slant = value.starts_with("italic")    ? Slant::italic
                : value.starts_with("oblique") ? Slant::oblique
                                               : Slant::normal;
    } else if (name == "font-stretch") {
        Scanner scanner(value);
        const auto percent = scanner.length();
        const auto* const word = std::find_if(std::begin(stretches), std::end(stretches),
                                              [&](const auto& one) { return one.first == value; });
        stretch = word != std::end(stretches)                                                ? word->second
                  : percent && percent->unit == Length::Unit::percent && percent->value >= 0 ? percent->value
                                                                                             : stretch;
    } else if (name == "font-variant" || name == "font-variant-caps") {
        is_small_caps = value.find("small-caps") != std::string_view::npos;
    } else if (name == "font-kerning") {
        is_kerned = value != "none";
    } else if (name == "kerning") { // of SVG 1.1: a length turns it off
        Scanner scanner(value);
        is_kerned = !scanner.length();
    } else if (name == "letter-spacing") {
        letter_spacing = read_spacing(value, font_size).value_or(letter_spacing);
    } else if (name == "word-spacing") {
        word_spacing = read_spacing(value, font_size).value_or(word_spacing);
    } else if (name == "font-feature-settings") {
        features = read_settings(value);
    } else if (name == "font-variation-settings") {
        axes = read_settings(value);
    } else if (name == "text-anchor") {
        anchor = value == "middle" ? Anchor::middle : value == "end" ? Anchor::end : Anchor::start;
    } else if (name == "dominant-baseline") {
        dominant_baseline = value;
    } else if (name == "direction") {
        is_right_to_left = value == "rtl";
    } else if (name == "writing-mode") {
        is_vertical = value.starts_with("tb") || value.starts_with("vertical");
    } else if (name == "xml:space" || name == "white-space") {
        keeps_spaces = value.starts_with("pre") || value == "break-spaces";
    } else if (name == "xml:lang" || name == "lang") {
        language = value;
    } else if (name == "text-decoration" || name == "text-decoration-line") {
        own_decoration = read_decoration(value);
        decoration |= own_decoration;
    } else if (name == "alignment-baseline") {
        alignment_baseline = value;
    } else if (name == "unicode-bidi") {
        bidi = value;
    } else if (name == "baseline-shift") {
        baseline_shift = value;
    }
}

std::vector<std::pair<std::string, std::string>> split_font(std::string_view value) {
    std::vector<std::pair<std::string, std::string>> properties = {
        {"font-style", "normal"}, {"font-variant", "normal"}, {"font-weight", "normal"}, {"font-stretch", "normal"}};
    const auto next = [&] {
        value = trimmed(value);
        const std::size_t end = std::min(value.size(), value.find_first_of(" \t\r\n"));
        const std::string_view word = value.substr(0, end);
        value.remove_prefix(end);
        return word;
    };
    constexpr std::string_view sizes[] = {"xx-small", "x-small",  "small",   "medium", "large",
                                          "x-large",  "xx-large", "smaller", "larger"};
    for (std::string_view word = next(); !word.empty(); word = next()) {
        const std::string_view size = word.substr(0, word.find('/')); // the line height does not matter
        Scanner scanner(size);
        const auto length = scanner.length();
        const bool is_weight =
            length && read_weight(word, 400) && length->unit == Length::Unit::px && !size.ends_with("px");
        if ((length && !is_weight) || std::find(std::begin(sizes), std::end(sizes), size) != std::end(sizes)) {
            value = trimmed(value);
            if (word.ends_with('/') || value.starts_with('/')) { // "12px / 14px family", with spaces
                value.remove_prefix(value.starts_with('/') ? 1 : 0);
                next();
            }
            if (trimmed(value).empty()) {
                return {};
            }
            properties.emplace_back("font-size", size);
            properties.emplace_back("font-family", trimmed(value));
            return properties;
        }
        if (word == "italic" || word == "oblique") {
            properties[0].second = word;
        } else if (word == "small-caps") {
            properties[1].second = word;
        } else if (word != "normal" && read_weight(word, 400)) {
            properties[2].second = word;
        } else if (word != "normal") {
            properties[3].second = word;
        }
    }
    return {}; // system fonts such as "caption", or no size
}

} // namespace weir::svg
