#include "svg/style.hpp"

#include <algorithm>
#include <cmath>

namespace weir::svg {

namespace {

using weir::paths::Antialias;
using weir::paths::Blend;
using weir::paths::Cap;
using weir::paths::Color;
using weir::paths::Composite;
using weir::paths::FillRule;
using weir::paths::Join;

std::optional<float> read_opacity(std::string_view text) {
    Scanner scanner(text);
    const auto value = scanner.length();
    if (!value || (value->unit != Length::Unit::px && value->unit != Length::Unit::percent)) {
        return {};
    }
    return std::clamp(value->unit == Length::Unit::percent ? value->value / 100 : value->value, 0.0F, 1.0F);
}

bool is_current_color(std::string_view text) {
    return lower(text.substr(0, text.find_first_of(" \t\r\n"))) == "currentcolor";
}

std::optional<Color> read_color_or_current(std::string_view text, const Color& current) {
    if (is_current_color(text)) {
        return current;
    }
    Scanner scanner(text);
    return read_color(scanner);
}

std::optional<PaintValue> read_paint(std::string_view text, const Color& current) {
    PaintValue paint;
    if (text == "none") {
        return paint;
    }
    if (text == "context-fill" || text == "context-stroke") {
        paint.kind = text == "context-fill" ? PaintValue::Kind::context_fill : PaintValue::Kind::context_stroke;
        return paint;
    }
    Scanner scanner(text);
    if (scanner.skip("url(")) {
        scanner = Scanner(text);
        paint.kind = PaintValue::Kind::server;
        paint.server = id_of_url(scanner);
        const std::string_view fallback = trimmed(scanner.rest());
        if (const auto color = read_color_or_current(fallback, current); color && fallback != "none") {
            paint.color = *color;
            paint.has_fallback = true;
            paint.is_current = is_current_color(fallback);
        } else {
            paint.has_fallback = false;
            paint.color.alpha = fallback == "none" ? 0.0F : 1.0F; // used if the server does not exist
        }
        return paint;
    }
    if (const auto color = read_color_or_current(text, current)) {
        paint.kind = PaintValue::Kind::color;
        paint.color = *color;
        paint.is_current = is_current_color(text);
        return paint;
    }
    return {};
}

template <class T>
void choose(const std::string& text, T& value, std::initializer_list<std::pair<std::string_view, T>> names) {
    for (const auto& [name, meaning] : names) {
        if (text == name) {
            value = meaning;
        }
    }
}

void set_inherited(Style& style, const std::string& name, const std::string& value) {
    const auto set = [](auto& member, const auto& read) {
        if (read) {
            member = *read;
        }
    };
    const auto length = [&]() -> std::optional<Length> {
        Scanner scanner(value);
        const auto read = scanner.length();
        return read && scanner.at_end() ? read : std::nullopt;
    };
    const auto marker = [&] {
        Scanner scanner(value);
        return value == "none" ? std::string() : id_of_url(scanner);
    };
    if (name == "fill") {
        set(style.fill, read_paint(value, style.color));
    } else if (name == "stroke") {
        set(style.stroke, read_paint(value, style.color));
    } else if (name == "fill-opacity") {
        set(style.fill_opacity, read_opacity(value));
    } else if (name == "stroke-opacity") {
        set(style.stroke_opacity, read_opacity(value));
    } else if (name == "fill-rule") {
        choose(value, style.fill_rule, {{"nonzero", FillRule::nonzero}, {"evenodd", FillRule::even_odd}});
    } else if (name == "clip-rule") {
        choose(value, style.clip_rule, {{"nonzero", FillRule::nonzero}, {"evenodd", FillRule::even_odd}});
    } else if (name == "stroke-width") {
        set(style.stroke_width, length());
    } else if (name == "stroke-linejoin") {
        choose(value, style.join,
               {{"miter", Join::miter},
                {"miter-clip", Join::miter_clip},
                {"arcs", Join::miter},
                {"round", Join::round},
                {"bevel", Join::bevel}});
    } else if (name == "stroke-linecap") {
        choose(value, style.cap, {{"butt", Cap::butt}, {"round", Cap::round}, {"square", Cap::square}});
    } else if (name == "stroke-miterlimit") {
        Scanner scanner(value);
        if (const auto limit = scanner.number(); limit && scanner.at_end() && *limit >= 1) {
            style.miter_limit = *limit;
        }
    } else if (name == "stroke-dasharray") {
        style.dashes = value == "none" ? std::vector<Length>{} : length_list(value);
    } else if (name == "stroke-dashoffset") {
        set(style.dash_offset, length());
    } else if (name == "shape-rendering") {
        choose(value, style.antialias,
               {{"auto", Antialias::area},
                {"geometricPrecision", Antialias::area},
                {"crispEdges", Antialias::none},
                {"optimizeSpeed", Antialias::none}});
    } else if (name == "visibility") {
        style.is_visible = value != "hidden" && value != "collapse";
    } else if (name == "paint-order") {
        style.paint_order = value;
    } else if (name == "marker-start") {
        style.marker_start = marker();
    } else if (name == "marker-mid") {
        style.marker_mid = marker();
    } else if (name == "marker-end") {
        style.marker_end = marker();
    } else if (name == "image-rendering") {
        const bool is_pixelated = value == "optimizeSpeed" || value == "pixelated" || value == "crisp-edges";
        style.image_filter = is_pixelated        ? weir::paths::Filter::nearest
                             : value == "smooth" ? weir::paths::Filter::linear
                                                 : weir::paths::Filter::cubic;
    } else if (name == "color-interpolation") {
        style.is_linear_mask = value == "linearRGB";
    } else if (name == "color-interpolation-filters") {
        style.is_linear_filter = value != "sRGB";
    }
}

void set_own(Style& style, const std::string& name, const std::string& value) {
    const auto link = [&](std::string& id) {
        Scanner scanner(value);
        if (value != "none") {
            id = id_of_url(scanner);
        }
    };
    if (name == "display") {
        style.is_displayed = value != "none";
    } else if (name == "opacity") {
        style.opacity = read_opacity(value).value_or(1.0F);
    } else if (name == "mix-blend-mode") {
        style.composite = value == "plus-lighter" ? Composite::plus : Composite::src_over;
        style.blend = blend_of(value).value_or(style.blend);
    } else if (name == "vector-effect") {
        style.is_non_scaling = value == "non-scaling-stroke";
    } else if (name == "isolation") {
        style.is_isolated = value == "isolate";
    } else if (name == "clip-path") {
        link(style.clip_path);
    } else if (name == "mask") {
        link(style.mask);
    } else if (name == "filter") {
        style.filter = value == "none" ? "" : value;
    } else if (name == "overflow") {
        style.overflow = value;
    } else if (name == "mask-type") {
        style.mask_type = value;
    } else if (name == "stop-color") {
        style.stop_color = read_color_or_current(value, style.color).value_or(style.stop_color);
    } else if (name == "stop-opacity") {
        style.stop_opacity = read_opacity(value).value_or(1.0F);
    } else if (name == "flood-color") {
        style.flood_color = read_color_or_current(value, style.color).value_or(style.flood_color);
    } else if (name == "flood-opacity") {
        style.flood_opacity = read_opacity(value).value_or(1.0F);
    } else if (name == "lighting-color") {
        style.lighting_color = read_color_or_current(value, style.color).value_or(style.lighting_color);
    } else if (name == "background-color") {
        style.background = read_color_or_current(value, style.color).value_or(style.background);
    }
}

/// Handles `inherit` for properties that are not inherited by default.
void inherit_own(Style& style, const std::string& name, const Style& parent) {
    if (name == "opacity") {
        style.opacity = parent.opacity;
    } else if (name == "display") {
        style.is_displayed = parent.is_displayed;
    } else if (name == "stop-color") {
        style.stop_color = parent.stop_color;
    } else if (name == "stop-opacity") {
        style.stop_opacity = parent.stop_opacity;
    } else if (name == "flood-color") {
        style.flood_color = parent.flood_color;
    } else if (name == "flood-opacity") {
        style.flood_opacity = parent.flood_opacity;
    } else if (name == "lighting-color") {
        style.lighting_color = parent.lighting_color;
    } else if (name == "filter") {
        style.filter = parent.filter;
    } else if (name == "clip-path") {
        style.clip_path = parent.clip_path;
    } else if (name == "mask") {
        style.mask = parent.mask;
    } else if (name == "overflow") {
        style.overflow = parent.overflow.empty() ? "visible" : parent.overflow;
    } else if (name == "mix-blend-mode") {
        style.blend = parent.blend;
        style.composite = parent.composite;
    }
}

float font_size(const std::string& text, float parent) {
    Scanner scanner(text);
    const auto length = scanner.length();
    if (!length) {
        if (text == "smaller" || text == "larger") {
            return text == "larger" ? parent * 1.2F : parent / 1.2F;
        }
        constexpr std::string_view sizes[] = {"xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large"};
        const auto* const found = std::find(std::begin(sizes), std::end(sizes), text);
        return found == std::end(sizes) ? parent
                                        : Style().font_size * std::pow(1.2F, static_cast<float>(found - sizes) - 3);
    }
    switch (length->unit) {
    case Length::Unit::percent: return parent * length->value / 100;
    case Length::Unit::em: return parent * length->value;
    case Length::Unit::ex: return parent * length->value / 2;
    default: return absolute(*length);
    }
}

/// Returns the initial value of an inherited property; null for other properties, which are then ignored.
const char* initial_value(std::string_view name) {
    constexpr std::pair<std::string_view, const char*> values[] = {{"fill", "black"},
                                                                   {"stroke", "none"},
                                                                   {"fill-opacity", "1"},
                                                                   {"stroke-opacity", "1"},
                                                                   {"fill-rule", "nonzero"},
                                                                   {"clip-rule", "nonzero"},
                                                                   {"stroke-width", "1"},
                                                                   {"stroke-linejoin", "miter"},
                                                                   {"stroke-linecap", "butt"},
                                                                   {"stroke-miterlimit", "4"},
                                                                   {"stroke-dasharray", "none"},
                                                                   {"stroke-dashoffset", "0"},
                                                                   {"visibility", "visible"},
                                                                   {"paint-order", "normal"},
                                                                   {"marker-start", "none"},
                                                                   {"marker-mid", "none"},
                                                                   {"marker-end", "none"},
                                                                   {"image-rendering", "auto"},
                                                                   {"shape-rendering", "auto"},
                                                                   {"color-interpolation", "sRGB"},
                                                                   {"color-interpolation-filters", "linearRGB"}};
    for (const auto& [property, value] : values) {
        if (name == property) {
            return value;
        }
    }
    return nullptr;
}

} // namespace

bool is_geometry(std::string_view name) {
    constexpr std::string_view names[] = {"x", "y", "width", "height", "cx", "cy", "r", "rx", "ry", "d"};
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool is_value(std::string_view name, std::string_view value) {
    if (value.empty()) {
        return false;
    }
    if (value.find("var(") != std::string_view::npos) {
        return true; // checked when it is substituted
    }
    if (is_geometry(name)) { // lengths need a unit
        Scanner scanner(value);
        const auto length = scanner.length();
        const bool has_unit = value.back() == '%' || (value.back() >= 'a' && value.back() <= 'z');
        return name == "d" ? value == "none" || value.starts_with("path(")
               : !length   ? value == "auto"
                           : scanner.at_end() && (has_unit || length->value == 0);
    }
    const bool is_paint = name == "fill" || name == "stroke";
    if (!is_paint && name != "color" && name != "stop-color" && name != "flood-color" && name != "lighting-color" &&
        name != "background-color") {
        return true;
    }
    for (const char* word : {"inherit", "initial", "unset"}) {
        if (value == word) {
            return true;
        }
    }
    return is_paint ? read_paint(value, {}).has_value() : read_color_or_current(value, {}).has_value();
}

std::optional<Blend> blend_of(std::string_view name) {
    constexpr std::pair<std::string_view, Blend> modes[] = {{"normal", Blend::normal},
                                                            {"multiply", Blend::multiply},
                                                            {"screen", Blend::screen},
                                                            {"overlay", Blend::overlay},
                                                            {"darken", Blend::darken},
                                                            {"lighten", Blend::lighten},
                                                            {"color-dodge", Blend::color_dodge},
                                                            {"color-burn", Blend::color_burn},
                                                            {"hard-light", Blend::hard_light},
                                                            {"soft-light", Blend::soft_light},
                                                            {"difference", Blend::difference},
                                                            {"exclusion", Blend::exclusion},
                                                            {"hue", Blend::hue},
                                                            {"saturation", Blend::saturation},
                                                            {"color", Blend::color},
                                                            {"luminosity", Blend::luminosity}};
    const auto* const found =
        std::find_if(std::begin(modes), std::end(modes), [&](const auto& mode) { return mode.first == name; });
    return found == std::end(modes) ? std::nullopt : std::optional(found->second);
}

std::string id_of_url(Scanner& scanner) {
    if (!scanner.skip("url(")) {
        return {};
    }
    const std::string_view rest = scanner.rest();
    const std::size_t end = std::min(rest.size(), rest.find(')'));
    const std::string_view link = trimmed(unquoted(trimmed(rest.substr(0, end))));
    scanner = Scanner(rest.substr(std::min(rest.size(), end + 1)));
    return link.starts_with('#') ? std::string(link.substr(1)) : std::string();
}

Style style_of(const Properties& properties, const Style& parent) {
    Style style = parent;
    const Style initial;
    style.is_displayed = true;
    style.opacity = 1;
    style.blend = initial.blend;
    style.composite = initial.composite;
    style.is_isolated = style.is_non_scaling = style.has_clip_path = false;
    style.filter.clear();
    style.clip_path.clear();
    style.mask.clear();
    style.overflow.clear();
    style.mask_type.clear();
    style.stop_color = initial.stop_color;
    style.stop_opacity = 1;
    style.flood_color = initial.flood_color;
    style.flood_opacity = 1;
    style.lighting_color = initial.lighting_color;
    style.background = initial.background;
    style.geometry.clear();
    style.text.reset_own();
    // Computed first, because other properties use them.
    if (const auto color = properties.find("color"); color != properties.end()) {
        if (const auto read = read_color_or_current(color->second, parent.color)) {
            style.color = *read;
        }
    }
    if (const auto size = properties.find("font-size"); size != properties.end()) {
        style.font_size = font_size(size->second, parent.font_size);
    }
    for (const auto& [name, value] : properties) {
        if (value == "inherit") {
            inherit_own(style, name, parent);
        } else if (value == "initial") {
            if (const auto* found = initial_value(name)) {
                set_inherited(style, name, found);
            }
        } else if (value != "unset") {
            set_inherited(style, name, value);
            set_own(style, name, value);
            style.text.set(name, value, style.font_size);
        }
    }
    for (PaintValue* paint : {&style.fill, &style.stroke}) { // also if it is inherited
        if (paint->is_current) {
            paint->color = style.color;
        }
    }
    return style;
}

} // namespace weir::svg
