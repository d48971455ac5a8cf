#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "svg/reader.hpp"

namespace weir::svg {

using weir::paths::Path;
using weir::paths::Point;
using weir::paths::Rect;
using weir::paths::Transform;

Rect bounds_of(const Transform& transform, const Rect& box) {
    Rect bounds{1e30F, 1e30F, -1e30F, -1e30F};
    for (const Point corner : {Point{box.left, box.top}, Point{box.right, box.top}, Point{box.left, box.bottom},
                               Point{box.right, box.bottom}}) {
        const Point p = transform(corner);
        bounds = {std::min(bounds.left, p.x), std::min(bounds.top, p.y), std::max(bounds.right, p.x),
                  std::max(bounds.bottom, p.y)};
    }
    return bounds;
}

std::optional<Transform> server_transform(std::string_view text) {
    const Transform t = read_transform(text).value_or(Transform{});
    if ((t.xx == 0 && t.yx == 0) || (t.xy == 0 && t.yy == 0)) {
        return Transform{};
    }
    return t.xx * t.yy != t.xy * t.yx ? std::optional(t) : std::nullopt;
}

float Reader::pixels(const Length& length, const Place& place, const Style& style, Along along) {
    switch (length.unit) {
    case Length::Unit::percent: {
        const float whole = along == Along::width ? place.width
                            : along == Along::height
                                ? place.height
                                : std::sqrt((place.width * place.width + place.height * place.height) / 2);
        return length.value * whole / 100;
    }
    case Length::Unit::em: return length.value * style.font_size;
    case Length::Unit::ex: return length.value * style.font_size / 2;
    default: return absolute(length);
    }
}

std::string_view Reader::geometry(const Node& node, const char* name, const Style& style) {
    const auto found = style.geometry.find(name);
    return found == style.geometry.end() ? std::string_view(node.attribute(name).value()) : found->second;
}

std::optional<float> Reader::length(const Node& node, const char* name, const Place& place, const Style& style,
                                    Along along) {
    Scanner scanner(geometry(node, name, style));
    const auto read = scanner.length();
    if (!read || !scanner.at_end()) {
        return {};
    }
    return pixels(*read, place, style, along);
}

Transform Reader::transform_at(const Node& node, const Place& place, const Style& style) const {
    const Properties& css = css_of(node);
    const auto pixels_of = [&](const Length& length, bool is_x) {
        return pixels(length, place, style, is_x ? Along::width : Along::height);
    };
    // CSS multiplies translate, rotate, scale and transform, in this order.
    Transform transform;
    for (const char* name : {"translate", "rotate", "scale"}) {
        if (const auto own = css.find(name); own != css.end() && own->second != "none") {
            transform =
                transform * read_css_transform(name + ("(" + own->second + ")"), pixels_of).value_or(Transform{});
        }
    }
    if (const auto own = css.find("transform"); own == css.end()) {
        transform = transform * read_transform(node.attribute("transform").value()).value_or(Transform{});
    } else if (own->second != "none") {
        transform = transform * read_css_transform(own->second, pixels_of).value_or(Transform{});
    }
    const auto own_origin = css.find("transform-origin");
    const std::string_view origin = own_origin == css.end()
                                        ? std::string_view(node.attribute("transform-origin").value())
                                        : std::string_view(own_origin->second);
    return origin.empty() ? transform : about(transform, origin, place, style, {0, 0, place.width, place.height});
}

Transform Reader::use_translation(const Node& use, const Place& place, const Style& style) {
    return Transform::translation(length(use, "x", place, style, Along::width).value_or(0.0F),
                                  length(use, "y", place, style, Along::height).value_or(0.0F));
}

Transform Reader::about(const Transform& transform, std::string_view text, const Place& place, const Style& style,
                        const Rect& box) {
    const float width = box.right - box.left, height = box.bottom - box.top;
    std::optional<float> x, y;
    Scanner scanner(text);
    while (!scanner.at_end() && !(x && y)) {
        Scanner words(scanner.rest());
        if (const auto number = scanner.length()) {
            const bool is_x = !x;
            const float whole = is_x ? width : height;
            (is_x ? x : y) = number->unit == Length::Unit::percent ? number->value / 100 * whole
                                                                   : pixels(*number, place, style, Along::width);
            continue;
        }
        const std::string_view word = words.word();
        scanner = words;
        if (word == "left" || word == "right") {
            x = word == "left" ? 0 : width;
        } else if (word == "top" || word == "bottom") {
            y = word == "top" ? 0 : height;
        } else if (word == "center") {
            (x ? y : x) = (x ? height : width) / 2;
        } else {
            return transform;
        }
    }
    const float to_x = box.left + x.value_or(width / 2), to_y = box.top + y.value_or(height / 2);
    return Transform::translation(to_x, to_y) * transform * Transform::translation(-to_x, -to_y);
}

std::optional<Transform> Reader::view_box(const ViewBox& view, float width, float height, float* box_width,
                                          float* box_height) {
    const std::vector<float> box = number_list(view.box);
    if (box.size() != 4 || !(box[2] > 0) || !(box[3] > 0)) {
        return {};
    }
    if (box_width != nullptr) {
        *box_width = box[2];
        *box_height = box[3];
    }
    float x = width / box[2], y = height / box[3];
    Scanner scanner(view.ratio);
    std::string_view align = scanner.word();
    if (align == "defer") {
        align = scanner.word();
    }
    const auto is_part = [&](std::size_t at) {
        const std::string_view part = align.substr(at, 3);
        return part == "Min" || part == "Mid" || part == "Max";
    };
    const bool is_align = align.size() == 8 && align[0] == 'x' && align[4] == 'Y' && is_part(1) && is_part(5);
    Point shift;
    if (align != "none") {
        const bool is_slice = is_align && scanner.word() == "slice";
        align = is_align ? align : "xMidYMid"; // ignore an invalid value
        x = y = is_slice ? std::max(x, y) : std::min(x, y);
        const auto part = [&](std::string_view name) {
            return align.find(std::string(name) + "Mid") != std::string_view::npos   ? 0.5F
                   : align.find(std::string(name) + "Max") != std::string_view::npos ? 1.0F
                                                                                     : 0.0F;
        };
        shift = {part("x") * (width - box[2] * x), part("Y") * (height - box[3] * y)};
    }
    return Transform::translation(shift.x, shift.y) * Transform::scaling(x, y) *
           Transform::translation(-box[0], -box[1]);
}

std::optional<Path> Reader::shape(const Node& node, const Place& place, const Style& style) {
    const std::string_view name = node.name();
    const auto get = [&](const char* attribute, Along along) {
        return length(node, attribute, place, style, along).value_or(0.0F);
    };
    const auto radius = [&](const char* attribute, Along along) -> std::optional<float> {
        const auto value = length(node, attribute, place, style, along);
        return value && *value >= 0 ? value : std::nullopt;
    };
    Path path;
    if (name == "path") {
        std::string_view data = geometry(node, "d", style);
        if (style.geometry.contains("d")) { // path("M0 0"), path(evenodd, "M0 0") or none
            const std::size_t begin = std::min(data.size(), data.find_first_of("\"'"));
            data = data.substr(begin, data.find_last_of("\"'") - begin);
            data.remove_prefix(std::min<std::size_t>(1, data.size()));
        }
        path = read_path_data(data);
    } else if (name == "rect") {
        const float width = get("width", Along::width), height = get("height", Along::height);
        if (!(width > 0 && height > 0)) {
            return Path{};
        }
        auto rx = radius("rx", Along::width), ry = radius("ry", Along::height);
        rx = rx ? rx : ry;
        ry = ry ? ry : rx;
        path.add_rect(get("x", Along::width), get("y", Along::height), width, height, rx.value_or(0.0F),
                      ry.value_or(0.0F));
    } else if (name == "circle" || name == "ellipse") {
        auto rx = radius(name == "circle" ? "r" : "rx", name == "circle" ? Along::diagonal : Along::width);
        auto ry = name == "circle" ? rx : radius("ry", Along::height);
        rx = rx ? rx : ry;
        ry = ry ? ry : rx;
        if (rx && *rx > 0 && *ry > 0) {
            path.add_ellipse({get("cx", Along::width), get("cy", Along::height)}, *rx, *ry);
        }
    } else if (name == "line") {
        path.move_to({get("x1", Along::width), get("y1", Along::height)});
        path.line_to({get("x2", Along::width), get("y2", Along::height)});
    } else if (name == "polyline" || name == "polygon") {
        const std::vector<float> numbers = number_list(node.attribute("points").value());
        for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
            path.line_to({numbers[i], numbers[i + 1]});
        }
        if (numbers.size() < 4) {
            return Path{};
        }
        if (name == "polygon") {
            path.close();
        }
    } else {
        return {};
    }
    return path;
}

void Reader::add_geometry(const Node& node, const Place& place, const Transform& transform, Path& path) {
    const std::string_view name = node.name();
    const auto inner_place = std::make_unique<Place>(place); // not on the stack: elements may be nested deeply
    Place& inner = *inner_place;
    const Style& style = inner.style = style_at(node, place.style);
    if (!style.is_displayed || !enter(node)) {
        return;
    }
    if (const auto outline = shape(node, place, style)) {
        path.add(*outline, transform);
    } else if (name == "text") {
        add_text_box(node, style, inner, transform, path);
    } else if (name == "image") {
        const auto get = [&](const char* side, Along along) {
            return std::max(0.0F, length(node, side, place, style, along).value_or(0.0F));
        };
        Path area;
        area.add_rect(length(node, "x", place, style, Along::width).value_or(0.0F),
                      length(node, "y", place, style, Along::height).value_or(0.0F), get("width", Along::width),
                      get("height", Along::height));
        path.add(area, transform);
    } else if (name == "g" || name == "a" || name == "switch" || name == "svg" || name == "symbol") {
        for (const Node& child : node.children()) {
            if (child.type() == pugi::node_element) {
                add_geometry(child, inner, transform * transform_at(child, inner, style), path);
            }
        }
    } else if (name == "use") {
        if (const Node target = linked(node)) {
            add_geometry(target, inner,
                         transform * use_translation(node, place, style) * transform_at(target, inner, style), path);
        }
    }
    leave();
}

std::optional<Rect> Reader::box_of(const Node& node, const Place& place) {
    Path path;
    const std::vector<Node> entered = std::exchange(entered_, {}); // the node may be measured from inside itself
    const bool is_use = std::string_view(node.name()) == "use";
    add_geometry(node, place, is_use ? use_translation(node, place, place.style).inverse() : Transform{}, path);
    entered_ = entered;
    if (path.points().empty()) {
        return {};
    }
    return path.bounds();
}

} // namespace weir::svg
