#include <weir/text/shape.hpp>

#include <algorithm>
#include <utility>

#include "characters.hpp"
#include "face.hpp"

namespace weir::text {

namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 24;

/// A part of a line with one font, style, direction and script.
struct Run {
    std::uint32_t first = 0, end = 0;  ///< code points
    std::uint32_t font = 0, style = 0; ///< style: index of the first span that has it
    std::int8_t level = 0;
};

/// Shapes a line.
class Shaper {
public:
    Shaper(Fonts& fonts, std::string_view text, std::span<const Span> spans)
        : fonts_(fonts), text_(text), spans_(spans) {}
    Result<Line> shape(Direction direction);

private:
    Result<> find_fonts();
    void find_runs();
    void shape_run(const Run& run);
    void place(const Run& run, hb_buffer_t* buffer);
    std::uint32_t index_of(const Font& font);
    /// Returns true if the code point's glyph continues that of its predecessor.
    [[nodiscard]] bool continues(std::size_t i) const { return i != 0 && is_extension(characters_.codes[i]); }

    Fonts& fonts_;
    std::string_view text_;
    std::span<const Span> spans_;
    Characters characters_;
    std::vector<std::uint32_t> span_of_, font_of_; ///< by code point
    std::vector<std::uint32_t> style_of_;          ///< by span: the first of consecutive spans with an equal style
    std::vector<Run> runs_;
    Line line_;
};

std::uint32_t Shaper::index_of(const Font& font) {
    const auto found = std::find(line_.fonts.begin(), line_.fonts.end(), font);
    if (found != line_.fonts.end()) {
        return static_cast<std::uint32_t>(found - line_.fonts.begin());
    }
    line_.fonts.push_back(font);
    return static_cast<std::uint32_t>(line_.fonts.size()) - 1;
}

Result<> Shaper::find_fonts() {
    for (std::uint32_t i = 0; i < spans_.size(); ++i) { // letters of spans in one style are kerned
        style_of_.push_back(i != 0 && spans_[i].style == spans_[i - 1].style ? style_of_.back() : i);
    }
    std::size_t span = 0, end = spans_.empty() ? 0 : spans_[0].bytes;
    for (std::size_t i = 0; i < characters_.codes.size(); ++i) {
        while (characters_.bytes[i] >= end) { // empty spans are skipped
            end += spans_[++span].bytes;
        }
        span_of_.push_back(static_cast<std::uint32_t>(span));
    }
    for (std::size_t i = 0; i < characters_.codes.size(); ++i) {
        const char32_t code = characters_.codes[i];
        if (continues(i) && style_of_[span_of_[i]] == style_of_[span_of_[i - 1]]) {
            font_of_.push_back(font_of_.back());
            continue;
        }
        const FontStyle& style = spans_[span_of_[i]].style.font;
        auto font = fonts_.find(style);
        if (!font) {
            return tl::unexpected(font.error());
        }
        if (!font->draws(code)) {
            const bool is_ignored = code == 0x200B || code == 0x2060 || code == 0xFEFF ||
                                    (code >= 0x200E && code <= 0x200F) || (code >= 0x202A && code <= 0x202E) ||
                                    (code >= 0x2066 && code <= 0x2069);
            if (const auto other = is_ignored ? std::nullopt : fonts_.find_with(code, style)) {
                font = *other;
            }
        }
        font_of_.push_back(index_of(*font));
    }
    return {};
}

void Shaper::find_runs() {
    for (std::uint32_t i = 0; i < characters_.codes.size(); ++i) {
        const Run run{i, i + 1, font_of_[i], style_of_[span_of_[i]], characters_.levels[i]};
        if (!runs_.empty()) {
            Run& last = runs_.back();
            if (last.font == run.font && last.style == run.style && last.level == run.level &&
                characters_.scripts[last.first] == characters_.scripts[i]) {
                last.end = run.end;
                continue;
            }
        }
        runs_.push_back(run);
    }
    // Rule L2: from the highest level down to 1, reverse sequences of runs of at least this level.
    int highest = 0;
    for (const Run& run : runs_) {
        highest = std::max<int>(highest, run.level);
    }
    for (int level = highest; level > 0; --level) {
        for (auto first = runs_.begin(); first != runs_.end();) {
            const auto is_lower = [&](const Run& run) { return run.level < level; };
            first = std::find_if_not(first, runs_.end(), is_lower);
            const auto end = std::find_if(first, runs_.end(), is_lower);
            std::reverse(first, end);
            first = end;
        }
    }
}

hb_feature_t feature_of(const Feature& feature) {
    return {hb_tag_from_string(feature.tag.data(), static_cast<int>(feature.tag.size())), feature.value,
            HB_FEATURE_GLOBAL_START, HB_FEATURE_GLOBAL_END};
}

void Shaper::shape_run(const Run& run) {
    const TextStyle& style = spans_[run.style].style;
    hb_buffer_t* buffer = hb_buffer_create();
    // Neighbors are context: letters join across parts.
    hb_buffer_add_codepoints(buffer, characters_.codes.data(), static_cast<int>(characters_.codes.size()), run.first,
                             static_cast<int>(run.end - run.first));
    hb_buffer_set_direction(buffer, run.level % 2 != 0 ? HB_DIRECTION_RTL : HB_DIRECTION_LTR);
    hb_buffer_set_script(buffer, characters_.scripts[run.first]);
    if (!style.language.empty()) {
        hb_buffer_set_language(buffer,
                               hb_language_from_string(style.language.data(), static_cast<int>(style.language.size())));
    }
    hb_buffer_guess_segment_properties(buffer); // those that are not set: the language
    std::vector<hb_feature_t> features;
    if (style.letter_spacing != 0) { // optional ligatures cannot be spaced
        for (const char* ligature : {"liga", "clig", "dlig", "hlig"}) {
            features.push_back(feature_of({ligature, 0}));
        }
    }
    for (const Feature& feature : style.features) {
        features.push_back(feature_of(feature));
    }
    hb_shape(line_.fonts[run.font].face().hb, buffer, features.data(), static_cast<unsigned>(features.size()));
    place(run, buffer);
    hb_buffer_destroy(buffer);
}

void Shaper::place(const Run& run, hb_buffer_t* buffer) {
    const TextStyle& style = spans_[run.style].style;
    unsigned count = 0;
    const hb_glyph_info_t* infos = hb_buffer_get_glyph_infos(buffer, &count);
    const hb_glyph_position_t* positions = hb_buffer_get_glyph_positions(buffer, &count);
    const float scale = style.size / Font::Face::units;
    const Metrics& metrics = line_.fonts[run.font].metrics();
    line_.ascent = std::max(line_.ascent, metrics.ascent * style.size);
    line_.descent = std::max(line_.descent, metrics.descent * style.size);
    for (unsigned i = 0; i < count; ++i) {
        const std::uint32_t character = infos[i].cluster;
        PlacedGlyph glyph{.font = run.font,
                          .glyph = infos[i].codepoint,
                          .byte = characters_.bytes[character],
                          .span = span_of_[character],
                          .at = {line_.advance + static_cast<float>(positions[i].x_offset) * scale,
                                 -static_cast<float>(positions[i].y_offset) * scale},
                          .advance = static_cast<float>(positions[i].x_advance) * scale,
                          .size = style.size,
                          .is_right_to_left = run.level % 2 != 0};
        const bool is_last = i + 1 == count || infos[i + 1].cluster != character;
        if (is_last && may_be_spaced(characters_.scripts[character])) {
            glyph.spacing += style.letter_spacing;
        }
        if (is_last && is_word_separator(characters_.codes[character])) {
            glyph.spacing += style.word_spacing;
        }
        glyph.advance += glyph.spacing;
        line_.advance += glyph.advance;
        line_.glyphs.push_back(glyph);
    }
}

Result<Line> Shaper::shape(Direction direction) {
    std::size_t covered = 0;
    for (const Span& span : spans_) {
        if (span.bytes > text_.size() - covered) {
            return tl::unexpected(Error{ErrorCode::invalid_argument, "the spans are longer than the text"});
        }
        covered += span.bytes;
    }
    if (covered != text_.size()) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, "the spans cover " + std::to_string(covered) + " of " +
                                                                     std::to_string(text_.size()) +
                                                                     " bytes of the text"});
    }
    if (text_.size() >= most_bytes) {
        return tl::unexpected(Error{ErrorCode::limit_exceeded, "a line of text has 2^24 bytes or more"});
    }
    characters_ = decode(text_);
    if (auto found = find_levels(characters_, direction); !found) {
        return tl::unexpected(found.error());
    }
    find_scripts(characters_);
    if (auto found = find_fonts(); !found) {
        return tl::unexpected(found.error());
    }
    find_runs();
    for (const Run& run : runs_) {
        shape_run(run);
    }
    return std::move(line_);
}

} // namespace

Result<Line> shape(Fonts& fonts, std::string_view text, std::span<const Span> spans, Direction direction) {
    return Shaper(fonts, text, spans).shape(direction);
}

Result<Line> shape(Fonts& fonts, std::string_view text, const TextStyle& style, Direction direction) {
    const Span span{text.size(), style};
    return shape(fonts, text, std::span(&span, 1), direction);
}

} // namespace weir::text
