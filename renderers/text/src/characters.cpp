#include "characters.hpp"

#include <algorithm>

#include <fribidi.h>

namespace weir::text {

namespace {

/// Decodes the code point at `at` and returns its length; 0 if it is invalid.
std::size_t decode_one(std::string_view text, std::size_t at, std::uint32_t& code) {
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[at + i]); };
    const std::uint8_t first = byte(0);
    const std::size_t length = first < 0x80   ? 1
                               : first < 0xC2 ? 0
                               : first < 0xE0 ? 2
                               : first < 0xF0 ? 3
                               : first < 0xF5 ? 4
                                              : 0;
    if (length == 0 || text.size() - at < length) {
        return 0;
    }
    code = length == 1 ? first : first & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0U) != 0x80) {
            return 0;
        }
        code = code << 6 | (byte(i) & 0x3FU);
    }
    const bool is_overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
    return is_overlong || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000) ? 0 : length;
}

bool is_control(std::uint32_t code) {
    return code < 0x20 || (code >= 0x7F && code < 0xA0);
}

bool is_shared(hb_script_t script) {
    return script == HB_SCRIPT_COMMON || script == HB_SCRIPT_INHERITED || script == HB_SCRIPT_UNKNOWN;
}

} // namespace

Characters decode(std::string_view text) {
    Characters characters;
    for (std::size_t at = 0; at < text.size();) {
        std::uint32_t code = 0;
        const std::size_t length = decode_one(text, at, code);
        characters.codes.push_back(length == 0 ? 0xFFFD : is_control(code) ? ' ' : code);
        characters.bytes.push_back(static_cast<std::uint32_t>(at));
        at += std::max<std::size_t>(1, length);
    }
    characters.bytes.push_back(static_cast<std::uint32_t>(text.size()));
    return characters;
}

Result<> find_levels(Characters& characters, Direction direction) {
    const std::size_t count = characters.codes.size();
    std::vector<FriBidiCharType> types(count);
    std::vector<FriBidiBracketType> brackets(count);
    const auto length = static_cast<FriBidiStrIndex>(count);
    fribidi_get_bidi_types(characters.codes.data(), length, types.data());
    fribidi_get_bracket_types(characters.codes.data(), length, types.data(), brackets.data());
    FriBidiParType paragraph = direction == Direction::left_to_right   ? FRIBIDI_PAR_LTR
                               : direction == Direction::right_to_left ? FRIBIDI_PAR_RTL
                                                                       : FRIBIDI_PAR_ON;
    characters.levels.assign(count, 0);
    if (count != 0 && fribidi_get_par_embedding_levels_ex(types.data(), brackets.data(), length, &paragraph,
                                                          characters.levels.data()) == 0) {
        return tl::unexpected(Error{ErrorCode::out_of_memory, "the bidirectional algorithm lacks memory"});
    }
    characters.base = FRIBIDI_IS_RTL(paragraph) ? 1 : 0;
    // White space at the end of the line has the level of the paragraph.
    for (std::size_t i = count; i-- != 0 && FRIBIDI_IS_EXPLICIT_OR_BN_OR_WS(types[i]);) {
        characters.levels[i] = characters.base;
    }
    return {};
}

void find_scripts(Characters& characters) {
    hb_unicode_funcs_t* unicode = hb_unicode_funcs_get_default();
    characters.scripts.clear();
    hb_script_t last = HB_SCRIPT_COMMON;
    for (const std::uint32_t code : characters.codes) {
        const hb_script_t script = hb_unicode_script(unicode, code);
        last = is_shared(script) ? last : script;
        characters.scripts.push_back(last);
    }
    for (std::size_t i = characters.scripts.size(); i-- > 1;) { // the first ones take the script that follows
        if (characters.scripts[i - 1] == HB_SCRIPT_COMMON) {
            characters.scripts[i - 1] = characters.scripts[i];
        }
    }
}

bool is_extension(std::uint32_t code) {
    if (code == 0x200C || code == 0x200D || (code >= 0xFE00 && code <= 0xFE0F) ||
        (code >= 0xE0100 && code <= 0xE01EF) ||
        (code >= 0x1F3FB && code <= 0x1F3FF)) { // joiners, variation selectors, skin tones
        return true;
    }
    const hb_unicode_general_category_t category = hb_unicode_general_category(hb_unicode_funcs_get_default(), code);
    return category == HB_UNICODE_GENERAL_CATEGORY_SPACING_MARK ||
           category == HB_UNICODE_GENERAL_CATEGORY_ENCLOSING_MARK ||
           category == HB_UNICODE_GENERAL_CATEGORY_NON_SPACING_MARK;
}

bool may_be_spaced(hb_script_t script) {
    switch (script) { // cursive scripts, and those with a line above the letters
    case HB_SCRIPT_ARABIC:
    case HB_SCRIPT_SYRIAC:
    case HB_SCRIPT_NKO:
    case HB_SCRIPT_MANICHAEAN:
    case HB_SCRIPT_PSALTER_PAHLAVI:
    case HB_SCRIPT_MANDAIC:
    case HB_SCRIPT_MONGOLIAN:
    case HB_SCRIPT_PHAGS_PA:
    case HB_SCRIPT_DEVANAGARI:
    case HB_SCRIPT_BENGALI:
    case HB_SCRIPT_GURMUKHI:
    case HB_SCRIPT_MODI:
    case HB_SCRIPT_SHARADA:
    case HB_SCRIPT_SYLOTI_NAGRI:
    case HB_SCRIPT_TIRHUTA:
    case HB_SCRIPT_OGHAM: return false;
    default: return true;
    }
}

bool is_word_separator(std::uint32_t code) {
    return code == 0x20 || code == 0xA0 || code == 0x1361 || code == 0x10100 || code == 0x10101 || code == 0x1039F ||
           code == 0x1091F;
}

} // namespace weir::text
