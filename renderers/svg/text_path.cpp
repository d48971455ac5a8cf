#include "svg/text_path.hpp"

#include <algorithm>
#include <cmath>

namespace weir::svg {

using weir::paths::Path;
using weir::paths::Point;

namespace {

constexpr int steps = 64; // lines per curve

Point mix(Point a, Point b, float t) {
    return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

} // namespace

TextPath::TextPath(const Path& path) {
    const Point* p = path.points().data();
    Point current, start;
    for (const Path::Verb verb : path.verbs()) {
        switch (verb) {
        case Path::Verb::move: current = start = *p++; break;
        case Path::Verb::line:
            add_line(current, *p);
            current = *p++;
            break;
        case Path::Verb::quad:
        case Path::Verb::cubic: {
            const bool is_cubic = verb == Path::Verb::cubic;
            const Point origin = current, end = p[is_cubic ? 2 : 1];
            for (int i = 1; i <= steps; ++i) {
                const float t = static_cast<float>(i) / steps;
                const Point a = mix(origin, p[0], t), b = mix(p[0], p[1], t);
                const Point to = i == steps ? end
                                 : is_cubic ? mix(mix(a, b, t), mix(b, mix(p[1], p[2], t), t), t)
                                            : mix(a, b, t);
                add_line(current, to);
                current = to;
            }
            p += is_cubic ? 3 : 2;
            break;
        }
        case Path::Verb::close:
            add_line(current, start);
            current = start;
            break;
        }
    }
}

void TextPath::add_line(Point from, Point to) {
    const float line = std::hypot(to.x - from.x, to.y - from.y);
    if (line > 0 && std::isfinite(line)) {
        points_.push_back(from);
        points_.push_back(to);
        ends_.push_back(length() + line);
    }
}

std::optional<TextPath::Place> TextPath::at(float distance) const {
    if (!(distance >= 0) || distance > length() || ends_.empty()) {
        return {};
    }
    const auto line = static_cast<std::size_t>(std::lower_bound(ends_.begin(), ends_.end(), distance) - ends_.begin());
    const Point from = points_[line * 2], to = points_[line * 2 + 1];
    const float start = line == 0 ? 0 : ends_[line - 1];
    return Place{mix(from, to, (distance - start) / (ends_[line] - start)), std::atan2(to.y - from.y, to.x - from.x)};
}

} // namespace weir::svg
