#include <algorithm>
#include <cmath>

#include "svg/text_reader.hpp"

namespace weir::svg {

namespace {

std::size_t code_point_size(std::string_view text, std::size_t at) {
    std::size_t size = 1;
    while (at + size < text.size() && (static_cast<unsigned char>(text[at + size]) & 0xC0U) == 0x80) {
        ++size;
    }
    return size;
}

void add_all_text(const pugi::xml_node& node, std::string& text) {
    for (const pugi::xml_node& child : node.children()) {
        text += child.value();
        add_all_text(child, text);
    }
}

} // namespace

TextReader::TextReader(Reader& reader, const Reader::Place& place, const Node& node, const Style& style)
    : reader_(reader), place_(place), node_(node), is_vertical_(style.text.is_vertical) {
    if (!reader.fonts_) {
        reader.fonts_ = std::make_shared<TextFonts>();
        reader.add_font_faces();
    }
    glyphs_.set_svg_reader([](std::string_view document, const std::string& element,
                              const weir::paths::Color& color) -> std::optional<weir::paths::Scene> {
        auto drawing = weir::svg::read(document, {.element = element, .color = color});
        return drawing ? std::optional(std::move(drawing->scene)) : std::nullopt;
    });
    Span span{.style = style};
    if (style.text.decoration != 0) {
        span.decorations.push_back({style.text.decoration, style});
    }
    span.shift = own_shift(style);
    add_fit(node, span);
    add_direction(span);
    placings_.push_back({node, style, 0, 0});
    collect(node, span);
    placings_[0].end = characters_.size();
    remove_spaces();
    for (const Placing& placing : placings_) {
        place_characters(placing);
    }
    for (const Chunk& chunk : chunks()) {
        layout(chunk);
    }
}

void TextReader::collect(const Node& node, const Span& span) {
    for (const Node& child : node.children()) {
        if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
            add_text(child.value(), span);
        } else if (child.type() == pugi::node_element) {
            collect_element(child, span);
        }
    }
}

void TextReader::collect_element(const Node& node, const Span& parent) {
    const std::string_view name = node.name();
    const bool is_path = name == "textPath";
    if ((!is_path && name != "tspan" && name != "a" && name != "tref") || !Reader::is_for_us(node)) {
        return;
    }
    Span span = parent;
    span.style = reader_.style_at(node, parent.style);
    Reader::use_context(span.style, place_);
    span.is_displayed = parent.is_displayed && span.style.is_displayed;
    span.shift += own_shift(span.style);
    if (span.style.text.own_decoration != 0) {
        span.decorations.push_back({span.style.text.own_decoration, span.style});
    }
    add_fit(node, span);
    add_direction(span);
    if (is_path) {
        const Node target = reader_.linked(node);
        const Style target_style = target ? reader_.style_in_document(target) : Style{};
        const auto shape = Reader::shape(target, place_, target_style);
        if (parent.path || !shape || shape->empty()) {
            return;
        }
        Path path;
        path.add(*shape, reader_.transform_at(target, place_, target_style));
        paths_.emplace_back(path);
        Scanner scanner(node.attribute("startOffset").value());
        const Length offset = scanner.length().value_or(Length{});
        paths_.back().offset = offset.unit == Length::Unit::percent
                                   ? paths_.back().length() * offset.value / 100
                                   : Reader::pixels(offset, place_, span.style, Reader::Along::width);
        span.path = paths_.size() - 1;
    }
    const std::size_t placing = placings_.size();
    placings_.push_back({node, span.style, characters_.size(), 0});
    splits_ = splits_ || is_path;
    if (name == "tref") {
        std::string text;
        add_all_text(reader_.linked(node), text);
        add_text(text, span);
    } else {
        collect(node, span);
    }
    splits_ = splits_ || is_path;
    placings_[placing].end = characters_.size();
}

void TextReader::add_fit(const Node& node, Span& span) {
    const auto length = Reader::length(node, "textLength", place_, span.style, Reader::Along::width);
    if (length && *length >= 0) {
        span.fit = fits_.size();
        fits_.push_back({*length, std::string_view(node.attribute("lengthAdjust").value()) == "spacingAndGlyphs"});
    }
}

void TextReader::add_direction(Span& span) {
    const std::string& bidi = span.style.text.bidi;
    const bool is_reversed = span.style.text.is_right_to_left;
    const std::string_view begin = bidi == "embed"           ? (is_reversed ? "\u202B" : "\u202A")
                                   : bidi == "bidi-override" ? (is_reversed ? "\u202E" : "\u202D")
                                   : bidi == "isolate"       ? (is_reversed ? "\u2067" : "\u2066")
                                   : bidi == "plaintext"     ? "\u2068"
                                                             : "";
    if (!begin.empty()) {
        span.directions.emplace_back(directions_++, begin);
    }
}

void TextReader::add_text(std::string_view text, const Span& span) {
    constexpr std::size_t most = 1 << 20; // characters of a text element
    spans_.push_back(span);
    for (std::size_t at = 0; at < text.size() && characters_.size() < most;) {
        const std::size_t size = code_point_size(text, at);
        Character character{.offset = text_.size(), .size = size, .span = spans_.size() - 1};
        character.starts_chunk = std::exchange(splits_, false);
        characters_.push_back(character);
        const bool is_space = text[at] == '\n' || text[at] == '\t' || text[at] == '\r';
        text_ += is_space ? std::string_view(" ") : text.substr(at, size);
        at += size;
    }
}

void TextReader::remove_spaces() {
    Character* last = nullptr; // last one that is kept
    const auto keeps = [&](const Character& character) { return spans_[character.span].style.text.keeps_spaces; };
    bool splits = false;
    for (Character& character : characters_) {
        const bool is_space = text_[character.offset] == ' ' && !keeps(character);
        character.is_removed = is_space && (last == nullptr || text_[last->offset] == ' ');
        splits = splits || character.starts_chunk;
        if (!character.is_removed) {
            last = &character;
            character.starts_chunk = std::exchange(splits, false);
        }
    }
    if (last != nullptr && text_[last->offset] == ' ' && !keeps(*last)) {
        last->is_removed = true;
    }
}

std::vector<float> TextReader::lengths(const Placing& placing, const char* name, Reader::Along along) const {
    std::vector<float> result;
    for (const Length& length : length_list(placing.node.attribute(name).value())) {
        result.push_back(Reader::pixels(length, place_, placing.style, along));
    }
    return result;
}

void TextReader::place_characters(const Placing& placing) {
    const auto x = lengths(placing, "x", Reader::Along::width), y = lengths(placing, "y", Reader::Along::height);
    const auto dx = lengths(placing, "dx", Reader::Along::width), dy = lengths(placing, "dy", Reader::Along::height);
    const std::vector<float> rotation = number_list(placing.node.attribute("rotate").value());
    std::size_t number = 0;
    for (std::size_t i = placing.first; i < placing.end; ++i) {
        Character& character = characters_[i];
        if (character.is_removed) {
            continue;
        }
        const auto set = [&](const std::vector<float>& values, auto& member) {
            if (number < values.size() && std::isfinite(values[number])) {
                member = values[number];
            }
        };
        set(x, character.x);
        set(y, character.y);
        set(dx, character.dx);
        set(dy, character.dy);
        if (!rotation.empty()) {
            character.rotation = rotation[std::min(number, rotation.size() - 1)];
        }
        ++number;
    }
}

} // namespace weir::svg
