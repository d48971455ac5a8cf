#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numbers>
#include <optional>
#include <span>
#include <utility>

#include <freetype/ftcolor.h>

#include "colr_table.hpp"
#include "face.hpp"

namespace weir::text {

namespace {

using paths::Point;
using paths::Rect;
using paths::Transform;

constexpr int max_depth = 64, max_paints = 10000;
constexpr std::uint32_t text_color = 0xFFFF; ///< index in the palette

/// Formats of paints. The odd formats from 3 to 31, except for `colr_glyph`, are the even ones before them with
/// variations.
enum Format : std::uint8_t {
    colr_layers = 1,
    solid = 2,
    linear_gradient = 4,
    radial_gradient = 6,
    sweep_gradient = 8,
    glyph_paint = 10,
    colr_glyph = 11,
    affine = 12,
    translate = 14,
    scale = 16,
    scale_about = 18,
    scale_uniform = 20,
    scale_uniform_about = 22,
    rotate = 24,
    rotate_about = 26,
    skew = 28,
    skew_about = 30,
    composite = 32,
};

/// A paint in the table.
struct Paint {
    std::size_t at = 0;                     ///< position
    int format = 0;                         ///< without variations
    std::size_t fields;                     ///< position of the first number that may vary
    std::optional<std::uint32_t> variation; ///< index of the first number's variation
};

Rect bounds_of(const paths::Path& outline, const Transform& transform) {
    return paths::Path().add(outline, transform).bounds();
}

bool contains(const Rect& outer, const Rect& inner) {
    constexpr float rounding = 1e-5F;
    return inner.left >= outer.left - rounding && inner.top >= outer.top - rounding &&
           inner.right <= outer.right + rounding && inner.bottom <= outer.bottom + rounding;
}

paths::Color color_of(const FT_Color& color) {
    return {static_cast<float>(color.red) / 255, static_cast<float>(color.green) / 255,
            static_cast<float>(color.blue) / 255, static_cast<float>(color.alpha) / 255};
}

/// Sets the operator or the blend mode of a layer. Returns false if it is not known.
bool set_mode(std::uint32_t mode, paths::Layer& layer) {
    using enum paths::Composite;
    using paths::Blend;
    constexpr paths::Composite operators[] = {clear,   copy,     dest,     src_over,  dest_over,    src_in, dest_in,
                                              src_out, dest_out, src_atop, dest_atop, exclusive_or, plus};
    constexpr Blend blends[] = {Blend::screen,      Blend::overlay,    Blend::darken,     Blend::lighten,
                                Blend::color_dodge, Blend::color_burn, Blend::hard_light, Blend::soft_light,
                                Blend::difference,  Blend::exclusion,  Blend::multiply,   Blend::hue,
                                Blend::saturation,  Blend::color,      Blend::luminosity};
    if (mode < std::size(operators)) {
        layer.composite = operators[mode];
    } else if (mode - std::size(operators) < std::size(blends)) {
        layer.blend = blends[mode - std::size(operators)];
    } else {
        return false;
    }
    return true;
}

/// Stops of a gradient, sorted. Offset 0 is at `first` of the font's color line, offset 1 at `last`.
struct ColorLine {
    paths::Gradient gradient;
    std::vector<std::uint32_t> text_stops;
    float first = 0, last = 1;
};

/// Reads the paints of a glyph (COLR version 1) as steps. Spaces in the table have font units and y upwards.
class PaintReader {
public:
    PaintReader(const ColrTable& table, std::span<const FT_Color> palette, float units_per_em,
                const std::function<const paths::Path&(std::uint32_t)>& outline)
        : table_(table), palette_(palette), outline_(outline),
          to_em_(Transform::scaling(1 / units_per_em, -1 / units_per_em)) {}

    ColorGlyph read(std::uint32_t glyph) {
        if (table_.glyph_paint(glyph) != 0) {
            read_glyph(glyph, {}, {}, 0);
        }
        return std::move(glyph_);
    }

private:
    /// Bounds of what an unbounded paint fills, at size 1; nullopt: everything, which a font must not do.
    using Region = std::optional<Rect>;

    void read_glyph(std::uint32_t glyph, const Transform& transform, const Region& region, int depth);
    void read(std::size_t at, const Transform& transform, const Region& region, int depth);
    void read_outline(const Paint& paint, const Transform& transform, int depth);
    void read_composite(const Paint& paint, const Transform& transform, const Region& region, int depth);
    /// Finds a paint. Returns nullopt if the table is damaged or has too many.
    std::optional<Paint> paint_at(std::size_t at);
    /// Returns the position that an offset in a paint leads to; 0 if it is null.
    [[nodiscard]] std::size_t linked(const Paint& paint, std::size_t offset = 1) const {
        const std::uint32_t distance = table_.u24(paint.at + offset);
        return distance == 0 ? 0 : paint.at + distance;
    }
    /// Returns the transform of a paint that only transforms another one.
    [[nodiscard]] std::optional<Transform> transform_of(const Paint& paint) const;
    /// Returns a number of a paint.
    [[nodiscard]] float field(const Paint& paint, std::uint32_t index) const {
        return static_cast<float>(table_.i16(paint.fields + std::size_t{index} * 2)) + delta(paint, index);
    }
    [[nodiscard]] float delta(const Paint& paint, std::uint32_t index) const {
        return paint.variation ? table_.delta(*paint.variation + index) : 0;
    }
    [[nodiscard]] float fraction(const Paint& paint, std::uint32_t index) const { return field(paint, index) / 16384; }
    /// Returns an angle of a paint in radians.
    [[nodiscard]] float angle(const Paint& paint, std::uint32_t index) const {
        return fraction(paint, index) * std::numbers::pi_v<float>; // half turns
    }
    [[nodiscard]] Point point(const Paint& paint, std::uint32_t index) const {
        return {field(paint, index), field(paint, index + 1)};
    }
    /// Adds a step that fills `outline`. `local` is the transform from the paint to the outline.
    void fill(const paths::Path& outline, const Transform& transform, const Paint& paint, const Transform& local);
    std::optional<GlyphPaint> paint_of(const Paint& paint, const Transform& to_outline, ColorStep& step);
    [[nodiscard]] std::optional<GlyphPaint> linear(const Paint& paint, ColorLine line) const;
    [[nodiscard]] std::optional<GlyphPaint> radial(const Paint& paint, ColorLine line) const;
    [[nodiscard]] std::optional<GlyphPaint> sweep(const Paint& paint, ColorLine line) const;
    [[nodiscard]] std::optional<paths::Color> color(std::uint32_t index, float alpha) const;
    std::optional<ColorLine> line_of(const Paint& paint, const Transform& to_outline);
    /// Returns a transform of outlines at size 1.
    [[nodiscard]] Transform at_size_1(const Transform& transform) const {
        return to_em_ * transform * to_em_.inverse();
    }
    void refuse() { glyph_.is_complete = false; }

    const ColrTable& table_;
    std::span<const FT_Color> palette_;
    const std::function<const paths::Path&(std::uint32_t)>& outline_;
    Transform to_em_; ///< from font units to size 1
    ColorGlyph glyph_;
    int paints_ = 0;
};

bool is_fill(const Paint& paint) {
    return paint.format >= solid && paint.format <= sweep_gradient;
}

std::optional<Paint> PaintReader::paint_at(std::size_t at) {
    constexpr std::uint8_t sizes[] = {0, 6,  5, 0, 16, 0,  16, 0, 12, 0,  6, 3, 7, 0,  8, 0, 8,
                                      0, 12, 0, 6, 0,  10, 0,  6, 0,  10, 0, 8, 0, 12, 0, 8};
    const std::uint32_t stored = table_.u8(at);
    Paint paint{.at = at, .format = static_cast<int>(stored)};
    const bool varies = stored % 2 != 0 && stored > 1 && stored < 32 && stored != colr_glyph;
    paint.format -= varies ? 1 : 0;
    if (at == 0 || ++paints_ > max_paints || stored >= std::size(sizes) ||
        !table_.has(at, sizes[paint.format] + (varies ? 4U : 0U)) || sizes[paint.format] == 0) {
        return {};
    }
    paint.fields = at + (paint.format == solid ? 3 : 4);
    if (paint.format == affine) {
        paint.fields = linked(paint, 4);
        if (paint.fields == 0 || !table_.has(paint.fields, varies ? 28 : 24)) {
            return {};
        }
    }
    if (varies) {
        paint.variation = table_.u32(paint.format == affine ? paint.fields + 24 : at + sizes[paint.format]);
    }
    return paint;
}

std::optional<Transform> PaintReader::transform_of(const Paint& paint) const {
    const auto about = [](const Transform& transform, Point center) {
        return Transform::translation(center.x, center.y) * transform * Transform::translation(-center.x, -center.y);
    };
    const bool has_center = paint.format == scale_about || paint.format == scale_uniform_about ||
                            paint.format == rotate_about || paint.format == skew_about;
    const int format = has_center ? paint.format - 2 : paint.format;
    const std::uint32_t values = format == scale || format == skew ? 2 : 1; // before the center
    Transform transform;
    if (format == affine) {
        std::array<float, 6> m{};
        for (std::uint32_t i = 0; i < 6; ++i) {
            m[i] = (static_cast<float>(table_.i32(paint.fields + std::size_t{i} * 4)) + delta(paint, i)) / 65536;
        }
        transform = {m[0], m[1], m[2], m[3], m[4], m[5]};
    } else if (format == translate) {
        transform = Transform::translation(field(paint, 0), field(paint, 1));
    } else if (format == scale || format == scale_uniform) {
        transform = Transform::scaling(fraction(paint, 0), fraction(paint, values - 1));
    } else if (format == rotate) {
        transform = Transform::rotation(angle(paint, 0));
    } else if (format == skew) {
        transform = {1, std::tan(angle(paint, 1)), -std::tan(angle(paint, 0)), 1};
    } else {
        return {};
    }
    return has_center ? about(transform, point(paint, values)) : transform;
}

void PaintReader::read_glyph(std::uint32_t glyph, const Transform& transform, const Region& region, int depth) {
    const std::size_t root = table_.glyph_paint(glyph);
    const auto box = table_.clip_box(glyph);
    if (!box) {
        read(root, transform, region, depth);
        return;
    }
    const auto [left, bottom, right, top] = *box;
    const paths::Path area =
        paths::Path().add(paths::Path().add_rect(left, bottom, right - left, top - bottom), to_em_ * transform);
    const Rect bounds = area.bounds();
    const std::size_t begin = glyph_.steps.size();
    glyph_.steps.push_back({.kind = ColorStep::Kind::push_clip, .outline = area});
    read(root, transform, bounds, depth);
    const auto is_inside = [&](const ColorStep& step) {
        return step.kind != ColorStep::Kind::fill || contains(bounds, bounds_of(step.outline, step.transform));
    };
    const auto first = glyph_.steps.begin() + static_cast<std::ptrdiff_t>(begin);
    if (transform.xy == 0 && transform.yx == 0 && std::all_of(first + 1, glyph_.steps.end(), is_inside)) {
        glyph_.steps.erase(first); // the usual case, without a layer
    } else {
        glyph_.steps.push_back({.kind = ColorStep::Kind::pop});
    }
}

void PaintReader::read(std::size_t at, const Transform& transform, const Region& region, int depth) {
    const auto paint = depth > max_depth ? std::nullopt : paint_at(at);
    if (!paint) {
        refuse();
    } else if (const auto inner = transform_of(*paint)) {
        read(linked(*paint), transform * *inner, region, depth + 1);
    } else if (is_fill(*paint)) {
        if (!region) {
            refuse();
            return;
        }
        paths::Path area;
        area.add_rect(region->left, region->top, region->right - region->left, region->bottom - region->top);
        fill(area, {}, *paint, transform);
    } else if (paint->format == glyph_paint) {
        read_outline(*paint, transform, depth);
    } else if (paint->format == composite) {
        read_composite(*paint, transform, region, depth);
    } else if (paint->format == colr_glyph) {
        read_glyph(table_.u16(at + 1), transform, region, depth + 1);
    } else { // colr_layers
        for (std::uint32_t i = 0; i < table_.u8(at + 1) && paints_ <= max_paints; ++i) {
            read(table_.layer_paint(std::uint64_t{table_.u32(at + 2)} + i), transform, region, depth + 1);
        }
    }
}

void PaintReader::read_outline(const Paint& paint, const Transform& transform, int depth) {
    const paths::Path& outline = outline_(table_.u16(paint.at + 4));
    const Transform place = at_size_1(transform);
    // A fill needs no clip, whatever transforms it.
    Transform local;
    auto inner = paint_at(linked(paint));
    for (auto next = inner ? transform_of(*inner) : std::nullopt; next;
         next = inner ? transform_of(*inner) : std::nullopt) {
        local = local * *next;
        inner = paint_at(linked(*inner));
    }
    if (!inner) {
        refuse();
    } else if (is_fill(*inner)) {
        fill(outline, place, *inner, local);
    } else {
        glyph_.steps.push_back({.kind = ColorStep::Kind::push_clip, .outline = outline, .transform = place});
        read(inner->at, transform * local, bounds_of(outline, place), depth + 1);
        glyph_.steps.push_back({.kind = ColorStep::Kind::pop});
    }
}

void PaintReader::read_composite(const Paint& paint, const Transform& transform, const Region& region, int depth) {
    ColorStep source{.kind = ColorStep::Kind::push_layer};
    if (!set_mode(table_.u8(paint.at + 4), source.layer)) {
        refuse();
        return;
    }
    const bool needs_layers =
        source.layer.composite != paths::Composite::src_over || source.layer.blend != paths::Blend::normal;
    if (needs_layers) {
        glyph_.steps.push_back({.kind = ColorStep::Kind::push_layer});
    }
    read(linked(paint, 5), transform, region, depth + 1); // the backdrop
    if (needs_layers) {
        glyph_.steps.push_back(source);
    }
    read(linked(paint, 1), transform, region, depth + 1);
    for (int i = 0; needs_layers && i < 2; ++i) {
        glyph_.steps.push_back({.kind = ColorStep::Kind::pop});
    }
}

void PaintReader::fill(const paths::Path& outline, const Transform& transform, const Paint& paint,
                       const Transform& local) {
    ColorStep step{.outline = outline, .transform = transform};
    if (auto found = paint_of(paint, to_em_ * local, step)) {
        step.paint = std::move(*found);
        glyph_.steps.push_back(std::move(step));
    } else {
        refuse();
    }
}

std::optional<paths::Color> PaintReader::color(std::uint32_t index, float alpha) const {
    if (index == text_color) {
        return paths::Color{0, 0, 0, alpha};
    }
    if (index >= palette_.size()) {
        return {};
    }
    paths::Color found = color_of(palette_[index]);
    found.alpha *= alpha;
    return found;
}

std::optional<ColorLine> PaintReader::line_of(const Paint& paint, const Transform& to_outline) {
    const std::size_t line = linked(paint), size = paint.variation ? 10 : 6; // bytes of a stop
    const std::uint32_t extend = table_.u8(line), count = table_.u16(line + 1);
    if (line == 0 || extend > 2 || count == 0 || !table_.has(line, 3 + count * size)) {
        return {};
    }
    paints_ += static_cast<int>(count); // stops take time too
    struct Stop {
        float offset = 0;
        paths::Color color;
        bool is_text = false;
    };
    std::vector<Stop> stops;
    for (std::uint32_t i = 0; i < count; ++i) {
        Paint stop{.fields = line + 3 + i * size};
        stop.variation = paint.variation ? std::optional(table_.u32(stop.fields + 6)) : std::nullopt;
        const std::uint32_t index = table_.u16(stop.fields + 2);
        const float alpha = (static_cast<float>(table_.i16(stop.fields + 4)) + delta(stop, 1)) / 16384;
        const auto found = color(index, std::clamp(alpha, 0.0F, 1.0F));
        if (!found) {
            return {};
        }
        stops.push_back({fraction(stop, 0), *found, index == text_color});
    }
    std::stable_sort(stops.begin(), stops.end(), [](const Stop& a, const Stop& b) { return a.offset < b.offset; });
    ColorLine result{.first = stops.front().offset, .last = stops.back().offset};
    const bool is_point = result.first == result.last; // one color before it, one after it
    result.last += is_point ? 1 : 0;
    constexpr paths::Spread spreads[] = {paths::Spread::pad, paths::Spread::repeat, paths::Spread::reflect};
    result.gradient.spread = is_point ? paths::Spread::pad : spreads[extend];
    result.gradient.transform = to_outline;
    result.gradient.is_premultiplied = true;
    for (std::uint32_t i = 0; i < count; ++i) {
        result.gradient.stops.push_back(
            {(stops[i].offset - result.first) / (result.last - result.first), stops[i].color});
        if (stops[i].is_text) {
            result.text_stops.push_back(i);
        }
    }
    return result;
}

float mix(float from, float to, float t) {
    return from + (to - from) * t;
}
Point mix(Point from, Point to, float t) {
    return {mix(from.x, to.x, t), mix(from.y, to.y, t)};
}

std::optional<GlyphPaint> PaintReader::paint_of(const Paint& paint, const Transform& to_outline, ColorStep& step) {
    if (paint.format == solid) {
        const std::uint32_t index = table_.u16(paint.at + 1);
        const float alpha = std::clamp(fraction(paint, 0), 0.0F, 1.0F);
        if (index == text_color) {
            return TextPaint{alpha};
        }
        return color(index, alpha);
    }
    auto line = line_of(paint, to_outline);
    if (!line) {
        return {};
    }
    step.text_stops = line->text_stops;
    return paint.format == linear_gradient   ? linear(paint, *std::move(line))
           : paint.format == radial_gradient ? radial(paint, *std::move(line))
                                             : sweep(paint, *std::move(line));
}

std::optional<GlyphPaint> PaintReader::linear(const Paint& paint, ColorLine line) const {
    // Colors are constant along the line from p0 to p2.
    const Point p0 = point(paint, 0), p1 = point(paint, 2), p2 = point(paint, 4), normal{p0.y - p2.y, p2.x - p0.x};
    const float square = normal.x * normal.x + normal.y * normal.y;
    const float length = (p1.x - p0.x) * normal.x + (p1.y - p0.y) * normal.y;
    if (square == 0 || length == 0) {
        return {};
    }
    const Point end{p0.x + normal.x * length / square, p0.y + normal.y * length / square};
    return paths::LinearGradient{std::move(line.gradient), mix(p0, end, line.first), mix(p0, end, line.last)};
}

std::optional<GlyphPaint> PaintReader::radial(const Paint& paint, ColorLine line) const {
    const auto radius = [&](std::uint32_t index) {
        return static_cast<float>(table_.u16(paint.fields + std::size_t{index} * 2)) + delta(paint, index);
    };
    const Point c0 = point(paint, 0), c1 = point(paint, 3);
    const float first = mix(radius(2), radius(5), line.first), last = mix(radius(2), radius(5), line.last);
    if (first < 0 || last < 0) { // the gradient begins or ends where its radius is 0
        return {};
    }
    return paths::RadialGradient{std::move(line.gradient), mix(c0, c1, line.last), last, mix(c0, c1, line.first),
                                 first};
}

std::optional<GlyphPaint> PaintReader::sweep(const Paint& paint, ColorLine line) const {
    constexpr float half_turn = std::numbers::pi_v<float>; // subtracted from angles in the table
    const float start = angle(paint, 2) + half_turn, end = angle(paint, 3) + half_turn;
    if (start == end) {
        return {};
    }
    return paths::SweepGradient{std::move(line.gradient), point(paint, 0), mix(start, end, line.first),
                                mix(start, end, line.last)};
}

} // namespace

ColorGlyph read_color_glyph(const Font::Face& face, std::uint32_t glyph) {
    FT_Palette_Data palettes{};
    FT_Color* colors = nullptr;
    unsigned size = 0, axes = 0;
    const char* data = hb_blob_get_data(face.colr, &size);
    if (size == 0 || FT_Palette_Data_Get(face.ft, &palettes) != 0 || palettes.num_palettes == 0 ||
        FT_Palette_Select(face.ft, 0, &colors) != 0) {
        return {};
    }
    const std::span<const FT_Color> palette(colors, palettes.num_palette_entries);
    const auto outline = [&](std::uint32_t one) -> const paths::Path& { return face.outline(one); };
    const int* coordinates = hb_font_get_var_coords_normalized(face.hb, &axes);
    const ColrTable table(std::span(reinterpret_cast<const std::uint8_t*>(data), size), std::span(coordinates, axes));
    ColorGlyph result;
    if (table.u16(0) == 1) {
        result = PaintReader(table, palette, face.ft->units_per_EM, outline).read(glyph);
    }
    if (!result.steps.empty() || !result.is_complete) {
        return result;
    }
    // Version 0: outlines in plain colors.
    FT_LayerIterator iterator{};
    FT_UInt layer = 0, color = 0;
    while (FT_Get_Color_Glyph_Layer(face.ft, glyph, &layer, &color, &iterator) != 0) {
        if (color == text_color) {
            result.steps.push_back({.outline = outline(layer), .paint = TextPaint{}});
        } else if (color < palette.size()) {
            result.steps.push_back({.outline = outline(layer), .paint = color_of(palette[color])});
        }
    }
    return result;
}

} // namespace weir::text
