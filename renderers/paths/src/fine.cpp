#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include <weir/paths/cpu.hpp>

#include "effects.hpp"
#include "flatten.hpp"
#include "paint.hpp"

namespace weir::paths {

namespace {

constexpr std::uint32_t tile_pixels = tile_width * tile_height;
using Coverages = std::array<float, tile_pixels>;

/// Returns the mean of 1 - x from `low` to `high`, with x clamped to 0 to 1.
double mean(double low, double high) {
    const double l = std::clamp(low, 0.0, 1.0), h = std::clamp(high, 0.0, 1.0);
    return high - low > 1e-9 ? (std::max(0.0, std::min(high, 0.0) - low) + (h - l) * (1 - (l + h) / 2)) / (high - low)
                             : 1 - (l + h) / 2;
}

/// Adds a cut's contribution to the winding numbers of the pixels of its tile: the signed area of each pixel to the
/// right of it.
void add_areas(const CutRecord& cut, std::array<double, tile_pixels>& sums) {
    const auto x = [](std::uint32_t end) { return (end & 0x1FFF) / 256.0; };
    const auto y = [](std::uint32_t end) { return (end >> 13 & 0x7FF) / 256.0; };
    const double left = x(cut.top), top = y(cut.top), bottom = y(cut.bottom);
    if (!(bottom > top)) {
        return;
    }
    const double slope = (x(cut.bottom) - left) / (bottom - top);
    for (auto row = static_cast<std::uint32_t>(top); row < bottom; ++row) {
        const double y0 = std::max(top, static_cast<double>(row)), y1 = std::min(bottom, row + 1.0);
        const double xa = left + (y0 - top) * slope, xb = left + (y1 - top) * slope;
        const double low = std::min(xa, xb), high = std::max(xa, xb);
        const double height = cut.top >> 31 != 0 ? y0 - y1 : y1 - y0;
        for (auto column = static_cast<std::uint32_t>(std::max(0.0, low)); column < tile_width; ++column) {
            sums[row * tile_width + column] += column >= high ? height : height * mean(low - column, high - column);
        }
    }
}

/// Adds a cut's contribution to the winding numbers at the centers of the pixels of its tile.
void add_crossings(const CutRecord& cut, std::array<double, tile_pixels>& sums) {
    const auto x = [](std::uint32_t end) { return static_cast<std::int32_t>(end & 0x1FFF); };
    const auto y = [](std::uint32_t end) { return static_cast<std::int32_t>(end >> 13 & 0x7FF); };
    const std::int32_t width = x(cut.bottom) - x(cut.top), height = y(cut.bottom) - y(cut.top);
    for (std::uint32_t i = 0; i < tile_pixels; ++i) {
        const auto center = [](std::uint32_t pixel) {
            return static_cast<std::int32_t>(pixel) * subpixels + subpixels / 2;
        };
        const std::int32_t right = center(i % tile_width) - x(cut.top), below = center(i / tile_width) - y(cut.top);
        if (below >= 0 && below < height && right * height >= below * width) {
            sums[i] += cut.top >> 31 != 0 ? -1 : 1;
        }
    }
}

double coverage(double sum, bool is_even_odd) {
    return is_even_odd ? std::abs(sum - 2 * std::round(sum / 2)) : std::min(1.0, std::abs(sum));
}

/// Returns the coverage of the pixels of a tile by a strip or the gap behind it.
Coverages coverages(const CpuStrips& strips, std::size_t index, bool is_gap, bool is_even_odd) {
    const StripRecord& strip = strips.strips[index];
    const auto windings = std::bit_cast<std::array<std::int16_t, tile_height>>(is_gap ? strip.after : strip.before);
    std::array<double, tile_pixels> sums;
    for (std::uint32_t i = 0; i < tile_pixels; ++i) {
        sums[i] = windings[i / tile_width] / 256.0;
    }
    const std::uint32_t end = is_gap ? strip.first_cut : strips.strips[index + 1].first_cut;
    for (std::uint32_t i = strip.first_cut; i < end; ++i) {
        const CutRecord& cut = strips.cuts[i];
        (cut.top & cut_is_aliased) != 0 ? add_crossings(cut, sums) : add_areas(cut, sums);
    }
    Coverages covered;
    std::transform(sums.begin(), sums.end(), covered.begin(),
                   [&](double sum) { return static_cast<float>(coverage(sum, is_even_odd)); });
    return covered;
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

/// Returns true if the axes remain parallel to the edges of pixels.
bool is_parallel(const Transform& m) {
    return (m.yx == 0 && m.xy == 0) || (m.xx == 0 && m.yy == 0);
}

/// The pixels of a tile, with their colors in the open layers. See shaders/layers.glsl and clips.glsl.
class Tile {
public:
    /// `results`: of the effects of layers in the tile.
    Tile(const Scene& scene, const View& view, const CpuStrips& strips, const std::vector<EffectPicture>& results)
        : scene_(scene), view_(view), strips_(strips), results_(results), colors_(scene.color_slots()),
          visible_(scene.mask_slots()) {}

    /// Draws only the picture of a layer with an effect.
    void draw_only(const EffectRecord& effect) {
        first_draw_ = effect.first_draw;
        end_draw_ = effect.end_draw;
        kind_ = effect.depth << draw_effect_shift;
        root_layer_ = effect.layer;
    }

    /// Draws a tile. Returns its pixels.
    const std::array<Pixel, tile_pixels>& draw(std::uint32_t column, std::uint32_t row) {
        column_ = column;
        row_ = row;
        open(root_layer_);
        hidden_layer_ = 0;
        if (root_layer_ == 0) {
            const Color& back = view_.background;
            colors_[0].fill({back.red * back.alpha, back.green * back.alpha, back.blue * back.alpha, back.alpha});
        }
        find(first_draw_, end_draw_, kind_, [&](std::size_t i) {
            const std::uint32_t layer = scene_.draws()[strips_.strips[i].draw].layer;
            if (layer == open_layer_ || enter(layer)) {
                draw(i);
            }
            return false;
        });
        while (open_layer_ != root_layer_) {
            close();
        }
        return colors_[layers()[root_layer_].color_slot];
    }

private:
    [[nodiscard]] const std::vector<LayerRecord>& layers() const { return scene_.layers(); }
    [[nodiscard]] std::uint32_t distance(std::size_t strip) const {
        return column_ + 1 - (strips_.spans[strip] & span_column);
    }
    /// `kind`: bits of span_kind.
    [[nodiscard]] bool is_in_tile(std::size_t strip, std::uint32_t kind) const {
        const SpanRecord span = strips_.spans[strip];
        return distance(strip) <= (span >> span_gap_shift & span_gap) && (span & span_kind) == kind;
    }
    [[nodiscard]] Coverages coverages_of(std::size_t strip) const {
        const bool is_even_odd = (scene_.draws()[strips_.strips[strip].draw].flags & draw_is_even_odd) != 0;
        return coverages(strips_, strip, distance(strip) != 0, is_even_odd);
    }

    void draw(std::size_t strip) {
        const DrawRecord& draw = scene_.draws()[strips_.strips[strip].draw];
        const Transform transform = transform_of(view_, draw);
        const bool is_effect = (draw.flags & draw_is_effect) != 0;
        Coverages covered = coverages_of(strip);
        if (is_effect && is_parallel(transform)) { // its pixels are transparent outside of the region
            covered.fill(1);
        }
        auto& colors = colors_[layers()[open_layer_].color_slot];
        for (std::uint32_t i = 0; i < tile_pixels; ++i) {
            if (covered[i] != 0) {
                const std::uint32_t column = column_ * tile_width + i % tile_width;
                const std::uint32_t row = row_ * tile_height + i / tile_width;
                const Point at = {static_cast<float>(column) + 0.5F, static_cast<float>(row) + 0.5F};
                const Pixel paint =
                    is_effect ? results_[scene_.paints()[draw.paint].first_stop].color(static_cast<std::int32_t>(column),
                                                                                       static_cast<std::int32_t>(row))
                              : color_at(scene_, draw.paint, transform, at);
                colors[i] = composited(0, colors[i], paint, covered[i]);
            }
        }
    }

    /// Calls `found` with the strips of draws `first_draw` to `end_draw` that reach the tile until it returns true.
    template <class Found>
    bool find(std::uint32_t first_draw, std::uint32_t end_draw, std::uint32_t kind, const Found& found) const {
        const auto all = strips_.strips.begin();
        const RowRecord& row = strips_.rows[row_];
        for (auto strip = std::lower_bound(all + row.first, all + row.end, first_draw,
                                           [](const StripRecord&one, std::uint32_t draw) { return one.draw < draw; });
             strip != all + row.end && strip->draw < end_draw; ++strip) {
            const auto index = static_cast<std::size_t>(strip - all);
            if (is_in_tile(index, kind) && found(index)) {
                return true;
            }
        }
        return false;
    }

    void open(std::uint32_t layer) {
        open_layer_ = layer;
        colors_[layers()[layer].color_slot].fill({});
    }
    void open_masked(std::uint32_t layer, const Coverages& visible) {
        open(layer);
        visible_[layers()[layer].masks - 1] = visible;
    }

    void close() {
        const LayerRecord& layer = layers()[open_layer_];
        auto& colors = colors_[layer.color_slot];
        auto& behind = colors_[layers()[layer.parent].color_slot];
        open_layer_ = layer.parent;
        if (layer.kind != 0) {
            Coverages visible;
            std::transform(colors.begin(), colors.end(), visible.begin(),
                           [&](const Pixel& color) { return luminance_of(layer.kind, color); });
            open_masked(layer.mask, visible);
            return;
        }
        const bool is_masked = layer.mask != 0 || layer.first_clip != layer.end_clip;
        for (std::uint32_t i = 0; i < tile_pixels; ++i) {
            Pixel source = colors[i];
            for (float& component : source) {
                component *= layer.opacity;
            }
            const Pixel backdrop = &colors == &behind ? Pixel{} : behind[i]; // same slot: the parent is empty
            behind[i] = composited(layer.blend, backdrop, source, is_masked ? visible_[layer.masks - 1][i] : 1);
        }
    }

    [[nodiscard]] std::uint32_t ancestor(std::uint32_t layer, std::uint32_t depth) const {
        while (layers()[layer].depth > depth) {
            const std::uint32_t jump = layers()[layer].jump;
            layer = layers()[jump].depth >= depth ? jump : layers()[layer].parent;
        }
        return layer;
    }

    bool draw_clip(const LayerRecord& layer, Coverages& visible) const {
        bool is_visible = false;
        find(layer.first_clip, layer.end_clip, span_of_clip, [&](std::size_t strip) {
            const Coverages covered = coverages_of(strip);
            for (std::uint32_t i = 0; i < tile_pixels; ++i) {
                visible[i] += (1 - visible[i]) * covered[i];
            }
            is_visible = true;
            return false;
        });
        return is_visible;
    }

    /// Opens a child of the innermost open layer. Returns false if it is not visible in the tile.
    bool open_child(std::uint32_t index) {
        const LayerRecord& layer = layers()[index];
        if (layer.kind != 0) {
            const LayerRecord& masked = layers()[layer.mask];
            if (layer.mask == 0 || !find(masked.first_draw, masked.end_draw, kind_, [](std::size_t) { return true; })) {
                return false;
            }
        } else if (layer.mask != 0) { // it would be open if its mask reached the tile
            return false;
        } else if (layer.first_clip != layer.end_clip) {
            Coverages visible{};
            const bool is_visible = draw_clip(layer, visible);
            if (is_visible) {
                open_masked(index, visible);
            }
            return is_visible;
        }
        open(index);
        return true;
    }

    /// Makes `layer` the innermost open layer. Returns false if it is not visible in the tile.
    bool enter(std::uint32_t layer) {
        if (hidden_layer_ != 0 && ancestor(layer, layers()[hidden_layer_].depth) == hidden_layer_) {
            return false;
        }
        while (ancestor(layer, layers()[open_layer_].depth) != open_layer_) {
            close();
        }
        for (std::uint32_t depth = layers()[open_layer_].depth + 1; depth <= layers()[layer].depth; ++depth) {
            const std::uint32_t next = ancestor(layer, depth);
            if (!open_child(next)) {
                hidden_layer_ = next;
                return false;
            }
        }
        return true;
    }

    const Scene& scene_;
    const View& view_;
    const CpuStrips& strips_;
    const std::vector<EffectPicture>& results_;
    std::uint32_t first_draw_ = 0, end_draw_ = ~0U, kind_ = 0, root_layer_ = 0; ///< what is drawn
    std::uint32_t column_ = 0, row_ = 0;
    std::uint32_t open_layer_ = 0, hidden_layer_ = 0;
    std::vector<std::array<Pixel, tile_pixels>> colors_; ///< by color slot
    std::vector<Coverages> visible_;                     ///< by mask slot
};

/// Draws the tiles of a layer with an effect.
void draw_layer(Tile& tile, EffectPicture& to) {
    const PixelRect& bounds = to.bounds;
    constexpr auto across = static_cast<std::int32_t>(tile_width), down = static_cast<std::int32_t>(tile_height);
    for (std::int32_t top = bounds.top; top < bounds.bottom; top += down) {
        for (std::int32_t left = bounds.left; left < bounds.right; left += across) {
            const auto& pixels =
                tile.draw(static_cast<std::uint32_t>(left / across), static_cast<std::uint32_t>(top / down));
            for (std::int32_t i = 0; i < across * down; ++i) {
                to.texels[to.index(left + i % across, top + i / across)] =
                    texel_of(pixels[static_cast<std::size_t>(i)]);
            }
        }
    }
}

} // namespace

std::vector<std::array<float, 4>> cpu_fine(const Scene& scene, const View& view, const CpuStrips& strips) {
    std::vector<Pixel> picture(std::size_t{view.width} * view.height);
    const std::vector<EffectPicture> effects = cpu_effects(
        scene, view, [&](const EffectRecord& effect, const std::vector<EffectPicture>& results, EffectPicture& layer) {
            Tile tile(scene, view, strips, results);
            tile.draw_only(effect);
            draw_layer(tile, layer);
        });
    Tile tile(scene, view, strips, effects);
    for (std::uint32_t row = 0; row < view.rows(); ++row) {
        for (std::uint32_t column = 0; column < view.columns(); ++column) {
            const auto& pixels = tile.draw(column, row);
            const std::uint32_t left = column * tile_width, top = row * tile_height;
            const std::uint32_t width = std::min(tile_width, view.width - left);
            for (std::uint32_t y = 0; y < std::min(tile_height, view.height - top); ++y) {
                std::copy_n(pixels.begin() + y * tile_width, width,
                            picture.begin() + static_cast<std::ptrdiff_t>(std::size_t{top + y} * view.width + left));
            }
        }
    }
    return picture;
}

} // namespace weir::paths
