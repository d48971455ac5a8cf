#include <algorithm>
#include <bit>
#include <fstream>
#include <map>
#include <utility>

#include <fontconfig/fontconfig.h>

#include <fontconfig/fcfreetype.h> // after fontconfig.h

#include "face.hpp"

namespace weir::text {

using Bytes = std::shared_ptr<const std::vector<std::uint8_t>>;

/// Destroys objects of fontconfig.
struct Destroy {
    void operator()(FcConfig* config) const { FcConfigDestroy(config); }
    void operator()(FcPattern* pattern) const { FcPatternDestroy(pattern); }
    void operator()(FcFontSet* set) const { FcFontSetDestroy(set); }
};
template <class T>
using Owned = std::unique_ptr<T, Destroy>;

namespace {

const FcChar8* fc(const std::string& text) {
    return reinterpret_cast<const FcChar8*>(text.c_str());
}

/// Name of a property of fonts that the application has renamed.
constexpr const char* renamed_font = "weirrenamed";

/// A font of a file, in fontconfig's terms.
struct Place {
    std::string file; ///< "memory:N" for a file that the application added
    std::uint32_t index = 0;
    std::optional<std::size_t> renamed; ///< index in State::characters
};

std::optional<Place> place_of(const FcPattern* font) {
    FcChar8* file = nullptr;
    int index = 0;
    if (FcPatternGetString(font, FC_FILE, 0, &file) != FcResultMatch) {
        return {};
    }
    FcPatternGetInteger(font, FC_INDEX, 0, &index);
    Place place{reinterpret_cast<const char*>(file), static_cast<std::uint32_t>(index), {}};
    if (int number = 0; FcPatternGetInteger(font, renamed_font, 0, &number) == FcResultMatch) {
        place.renamed = static_cast<std::size_t>(number);
    }
    return place;
}

/// Returns the values of axes that a style requests, by the registered names of axes.
std::vector<Variation> axes_of(const FontStyle& style, bool is_instance) {
    std::vector<Variation> axes;
    if (!is_instance) { // a named instance has its own values
        axes = {{"wght", style.weight}, {"wdth", style.stretch}};
        if (style.slant != Slant::normal) {
            axes.push_back({"ital", 1});
            axes.push_back({"slnt", -12}); // degrees
        }
    }
    axes.insert(axes.end(), style.variations.begin(), style.variations.end());
    return axes;
}

Owned<FcPattern> pattern_of(const FontStyle& style) {
    Owned<FcPattern> pattern(FcPatternCreate());
    for (const std::string& family : style.families) {
        FcPatternAddString(pattern.get(), FC_FAMILY, fc(family));
    }
    FcPatternAddDouble(pattern.get(), FC_WEIGHT,
                       FcWeightFromOpenTypeDouble(std::clamp(static_cast<double>(style.weight), 1.0, 1000.0)));
    FcPatternAddInteger(pattern.get(), FC_SLANT,
                        style.slant == Slant::italic    ? FC_SLANT_ITALIC
                        : style.slant == Slant::oblique ? FC_SLANT_OBLIQUE
                                                        : FC_SLANT_ROMAN);
    FcPatternAddDouble(pattern.get(), FC_WIDTH, std::clamp(static_cast<double>(style.stretch), 1.0, 1000.0));
    FcPatternAddBool(pattern.get(), FC_SCALABLE, FcTrue);
    return pattern;
}

/// Returns a part of a key, faster than a decimal number.
std::string key_of(float value) {
    return ' ' + std::to_string(std::bit_cast<std::uint32_t>(value));
}

std::string key_of(const FontStyle& style) {
    std::string key;
    for (const std::string& family : style.families) {
        key += family + '\n';
    }
    key += std::to_string(static_cast<int>(style.slant)) + key_of(style.weight) + key_of(style.stretch);
    for (const Variation& variation : style.variations) {
        key += ' ' + variation.axis + key_of(variation.value);
    }
    return key;
}

} // namespace

struct Fonts::State {
    /// Result of a search for a style: all fonts, the best one first. Fonts are opened when they are needed.
    struct Found {
        Owned<FcFontSet> fonts;
        std::map<char32_t, std::optional<Font>> with;
        std::optional<Font> best;
    };

    Source source = Source::system;
    Owned<FcConfig> config;
    Owned<FcFontSet> added{FcFontSetCreate()};
    std::vector<Bytes> added_bytes;
    std::vector<std::vector<CharacterRange>> characters; ///< ranges of renamed fonts
    std::map<std::string, Bytes> files;
    std::map<std::string, std::optional<Font>> opened; ///< nullopt: cannot be opened
    std::map<std::string, Found> found;

    Found& search(const FontStyle& style);
    std::optional<Font> open(const FcPattern* font, const FontStyle& style);
    Bytes read(const std::string& file);
    FcConfig* configuration();
    /// Adds a font under another style. Takes ownership of `font`.
    void add_renamed(Owned<FcPattern> font, const FontStyle& style, std::vector<CharacterRange> ranges);
};

Bytes Fonts::State::read(const std::string& file) {
    constexpr std::string_view prefix = "memory:";
    if (file.starts_with(prefix)) {
        return added_bytes[std::stoul(file.substr(prefix.size()))];
    }
    Bytes& bytes = files[file];
    if (!bytes) {
        std::ifstream stream(file, std::ios::binary | std::ios::ate);
        std::vector<std::uint8_t> contents(static_cast<std::size_t>(std::max<std::streamoff>(0, stream.tellg())));
        stream.seekg(0);
        stream.read(reinterpret_cast<char*>(contents.data()), static_cast<std::streamsize>(contents.size()));
        contents.resize(static_cast<std::size_t>(stream.gcount()));
        bytes = std::make_shared<const std::vector<std::uint8_t>>(std::move(contents));
    }
    return bytes;
}

std::optional<Font> Fonts::State::open(const FcPattern* font, const FontStyle& style) {
    const auto place = place_of(font);
    if (!place) {
        return {};
    }
    constexpr std::uint32_t variable = 0x8000; // fontconfig's mark for a font whose axes are not set
    const std::uint32_t instance = place->index >> 16;
    const bool is_instance = instance != 0 && instance != variable;
    const std::vector<Variation> axes = axes_of(style, is_instance);
    std::string key = place->file + '\n' + std::to_string(place->index);
    key += place->renamed ? '\n' + std::to_string(*place->renamed) : std::string();
    const std::string plain_key = key;
    for (const Variation& axis : axes) {
        key += ' ' + axis.axis + key_of(axis.value);
    }
    const auto [found, is_new] = opened.try_emplace(key);
    if (is_new) {
        auto read_font = open_font(read(place->file), is_instance ? place->index : place->index & 0xFFFF, axes,
                                   place->renamed ? characters[*place->renamed] : std::vector<CharacterRange>());
        if (read_font) {
            found->second = *std::move(read_font);
            // Without axes, the style does not matter: share one font.
            if (found->second->axes().empty()) {
                const auto plain = opened.try_emplace(plain_key).first;
                plain->second = plain->second ? plain->second : found->second;
                found->second = plain->second;
            }
        }
    }
    return found->second;
}

FcConfig* Fonts::State::configuration() {
    if (!config) { // an own configuration: the process may have another one
        config.reset(source == Source::system ? FcInitLoadConfigAndFonts() : FcConfigCreate());
    }
    return config.get();
}

void Fonts::State::add_renamed(Owned<FcPattern> font, const FontStyle& style, std::vector<CharacterRange> ranges) {
    const Owned<FcPattern> wanted = pattern_of(style);
    for (const char* property : {FC_FAMILY, FC_FAMILYLANG, FC_WEIGHT, FC_SLANT, FC_WIDTH}) {
        FcPatternDel(font.get(), property);
        FcValue value;
        for (int i = 0; FcPatternGet(wanted.get(), property, i, &value) == FcResultMatch; ++i) {
            FcPatternAdd(font.get(), property, value, FcTrue);
        }
    }
    FcPatternAddInteger(font.get(), renamed_font, static_cast<int>(characters.size()));
    characters.push_back(std::move(ranges));
    FcFontSetAdd(added.get(), font.release());
    found.clear(); // it may match better
}

Fonts::State::Found& Fonts::State::search(const FontStyle& style) {
    const auto [found, is_new] = this->found.try_emplace(key_of(style));
    if (is_new) {
        configuration();
        const Owned<FcPattern> pattern = pattern_of(style);
        FcConfigSubstitute(config.get(), pattern.get(), FcMatchPattern);
        FcDefaultSubstitute(pattern.get());
        std::vector<FcFontSet*> sets{added.get()};
        if (FcFontSet* system = FcConfigGetFonts(config.get(), FcSetSystem); system != nullptr) {
            sets.push_back(system);
        }
        FcResult result = FcResultMatch;
        found->second.fonts.reset(FcFontSetSort(config.get(), sets.data(), static_cast<int>(sets.size()), pattern.get(),
                                                FcFalse, nullptr, &result));
    }
    return found->second;
}

Fonts::Fonts(Source source) : state_(std::make_unique<State>()) {
    state_->source = source;
}
Fonts::~Fonts() = default;
Fonts::Fonts(Fonts&&) noexcept = default;
Fonts& Fonts::operator=(Fonts&&) noexcept = default;

Result<> Fonts::add(std::vector<std::uint8_t> data) {
    const auto bytes = std::make_shared<const std::vector<std::uint8_t>>(std::move(data));
    const std::string name = "memory:" + std::to_string(state_->added_bytes.size());
    std::uint32_t count = 1;
    for (std::uint32_t index = 0; index < count; ++index) {
        const auto font = open_font(bytes, index, {});
        if (!font) {
            return tl::unexpected(font.error());
        }
        count = static_cast<std::uint32_t>(font->face().ft->num_faces);
        if (FcPattern* pattern = FcFreeTypeQueryFace(font->face().ft, fc(name), static_cast<int>(index), nullptr)) {
            FcFontSetAdd(state_->added.get(), pattern);
        }
    }
    state_->added_bytes.push_back(bytes);
    state_->found.clear(); // they may match better
    return {};
}

Result<> Fonts::add(std::vector<std::uint8_t> data, const FontStyle& style, std::vector<CharacterRange> characters) {
    const auto bytes = std::make_shared<const std::vector<std::uint8_t>>(std::move(data));
    const std::string name = "memory:" + std::to_string(state_->added_bytes.size());
    const auto font = open_font(bytes, 0, {});
    if (!font) {
        return tl::unexpected(font.error());
    }
    if (FcPattern* pattern = FcFreeTypeQueryFace(font->face().ft, fc(name), 0, nullptr)) {
        state_->added_bytes.push_back(bytes);
        state_->add_renamed(Owned<FcPattern>(pattern), style, std::move(characters));
    }
    return {};
}

bool Fonts::add_local(const std::string& name, const FontStyle& style, std::vector<CharacterRange> characters) {
    const FcFontSet* system = FcConfigGetFonts(state_->configuration(), FcSetSystem);
    for (int i = 0; system != nullptr && i < system->nfont; ++i) {
        for (const char* property : {FC_FULLNAME, FC_POSTSCRIPT_NAME}) {
            FcChar8* found = nullptr;
            for (int n = 0; FcPatternGetString(system->fonts[i], property, n, &found) == FcResultMatch; ++n) {
                if (FcStrCmpIgnoreCase(found, fc(name)) == 0) {
                    state_->add_renamed(Owned<FcPattern>(FcPatternDuplicate(system->fonts[i])), style,
                                        std::move(characters));
                    return true;
                }
            }
        }
    }
    return false;
}

Result<Font> Fonts::find(const FontStyle& style) {
    State::Found& found = state_->search(style);
    for (int i = 0; !found.best && found.fonts && i < found.fonts->nfont; ++i) {
        found.best = state_->open(found.fonts->fonts[i], style);
    }
    if (!found.best) {
        return tl::unexpected(Error{ErrorCode::unsupported, "no font is installed that can be read"});
    }
    return *found.best;
}

std::optional<Font> Fonts::find_with(char32_t character, const FontStyle& style) {
    State::Found& found = state_->search(style);
    const auto [with, is_new] = found.with.try_emplace(character);
    for (int i = 0; is_new && found.fonts && i < found.fonts->nfont; ++i) {
        FcCharSet* characters = nullptr;
        FcPattern* font = found.fonts->fonts[i];
        if (FcPatternGetCharSet(font, FC_CHARSET, 0, &characters) != FcResultMatch ||
            FcCharSetHasChar(characters, character) == 0) {
            continue;
        }
        auto opened = state_->open(font, style);
        if (opened && opened->draws(character)) {
            with->second = std::move(opened);
            break;
        }
        if (!with->second && opened && opened->has(character)) {
            with->second = std::move(opened);
        }
    }
    return with->second;
}

} // namespace weir::text
