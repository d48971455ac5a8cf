#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>
#include <utility>

#include "svg/reader.hpp"

namespace weir::svg {

using weir::paths::Antialias;
using weir::paths::Color;
using weir::paths::Gradient;
using weir::paths::LinearGradient;
using weir::paths::OutlineId;
using weir::paths::PaintId;
using weir::paths::Path;
using weir::paths::Point;
using weir::paths::RadialGradient;
using weir::paths::Rect;
using weir::paths::Spread;
using weir::paths::Stroke;
using weir::paths::Transform;

namespace {

Transform unit_box(const Rect& box) {
    return {box.right - box.left, 0, 0, box.bottom - box.top, box.left, box.top};
}

} // namespace

const char* Reader::Server::attribute(const char* name) const {
    for (const Node& node : chain) {
        if (const pugi::xml_attribute found = node.attribute(name)) {
            return found.value();
        }
    }
    return "";
}

const char* Reader::Server::own_attribute(const char* name) const {
    for (const Node& node : chain) {
        const pugi::xml_attribute found = node.attribute(name);
        if (found && std::string_view(node.name()) == chain[0].name()) {
            return found.value();
        }
    }
    return "";
}

Reader::Server Reader::server(const Node& node) const {
    Server server;
    for (Node next = node; next && std::find(server.chain.begin(), server.chain.end(), next) == server.chain.end();
         next = linked(next)) {
        server.chain.push_back(next);
    }
    return server;
}

void Reader::draw_shape(const Node& node, const Path& path, const Style& style, const Place& place) {
    if (!style.is_visible) {
        return;
    }
    const OutlineId outline = drawing_.scene.add_outline(path);
    if (place.is_clip) {
        drawing_.scene.set_antialias(style.antialias);
        drawing_.scene.fill(outline, drawing_.scene.add_paint(Color{1, 1, 1, 1}), place.transform, style.clip_rule);
        drawing_.scene.set_antialias(Antialias::area);
        return;
    }
    const auto markers = [&] {
        const std::string_view name = node.name();
        if (name == "path" || name == "line" || name == "polyline" || name == "polygon") {
            draw_markers(path, style, place);
        }
    };
    // Kinds that are not named come last, in the default order.
    std::string order;
    Scanner scanner(style.paint_order);
    while (!scanner.at_end()) {
        const std::string_view word = scanner.word();
        const char kind = word == "fill" ? 'f' : word == "stroke" ? 's' : word == "markers" ? 'm' : 0;
        if (kind == 0 || order.find(kind) != std::string::npos) {
            order.clear();
            break;
        }
        order += kind;
    }
    for (const char kind : {'f', 's', 'm'}) {
        if (order.find(kind) == std::string::npos) {
            order += kind;
        }
    }
    for (const char kind : order) {
        if (kind == 'f') {
            draw_fill(path, outline, style, place);
        } else if (kind == 's') {
            draw_stroke(path, outline, style, place);
        } else {
            markers();
        }
    }
}

void Reader::draw_fill(const Path& path, OutlineId outline, const Style& style, const Place& place) {
    const Rect bounds = path.bounds(), box = place.box.value_or(bounds);
    const auto fill = [&](PaintId paint) {
        drawing_.scene.set_antialias(style.antialias);
        drawing_.scene.fill(outline, paint, place.transform, style.fill_rule);
        drawing_.scene.set_antialias(Antialias::area);
    };
    const auto cover = [&] { fill(drawing_.scene.add_paint(Color{1, 1, 1, 1})); };
    if (const auto paint = paint_of(style.fill, style.fill_opacity, box, place, cover, bounds)) {
        fill(*paint);
    }
}

Stroke Reader::stroke_of(const Style& style, const Place& place) const {
    Stroke stroke{.width = pixels(style.stroke_width, place, style, Along::diagonal),
                  .join = style.join,
                  .cap = style.cap,
                  .miter_limit = style.miter_limit};
    float sum = 0;
    for (const Length& dash : style.dashes) {
        stroke.dashes.push_back(pixels(dash, place, style, Along::diagonal));
        sum += stroke.dashes.back();
        if (stroke.dashes.back() < 0) { // invalid: no dashes
            stroke.dashes.clear();
            break;
        }
    }
    if (!(sum > 0)) {
        stroke.dashes.clear();
    }
    stroke.dash_offset = pixels(style.dash_offset, place, style, Along::diagonal);
    return stroke;
}

void Reader::draw_stroke(const Path& path, OutlineId outline, const Style& style, const Place& place) {
    if (style.is_non_scaling) { // the path is moved, so that the stroke is not; the paint stays in its space
        Path moved;
        moved.add(path, place.transform);
        Place flat = place;
        flat.transform = {};
        Style own = style;
        own.is_non_scaling = false;
        if (!own.stroke.space) {
            own.stroke.space =
                std::make_shared<const PaintSpace>(PaintSpace{place.transform, place.box.value_or(path.bounds())});
        }
        draw_stroke(moved, drawing_.scene.add_outline(moved), own, flat);
        return;
    }
    const Stroke stroke = stroke_of(style, place);
    if (!(stroke.width > 0) || !std::isfinite(stroke.width) || stroke.miter_limit < 1) {
        return;
    }
    const Rect bounds = path.bounds(), box = place.box.value_or(bounds);
    const bool has_limit = stroke.join == weir::paths::Join::miter || stroke.join == weir::paths::Join::miter_clip;
    const float reach = stroke.width / 2 * (has_limit ? stroke.miter_limit + 1 : 1.5F);
    const Rect painted{bounds.left - reach, bounds.top - reach, bounds.right + reach, bounds.bottom + reach};
    const auto draw = [&](PaintId paint) {
        drawing_.scene.set_antialias(style.antialias);
        drawing_.scene.stroke(outline, paint, stroke, place.transform);
        drawing_.scene.set_antialias(Antialias::area);
    };
    const auto cover = [&] { draw(drawing_.scene.add_paint(Color{1, 1, 1, 1})); };
    if (const auto paint = paint_of(style.stroke, style.stroke_opacity, box, place, cover, painted)) {
        draw(*paint);
    }
}

std::optional<PaintId> Reader::paint_of(const PaintValue& value, float opacity, const Rect& box, const Place& place,
                                        const std::function<void()>& cover, const Rect& painted) {
    const auto plain = [&] {
        Color color = value.color;
        color.alpha *= opacity;
        return drawing_.scene.add_paint(color);
    };
    switch (value.kind) {
    case PaintValue::Kind::color: return plain();
    case PaintValue::Kind::server: break;
    default: return {};
    }
    const Node node = find(value.server);
    const std::string_view name = node.name();
    const Rect& space_box = value.space ? value.space->box : box;
    const Transform to_draw = value.space ? place.transform.inverse() * value.space->transform : Transform{};
    if (name == "linearGradient" || name == "radialGradient") {
        if (const auto paint = gradient(node, opacity, space_box, place, to_draw)) {
            return paint;
        }
        return value.has_fallback ? std::optional(plain()) : std::nullopt;
    }
    if (name == "pattern") {
        Place space = place;
        Rect reached = painted;
        if (value.space) {
            space.transform = value.space->transform;
            reached = bounds_of(to_draw.inverse(), painted);
        }
        if (const auto pattern = pattern_of(node, space_box, space)) {
            return pattern_paint(*pattern, opacity, space, to_draw, cover, reached);
        }
    }
    return value.has_fallback ? std::optional(plain()) : std::nullopt;
}

std::optional<PaintId> Reader::gradient(const Node& node, float opacity, const Rect& box, const Place& place,
                                        const Transform& to_draw) {
    const Server attributes = server(node);
    const bool in_user_space = std::string_view(attributes.attribute("gradientUnits")) == "userSpaceOnUse";
    Gradient gradient;
    for (const Node& owner : attributes.chain) { // the first element that has stops
        const Style inherited = style_in_document(owner);
        for (const Node& stop : owner.children("stop")) {
            const Style style = style_at(stop, inherited);
            Scanner scanner(stop.attribute("offset").value());
            const Length read = scanner.length().value_or(Length{});
            const bool is_number = read.unit == Length::Unit::px || read.unit == Length::Unit::percent;
            const float value = is_number ? read.value : 0;
            float offset = std::clamp(read.unit == Length::Unit::percent ? value / 100 : value, 0.0F, 1.0F);
            if (!gradient.stops.empty()) {
                offset = std::max(offset, gradient.stops.back().offset);
            }
            Color color = style.stop_color;
            color.alpha *= style.stop_opacity * opacity;
            gradient.stops.push_back({offset, color});
        }
        if (!gradient.stops.empty()) {
            break;
        }
    }
    if (gradient.stops.empty()) {
        return {};
    }
    if (gradient.stops.size() == 1) {
        return drawing_.scene.add_paint(gradient.stops[0].color);
    }
    if (!in_user_space && !(box.right > box.left && box.bottom > box.top)) {
        return {}; // a box without area defines no space
    }
    const std::string_view spread = attributes.attribute("spreadMethod");
    gradient.spread = spread == "reflect" ? Spread::reflect : spread == "repeat" ? Spread::repeat : Spread::pad;
    const auto transform = server_transform(attributes.attribute("gradientTransform"));
    if (!transform) {
        return {};
    }
    gradient.transform = *transform;
    const Rect space = in_user_space ? Rect{0, 0, place.width, place.height} : Rect{0, 0, 1, 1};
    if (const char* origin = attributes.attribute("transform-origin"); *origin != 0) {
        gradient.transform = about(gradient.transform, origin, place, place.style, space);
    }
    if (!in_user_space) {
        gradient.transform = unit_box(box) * gradient.transform;
    }
    gradient.transform = to_draw * gradient.transform;
    const auto get = [&](const char* name, Along along, const char* usual) {
        const char* text = attributes.own_attribute(name);
        Scanner scanner(*text != 0 ? text : usual);
        auto read = scanner.length();
        if (!read) {
            scanner = Scanner(usual);
            read = scanner.length();
        }
        if (!in_user_space) {
            return read->unit == Length::Unit::percent ? read->value / 100 : read->value;
        }
        return pixels(*read, place, place.style, along);
    };
    const Color last = gradient.stops.back().color;
    const std::string_view kind = node.name();
    if (kind == "linearGradient") {
        const Point start{get("x1", Along::width, "0%"), get("y1", Along::height, "0%")};
        const Point end{get("x2", Along::width, "100%"), get("y2", Along::height, "0%")};
        if (start == end) {
            return drawing_.scene.add_paint(last);
        }
        return drawing_.scene.add_paint(LinearGradient{gradient, start, end});
    }
    const Point center{get("cx", Along::width, "50%"), get("cy", Along::height, "50%")};
    const float radius = get("r", Along::diagonal, "50%");
    if (!(radius > 0)) {
        return drawing_.scene.add_paint(last);
    }
    Point focus{*attributes.own_attribute("fx") != 0 ? get("fx", Along::width, "50%") : center.x,
                *attributes.own_attribute("fy") != 0 ? get("fy", Along::height, "50%") : center.y};
    const float focal_radius = get("fr", Along::diagonal, "0%");
    if (focal_radius == radius) { // equal circles: first color inside, last color outside
        const Color first = gradient.stops.front().color;
        gradient.stops = {{0, first}, {1, first}, {1, last}};
        gradient.spread = Spread::pad;
        return drawing_.scene.add_paint(RadialGradient{gradient, center, radius, center, 0});
    }
    return drawing_.scene.add_paint(RadialGradient{gradient, center, radius, focus, std::max(0.0F, focal_radius)});
}

} // namespace weir::svg
