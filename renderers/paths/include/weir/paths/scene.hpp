#pragma once

#include <array>
#include <cstdint>
#include <span>
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

/// How the colours of a layer are mixed with what is behind it. As in CSS and PDF.
enum class Blend : std::uint8_t {
    normal,
    multiply,
    screen,
    overlay,
    darken,
    lighten,
    color_dodge,
    color_burn,
    hard_light,
    soft_light,
    difference,
    exclusion,
    hue,
    saturation,
    color,
    luminosity,
};

/// A picture of its own that is then put onto what is behind it.
struct Layer {
    float opacity = 1;
    Blend blend = Blend::normal;
};

/// What of a picture is the coverage that it stands for.
enum class Mask : std::uint8_t {
    alpha,            ///< its alpha
    luminance,        ///< the luminance of its colours, times alpha
    linear_luminance, ///< the same, of colours that are converted from sRGB to linear light first
};

/// An outline of a scene. Any number of draws may use it.
struct OutlineId {
    std::uint32_t index = 0;
};

/// A paint of a scene. Any number of draws may use it.
struct PaintId {
    std::uint32_t index = 0;
};

/// An outline of a font in a run of text.
struct Glyph {
    OutlineId outline; ///< its outline
    Point at;          ///< where the origin of the outline is, in the space of the run
};

/// Most layers and masks within each other.
inline constexpr std::uint32_t most_layers = 64;

/// What is drawn: outlines, paints, and draws in painter's order, as the records that shaders read. A scene is built
/// once and drawn with any transform; transforms of its draws may be changed between frames.
class Scene {
public:
    /// Adds an outline. Points that are not finite make it empty.
    OutlineId add_outline(const Path& path);

    /// A plain colour.
    PaintId add_paint(const Color& color);
    /// A gradient. Its points are in the space of the draw.
    PaintId add_paint(const LinearGradient& gradient);
    /// Likewise.
    PaintId add_paint(const RadialGradient& gradient);

    /// Fills an outline: all its subpaths, each closed. Returns the index of the draw.
    std::uint32_t fill(OutlineId outline, PaintId paint, const Transform& transform = {},
                       FillRule rule = FillRule::nonzero);

    /// Fills a run of glyphs, each as a draw of its own: its outline is kept once, however often it is drawn. With
    /// outlines in units of the font, `transform` scales them and their places alike. Returns the index of the first
    /// draw; the others follow.
    std::uint32_t fill_glyphs(std::span<const Glyph> run, PaintId paint, const Transform& transform = {});

    /// Strokes an outline. Returns the index of the draw.
    std::uint32_t stroke(OutlineId outline, PaintId paint, const Stroke& stroke, const Transform& transform = {});

    /// Changes where a draw is.
    void move(std::uint32_t draw, const Transform& transform);

    /// Begins a layer: what is drawn until `pop_layer` is drawn into it.
    void push_layer(const Layer& layer = {});
    /// Ends the last layer that began.
    void pop_layer();

    /// Begins a mask: what is drawn until `end_mask` is not seen. Masks may have layers and masks of their own.
    void begin_mask(Mask kind);
    /// Ends it. The next call has to be `push_layer`: that layer is seen through the mask.
    void end_mask();

    /// Begins a layer that is seen only within an outline: a mask with that outline, filled, and a layer.
    void push_clip(OutlineId outline, const Transform& transform = {}, FillRule rule = FillRule::nonzero,
                   const Layer& layer = {});

    [[nodiscard]] const std::vector<Point>& points() const { return points_; }             ///< of all segments
    [[nodiscard]] const std::vector<SegmentRecord>& segments() const { return segments_; } ///< of all outlines
    [[nodiscard]] const std::vector<PaintRecord>& paints() const { return paints_; }       ///< all paints
    [[nodiscard]] const std::vector<StopRecord>& stops() const { return stops_; }          ///< of all gradients
    [[nodiscard]] const std::vector<StrokeRecord>& strokes() const { return strokes_; }    ///< of all strokes
    [[nodiscard]] const std::vector<std::uint32_t>& dashes() const { return dashes_; }     ///< of all strokes
    [[nodiscard]] const std::vector<LayerRecord>& layers() const { return layers_; } ///< the picture, then all layers
    [[nodiscard]] const std::vector<DrawRecord>& draws() const { return draws_; }    ///< in painter's order
    [[nodiscard]] const std::vector<std::uint32_t>& instances() const { return instances_; } ///< their draws
    /// Greatest number of layers and masks within each other.
    [[nodiscard]] std::uint32_t depth() const { return depth_; }

private:
    struct Outline {
        std::uint32_t first_segment = 0, segments = 0;
        Rect bounds;
    };
    std::uint32_t add_draw(OutlineId outline, DrawRecord draw);
    std::uint32_t add_layer(LayerRecord layer);
    void add_stops(const Gradient& gradient, PaintRecord& paint);

    std::vector<Point> points_;
    std::vector<SegmentRecord> segments_;
    std::vector<Outline> outlines_;
    std::vector<PaintRecord> paints_;
    std::vector<StopRecord> stops_;
    std::vector<StrokeRecord> strokes_;
    std::vector<std::uint32_t> dashes_;
    std::vector<LayerRecord> layers_ = {{}};
    std::vector<DrawRecord> draws_;
    std::vector<std::uint32_t> instances_;
    std::uint32_t layer_ = 0; ///< into which is drawn
    std::uint32_t mask_ = 0;  ///< that the next layer is seen through; 0: none
    std::uint32_t depth_ = 0;
};

} // namespace weir::paths
