#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>
#include <utility>

#include <weir/paths/cpu.hpp>

#include "coverage.hpp"
#include "effects.hpp"
#include "flatten.hpp"
#include "paint.hpp"
#include "parallel.hpp"

namespace weir::paths {

namespace {

/// Composites `source` over `backdrop`. A function of this file, because most pixels need no other.
Pixel over(const Pixel& backdrop, const Pixel& source) {
    Pixel color;
    for (int i = 0; i < 4; ++i) {
        color[i] = backdrop[i] * (1 - source[3]) + source[i];
    }
    return color;
}

Pixel scaled(Pixel color, float factor) {
    for (float& component : color) {
        component *= factor;
    }
    return color;
}

Pixel added(const Pixel& a, const Pixel& b) {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]};
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

/// The draws of a picture: that of the view, or that of a layer with an effect.
struct PictureDraws {
    std::uint32_t first_draw = 0, end_draw = ~0U;
    std::uint32_t kind = 0;  ///< bits of span_kind
    std::uint32_t layer = 0; ///< outermost layer
};

/// A picture and the data from which it is drawn.
struct Drawing {
    const Scene& scene;
    const SampleView& view;
    const CpuStrips& strips;
    const std::vector<EffectPicture>& results; ///< results of effects of layers in the picture
    PictureDraws draws;
};

Pixel background_of(const View& view) {
    const Color& back = view.background;
    return {back.red * back.alpha, back.green * back.alpha, back.blue * back.alpha, back.alpha};
}

/// The pixels of a tile, with their colors in the open layers. See shaders/layers.glsl and clips.glsl.
class Tile {
public:
    explicit Tile(const Drawing& drawing)
        : scene_(drawing.scene), view_(drawing.view), strips_(drawing.strips), results_(drawing.results),
          draws_(drawing.draws), colors_(scene_.color_slots()), visible_(scene_.mask_slots()) {
        background_.fill(background_of(view_));
    }

    /// Draws a tile. `strips`: indices of those that reach it, without clips. Returns its pixels, valid until the
    /// next call.
    std::array<Pixel, tile_pixels>& draw(std::uint32_t column, std::uint32_t row,
                                         std::span<const std::uint32_t> strips) {
        column_ = column;
        row_ = row;
        open(draws_.layer);
        hidden_layer_ = 0;
        if (draws_.layer == 0) {
            colors_[0] = background_;
        }
        for (const std::uint32_t strip : strips) {
            const std::uint32_t layer = scene_.draws()[strips_.strips[strip].draw].layer;
            if (layer == open_layer_ || enter(layer)) {
                draw(strip);
            }
        }
        while (open_layer_ != draws_.layer) {
            close();
        }
        return colors_[layers()[draws_.layer].color_slot];
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
        return coverages(strips_, strip, distance(strip) != 0, is_even_odd, view_.across);
    }

    void draw(std::size_t strip) {
        const DrawRecord& draw = scene_.draws()[strips_.strips[strip].draw];
        Coverages covered = coverages_of(strip);
        auto& colors = colors_[layers()[open_layer_].color_slot];
        const bool is_plain = (draw.flags & draw_has_gradient) == 0;
        const bool is_effect = (draw.flags & draw_is_effect) != 0;
        const Transform transform = is_plain ? Transform{} : transform_of(view_, draw);
        if (is_effect && is_parallel(transform)) { // its pixels are transparent outside of the region
            covered.fill(1);
        }
        for (std::uint32_t i = 0; i < tile_pixels; ++i) {
            if (covered[i] == 0) {
                continue;
            }
            if (is_plain) {
                colors[i] = over(colors[i], scaled(draw.color, covered[i]));
                continue;
            }
            const std::uint32_t column = column_ * tile_width + i % tile_width;
            const std::uint32_t row = row_ * tile_height + i / tile_width;
            const Point at = {static_cast<float>(column) + 0.5F, static_cast<float>(row) + 0.5F};
            const Pixel paint = is_effect ? results_[scene_.paints()[draw.paint].first_stop].color(
                                                static_cast<std::int32_t>(column), static_cast<std::int32_t>(row))
                                          : color_at(scene_, draw.paint, transform, at);
            colors[i] = over(colors[i], scaled(paint, covered[i]));
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
            const Pixel source = scaled(colors[i], layer.opacity);
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
            if (layer.mask == 0 ||
                !find(masked.first_draw, masked.end_draw, draws_.kind, [](std::size_t) { return true; })) {
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
    const SampleView& view_;
    const CpuStrips& strips_;
    const std::vector<EffectPicture>& results_;
    PictureDraws draws_;
    std::uint32_t column_ = 0, row_ = 0;
    std::uint32_t open_layer_ = 0, hidden_layer_ = 0;
    std::vector<std::array<Pixel, tile_pixels>> colors_; ///< by color slot
    std::vector<Coverages> visible_;                     ///< by mask slot
    std::array<Pixel, tile_pixels> background_;
};

/// Edges of a rectangle of tiles.
struct TileRect {
    std::uint32_t left = 0, top = 0, right = 0, bottom = 0;
};

/// Finds the strips that are visible in each tile of a row, in painter's order, without those of clips.
void find_strips(const Drawing& drawing, const TileRect& rect, std::uint32_t row,
                 std::vector<std::vector<std::uint32_t>>& tiles) {
    for (std::vector<std::uint32_t>& tile : tiles) {
        tile.clear();
    }
    const CpuStrips& strips = drawing.strips;
    const PictureDraws& draws = drawing.draws;
    for (std::uint32_t i = strips.rows[row].first; i < strips.rows[row].end; ++i) {
        const SpanRecord span = strips.spans[i];
        const std::uint32_t draw = strips.strips[i].draw;
        if ((span & span_kind) != draws.kind || draw < draws.first_draw || draw >= draws.end_draw) {
            continue;
        }
        const std::uint32_t place = span & span_column; // the first tile of the gap
        const std::uint32_t end = std::min(place + (span >> span_gap_shift & span_gap), rect.right);
        for (std::uint32_t column = std::max(std::max(place, 1U) - 1, rect.left); column < end; ++column) {
            std::vector<std::uint32_t>& tile = tiles[column - rect.left];
            if (column >= place && (span & span_is_opaque) != 0) { // earlier strips are hidden
                tile.clear();
            }
            tile.push_back(i);
        }
    }
}

/// Draws tiles. Calls `store` with the column and the row of a tile and its pixels.
template <class Store>
void draw_tiles(const Drawing& drawing, const TileRect& rect, const CpuOptions& options, const Store& store) {
    const std::uint32_t columns = rect.right - rect.left, rows = rect.bottom - rect.top;
    const std::uint64_t work = drawing.strips.strips.size() + std::uint64_t{rows} * columns;
    run_parallel(threads_of(options, work), rows, [&](const auto& next_row) {
        Tile tile(drawing);
        std::vector<std::vector<std::uint32_t>> strips_of_tiles(columns);
        for (std::uint32_t taken = 0; next_row(taken);) {
            const std::uint32_t row = rect.top + taken;
            find_strips(drawing, rect, row, strips_of_tiles);
            for (std::uint32_t i = 0; i < columns; ++i) {
                store(rect.left + i, row, tile.draw(rect.left + i, row, strips_of_tiles[i]),
                      strips_of_tiles[i].empty());
            }
        }
    });
}

/// Draws the pictures of layers with effects, and computes the results.
std::vector<EffectPicture> draw_effects(const Scene& scene, const SampleView& view, const CpuStrips& strips,
                                        const CpuOptions& options) {
    return cpu_effects(
        scene, view, [&](const EffectRecord& effect, const std::vector<EffectPicture>& results, EffectPicture& layer) {
            const PixelBounds& bounds = layer.bounds;
            if (bounds.left >= bounds.right || bounds.top >= bounds.bottom) {
                return;
            }
            const PictureDraws draws{effect.first_draw, effect.end_draw, effect.depth << draw_effect_shift,
                                     effect.layer};
            const auto tiles = [](std::int32_t pixels, std::uint32_t size) {
                return static_cast<std::uint32_t>(pixels) / size;
            };
            const TileRect rect = {tiles(bounds.left, tile_width), tiles(bounds.top, tile_height),
                                   tiles(bounds.right, tile_width), tiles(bounds.bottom, tile_height)};
            draw_tiles(
                {scene, view, strips, results, draws}, rect, options,
                [&](std::uint32_t column, std::uint32_t row, const std::array<Pixel, tile_pixels>& pixels, bool) {
                    const auto left = static_cast<std::int32_t>(column * tile_width),
                               top = static_cast<std::int32_t>(row * tile_height);
                    for (std::uint32_t y = 0; y < tile_height; ++y) {
                        std::transform(pixels.begin() + y * tile_width, pixels.begin() + (y + 1) * tile_width,
                                       layer.texels.begin() + static_cast<std::ptrdiff_t>(layer.index(
                                                                  left, top + static_cast<std::int32_t>(y))),
                                       texel_of);
                    }
                });
        });
}

/// Replaces the samples of a tile by the pixels of the picture, with rows of `tile_width` / `across` pixels.
void average(std::array<Pixel, tile_pixels>& samples, std::uint32_t across) {
    const std::uint32_t columns = tile_width / across;
    const float part = 1 / static_cast<float>(across * across);
    for (std::uint32_t i = 0; i < tile_pixels / (across * across); ++i) {
        const std::uint32_t first = i / columns * across * tile_width + i % columns * across;
        Pixel sum = {};
        for (std::uint32_t n = 0; n < across * across; ++n) {
            sum = added(sum, samples[first + n / across * tile_width + n % across]);
        }
        samples[i] = scaled(sum, part); // at or before its first sample
    }
}

/// Draws the picture. Calls `store` with the index of a pixel in the picture, a color and a number of pixels.
template <class Store>
void draw_picture(const Scene& scene, const View& picture, const CpuStrips& strips, const CpuOptions& options,
                  const Store& store) {
    const SampleView view = samples_of(picture);
    const std::uint32_t tile_columns = tile_width / view.across, tile_rows = tile_height / view.across; // in pixels
    const std::uint32_t first_column = picture.margin / tile_columns, first_row = picture.margin / tile_rows;
    const TileRect tiles = {first_column, first_row, first_column + (picture.width + tile_columns - 1) / tile_columns,
                            first_row + (picture.height + tile_rows - 1) / tile_rows};
    const std::vector<EffectPicture> results = draw_effects(scene, view, strips, options);
    draw_tiles({scene, view, strips, results, {}}, tiles, options,
               [&](std::uint32_t column, std::uint32_t row, std::array<Pixel, tile_pixels>& pixels, bool is_empty) {
                   if (view.across != 1 && !is_empty) {
                       average(pixels, view.across);
                   }
                   const std::uint32_t left = (column - first_column) * tile_columns;
                   const std::uint32_t top = (row - first_row) * tile_rows;
                   const std::uint32_t width = std::min(tile_columns, picture.width - left);
                   for (std::uint32_t y = 0; y < std::min(tile_rows, picture.height - top); ++y) {
                       store(std::size_t{top + y} * picture.width + left, &pixels[std::size_t{y} * tile_columns], width,
                             is_empty);
                   }
               });
}

/// Converts up to a row of a tile's pixels to 8 bits per component. Loops over whole rows, one operation each, which
/// compilers turn into vector instructions. A row is in memory also where `count` is less.
void pack(const Pixel* pixels, std::uint32_t count, std::uint32_t* to) {
    std::array<float, 4 * std::size_t{tile_width}> values;
    std::memcpy(values.data(), pixels, sizeof values);
    for (float& value : values) {
        value = value < 0 ? 0 : value;
    }
    for (float& value : values) {
        value = 1 < value ? 1 : value;
    }
    for (float& value : values) {
        value = 255 * value + 0.5F;
    }
    // Truncates: std::lround is a call per value.
    std::array<std::int32_t, values.size()> nearest;
    for (std::size_t i = 0; i < values.size(); ++i) {
        nearest[i] = static_cast<std::int32_t>(values[i]);
    }
    std::array<std::uint8_t, values.size()> bytes;
    for (std::size_t i = 0; i < values.size(); ++i) {
        bytes[i] = static_cast<std::uint8_t>(nearest[i]);
    }
    std::memcpy(to, bytes.data(), sizeof(std::uint32_t) * count);
}

} // namespace

std::vector<std::array<float, 4>> cpu_fine(const Scene& scene, const View& view, const CpuStrips& strips,
                                           const CpuOptions& options) {
    std::vector<Pixel> picture(std::size_t{view.width} * view.height);
    draw_picture(scene, view, strips, options, [&](std::size_t at, const Pixel* pixels, std::uint32_t count, bool) {
        std::copy_n(pixels, count, picture.begin() + static_cast<std::ptrdiff_t>(at));
    });
    return picture;
}

std::vector<std::uint32_t> cpu_pixels(const Scene& scene, const View& view, const CpuStrips& strips,
                                      const CpuOptions& options) {
    std::vector<std::uint32_t> picture(std::size_t{view.width} * view.height);
    std::array<Pixel, tile_width> row;
    row.fill(background_of(view));
    std::uint32_t background = 0;
    pack(row.data(), 1, &background);
    draw_picture(scene, view, strips, options,
                 [&](std::size_t at, const Pixel* pixels, std::uint32_t count, bool is_empty) {
                     if (is_empty) {
                         std::fill_n(picture.begin() + static_cast<std::ptrdiff_t>(at), count, background);
                     } else {
                         pack(pixels, count, &picture[at]);
                     }
                 });
    return picture;
}

} // namespace weir::paths
