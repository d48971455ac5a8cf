#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <weir/paths/scene.hpp>

namespace weir::paths {

namespace {

std::uint32_t component(std::uint32_t pixel, int c) {
    return pixel >> 8 * c & 0xFF;
}

std::uint32_t premultiplied(std::uint32_t pixel) {
    const std::uint32_t alpha = component(pixel, 3);
    std::uint32_t result = alpha << 24;
    for (int c = 0; c < 3; ++c) {
        result |= (component(pixel, c) * alpha + 127) / 255 << 8 * c;
    }
    return result;
}

/// Part of a row or column of pixels that one pixel of the next mipmap covers. Two or three of them, because sizes are
/// rounded down.
struct Covered {
    std::uint32_t first = 0, count = 0;
    std::array<std::uint32_t, 3> weights = {}; ///< in 1 / (size of the next mipmap)
};

Covered covered(std::uint32_t i, std::uint32_t from, std::uint32_t to) {
    const std::uint64_t start = std::uint64_t{i} * from, end = start + from; // in 1 / `to` pixels
    Covered result{.first = static_cast<std::uint32_t>(start / to)};
    for (std::uint64_t at = start; at < end; ++result.count) {
        const std::uint64_t next = std::min(end, (at / to + 1) * to);
        result.weights[result.count] = static_cast<std::uint32_t>(next - at);
        at = next;
    }
    return result;
}

/// Appends the mean colors of the pixels from `first` on.
void append_half(std::vector<std::uint32_t>& texels, std::size_t first, std::uint32_t width, std::uint32_t height) {
    const std::uint32_t to_width = std::max(1U, width / 2), to_height = std::max(1U, height / 2);
    std::vector<Covered> columns;
    for (std::uint32_t x = 0; x < to_width; ++x) {
        columns.push_back(covered(x, width, to_width));
    }
    const std::uint64_t all = std::uint64_t{width} * height;
    for (std::uint32_t y = 0; y < to_height; ++y) {
        const Covered rows = covered(y, height, to_height);
        for (const Covered& column : columns) {
            std::array<std::uint64_t, 4> sums = {};
            for (std::uint32_t v = 0; v < rows.count; ++v) {
                const std::uint32_t* row = &texels[first + std::size_t{rows.first + v} * width + column.first];
                for (std::uint32_t u = 0; u < column.count; ++u) {
                    const std::uint64_t weight = std::uint64_t{rows.weights[v]} * column.weights[u];
                    for (int c = 0; c < 4; ++c) {
                        sums[c] += weight * component(row[u], c);
                    }
                }
            }
            std::uint32_t mean = 0;
            for (int c = 0; c < 4; ++c) {
                mean |= static_cast<std::uint32_t>((sums[c] + all / 2) / all) << 8 * c;
            }
            texels.push_back(mean);
        }
    }
}

} // namespace

const std::vector<std::uint32_t>& Scene::texels() const {
    static const std::vector<std::uint32_t> none;
    return texels_ ? *texels_ : none;
}

BitmapId Scene::add_bitmap(const Bitmap& bitmap) {
    const BitmapId id{static_cast<std::uint32_t>(bitmaps_.size())};
    const std::uint32_t width = bitmap.width, height = bitmap.height;
    if (std::max(width, height) > max_bitmap_size || bitmap.pixels.empty() ||
        bitmap.pixels.size() != std::uint64_t{width} * height || texels().size() + 2 * bitmap.pixels.size() > ~0U) {
        bitmaps_.push_back({});
        return id;
    }
    if (texels_.use_count() != 1) { // none, or a copy of the scene uses them
        texels_ = std::make_shared<std::vector<std::uint32_t>>(texels());
    }
    std::size_t first = texels_->size();
    bitmaps_.push_back({static_cast<std::uint32_t>(first), width | height << 16,
                        std::all_of(bitmap.pixels.begin(), bitmap.pixels.end(),
                                    [](std::uint32_t pixel) { return component(pixel, 3) == 255; })});
    for (const std::uint32_t pixel : bitmap.pixels) {
        texels_->push_back(bitmap.is_premultiplied ? pixel : premultiplied(pixel));
    }
    for (std::uint32_t w = width, h = height; w > 1 || h > 1; w = std::max(1U, w / 2), h = std::max(1U, h / 2)) {
        append_half(*texels_, first, w, h);
        first += std::size_t{w} * h;
    }
    return id;
}

PaintId Scene::add_paint(const ImagePaint& paint) {
    const StoredBitmap& bitmap = bitmaps_[paint.bitmap.index];
    const Transform& m = paint.transform;
    PaintRecord record;
    if (bitmap.size != 0 && m.xx * m.yy != m.xy * m.yx) { // without an inverse, the image has no area
        record.kind = 3;
        record.spread = static_cast<std::uint32_t>(paint.across) | static_cast<std::uint32_t>(paint.down) << 2 |
                        (paint.filter != Filter::nearest ? image_is_linear : 0) |
                        (paint.filter == Filter::cubic ? image_is_cubic : 0) | (bitmap.is_opaque ? image_is_opaque : 0);
        record.first_stop = bitmap.first_texel;
        record.stops = bitmap.size;
        record.color[3] = paint.opacity;
        record.transform = m.inverse();
    }
    paints_.push_back(record);
    return {static_cast<std::uint32_t>(paints_.size()) - 1};
}

} // namespace weir::paths
