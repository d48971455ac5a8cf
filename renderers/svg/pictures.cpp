#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>
#include <utility>

#include "svg/images.hpp"
#include "svg/reader.hpp"
#include "svg/xml.hpp"

namespace weir::svg {

using weir::paths::Color;
using weir::paths::LinearGradient;
using weir::paths::Path;

namespace {

constexpr std::uint32_t most_samples = 512; // maximum size of an image, in each direction
constexpr std::uint32_t piece = 32;         // pixels per gradient; limits the search for a stop

} // namespace

const Reader::Image* Reader::image_of(const Node& node) {
    const auto [found, is_new] = images_.try_emplace(node);
    Image& image = found->second;
    if (is_new) {
        std::string_view link = node.attribute("href").value();
        link = link.empty() ? node.attribute("xlink:href").value() : link;
        auto bytes = data_of_url(link);
        if (!bytes && !folder_.empty()) {
            bytes = data_of_file(link, folder_);
        }
        if (const auto raster = bytes ? read_raster(*bytes) : std::nullopt) {
            image.width = static_cast<float>(raster->width);
            image.height = static_cast<float>(raster->height);
            image.raster = reduced(*raster, most_samples);
            spread_colors(image.raster);
        } else if (bytes && !is_image_) { // an image may be an SVG document, but not within another image
            image.document = std::make_unique<pugi::xml_document>();
            image.reader = std::make_unique<Reader>(*image.document, drawing_);
            image.reader->is_image_ = true;
            if (load_xml(*bytes, "image", *image.document) && image.reader->prepare("image")) {
                image.width = image.reader->width_;
                image.height = image.reader->height_;
            }
        }
    }
    return image.width > 0 && image.height > 0 ? &image : nullptr;
}

void Reader::draw_image(const Node& node, const Style& style, const Place& place) {
    const Image* image = image_of(node);
    if (image == nullptr) {
        warn("image");
        return;
    }
    const auto get = [&](const char* name, Along along) { return length(node, name, place, style, along); };
    auto width = get("width", Along::width), height = get("height", Along::height);
    if ((width && !(*width > 0)) || (height && !(*height > 0))) {
        return;
    }
    if (!width) {
        width = height ? *height * image->width / image->height : image->width;
    }
    height = height ? height : std::optional(*width * image->height / image->width);

    const std::string box = "0 0 " + std::to_string(image->width) + " " + std::to_string(image->height);
    const Transform corner = place.transform * Transform::translation(get("x", Along::width).value_or(0.0F),
                                                                      get("y", Along::height).value_or(0.0F));
    const ViewBox view{box.c_str(), node.attribute("preserveAspectRatio").value()};
    const Transform to = corner * view_box(view, *width, *height, nullptr, nullptr).value_or(Transform{});
    const auto clipped = [&](float right, float bottom, const Transform& transform, const auto& content) {
        Path region;
        region.add_rect(0, 0, right, bottom);
        drawing_.scene.push_clip(drawing_.scene.add_outline(region), transform);
        ++layers_;
        content();
        drawing_.scene.pop_layer();
        --layers_;
    };
    const auto draw_content = [&] {
        clipped(image->width, image->height, to, [&] {
            if (!image->reader) {
                draw_raster(image->raster, style.is_pixelated,
                            to * Transform::scaling(image->width / static_cast<float>(image->raster.width),
                                                    image->height / static_cast<float>(image->raster.height)));
                return;
            }
            Reader& inner = *image->reader;
            inner.elements_ = elements_;
            inner.segments_ = segments_;
            inner.layers_ = layers_;
            inner.draw_root(to);
            elements_ = inner.elements_;
            segments_ = inner.segments_;
            error_ = error_ ? error_ : inner.error_;
            for (const auto& [what, count] : std::exchange(inner.not_drawn_, {})) {
                not_drawn_[what] += count;
            }
        });
    };
    if (std::string_view(view.ratio).find("slice") != std::string_view::npos) {
        clipped(*width, *height, corner, draw_content);
    } else {
        draw_content();
    }
}

/// Draws an image. Scenes have no image paint, so each row of pixels becomes a few linear gradients with one stop per
/// pixel, and rows in between are interpolated. Each piece extends one pixel of the picture to the right and below,
/// where the next pieces are drawn over it, so that no seams appear.
void Reader::draw_raster(const Raster& image, bool is_pixelated, const Transform& to) {
    const float across = std::hypot(to.xx, to.yx),
                down = std::hypot(to.xy, to.yy); // pixels of the picture per pixel of the image
    const float more = std::clamp(2 / std::min(across, down), 0.125F, 16.0F); // pixels of the image
    const std::uint32_t most_steps = std::clamp(1024 / image.height, 1U, 8U);
    const std::uint32_t steps =
        is_pixelated ? 1 : static_cast<std::uint32_t>(std::clamp(4 * down, 1.0F, static_cast<float>(most_steps)));
    const auto color_at = [&](std::uint32_t x, float y, bool is_alpha) {
        const float from = std::clamp(y - 0.5F, 0.0F, static_cast<float>(image.height - 1));
        const auto row = static_cast<std::uint32_t>(is_pixelated ? y : from);
        const float part = is_pixelated ? 0 : from - static_cast<float>(row);
        const auto component = [&](std::uint32_t c) {
            const auto one = [&](std::uint32_t v) {
                return static_cast<float>(
                           image.pixels[(std::size_t{std::min(v, image.height - 1)} * image.width + x) * 4 + c]) /
                       255;
            };
            return one(row) * (1 - part) + one(row + 1) * part;
        };
        const float alpha = is_alpha ? component(3) : 0;
        return is_alpha ? Color{alpha, alpha, alpha, 1} : Color{component(0), component(1), component(2), 1};
    };
    const auto draw_pieces = [&](bool is_alpha) {
        const float step = 1 / static_cast<float>(steps);
        const auto width = static_cast<float>(image.width), height = static_cast<float>(image.height);
        for (std::uint32_t row = 0; row < image.height * steps; ++row) {
            const float y = static_cast<float>(row) * step;
            for (std::uint32_t first = 0; first < image.width && may_draw(4); first += piece) {
                const std::uint32_t last = std::min(first + piece, image.width);
                LinearGradient colors;
                colors.start = {static_cast<float>(first) - 1, 0};
                colors.end = {static_cast<float>(last) + more + 1, 0};
                const auto add = [&](float x, const Color& color) {
                    colors.stops.push_back({(x - colors.start.x) / (colors.end.x - colors.start.x), color});
                };
                // include the neighbors, for interpolation
                const std::uint32_t end = std::min(last + 1 + static_cast<std::uint32_t>(more), image.width);
                for (std::uint32_t x = first == 0 ? 0 : first - 1; x < end; ++x) {
                    const Color color = color_at(x, y + step / 2, is_alpha);
                    const auto left = static_cast<float>(x);
                    if (is_pixelated) {
                        add(left, color);
                        add(left + 1, color);
                    } else {
                        add(left + 0.5F, color);
                    }
                }
                Path area;
                const float left = first == 0 ? -1 : static_cast<float>(first), top = row == 0 ? -1 : y;
                const float right = last == image.width ? width + 1 : static_cast<float>(last) + more;
                area.add_rect(left, top, right - left, std::min(y + step + more, height + 1) - top);
                drawing_.scene.fill(drawing_.scene.add_outline(area), drawing_.scene.add_paint(colors), to);
            }
        }
    };
    const bool is_masked = !image.is_opaque();
    if (is_masked) {
        drawing_.scene.begin_mask(weir::paths::Mask::luminance);
        draw_pieces(true);
        drawing_.scene.end_mask();
        drawing_.scene.push_layer();
    }
    draw_pieces(false);
    if (is_masked) {
        drawing_.scene.pop_layer();
    }
}

} // namespace weir::svg
