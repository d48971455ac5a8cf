#include <algorithm>
#include <map>
#include <numbers>

#include "svg/text_reader.hpp"

namespace weir::svg {

namespace {

constexpr float degree = std::numbers::pi_v<float> / 180;

/// Returns true for characters that stay upright in vertical text.
bool is_upright(std::string_view character) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(character[i]) & 0x3FU; };
    const std::uint32_t code = character.size() == 3
                                   ? (static_cast<unsigned char>(character[0]) & 0xFU) << 12 | byte(1) << 6 | byte(2)
                               : character.size() == 4 ? 0x20000
                                                       : 0;
    return (code >= 0x1100 && code < 0x1200) || (code >= 0x2E80 && code < 0xA4D0) ||
           (code >= 0xAC00 && code < 0xD800) || (code >= 0xF900 && code < 0xFB00) ||
           (code >= 0xFE30 && code < 0xFE50) || (code >= 0xFF01 && code < 0xFF61) || code >= 0x20000;
}

} // namespace

weir::text::TextStyle text_style_of(const Style& style) {
    const TextProperties& text = style.text;
    weir::text::TextStyle result{.font = {.families = text.families,
                                          .weight = text.weight,
                                          .slant = static_cast<weir::text::Slant>(text.slant),
                                          .stretch = text.stretch},
                                 .size = style.font_size,
                                 .letter_spacing = text.letter_spacing,
                                 .word_spacing = text.word_spacing,
                                 .language = text.language};
    for (const auto& [axis, value] : text.axes) {
        result.font.variations.push_back({axis, value});
    }
    if (!text.is_kerned) {
        result.features.push_back({"kern", 0});
    }
    if (text.is_small_caps) {
        result.features.push_back({"smcp", 1});
    }
    for (const auto& [tag, value] : text.features) {
        result.features.push_back({tag, static_cast<std::uint32_t>(std::clamp(value, 0.0F, 65535.0F))});
    }
    return result;
}

weir::text::Metrics TextReader::metrics(const Style& style) {
    const auto font = fonts().find(text_style_of(style).font);
    return font ? font->metrics() : weir::text::Metrics{};
}

float TextReader::own_shift(const Style& style) {
    const std::string& shift = style.text.baseline_shift;
    if (shift.empty() || shift == "baseline") {
        return 0;
    }
    if (shift == "sub") {
        return -metrics(style).subscript_offset * style.font_size;
    }
    if (shift == "super") {
        return metrics(style).superscript_offset * style.font_size;
    }
    Scanner scanner(shift);
    const Length length = scanner.length().value_or(Length{});
    return length.unit == Length::Unit::percent ? length.value / 100 * style.font_size
                                                : Reader::pixels(length, place_, style, Reader::Along::height);
}

float TextReader::baseline(Span& span) {
    if (!span.baseline) {
        span.baseline = find_baseline(span);
    }
    return *span.baseline;
}

float TextReader::find_baseline(const Span& span) {
    const TextProperties& text = span.style.text;
    const bool has_own =
        !text.alignment_baseline.empty() && text.alignment_baseline != "auto" && text.alignment_baseline != "baseline";
    const std::string& name = has_own ? text.alignment_baseline : text.dominant_baseline;
    if (is_vertical_ || name.empty() || name == "auto" || name == "alphabetic") {
        return -span.shift;
    }
    const weir::text::Metrics font = metrics(span.style);
    float at = 0;
    if (name == "before-edge" || name == "text-before-edge" || name == "text-top") {
        at = font.ascent;
    } else if (name == "middle") {
        at = font.x_height / 2;
    } else if (name == "central") {
        at = (font.ascent - font.descent) / 2;
    } else if (name == "after-edge" || name == "text-after-edge" || name == "ideographic" || name == "text-bottom") {
        at = -font.descent;
    } else if (name == "hanging") {
        at = font.ascent * 0.8F;
    } else if (name == "mathematical") {
        at = font.ascent / 2;
    }
    return at * span.style.font_size - span.shift;
}

std::vector<TextReader::Chunk> TextReader::chunks() const {
    std::vector<Chunk> chunks;
    for (std::size_t i = 0; i < characters_.size(); ++i) {
        const Character& character = characters_[i];
        if (character.is_removed || !spans_[character.span].is_displayed) {
            continue;
        }
        if (chunks.empty() || character.x || character.y || character.starts_chunk) {
            chunks.emplace_back();
        }
        chunks.back().push_back(i);
    }
    return chunks;
}

TextReader::ChunkText TextReader::text_of(const Chunk& chunk) const {
    ChunkText result;
    const auto add = [&](std::string_view text, std::size_t character) {
        result.starts.push_back(result.text.size());
        result.characters.push_back(character);
        result.text += text;
        result.spans.back().bytes += text.size();
    };
    constexpr std::string_view isolates_begin = "\u2066", isolate_end = "\u2069", embedding_end = "\u202C";
    std::vector<std::pair<std::size_t, std::string_view>> open;
    for (const std::size_t i : chunk) {
        const Character& character = characters_[i];
        const Span& span = spans_[character.span];
        if (result.spans.empty() || result.span_of.back() != character.span) {
            const auto same = std::mismatch(open.begin(), open.end(), span.directions.begin(), span.directions.end());
            for (; open.end() != same.first; open.pop_back()) {
                add(open.back().second >= isolates_begin ? isolate_end : embedding_end, added);
            }
            result.span_of.push_back(character.span);
            result.spans.push_back({0, text_style_of(span.style)});
            for (std::size_t d = open.size(); d < span.directions.size(); ++d) {
                add(span.directions[d].second, added);
            }
            open = span.directions;
        }
        add(std::string_view(text_).substr(character.offset, character.size), i);
    }
    return result;
}

std::vector<TextReader::Cluster> TextReader::shape(const Chunk& chunk) {
    const ChunkText text = text_of(chunk);
    const bool is_right_to_left = spans_[characters_[chunk[0]].span].style.text.is_right_to_left;
    auto line = weir::text::shape(fonts(), text.text, text.spans,
                                  is_right_to_left ? weir::text::Direction::right_to_left
                                                   : weir::text::Direction::left_to_right);
    std::vector<Cluster> clusters;
    if (!line) {
        reader_.warn("text");
        return clusters;
    }
    float pen = 0;
    for (std::size_t i = 0; i < line->glyphs.size(); ++i) {
        const weir::text::PlacedGlyph& glyph = line->glyphs[i];
        const auto number =
            std::upper_bound(text.starts.begin(), text.starts.end(), glyph.byte) - text.starts.begin() - 1;
        const std::size_t character = text.characters[static_cast<std::size_t>(number)];
        if (character == added) {
            pen += glyph.advance;
            continue;
        }
        if (clusters.empty() || clusters.back().character != character) {
            const weir::text::Metrics& font = line->fonts[glyph.font].metrics();
            clusters.push_back({.line = lines_.size(),
                                .first = i,
                                .character = character,
                                .span = text.span_of[glyph.span],
                                .start = pen,
                                .ascent = font.ascent * glyph.size,
                                .descent = font.descent * glyph.size});
        }
        Cluster& cluster = clusters.back();
        ++cluster.count;
        cluster.width += glyph.advance - glyph.spacing;
        cluster.advance += glyph.advance;
        pen += glyph.advance;
    }
    if (!clusters.empty()) { // letter spacing after the last letter would shift anchored text
        clusters.back().advance = clusters.back().width;
    }
    lines_.push_back(*std::move(line));
    return clusters;
}

void TextReader::fit(std::vector<Cluster>& clusters) {
    std::map<std::size_t, std::vector<Cluster*>> fitted;
    for (Cluster& cluster : clusters) {
        if (const auto fit = spans_[cluster.span].fit) {
            fitted[*fit].push_back(&cluster);
        }
    }
    for (const auto& [index, members] : fitted) {
        const Fit& fit = fits_[index];
        float width = 0;
        for (const Cluster* cluster : members) {
            width += cluster->width;
        }
        const auto gaps = static_cast<float>(members.size() - 1);
        for (Cluster* cluster : members) {
            if (!fit.scales_glyphs) {
                cluster->advance = cluster->width + (cluster != members.back() ? (fit.length - width) / gaps : 0);
            } else if (width > 0 && fit.length > 0) {
                const float factor = fit.length / width;
                cluster->transform = Transform::scaling(factor, 1);
                cluster->width *= factor;
                cluster->advance = cluster->width;
            }
        }
    }
}

void TextReader::turn_upright(Cluster& cluster) const {
    const Character& character = characters_[cluster.character];
    if (!is_upright(std::string_view(text_).substr(character.offset, character.size))) {
        // the middle of small letters is on the line
        const weir::text::Line& line = lines_[cluster.line];
        const weir::text::PlacedGlyph& glyph = line.glyphs[cluster.first];
        cluster.transform =
            Transform::translation(0, line.fonts[glyph.font].metrics().x_height * glyph.size / 2) * cluster.transform;
        return;
    }
    const float height = cluster.ascent + cluster.descent, half = cluster.width / 2;
    cluster.transform = Transform::translation(half, 0) * Transform::rotation(-90 * degree) *
                        Transform::translation(-half, height - cluster.width) * cluster.transform;
}

float TextReader::anchored(const Chunk& chunk, const std::vector<Cluster>& clusters) const {
    const TextProperties& text = spans_[characters_[chunk[0]].span].style.text;
    float length = 0;
    for (const Cluster& cluster : clusters) {
        length += cluster.advance;
        if (cluster.character != chunk[0]) {
            length += is_vertical_ ? characters_[cluster.character].dy : characters_[cluster.character].dx;
        }
    }
    const bool is_reversed = text.is_right_to_left;
    switch (text.anchor) {
    case TextProperties::Anchor::middle: return -length / 2;
    case TextProperties::Anchor::end: return is_reversed ? 0 : -length;
    default: return is_reversed ? -length : 0;
    }
}

void TextReader::place_in_line(const Chunk& chunk, std::vector<Cluster>& clusters) {
    const Character& first = characters_[chunk[0]];
    const weir::paths::Point start{first.x.value_or(pen_.x), first.y.value_or(pen_.y)};
    Transform to_user = Transform::translation(start.x, start.y);
    if (is_vertical_) {
        to_user = to_user * Transform::rotation(90 * degree);
    }
    float along = anchored(chunk, clusters), across = 0;
    for (Cluster& cluster : clusters) {
        const Character& character = characters_[cluster.character];
        along += is_vertical_ ? character.dy : character.dx;
        across += is_vertical_ ? -character.dx : character.dy;
        if (is_vertical_) {
            turn_upright(cluster);
        }
        cluster.transform = to_user * Transform::translation(along, across + baseline(spans_[cluster.span])) *
                            Transform::rotation(character.rotation * degree) * cluster.transform;
        cluster.is_placed = true;
        cluster.is_moved = character.dx != 0 || character.dy != 0 || character.rotation != 0;
        along += cluster.advance;
    }
    pen_ = to_user({along, across});
}

void TextReader::place_on_path(const Chunk& chunk, std::vector<Cluster>& clusters) {
    const Character& first = characters_[chunk[0]];
    const TextPath& path = paths_[*spans_[first.span].path];
    float along = path.offset + (is_vertical_ ? first.y : first.x).value_or(0.0F) + anchored(chunk, clusters);
    float across = 0;
    for (Cluster& cluster : clusters) {
        const Character& character = characters_[cluster.character];
        along += character.dx;
        across += character.dy;
        const float half = cluster.width / 2;
        cluster.is_moved = true;
        if (const auto place = path.at(along + half)) {
            cluster.is_placed = true;
            cluster.transform = Transform::translation(place->at.x, place->at.y) * Transform::rotation(place->angle) *
                                Transform::translation(-half, across + baseline(spans_[cluster.span])) *
                                Transform::rotation(character.rotation * degree) * cluster.transform;
            pen_ = {place->at.x - half + cluster.advance, place->at.y};
        }
        along += cluster.advance;
    }
}

void TextReader::layout(const Chunk& chunk) {
    std::vector<Cluster> clusters = shape(chunk);
    fit(clusters);
    if (spans_[characters_[chunk[0]].span].path) {
        place_on_path(chunk, clusters);
    } else {
        place_in_line(chunk, clusters);
    }
    clusters_.insert(clusters_.end(), clusters.begin(), clusters.end());
}

} // namespace weir::svg
