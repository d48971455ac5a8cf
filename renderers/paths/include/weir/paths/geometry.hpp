#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace weir::paths {

/// A point or a vector. y points downwards.
struct Point {
    float x = 0, y = 0;
    friend bool operator==(const Point&, const Point&) = default;
};

/// An affine map: (x, y) becomes (xx x + xy y + dx, yx x + yy y + dy).
struct Transform {
    float xx = 1, yx = 0, xy = 0, yy = 1, dx = 0, dy = 0;

    /// Returns a translation by (x, y).
    static Transform translation(float x, float y) { return {1, 0, 0, 1, x, y}; }
    /// Returns a scaling by (x, y) about the origin.
    static Transform scaling(float x, float y) { return {x, 0, 0, y, 0, 0}; }
    /// Returns a rotation about the origin by `angle` radians, from the x axis towards the y axis.
    static Transform rotation(float angle);
    /// Returns the inverse, or the identity if there is no inverse.
    [[nodiscard]] Transform inverse() const;
    /// Maps a point.
    [[nodiscard]] Point operator()(Point p) const { return {xx * p.x + xy * p.y + dx, yx * p.x + yy * p.y + dy}; }
    /// Returns the composition, which applies `second` first.
    friend Transform operator*(const Transform& first, const Transform& second);
};

/// A rectangle. Empty if right < left.
struct Rect {
    float left = 0, top = 0, right = -1, bottom = -1;
};

/// An elliptical arc, as in SVG path data.
struct Arc {
    float rx = 0, ry = 0;  ///< radii
    float rotation = 0;    ///< rotation of the ellipse's x axis, in radians
    bool is_large = false; ///< selects the longer one of the two arcs
    bool is_sweep = false; ///< direction from the x axis towards the y axis
};

/// Radii of an elliptical corner. If one is 0, the corner is square.
struct CornerRadii {
    float x = 0, y = 0;
};

/// A path: subpaths of lines, quadratic and cubic Bezier curves, and elliptical arcs. Arcs are converted to cubics,
/// within 0.03 % of their radii.
class Path {
public:
    /// A command of a path.
    enum class Verb : std::uint8_t {
        move,  ///< begins a subpath; one point
        line,  ///< a line to a point
        quad,  ///< a control point and an end
        cubic, ///< two control points and an end
        close, ///< a line back to the start of the subpath, joined to it
    };

    /// Begins a subpath.
    Path& move_to(Point p);
    /// Adds a line from the current point. Without a current point, this and the curves begin a subpath first, like
    /// `move_to`.
    Path& line_to(Point p);
    /// Adds a quadratic curve.
    Path& quad_to(Point control, Point end);
    /// Adds a cubic curve.
    Path& cubic_to(Point first, Point second, Point end);
    /// Adds an arc. If a radius is 0, the arc is a line. Radii that are too small for the distance are scaled up.
    Path& arc_to(const Arc& arc, Point end);
    /// Closes the subpath.
    Path& close();
    /// Adds a closed rectangle with corner radii `rx` and `ry`.
    Path& add_rect(float x, float y, float width, float height, float rx = 0, float ry = 0);
    /// Adds a closed rectangle with radii per corner: top left, top right, bottom right, bottom left. If the radii of a
    /// side exceed its length, all radii are scaled by the same factor, as CSS specifies.
    Path& add_rounded_rect(float x, float y, float width, float height, const std::array<CornerRadii, 4>& radii);
    /// Adds a closed ellipse.
    Path& add_ellipse(Point center, float rx, float ry);
    /// Adds all subpaths of `other`, transformed.
    Path& add(const Path& other, const Transform& transform = {});

    [[nodiscard]] const std::vector<Verb>& verbs() const { return verbs_; }    ///< commands
    [[nodiscard]] const std::vector<Point>& points() const { return points_; } ///< points of all commands
    [[nodiscard]] bool empty() const { return verbs_.empty(); }                ///< true if it has no command
    /// Returns the bounding rectangle of all lines and curves. Control points do not count.
    [[nodiscard]] Rect bounds() const;

private:
    Point current() const { return points_.back(); }
    /// Begins a subpath if there is none, or after `close`.
    bool begin(Point p);

    std::vector<Verb> verbs_;
    std::vector<Point> points_;
    Point start_; ///< start of the current subpath
};

} // namespace weir::paths
