#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <string_view>

#include "svg/reader.hpp"

namespace weir::svg {

using weir::paths::Path;
using weir::paths::Point;
using weir::paths::Rect;

void Reader::push_clip(const Node& clip, const Node& element, const Place& place, const weir::paths::Layer& layer) {
    weir::paths::Scene& scene = drawing_.scene;
    // Elements in the same space share a clip, unless it depends on their boxes.
    const weir::paths::Transform& m = place.transform;
    const ClipSpace space{scene_, clip,
                          std::bit_cast<std::array<std::uint32_t, 8>>(
                              std::array{m.xx, m.yx, m.xy, m.yy, m.dx, m.dy, place.width, place.height})};
    if (const auto found = clips_.find(space); found != clips_.end()) {
        scene.push_clip(found->second, layer);
        return;
    }
    scene.begin_mask(weir::paths::Mask::alpha);
    draw_clip(clip, element, place);
    const std::optional<weir::paths::ClipId> drawn = scene.end_mask();
    if (drawn && std::string_view(clip.attribute("clipPathUnits").value()) != "objectBoundingBox") {
        clips_.emplace(space, *drawn);
    }
    scene.push_layer(layer);
}

void Reader::draw_clip(const Node& clip, const Node& element, const Place& place) {
    if (!enter(clip)) {
        return;
    }
    Place inner = place;
    inner.style = style_in_document(clip);
    inner.is_clip = true;
    inner.transform = place.transform * transform_at(clip, place, inner.style);
    if (std::string_view(clip.attribute("clipPathUnits").value()) == "objectBoundingBox") {
        const auto box = box_of(element, place);
        if (!box) {
            leave();
            return;
        }
        inner.transform =
            inner.transform * Transform{box->right - box->left, 0, 0, box->bottom - box->top, box->left, box->top};
    }
    // A clip path may have a clip path itself.
    const Style own = inner.style;
    inner.style.clip_path.clear();
    const Node next = own.clip_path.empty() ? Node() : find(own.clip_path);
    const bool is_clipped = next && std::string_view(next.name()) == "clipPath" && !is_entered(next);
    if (is_clipped) {
        push_clip(next, element, place);
    }
    draw_children(clip, inner);
    if (is_clipped) {
        drawing_.scene.pop_layer();
    }
    leave();
}

std::optional<Rect> Reader::effect_region(const Server& attributes, bool in_user_space, const Rect& box,
                                          const Place& place) {
    const auto get = [&](const char* name, Along along, float usual) {
        Scanner scanner(attributes.attribute(name));
        const auto read = scanner.length();
        const bool is_width = along == Along::width;
        if (in_user_space) {
            return read ? pixels(*read, place, place.style, along) : usual * (is_width ? place.width : place.height);
        }
        const float part = !read ? usual : read->unit == Length::Unit::percent ? read->value / 100 : read->value;
        return part * (is_width ? box.right - box.left : box.bottom - box.top);
    };
    const float x = get("x", Along::width, -0.1F) + (in_user_space ? 0 : box.left);
    const float y = get("y", Along::height, -0.1F) + (in_user_space ? 0 : box.top);
    const float width = get("width", Along::width, 1.2F), height = get("height", Along::height, 1.2F);
    return width > 0 && height > 0 ? std::optional(Rect{x, y, x + width, y + height}) : std::nullopt;
}

bool Reader::begin_mask(const Node& mask, const Node& element, const Place& place) {
    if (!enter(mask)) {
        return false;
    }
    const auto box = box_of(element, place);
    const bool region_in_user_space = std::string_view(mask.attribute("maskUnits").value()) == "userSpaceOnUse";
    const bool content_in_box = std::string_view(mask.attribute("maskContentUnits").value()) == "objectBoundingBox";
    const bool has_area = box && box->right > box->left && box->bottom > box->top;
    if ((!region_in_user_space || content_in_box) && !has_area) {
        leave();
        return false;
    }
    Place inner = place;
    inner.style = style_in_document(mask);
    inner.context.reset();
    const auto area = effect_region({{mask}}, region_in_user_space, box.value_or(Rect{}), place);
    if (!area) {
        leave();
        return false;
    }
    if (content_in_box) {
        inner.transform =
            place.transform * Transform{box->right - box->left, 0, 0, box->bottom - box->top, box->left, box->top};
    }
    const bool is_alpha = inner.style.mask_type == "alpha";
    const Style own = inner.style;
    inner.style.mask.clear();
    // A mask may have a mask itself. It is applied through a layer inside the mask.
    drawing_.scene.begin_mask(is_alpha             ? weir::paths::Mask::alpha
                              : own.is_linear_mask ? weir::paths::Mask::linear_luminance
                                                   : weir::paths::Mask::luminance);
    const Node next = own.mask.empty() ? Node() : find(own.mask);
    bool is_masked = next && std::string_view(next.name()) == "mask" && !is_entered(next);
    bool is_seen = true;
    if (is_masked) {
        is_seen = is_masked = begin_mask(next, element, place);
        if (is_masked) {
            drawing_.scene.push_layer();
        }
    }
    if (is_seen) {
        Path region;
        region.add_rect(area->left, area->top, area->right - area->left, area->bottom - area->top);
        drawing_.scene.push_clip(drawing_.scene.add_outline(region), place.transform);
        draw_children(mask, inner);
        drawing_.scene.pop_layer();
    }
    if (is_masked) {
        drawing_.scene.pop_layer();
    }
    drawing_.scene.end_mask();
    leave();
    return true;
}

namespace {

/// Vertex of a path, where a marker may be drawn, with the directions before and after it.
struct Vertex {
    Point at;
    Point in, out;
    bool has_in = false, has_out = false;
};

Point difference(Point a, Point b) {
    return {a.x - b.x, a.y - b.y};
}

bool is_zero(Point v) {
    return v.x == 0 && v.y == 0;
}

std::vector<Vertex> vertices_of(const Path& path) {
    std::vector<Vertex> vertices;
    const Point* p = path.points().data();
    Point current, start;
    std::size_t first = 0; // first vertex of the subpath
    const auto add = [&](std::initializer_list<Point> to) {
        // First and last control points that differ from the ends.
        Point out, in;
        for (const Point q : to) {
            out = is_zero(out) ? difference(q, current) : out;
        }
        const Point end = *(to.end() - 1);
        for (const Point* q = to.end() - 1; q-- != to.begin();) {
            in = is_zero(in) ? difference(end, *q) : in;
        }
        in = is_zero(in) ? difference(end, current) : in;
        vertices.back().out = out;
        vertices.back().has_out = true;
        vertices.push_back({end, in, {}, true, false});
        current = end;
    };
    for (const Path::Verb verb : path.verbs()) {
        switch (verb) {
        case Path::Verb::move:
            start = current = *p++;
            first = vertices.size();
            vertices.push_back({current});
            break;
        case Path::Verb::line:
            add({p[0]});
            p += 1;
            break;
        case Path::Verb::quad:
            add({p[0], p[1]});
            p += 2;
            break;
        case Path::Verb::cubic:
            add({p[0], p[1], p[2]});
            p += 3;
            break;
        case Path::Verb::close:
            add({start});
            // Both ends of a closed subpath are the same vertex.
            vertices.back().out = vertices[first].out;
            vertices.back().has_out = vertices[first].has_out;
            vertices[first].in = vertices.back().in;
            vertices[first].has_in = true;
            break;
        }
    }
    return vertices;
}

float angle_of(const Vertex& vertex) {
    const auto unit = [](Point v) {
        const float length = std::hypot(v.x, v.y);
        return length > 0 ? Point{v.x / length, v.y / length} : Point{};
    };
    const Point in = vertex.has_in ? unit(vertex.in) : Point{}, out = vertex.has_out ? unit(vertex.out) : Point{};
    const Point sum{in.x + out.x, in.y + out.y};
    if (std::hypot(sum.x, sum.y) < 1e-6F) { // the path reverses: mean of both angles from 0 to 360 degrees
        const auto turned = [](Point v) {
            const float angle = std::atan2(v.y, v.x);
            return angle < 0 ? angle + 2 * std::numbers::pi_v<float> : angle;
        };
        return (turned(in) + turned(out)) / 2;
    }
    return std::atan2(sum.y, sum.x);
}

} // namespace

void Reader::draw_markers(const Path& path, const Style& style, const Place& place) {
    if (style.marker_start.empty() && style.marker_mid.empty() && style.marker_end.empty()) {
        return;
    }
    const std::vector<Vertex> vertices = vertices_of(path);
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        const bool is_start = i == 0, is_end = i + 1 == vertices.size();
        const auto at = [&](const std::string& id) {
            const Node marker = id.empty() ? Node() : find(id);
            if (marker && std::string_view(marker.name()) == "marker") {
                draw_marker(marker, vertices[i].at, angle_of(vertices[i]), is_start, style, place, path.bounds());
            }
        };
        if (is_start) {
            at(style.marker_start);
        }
        if (!is_start && !is_end) {
            at(style.marker_mid);
        }
        if (is_end) {
            at(style.marker_end);
        }
    }
}

void Reader::draw_marker(const Node& marker, Point at, float angle, bool is_start, const Style& style,
                         const Place& place, const Rect& shape_box) {
    if (!enter(marker)) {
        return;
    }
    const Style own = style_in_document(marker);
    const auto get = [&](const char* name, Along along, float usual) {
        return length(marker, name, place, own, along).value_or(usual);
    };
    const float width = get("markerWidth", Along::width, 3), height = get("markerHeight", Along::height, 3);
    if (!(width > 0 && height > 0)) {
        leave();
        return;
    }
    const std::string_view orient = marker.attribute("orient").value();
    constexpr float degree = std::numbers::pi_v<float> / 180;
    if (orient == "auto-start-reverse" && is_start) {
        angle += std::numbers::pi_v<float>;
    } else if (orient != "auto" && orient != "auto-start-reverse") {
        Scanner scanner(orient);
        angle = scanner.angle().value_or(0.0F) * degree;
    }
    Transform to = place.transform * Transform::translation(at.x, at.y) * Transform::rotation(angle);
    if (std::string_view(marker.attribute("markerUnits").value()) != "userSpaceOnUse") {
        const float stroke = pixels(style.stroke_width, place, style, Along::diagonal);
        to = to * Transform::scaling(stroke, stroke);
    }
    Place inner = place;
    inner.width = width;
    inner.height = height;
    const auto box = view_box(marker, width, height, &inner.width, &inner.height);
    Point reference{get("refX", Along::width, 0), get("refY", Along::height, 0)};
    if (box) {
        reference = (*box)(reference);
    }
    to = to * Transform::translation(-reference.x, -reference.y);
    inner.transform = box ? to * *box : to;
    inner.style = own;
    inner.context = context_of(style, place, shape_box);
    const bool is_clipped = own.overflow != "visible" && own.overflow != "auto";
    if (is_clipped) {
        Path region;
        region.add_rect(0, 0, width, height);
        drawing_.scene.push_clip(drawing_.scene.add_outline(region), to);
    }
    if (may_draw(0)) {
        draw_children(marker, inner);
    }
    if (is_clipped) {
        drawing_.scene.pop_layer();
    }
    leave();
}

} // namespace weir::svg
