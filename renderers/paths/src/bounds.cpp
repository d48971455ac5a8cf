#include <weir/paths/bounds.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <type_traits>
#include <vector>

#include "bounds.hpp"

namespace weir::paths {

namespace {

/// Compares records [first, first + count) bit by bit. Records that a scene lacks differ.
template <class T>
bool are_equal(const std::vector<T>& a, const std::vector<T>& b, std::size_t first, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (a.size() < first + count || b.size() < first + count) {
        return false;
    }
    return count == 0 || std::memcmp(a.data() + first, b.data() + first, count * sizeof(T)) == 0;
}

std::size_t instances_of(const Scene& scene, std::uint32_t draw) {
    const std::vector<DrawRecord>& draws = scene.draws();
    return (draw + 1 < draws.size() ? draws[draw + 1].first_instance : scene.instances().size()) -
           draws[draw].first_instance;
}

bool has_same_outline(const Scene& before, const Scene& after, std::uint32_t draw) {
    const std::size_t first = after.draws()[draw].first_segment, count = instances_of(after, draw);
    if (count != instances_of(before, draw) || !are_equal(before.segments(), after.segments(), first, count)) {
        return false;
    }
    if (count == 0) {
        return true;
    }
    const SegmentRecord& last = after.segments()[first + count - 1];
    const std::size_t point = after.segments()[first].first_point;
    return are_equal(before.points(), after.points(), point, last.first_point + (last.flags & 3) + 1 - point);
}

bool has_same_paint(const Scene& before, const Scene& after, std::uint32_t index, bool are_same_texels) {
    if (!are_equal(before.paints(), after.paints(), index, 1)) {
        return false;
    }
    const PaintRecord& paint = after.paints()[index];
    return paint.kind == 3 ? are_same_texels : are_equal(before.stops(), after.stops(), paint.first_stop, paint.stops);
}

bool has_same_stroke(const Scene& before, const Scene& after, std::uint32_t index) {
    if (index == 0) {
        return true;
    }
    const StrokeRecord& stroke = after.strokes()[index - 1];
    return are_equal(before.strokes(), after.strokes(), index - 1, 1) &&
           are_equal(before.dashes(), after.dashes(), stroke.first_dash, stroke.dashes);
}

} // namespace

Rect float_bounds_of(const Scene& scene, const SampleView& view, std::uint32_t index) {
    const DrawRecord& draw = scene.draws()[index];
    const Transform m = transform_of(view, draw);
    if ((draw.flags & draw_is_hidden) != 0 || instances_of(scene, index) == 0) {
        return {};
    }
    const auto [left, top, right, bottom] = draw.bounds;
    const Curve corners = transformed(m, Curve{3, {{left, top}, {right, top}, {right, bottom}, {left, bottom}}});
    const float rounding = 2.0F / subpixels;
    const float margin = rounding + (draw.stroke != 0 ? reach_of(scene.strokes()[draw.stroke - 1],
                                                                 scale_of(stroke_transform(scene, view, draw)))
                                                      : 0.0F);
    const auto [x0, x1] = std::minmax({corners.p[0].x, corners.p[1].x, corners.p[2].x, corners.p[3].x});
    const auto [y0, y1] = std::minmax({corners.p[0].y, corners.p[1].y, corners.p[2].y, corners.p[3].y});
    return {x0 - margin, y0 - margin, x1 + margin, y1 + margin};
}

PixelRect bounds_of(const Scene& scene, const View& view, std::uint32_t draw) {
    const Rect bounds = float_bounds_of(scene, {view}, draw);
    const auto pixel = [](float x, std::uint32_t size) {
        return static_cast<std::uint32_t>(std::clamp(x, 0.0F, static_cast<float>(size)));
    };
    return {pixel(std::floor(bounds.left), view.width), pixel(std::floor(bounds.top), view.height),
            pixel(std::ceil(bounds.right), view.width), pixel(std::ceil(bounds.bottom), view.height)};
}

PixelRect changed_bounds(const Scene& before, const Scene& after, const View& view) {
    if (!before.effects().empty() || !after.effects().empty() ||
        !are_equal(before.layers(), after.layers(), 0, std::min(before.layers().size(), after.layers().size()))) {
        return {0, 0, view.width, view.height};
    }
    const bool are_same_texels =
        before.texels().data() == after.texels().data() ||
        are_equal(before.texels(), after.texels(), 0, std::min(before.texels().size(), after.texels().size()));
    PixelRect changed;
    const auto count = [](const Scene& scene) { return static_cast<std::uint32_t>(scene.draws().size()); };
    for (std::uint32_t i = 0; i < std::max(count(before), count(after)); ++i) {
        const bool is_in_both = i < std::min(count(before), count(after));
        const DrawRecord& draw = i < count(after) ? after.draws()[i] : before.draws()[i];
        if (is_in_both && are_equal(before.draws(), after.draws(), i, 1) && has_same_outline(before, after, i) &&
            has_same_paint(before, after, draw.paint, are_same_texels) && has_same_stroke(before, after, draw.stroke)) {
            continue;
        }
        for (const Scene* scene : {&before, &after}) {
            if (i < count(*scene)) {
                changed = changed.united(bounds_of(*scene, view, i));
            }
        }
    }
    return changed;
}

} // namespace weir::paths
