#pragma once

#include <cstdint>
#include <vector>

namespace weir::paths {

/// A point or a vector, y downwards.
struct Point {
    float x = 0, y = 0;
    /// Whether both are equal.
    friend bool operator==(const Point&, const Point&) = default;
};

/// An affine map: (x, y) becomes (xx x + xy y + dx, yx x + yy y + dy).
struct Transform {
    float xx = 1, yx = 0, xy = 0, yy = 1, dx = 0, dy = 0;

    /// Moves by (x, y).
    static Transform translation(float x, float y) { return {1, 0, 0, 1, x, y}; }
    /// Scales by (x, y) about the origin.
    static Transform scaling(float x, float y) { return {x, 0, 0, y, 0, 0}; }
    /// Turns about the origin; from the x axis towards the y axis, in radians.
    static Transform rotation(float angle);
    /// The inverse map. That of a map without one is the identity.
    [[nodiscard]] Transform inverse() const;
    /// The map of a point.
    [[nodiscard]] Point operator()(Point p) const { return {xx * p.x + xy * p.y + dx, yx * p.x + yy * p.y + dy}; }
    /// The map that applies `second` first.
    friend Transform operator*(const Transform& first, const Transform& second);
};

/// A rectangle. It is empty where right < left.
struct Rect {
    float left = 0, top = 0, right = -1, bottom = -1;
};

/// An elliptical arc, as SVG's path data have it.
struct Arc {
    float rx = 0, ry = 0;  ///< radii
    float rotation = 0;    ///< of the x axis of the ellipse, in radians
    bool is_large = false; ///< which of the two arcs: the longer one
    bool is_sweep = false; ///< from the x axis towards the y axis
};

/// Subpaths of lines, quadratic and cubic Bezier curves, and elliptical arcs, which become cubics within 0.03 % of
/// their radii.
class Path {
public:
    /// A part of a path.
    enum class Verb : std::uint8_t {
        move,  ///< begins a subpath; one point
        line,  ///< one point
        quad,  ///< a control point and an end
        cubic, ///< two control points and an end
        close, ///< a line back to the beginning of the subpath, joined to it
    };

    /// Begins a subpath.
    Path& move_to(Point p);
    /// A line from the current point. Without a current point, as `move_to`; likewise for the curves.
    Path& line_to(Point p);
    /// A quadratic curve.
    Path& quad_to(Point control, Point end);
    /// A cubic curve.
    Path& cubic_to(Point first, Point second, Point end);
    /// An arc. With a radius of 0 it is a line; radii that are too small for the distance are scaled up.
    Path& arc_to(const Arc& arc, Point end);
    /// Closes the subpath.
    Path& close();
    /// A closed rectangle with corners of such radii.
    Path& add_rect(float x, float y, float width, float height, float rx = 0, float ry = 0);
    /// A closed ellipse, or a circle.
    Path& add_ellipse(Point center, float rx, float ry);
    /// All subpaths of `other`, transformed.
    Path& add(const Path& other, const Transform& transform = {});

    [[nodiscard]] const std::vector<Verb>& verbs() const { return verbs_; }    ///< its parts
    [[nodiscard]] const std::vector<Point>& points() const { return points_; } ///< the points of all parts
    [[nodiscard]] bool empty() const { return verbs_.empty(); }                ///< whether it has no part
    /// The smallest rectangle that has all curves, control points not counted.
    [[nodiscard]] Rect bounds() const;

private:
    Point current() const { return points_.back(); }
    /// Begins a subpath where there is none, or after a `close`.
    bool begin(Point p);

    std::vector<Verb> verbs_;
    std::vector<Point> points_;
    Point start_; ///< of the current subpath
};

} // namespace weir::paths
