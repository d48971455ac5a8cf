#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <weir/paths/geometry.hpp>
#include <weir/paths/records.hpp>

namespace weir::paths {

/// A colour with straight alpha. Components from 0 to 1, in the space in which pixels are blended.
struct Color {
    float red = 0, green = 0, blue = 0, alpha = 1;
};

/// Which points are inside a path.
enum class FillRule : std::uint8_t {
    nonzero,  ///< those whose winding number is not 0
    even_odd, ///< those whose winding number is odd
};

/// How lines of a stroke meet.
enum class Join : std::uint8_t {
    miter, ///< their outer sides are extended, or as `bevel` past the miter limit
    round, ///< by an arc
    bevel, ///< by a line
};

/// How a stroke ends.
enum class Cap : std::uint8_t {
    butt,   ///< at the end of the path
    round,  ///< with a half circle about it
    square, ///< half the width past it
};

/// How a path is stroked. Lengths are in the space of the path.
struct Stroke {
    float width = 1;
    Join join = Join::miter;
    Cap cap = Cap::butt;
    float miter_limit = 4;          ///< most miter lengths per width
    std::vector<float> dashes = {}; ///< lengths of dashes and of gaps, in turns; an odd number of them is repeated
    float dash_offset = 0;          ///< where in the pattern the path begins
};

/// A colour of a gradient at an offset from 0 to 1.
struct Stop {
    float offset = 0;
    Color color;
};

/// How a gradient goes on outside 0 to 1.
enum class Spread : std::uint8_t {
    pad,     ///< with the first and the last colour
    reflect, ///< backwards, and so on
    repeat,  ///< from the beginning
};

/// A gradient. Stops ascend; without a stop it paints nothing.
struct Gradient {
    std::vector<Stop> stops = {};
    Spread spread = Spread::pad;
    Transform transform = {}; ///< from the space of the gradient to that of the draw
};

/// Colours along the line from `start` to `end`, which may not be the same point.
struct LinearGradient : Gradient {
    Point start = {}, end = {};
};

/// Colours between two circles: 0 at the focal one, 1 at the outer one.
struct RadialGradient : Gradient {
    Point center = {};
    float radius = 0;
    Point focus = {};
    float focal_radius = 0;
};

/// An outline of a scene. Any number of draws may use it.
struct OutlineId {
    std::uint32_t index = 0;
};

/// A paint of a scene. Any number of draws may use it.
struct PaintId {
    std::uint32_t index = 0;
};

/// What is drawn: outlines, paints, and draws in painter's order, as the records that shaders read. A scene is built
/// once and drawn with any transform; transforms of its draws may be changed between frames.
class Scene {
public:
    /// Adds an outline. Points that are not finite make it empty.
    OutlineId add_outline(const Path& path);

    /// A plain colour.
    PaintId add_paint(const Color& color);

    /// Fills an outline: all its subpaths, each closed. Returns the index of the draw.
    std::uint32_t fill(OutlineId outline, PaintId paint, const Transform& transform = {},
                       FillRule rule = FillRule::nonzero);

    /// Changes where a draw is.
    void move(std::uint32_t draw, const Transform& transform);

    [[nodiscard]] const std::vector<Point>& points() const { return points_; }               ///< of all segments
    [[nodiscard]] const std::vector<SegmentRecord>& segments() const { return segments_; }   ///< of all outlines
    [[nodiscard]] const std::vector<PaintRecord>& paints() const { return paints_; }         ///< all paints
    [[nodiscard]] const std::vector<DrawRecord>& draws() const { return draws_; }            ///< in painter's order
    [[nodiscard]] const std::vector<std::uint32_t>& instances() const { return instances_; } ///< their draws

private:
    struct Outline {
        std::uint32_t first_segment = 0, segments = 0;
    };

    std::vector<Point> points_;
    std::vector<SegmentRecord> segments_;
    std::vector<Outline> outlines_;
    std::vector<PaintRecord> paints_;
    std::vector<DrawRecord> draws_;
    std::vector<std::uint32_t> instances_;
};

} // namespace weir::paths
