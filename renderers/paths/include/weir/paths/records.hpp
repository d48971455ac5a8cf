#pragma once

#include <array>
#include <cstdint>

#include <weir/paths/geometry.hpp>

// Records in buffers; must match shaders/records.glsl. Pixels of lines, cuts, strips and tiles are those of a
// SampleView.

namespace weir::paths {

/// Size of a tile, in pixels.
inline constexpr std::uint32_t tile_width = 16, tile_height = 4;
/// Units per pixel. Coordinates of lines are integers in these units.
inline constexpr std::int32_t subpixels = 256;

/// A line or a curve of an outline.
struct SegmentRecord {
    /// First of its points: two for a line, three for a quadratic, four for a cubic curve.
    std::uint32_t first_point = 0;
    std::uint32_t flags = 0; ///< bits 0 and 1: degree, 1 to 3; other bits: segment_...
    /// Segment with which a stroke continues, relative to the outline: the next segment, or the first one at the end of
    /// a closed subpath.
    std::uint32_t next = 0;
};

/// Bits of SegmentRecord::flags.
inline constexpr std::uint32_t segment_only_fills = 4, ///< closes a subpath that is open for strokes
    segment_begins = 8,                                ///< has a cap at its beginning
    segment_ends = 16,                                 ///< has a cap at its end
    segment_first = 32,                                ///< first segment of a subpath
    segment_last = 64;                                 ///< last segment of a subpath, not counting segment_only_fills

/// Bits of DrawRecord::flags.
inline constexpr std::uint32_t draw_is_even_odd = 1, ///< fill rule
    draw_is_opaque = 2,                              ///< hides everything below: opaque paint, in no layer
    draw_has_gradient = 4,                           ///< the paint is a gradient or an image
    draw_is_clip = 8,                                ///< part of a clip: not drawn itself
    draw_is_outermost = 16,                          ///< in the outermost layer of the picture or of an effect
    draw_is_aliased = 64,                            ///< Antialias::none
    draw_is_everywhere = 128,                        ///< transparent; opens a layer in all tiles
    draw_is_effect = 1U << 30,                       ///< the paint is the result of an effect
    draw_is_hidden = 1U << 31,                       ///< has no lines
    draw_effect_shift = 22,                          ///< first bit of the number of effects of enclosing layers
    draw_effect_depth = 0x3FC00000;                  ///< mask of this number

/// Bits of Scene::features. Scenes without a feature are drawn by kernels without its code.
inline constexpr std::uint32_t scene_has_aliased = 1, ///< a draw is not anti-aliased
    scene_has_sweeps = 2,                             ///< a paint is a sweep gradient
    scene_has_operators = 4,                          ///< a layer has another operator than Composite::src_over
    scene_has_blurred_rects = 8,                      ///< a paint is a blurred rectangle
    scene_has_external_images = 32;                   ///< Scene::add_external_image

/// Draw index of an instance that is not in use.
inline constexpr std::uint32_t no_draw = ~0U;

/// A draw of an outline.
struct DrawRecord {
    Transform transform;             ///< from the outline to the scene
    std::uint32_t first_segment = 0; ///< first segment of the outline
    /// First instance of the draw. Each segment of each draw is an instance.
    std::uint32_t first_instance = 0;
    std::uint32_t flags = 0;         ///< draw_...
    std::uint32_t paint = 0;         ///< index of the paint
    std::uint32_t layer = 0;         ///< index of the layer; 0: the picture
    std::uint32_t stroke = 0;        ///< 0: fill; otherwise 1 + index of the stroke
    std::array<float, 4> color = {}; ///< color of a plain paint, premultiplied
    Rect bounds;                     ///< bounds of the outline's points, in its space
};

/// A plain color, a gradient or an image.
struct PaintRecord {
    /// 0: color, 1: linear gradient, 2: radial gradient, 3: image, 4: sweep gradient, 5: result of an effect,
    /// 6: blurred rectangle
    std::uint32_t kind = 0;
    /// Value of Spread, and gradient_is_premultiplied. Image: that of `across`, 4 times that of `down`, and image_...
    /// Blurred rectangle: blurred_rect_is_inverted
    std::uint32_t spread = 0;
    /// Stops of a gradient. Result of an effect: index of the effect, and 1. Image: first of its texels, and width |
    /// height << 16; its mipmaps follow, each half the size of the one before, rounded down, to 1 x 1. External images
    /// have a separate buffer of texels.
    std::uint32_t first_stop = 0, stops = 0;
    std::array<float, 4> color = {}; ///< premultiplied. Image: the last component is the opacity
    /// From the space of the draw to that of the gradient. Linear: the gradient is 0 to 1 along x. Radial: the
    /// center of the outer circle is the origin, and the larger radius is 1. Image: units are pixels. Sweep: the center
    /// is the origin. Blurred rectangle: the center is the origin, and units are deviations.
    Transform transform;
    /// Radial: center of the focal circle. Sweep: the angle at which the gradient is 0, in turns, and its length per
    /// turn. Blurred rectangle: half of its width and of its height.
    Point focus;
    float focal_radius = 0; ///< radial: radius of the focal circle. Blurred rectangle: of its corners
    float growth = 0;       ///< radial: radius of the outer circle, minus that of the focal circle
};

/// Bits of PaintRecord::spread for images.
inline constexpr std::uint32_t image_is_linear = 16, ///< Filter::linear or Filter::cubic
    image_is_opaque = 32,                            ///< every pixel is opaque
    image_is_cubic = 64,                             ///< Filter::cubic
    image_is_external = 128;                         ///< an external image

/// Bit of PaintRecord::spread for gradients: colors of the stops are premultiplied.
inline constexpr std::uint32_t gradient_is_premultiplied = 4;

/// Bit of PaintRecord::spread for blurred rectangles: opaque outside.
inline constexpr std::uint32_t blurred_rect_is_inverted = 1;

/// A color of a gradient, not premultiplied unless the gradient interpolates premultiplied colors.
struct StopRecord {
    std::array<float, 4> color = {};
    float offset = 0;
};

/// A stroke. Lengths are in the space of the outline, or in pixels.
struct StrokeRecord {
    float half_width = 0;
    float miter_limit = 0;
    std::uint32_t join = 0;                   ///< value of Join
    std::uint32_t start_cap = 0, end_cap = 0; ///< values of Cap
    std::uint32_t is_non_scaling = 0;         ///< 1: lengths are in pixels
    /// An even number of ascending ends, alternately of dashes and gaps. Unit: 1 / 2^16 of the length of the pattern.
    std::uint32_t first_dash = 0, dashes = 0;
    std::uint32_t dash_offset = 0; ///< position in the pattern at the start of a subpath, in these units
    float dash_scale = 0;          ///< units per length of 1
};

/// A layer, or a mask.
struct LayerRecord {
    std::uint32_t parent = 0; ///< index of the enclosing layer
    std::uint32_t depth = 0;  ///< nesting depth; 0: the picture
    std::uint32_t kind = 0;   ///< 0: layer; otherwise a mask, 1 + value of Mask
    std::uint32_t mask = 0;   ///< layer: index of its mask; mask: index of its layer; 0: none
    std::uint32_t blend = 0;  ///< value of Blend; from bit 8: value of Composite
    float opacity = 1;
    /// Place of its colors in a pixel's array of colors. A layer uses its parent's place if nothing is drawn into the
    /// parent before it.
    std::uint32_t color_slot = 0;
    std::uint32_t masks = 0; ///< number of layers with a mask or a clip among this one and the enclosing ones
    std::uint32_t first_draw = 0, end_draw = ~0U; ///< its draws, including those of nested layers
    std::uint32_t first_clip = 0, end_clip = 0;   ///< draws that clip it, together; equal: none
    std::uint32_t jump = 0; ///< an ancestor, chosen so that any other one is found in a logarithmic number of steps
};

/// A line of a draw, from (x0, y0) to (x1, y1), in 1/256 pixels. It may go up or down.
struct LineRecord {
    std::int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    friend bool operator==(const LineRecord&, const LineRecord&) = default;
};

/// Bit of CutRecord::top: the draw is not anti-aliased.
inline constexpr std::uint32_t cut_is_aliased = 1U << 30;

/// The part of a line in a tile, in 1/256 pixels relative to the tile.
struct CutRecord {
    /// Upper end: x (bits 0 to 12) and y (bits 13 to 23). Bit 30: cut_is_aliased. Bit 31: the line goes up.
    std::uint32_t top = 0;
    std::uint32_t bottom = 0; ///< lower end: x and y
    friend bool operator==(const CutRecord&, const CutRecord&) = default;
};

/// Range of the strips of a row of tiles.
struct RowRecord {
    std::uint32_t first = 0, end = 0; ///< indices of strips
    friend bool operator==(const RowRecord&, const RowRecord&) = default;
};

/// The tiles that a strip reaches: its own tile, and the gap, which are the filled tiles to the right of it. A separate
/// record, because each tile searches those of its row. Bits 0 to 10: column + 1; column -1 is everything left of the
/// picture. Bits 11 to 21: number of tiles of the gap. It ends at the next strip of the draw in the row, or with the
/// row.
using SpanRecord = std::uint32_t;

/// Parts of SpanRecord.
inline constexpr std::uint32_t span_column = 0x7FF, ///< mask of column + 1
    span_gap_shift = 11,                            ///< first bit of the number of tiles of the gap
    span_gap = 0x7FF,                               ///< mask of this number, after the shift
    span_of_clip = 1U << 30,                        ///< the draw is part of a clip
    span_kind = 0x7FC00000,                         ///< span_of_clip and draw_effect_depth
    span_is_opaque = 1U << 31;                      ///< the gap hides everything below

/// The cuts of one draw in one tile.
struct StripRecord {
    std::uint32_t draw = 0;
    std::uint32_t first_cut = 0; ///< its cuts end at the first cut of the next strip
    /// Winding numbers at the left and the right edge of the tile, one per row of pixels: the mean over the row, or at
    /// the centers of its pixels if the draw is not anti-aliased, as 16-bit fixed point with 8 fractional bits.
    std::array<std::uint32_t, 2> before = {}, after = {};
    friend bool operator==(const StripRecord&, const StripRecord&) = default;
};

} // namespace weir::paths
