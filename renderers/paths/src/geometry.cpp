#include <weir/paths/geometry.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace weir::paths {

namespace {

/// Extends the bounds by the extrema of a coordinate of a cubic.
void add_turns(float p0, float p1, float p2, float p3, float& low, float& high) {
    // The derivative is 3 (a t^2 + 2 b t + c).
    const double a = -double{p0} + 3 * (double{p1} - p2) + p3, b = double{p0} - 2 * double{p1} + p2,
                 c = double{p1} - p0;
    const auto add = [&](double t) {
        if (t > 0 && t < 1) {
            const double s = 1 - t;
            const auto at = static_cast<float>(s * s * s * p0 + 3 * s * t * (s * p1 + t * p2) + t * t * t * p3);
            low = std::min(low, at);
            high = std::max(high, at);
        }
    };
    if (std::abs(a) < 1e-12 * (std::abs(b) + std::abs(c))) {
        add(-c / (2 * b));
        return;
    }
    if (const double root = b * b - a * c; root >= 0) {
        add((-b + std::sqrt(root)) / a);
        add((-b - std::sqrt(root)) / a);
    }
}

} // namespace

Transform Transform::rotation(float angle) {
    const float c = std::cos(angle), s = std::sin(angle);
    return {c, s, -s, c, 0, 0};
}

Transform Transform::inverse() const {
    const double determinant = double{xx} * yy - double{xy} * yx;
    if (determinant == 0 || !std::isfinite(1 / determinant)) {
        return {};
    }
    const double ixx = yy / determinant, iyx = -yx / determinant, ixy = -xy / determinant, iyy = xx / determinant;
    const auto f = [](double value) { return static_cast<float>(value); };
    return {f(ixx), f(iyx), f(ixy), f(iyy), f(-(ixx * dx + ixy * dy)), f(-(iyx * dx + iyy * dy))};
}

Transform operator*(const Transform& first, const Transform& second) {
    const Point moved = first({second.dx, second.dy});
    return {first.xx * second.xx + first.xy * second.yx,
            first.yx * second.xx + first.yy * second.yx,
            first.xx * second.xy + first.xy * second.yy,
            first.yx * second.xy + first.yy * second.yy,
            moved.x,
            moved.y};
}

Path& Path::move_to(Point p) {
    verbs_.push_back(Verb::move);
    points_.push_back(p);
    start_ = p;
    return *this;
}

bool Path::begin(Point p) {
    if (verbs_.empty()) {
        move_to(p);
        return true;
    }
    if (verbs_.back() == Verb::close) {
        move_to(start_);
    }
    return false;
}

Path& Path::line_to(Point p) {
    if (!begin(p)) {
        verbs_.push_back(Verb::line);
        points_.push_back(p);
    }
    return *this;
}

Path& Path::quad_to(Point control, Point end) {
    begin(control);
    verbs_.push_back(Verb::quad);
    points_.insert(points_.end(), {control, end});
    return *this;
}

Path& Path::cubic_to(Point first, Point second, Point end) {
    begin(first);
    verbs_.push_back(Verb::cubic);
    points_.insert(points_.end(), {first, second, end});
    return *this;
}

Path& Path::arc_to(const Arc& arc, Point end) {
    if (begin(end)) {
        return *this;
    }
    const Point start = current();
    double rx = std::abs(double{arc.rx}), ry = std::abs(double{arc.ry});
    if (start == end) {
        return *this;
    }
    if (rx == 0 || ry == 0) {
        return line_to(end);
    }
    // Computes the center in the frame of the ellipse, where it is a unit circle. See the implementation notes of SVG.
    const double c = std::cos(arc.rotation), s = std::sin(arc.rotation);
    const double hx = (double{start.x} - end.x) / 2, hy = (double{start.y} - end.y) / 2;
    double ux = (c * hx + s * hy) / rx, uy = (c * hy - s * hx) / ry;
    if (const double length = std::hypot(ux, uy); length > 1) {
        rx *= length;
        ry *= length;
        ux /= length;
        uy /= length;
    }
    const double square = ux * ux + uy * uy;
    const double to_center = std::sqrt(std::max(0.0, 1 / square - 1)) * (arc.is_large == arc.is_sweep ? -1 : 1);
    const double cx = to_center * uy, cy = -to_center * ux; // relative to the midpoint of both ends
    const double from = std::atan2(uy - cy, ux - cx);
    double sweep = std::atan2(-uy - cy, -ux - cx) - from;
    if (arc.is_sweep && sweep <= 0) {
        sweep += 2 * std::numbers::pi;
    } else if (!arc.is_sweep && sweep >= 0) {
        sweep -= 2 * std::numbers::pi;
    }
    if (!std::isfinite(sweep)) { // the center is too far away for a double
        return line_to(end);
    }
    const int pieces = std::max(1, static_cast<int>(std::ceil(std::abs(sweep) / (std::numbers::pi / 2) - 1e-6)));
    const double step = sweep / pieces, reach = 4.0 / 3 * std::tan(step / 4);
    const double mx = (double{start.x} + end.x) / 2, my = (double{start.y} + end.y) / 2;
    const auto out = [&](double x, double y) { // maps from the unit circle
        const double ex = rx * (x + cx), ey = ry * (y + cy);
        return Point{static_cast<float>(mx + c * ex - s * ey), static_cast<float>(my + s * ex + c * ey)};
    };
    for (int i = 0; i < pieces; ++i) {
        const double a = from + i * step, b = a + step;
        const double ax = std::cos(a), ay = std::sin(a), bx = std::cos(b), by = std::sin(b);
        cubic_to(out(ax - reach * ay, ay + reach * ax), out(bx + reach * by, by - reach * bx),
                 i + 1 == pieces ? end : out(bx, by));
    }
    return *this;
}

Path& Path::close() {
    if (!verbs_.empty() && verbs_.back() != Verb::close) {
        verbs_.push_back(Verb::close);
    }
    return *this;
}

Path& Path::add_rect(float x, float y, float width, float height, float rx, float ry) {
    rx = std::clamp(rx, 0.0F, width / 2);
    ry = std::clamp(ry, 0.0F, height / 2);
    if (rx == 0 || ry == 0) {
        return move_to({x, y})
            .line_to({x + width, y})
            .line_to({x + width, y + height})
            .line_to({x, y + height})
            .close();
    }
    const Arc corner{.rx = rx, .ry = ry, .is_sweep = true};
    const float right = x + width, bottom = y + height;
    move_to({x + rx, y}).line_to({right - rx, y}).arc_to(corner, {right, y + ry});
    line_to({right, bottom - ry}).arc_to(corner, {right - rx, bottom});
    line_to({x + rx, bottom}).arc_to(corner, {x, bottom - ry});
    return line_to({x, y + ry}).arc_to(corner, {x + rx, y}).close();
}

Path& Path::add_rounded_rect(float x, float y, float width, float height, const std::array<CornerRadii, 4>& radii) {
    float scale = 1;
    std::array<Arc, 4> corners;
    for (std::size_t i = 0; i < 4; ++i) {
        const bool is_round = radii[i].x > 0 && radii[i].y > 0;
        corners[i] = {.rx = is_round ? radii[i].x : 0, .ry = is_round ? radii[i].y : 0, .is_sweep = true};
    }
    const auto fit = [&](float sum, float side) { scale = sum > side ? std::min(scale, side / sum) : scale; };
    fit(corners[0].rx + corners[1].rx, width);
    fit(corners[1].ry + corners[2].ry, height);
    fit(corners[2].rx + corners[3].rx, width);
    fit(corners[3].ry + corners[0].ry, height);
    for (Arc& corner : corners) {
        corner.rx *= scale;
        corner.ry *= scale;
    }
    const auto& [top_left, top_right, bottom_right, bottom_left] = corners;
    const float right = x + width, bottom = y + height;
    move_to({x + top_left.rx, y});
    line_to({right - top_right.rx, y}).arc_to(top_right, {right, y + top_right.ry});
    line_to({right, bottom - bottom_right.ry}).arc_to(bottom_right, {right - bottom_right.rx, bottom});
    line_to({x + bottom_left.rx, bottom}).arc_to(bottom_left, {x, bottom - bottom_left.ry});
    return line_to({x, y + top_left.ry}).arc_to(top_left, {x + top_left.rx, y}).close();
}

Path& Path::add_ellipse(Point center, float rx, float ry) {
    const Arc quarter{.rx = rx, .ry = ry, .is_sweep = true};
    move_to({center.x + rx, center.y});
    arc_to(quarter, {center.x, center.y + ry}).arc_to(quarter, {center.x - rx, center.y});
    return arc_to(quarter, {center.x, center.y - ry}).arc_to(quarter, {center.x + rx, center.y}).close();
}

Path& Path::add(const Path& other, const Transform& transform) {
    verbs_.insert(verbs_.end(), other.verbs_.begin(), other.verbs_.end());
    for (const Point p : other.points_) {
        points_.push_back(transform(p));
    }
    start_ = transform(other.start_);
    return *this;
}

Rect Path::bounds() const {
    if (points_.empty()) {
        return {};
    }
    Rect all{points_[0].x, points_[0].y, points_[0].x, points_[0].y};
    const auto add = [&](Point p) {
        all = {std::min(all.left, p.x), std::min(all.top, p.y), std::max(all.right, p.x), std::max(all.bottom, p.y)};
    };
    std::size_t at = 0; // first point of the command
    for (const Verb verb : verbs_) {
        const Point* p = points_.data() + at; // p[-1] is the start of a line or a curve
        const std::size_t count = verb == Verb::close ? 0 : verb == Verb::cubic ? 3 : verb == Verb::quad ? 2 : 1;
        if (count != 0) {
            add(p[count - 1]);
        }
        if (verb == Verb::cubic) {
            add_turns(p[-1].x, p[0].x, p[1].x, p[2].x, all.left, all.right);
            add_turns(p[-1].y, p[0].y, p[1].y, p[2].y, all.top, all.bottom);
        } else if (verb == Verb::quad) { // convert to a cubic
            const auto raised = [](float end, float control) { return end + 2 * (control - end) / 3; };
            add_turns(p[-1].x, raised(p[-1].x, p[0].x), raised(p[1].x, p[0].x), p[1].x, all.left, all.right);
            add_turns(p[-1].y, raised(p[-1].y, p[0].y), raised(p[1].y, p[0].y), p[1].y, all.top, all.bottom);
        }
        at += count;
    }
    return all;
}

} // namespace weir::paths
