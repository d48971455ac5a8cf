#include <weir/paths/scene.hpp>

#include <algorithm>
#include <cmath>

namespace weir::paths {

namespace {

bool is_finite(const Path& path) {
    return std::all_of(path.points().begin(), path.points().end(),
                       [](Point p) { return std::isfinite(p.x) && std::isfinite(p.y); });
}

} // namespace

OutlineId Scene::add_outline(const Path& path) {
    Outline outline{static_cast<std::uint32_t>(segments_.size()), 0};
    if (is_finite(path)) {
        Point start, current;
        bool is_new = true; // the current point is not among the points yet
        const auto add = [&](std::initializer_list<Point> to) {
            if (is_new) {
                points_.push_back(current);
                is_new = false;
            }
            segments_.push_back(
                {static_cast<std::uint32_t>(points_.size()) - 1, static_cast<std::uint32_t>(to.size())});
            points_.insert(points_.end(), to);
            current = *(to.end() - 1);
        };
        const auto close = [&] {
            if (!(current == start)) {
                add({start});
            }
        };
        const Point* p = path.points().data();
        for (const Path::Verb verb : path.verbs()) {
            switch (verb) {
            case Path::Verb::move:
                close();
                start = current = *p++;
                is_new = true;
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
            case Path::Verb::close: close(); break;
            }
        }
        close();
    }
    outline.segments = static_cast<std::uint32_t>(segments_.size()) - outline.first_segment;
    outlines_.push_back(outline);
    return {static_cast<std::uint32_t>(outlines_.size()) - 1};
}

PaintId Scene::add_paint(const Color& color) {
    paints_.push_back({{color.red * color.alpha, color.green * color.alpha, color.blue * color.alpha, color.alpha}});
    return {static_cast<std::uint32_t>(paints_.size()) - 1};
}

std::uint32_t Scene::fill(OutlineId outline, PaintId paint, const Transform& transform, FillRule rule) {
    const Outline& filled = outlines_[outline.index];
    const auto index = static_cast<std::uint32_t>(draws_.size());
    draws_.push_back({.transform = transform,
                      .first_segment = filled.first_segment,
                      .first_instance = static_cast<std::uint32_t>(instances_.size()),
                      .flags = rule == FillRule::even_odd ? draw_is_even_odd : 0,
                      .paint = paint.index});
    instances_.insert(instances_.end(), filled.segments, index);
    return index;
}

void Scene::move(std::uint32_t draw, const Transform& transform) {
    draws_[draw].transform = transform;
}

} // namespace weir::paths
