#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include <weir/paths/cpu.hpp>

#include "flatten.hpp"
#include "paint.hpp"

namespace weir::paths {

namespace {

/// Returns a cut's contribution to the winding number of a pixel of its tile: the signed area of the pixel to the right
/// of it.
double area(const CutRecord& cut, std::uint32_t column, std::uint32_t row) {
    const auto x = [&](std::uint32_t end) { return (end & 0x1FFF) / 256.0 - column; };
    const auto y = [&](std::uint32_t end) { return (end >> 13 & 0x7FF) / 256.0 - row; };
    const double top_x = x(cut.top), top_y = y(cut.top), bottom_x = x(cut.bottom), bottom_y = y(cut.bottom);
    const double y0 = std::clamp(top_y, 0.0, 1.0), y1 = std::clamp(bottom_y, 0.0, 1.0);
    if (y0 >= y1) {
        return 0;
    }
    const double slope = (bottom_x - top_x) / (bottom_y - top_y);
    const double xa = top_x + (y0 - top_y) * slope, xb = top_x + (y1 - top_y) * slope;
    const double low = std::min(xa, xb), high = std::max(xa, xb);
    const double l = std::clamp(low, 0.0, 1.0), h = std::clamp(high, 0.0, 1.0);
    // Mean of 1 - x along the cut, with x clamped to 0 to 1.
    const double covered = high - low > 1e-9
                               ? (std::max(0.0, std::min(high, 0.0) - low) + (h - l) * (1 - (l + h) / 2)) / (high - low)
                               : 1 - (l + h) / 2;
    return (cut.top >> 31 != 0 ? -covered : covered) * (y1 - y0);
}

double coverage(double sum, bool is_even_odd) {
    return is_even_odd ? std::abs(sum - 2 * std::round(sum / 2)) : std::min(1.0, std::abs(sum));
}

/// Returns the coverage of a pixel by a strip or a gap, before the fill rule is applied.
double sum_of(const CpuStrips& strips, std::size_t index, bool is_gap, std::uint32_t column, std::uint32_t row) {
    using Windings = std::array<std::int16_t, tile_height>;
    const StripRecord& strip = strips.strips[index];
    if (is_gap) {
        return std::bit_cast<Windings>(strip.after)[row] / 256.0;
    }
    double sum = std::bit_cast<Windings>(strip.before)[row] / 256.0;
    for (std::uint32_t cut = strip.first_cut; cut < strips.strips[index + 1].first_cut; ++cut) {
        sum += area(strips.cuts[cut], column, row);
    }
    return sum;
}

/// Returns the visibility through a mask.
float luminance_of(std::uint32_t kind, const Pixel& c) {
    if (kind == 1 + static_cast<std::uint32_t>(Mask::alpha)) {
        return c[3];
    }
    float rgb[3] = {c[0], c[1], c[2]};
    if (kind == 1 + static_cast<std::uint32_t>(Mask::linear_luminance) && c[3] > 0) {
        for (float& component : rgb) {
            const float srgb = component / c[3];
            component = (srgb > 0.04045F ? std::pow((srgb + 0.055F) / 1.055F, 2.4F) : srgb / 12.92F) * c[3];
        }
    }
    return 0.2125F * rgb[0] + 0.7154F * rgb[1] + 0.0721F * rgb[2];
}

/// The open layers at a pixel, from the picture to the innermost one.
class OpenLayers {
public:
    OpenLayers(const Scene& scene, const Pixel& background) : scene_(scene), open_{{0, background, 1}} {}

    /// Makes `layer` the innermost open layer. Returns false if a mask hides it.
    bool enter(std::uint32_t layer) {
        while (ancestor(layer, layers()[open_.back().layer].depth) != open_.back().layer) {
            close();
        }
        for (std::uint32_t depth = layers()[open_.back().layer].depth + 1; depth <= layers()[layer].depth; ++depth) {
            const std::uint32_t next = ancestor(layer, depth);
            if (layers()[next].kind == 0 && layers()[next].mask != 0) {
                return false;
            }
            open_.push_back({next, {}, 1});
        }
        return true;
    }
    Pixel& color() { return open_.back().color; }
    void close() {
        const Open closed = open_.back();
        open_.pop_back();
        const LayerRecord& layer = layers()[closed.layer];
        const Pixel& c = closed.color;
        if (layer.kind == 0) {
            Pixel source = c;
            for (float& component : source) {
                component *= layer.opacity * closed.visible;
            }
            color() = composited(static_cast<Blend>(layer.blend), color(), source);
        } else if (layer.mask != 0) {
            open_.push_back({layer.mask, {}, luminance_of(layer.kind, c)});
        }
    }
    Pixel close_all() {
        while (open_.size() > 1) {
            close();
        }
        return color();
    }

private:
    struct Open {
        std::uint32_t layer;
        Pixel color;
        float visible;
    };
    [[nodiscard]] const std::vector<LayerRecord>& layers() const { return scene_.layers(); }
    [[nodiscard]] std::uint32_t ancestor(std::uint32_t layer, std::uint32_t depth) const {
        while (layers()[layer].depth > depth) {
            layer = layers()[layer].parent;
        }
        return layer;
    }

    const Scene& scene_;
    std::vector<Open> open_;
};

} // namespace

std::vector<std::array<float, 4>> cpu_fine(const Scene& scene, const View& view, const CpuStrips& strips) {
    const Color& back = view.background;
    const Pixel background = {back.red * back.alpha, back.green * back.alpha, back.blue * back.alpha, back.alpha};
    std::vector<Pixel> picture(std::size_t{view.width} * view.height, background);
    std::vector<std::pair<std::size_t, bool>> items; // strip index, and true for its gap
    for (std::uint32_t tile = 0; tile < view.columns() * view.rows(); ++tile) {
        const std::uint32_t tile_column = tile % view.columns(), tile_row = tile / view.columns();
        items.clear();
        for (std::size_t i = strips.rows[tile_row].first; i < strips.rows[tile_row].end; ++i) {
            const StripRecord& strip = strips.strips[i];
            const std::uint32_t distance = tile_column + 1 - (strip.place & 0xFFFF);
            if (distance <= (strip.gap & ~gap_is_opaque)) {
                items.emplace_back(i, distance != 0);
            }
        }
        const std::uint32_t left = tile_column * tile_width, top = tile_row * tile_height;
        const std::uint32_t right = std::min(left + tile_width, view.width);
        const std::uint32_t bottom = std::min(top + tile_height, view.height);
        for (std::uint32_t y = top; y < bottom && !items.empty(); ++y) {
            for (std::uint32_t x = left; x < right; ++x) {
                OpenLayers layers(scene, background);
                for (const auto& [strip, is_gap] : items) {
                    const DrawRecord& draw = scene.draws()[strips.strips[strip].draw];
                    if (!layers.enter(draw.layer)) {
                        continue;
                    }
                    const double sum = sum_of(strips, strip, is_gap, x - left, y - top);
                    const auto covered = static_cast<float>(coverage(sum, (draw.flags & draw_is_even_odd) != 0));
                    const Point at = {static_cast<float>(x) + 0.5F, static_cast<float>(y) + 0.5F};
                    Pixel paint = color_at(scene, draw.paint, transform_of(view, draw), at);
                    for (float& component : paint) {
                        component *= covered;
                    }
                    layers.color() = composited(Blend::normal, layers.color(), paint);
                }
                picture[std::size_t{y} * view.width + x] = layers.close_all();
            }
        }
    }
    return picture;
}

} // namespace weir::paths
