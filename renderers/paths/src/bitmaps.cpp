#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <weir/paths/scene.hpp>

#include "external_images.hpp"

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

/// Appends all mipmaps of the image at the end.
void append_mipmaps(std::vector<std::uint32_t>& texels, std::uint32_t width, std::uint32_t height) {
    std::size_t first = texels.size() - std::size_t{width} * height;
    while (width > 1 || height > 1) {
        append_half(texels, first, width, height);
        first += std::size_t{width} * height;
        width = std::max(1U, width / 2);
        height = std::max(1U, height / 2);
    }
}

const std::vector<std::uint32_t> no_texels;

} // namespace

const std::vector<std::uint32_t>& Scene::texels() const {
    return texels_ ? *texels_ : no_texels;
}

const std::vector<std::uint32_t>& Scene::external_texels() const {
    return external_texels_ ? *external_texels_ : no_texels;
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
    bitmaps_.push_back({static_cast<std::uint32_t>(texels_->size()), width | height << 16,
                        std::all_of(bitmap.pixels.begin(), bitmap.pixels.end(),
                                    [](std::uint32_t pixel) { return component(pixel, 3) == 255; })});
    for (const std::uint32_t pixel : bitmap.pixels) {
        texels_->push_back(bitmap.is_premultiplied ? pixel : premultiplied(pixel));
    }
    append_mipmaps(*texels_, width, height);
    return id;
}

std::uint64_t texels_of(const ExternalImage& image) {
    std::uint32_t width = image.width, height = image.height;
    std::uint64_t texels = std::uint64_t{width} * height;
    while (width > 1 || height > 1) {
        width = std::max(1U, width / 2);
        height = std::max(1U, height / 2);
        texels += std::uint64_t{width} * height;
    }
    return (texels + 63) / 64 * 64;
}

std::uint64_t texels_of(std::span<const ExternalImage> images) {
    std::uint64_t texels = 0;
    for (const ExternalImage& image : images) {
        texels += texels_of(image);
    }
    return texels;
}

BitmapId Scene::add_external_image(const ExternalImage& image) {
    const BitmapId id{static_cast<std::uint32_t>(bitmaps_.size())};
    const std::uint64_t first = texels_of(external_images_), end = first + texels_of(image);
    if (image.width == 0 || image.height == 0 || std::max(image.width, image.height) > max_bitmap_size || end > ~0U) {
        bitmaps_.push_back({});
        return id;
    }
    bitmaps_.push_back({static_cast<std::uint32_t>(first), image.width | image.height << 16, image.is_opaque, true});
    external_images_.push_back(image);
    features_ |= scene_has_external_images;
    if (external_texels_) {
        auto texels = std::make_shared<std::vector<std::uint32_t>>(*external_texels_);
        texels->resize(end);
        external_texels_ = std::move(texels);
    }
    return id;
}

void Scene::set_external_pixels(std::uint32_t image, const Bitmap& pixels) {
    const std::span<const ExternalImage> images = external_images_;
    if (image >= images.size() || images[image].width != pixels.width || images[image].height != pixels.height ||
        pixels.pixels.size() != std::size_t{pixels.width} * pixels.height) {
        return;
    }
    std::vector<std::uint32_t> stored;
    for (const std::uint32_t pixel : pixels.pixels) {
        stored.push_back(images[image].is_opaque   ? pixel | 0xFF000000
                         : pixels.is_premultiplied ? pixel
                                                   : premultiplied(pixel));
    }
    append_mipmaps(stored, pixels.width, pixels.height);
    auto texels = std::make_shared<std::vector<std::uint32_t>>(external_texels());
    texels->resize(texels_of(images));
    std::copy(stored.begin(), stored.end(),
              texels->begin() + static_cast<std::ptrdiff_t>(texels_of(images.first(image))));
    external_texels_ = std::move(texels);
}

PaintId Scene::add_paint(const ImagePaint& paint) {
    const StoredBitmap& bitmap = bitmaps_[paint.bitmap.index];
    const Transform& m = paint.transform;
    PaintRecord record;
    if (bitmap.size != 0 && m.xx * m.yy != m.xy * m.yx) { // without an inverse, the image has no area
        record.kind = 3;
        record.spread = static_cast<std::uint32_t>(paint.across) | static_cast<std::uint32_t>(paint.down) << 2 |
                        (paint.filter != Filter::nearest ? image_is_linear : 0) |
                        (paint.filter == Filter::cubic ? image_is_cubic : 0) |
                        (bitmap.is_opaque ? image_is_opaque : 0) | (bitmap.is_external ? image_is_external : 0);
        record.first_stop = bitmap.first_texel;
        record.stops = bitmap.size;
        record.color[3] = paint.opacity;
        record.transform = m.inverse();
    }
    paints_.push_back(record);
    return {static_cast<std::uint32_t>(paints_.size()) - 1};
}

} // namespace weir::paths
