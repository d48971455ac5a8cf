#pragma once

#include <array>
#include <cstdint>

#include <weir/paths/geometry.hpp>

// What buffers hold, as shaders/records.glsl has it.

namespace weir::paths {

/// Pixels of a tile.
inline constexpr std::uint32_t tile_width = 16, tile_height = 4;
/// Units of a pixel: coordinates of lines are integers.
inline constexpr std::int32_t subpixels = 256;

/// A line or a curve of an outline.
struct SegmentRecord {
    std::uint32_t first_point = 0; ///< its points follow: two of a line, three of a quadratic, four of a cubic curve
    std::uint32_t flags = 0;       ///< bits 0 and 1: 1, 2 or 3, the degree; and segment_...
    /// The segment behind which a stroke goes on: the next one, or at the end of a closed subpath its first one.
    /// Relative to the outline.
    std::uint32_t next = 0;
};

/// Bits of SegmentRecord::flags.
inline constexpr std::uint32_t segment_only_fills = 4, ///< closes a subpath that is open for strokes
    segment_begins = 8,                                ///< has a cap at its beginning
    segment_ends = 16,                                 ///< has a cap at its end
    segment_first = 32,                                ///< of a subpath
    segment_last = 64;                                 ///< of a subpath, those that only fill not counted

/// Bits of DrawRecord::flags.
inline constexpr std::uint32_t draw_is_even_odd = 1, ///< the rule
    draw_is_opaque = 2,                              ///< hides what is below it: in no layer, of an opaque paint
    draw_has_gradient = 4;                           ///< its paint is a gradient

/// An outline that is drawn.
struct DrawRecord {
    Transform transform;             ///< from the outline to the scene
    std::uint32_t first_segment = 0; ///< of the outline
    /// Each segment of each draw is an instance; this is the draw's first one.
    std::uint32_t first_instance = 0;
    std::uint32_t flags = 0;         ///< draw_...
    std::uint32_t paint = 0;         ///< index of the paint
    std::uint32_t layer = 0;         ///< index of the layer; 0: the picture
    std::uint32_t stroke = 0;        ///< 0: fills; else 1 + index of the stroke
    std::array<float, 4> color = {}; ///< of a plain paint, with premultiplied alpha
    Rect bounds;                     ///< of the points of the outline, in its space
};

/// A paint.
struct PaintRecord {
    std::uint32_t kind = 0;   ///< 0: a colour, 1: a linear, 2: a radial gradient
    std::uint32_t spread = 0; ///< as Spread has it
    std::uint32_t first_stop = 0, stops = 0;
    std::array<float, 4> color = {}; ///< with premultiplied alpha
    /// From the space of the draw to that of the gradient: of a linear one, from 0 to 1 along x; of a radial one, the
    /// outer circle is the unit circle.
    Transform transform;
    Point focus;            ///< of a radial gradient
    float focal_radius = 0; ///< likewise
};

/// A colour of a gradient, with straight alpha.
struct StopRecord {
    std::array<float, 4> color = {};
    float offset = 0;
};

/// A stroke. Lengths are in the space of the outline.
struct StrokeRecord {
    float half_width = 0;
    float miter_limit = 0;
    std::uint32_t join = 0, cap = 0; ///< as Join and Cap have it
    /// An even number of ascending ends: of a dash, of a gap, and so on. Lengths of dashes are in units of which a
    /// pattern has 2^16.
    std::uint32_t first_dash = 0, dashes = 0;
    std::uint32_t dash_offset = 0; ///< where in the pattern a subpath begins
    float dash_scale = 0;          ///< units for a length of 1
};

/// A layer, or a mask.
struct LayerRecord {
    std::uint32_t parent = 0; ///< index of the layer around it
    std::uint32_t depth = 0;  ///< of the picture 0
    std::uint32_t kind = 0;   ///< 0: a layer; of a mask, 1 + its Mask
    std::uint32_t mask = 0;   ///< of a layer that is seen through one, its index; of a mask, its layer. 0: none
    std::uint32_t blend = 0;  ///< as Blend has it
    float opacity = 1;
};

/// A line of a draw, from above to below or the other way. In 1/256 pixels.
struct LineRecord {
    std::int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    friend bool operator==(const LineRecord&, const LineRecord&) = default;
};

/// The part of a line in a tile, relative to the tile, in 1/256 pixels.
struct CutRecord {
    std::uint32_t top = 0;    ///< x (bits 0 to 12) and y (bits 13 to 23) of its upper end; bit 31: the line goes up
    std::uint32_t bottom = 0; ///< x and y of its lower end
    friend bool operator==(const CutRecord&, const CutRecord&) = default;
};

/// The strips of a row of tiles.
struct RowRecord {
    std::uint32_t first = 0, end = 0; ///< indices of strips
    friend bool operator==(const RowRecord&, const RowRecord&) = default;
};

/// A bit of StripRecord::gap: nothing is seen through the gap.
inline constexpr std::uint32_t gap_is_opaque = 1U << 31;

/// The cuts of one draw in one tile, and the filled tiles behind it.
struct StripRecord {
    std::uint32_t draw = 0;
    std::uint32_t place = 0;     ///< row << 16 | column + 1. Column -1 is all that is left of the picture
    std::uint32_t first_cut = 0; ///< its cuts end where those of the next strip begin
    /// Filled tiles from here to the next strip of its draw in the row, or to the end of the row; and gap_is_opaque.
    std::uint32_t gap = 0;
    /// Winding numbers at the left edge of the tile and at its right edge, in each of its rows of pixels: the mean over
    /// the row, 8 bits after the point, 16 bits each.
    std::array<std::uint32_t, 2> before = {}, after = {};
    friend bool operator==(const StripRecord&, const StripRecord&) = default;
};

} // namespace weir::paths
