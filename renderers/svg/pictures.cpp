#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>
#include <utility>

#include "svg/images.hpp"
#include "svg/reader.hpp"
#include "svg/xml.hpp"

namespace weir::svg {

using weir::paths::BitmapId;
using weir::paths::OutlineId;
using weir::paths::Path;
using weir::paths::Point;
using weir::paths::Rect;

Reader::Image& Reader::image_of(const Node& node) {
    const auto [found, is_new] = images_.try_emplace(node);
    Image& image = found->second;
    if (is_new) {
        std::string_view link = node.attribute("href").value();
        link = link.empty() ? node.attribute("xlink:href").value() : link;
        auto bytes = data_of_url(link);
        if (!bytes && !folder_.empty()) {
            bytes = data_of_file(link, folder_);
        }
        image.format = bytes ? unreadable_format(*bytes) : std::string_view();
        if (auto raster = bytes ? read_raster(*bytes) : std::nullopt) {
            image.width = static_cast<float>(raster->width);
            image.height = static_cast<float>(raster->height);
            image.raster = std::move(*raster);
        } else if (bytes && !is_image_) { // an image may be an SVG document, but not within another image
            image.document = std::make_unique<pugi::xml_document>();
            image.reader = std::make_unique<Reader>(*image.document, drawing_);
            image.reader->is_image_ = true;
            image.reader->draws_text_ = draws_text_;
            if (load_xml(*bytes, "image", *image.document) && image.reader->prepare("image")) {
                image.width = image.reader->width_;
                image.height = image.reader->height_;
            }
        }
    }
    return image;
}

void Reader::draw_image(const Node& node, const Style& style, const Place& place) {
    Image& image = image_of(node);
    if (!(image.width > 0 && image.height > 0)) {
        warn(image.format.empty() ? "image" : "image (" + image.format + ")");
        return;
    }
    const auto get = [&](const char* name, Along along) { return length(node, name, place, style, along); };
    auto width = get("width", Along::width), height = get("height", Along::height);
    if ((width && !(*width > 0)) || (height && !(*height > 0))) {
        return;
    }
    if (!width) {
        width = height ? *height * image.width / image.height : image.width;
    }
    height = height ? height : std::optional(*width * image.height / image.width);

    draw_image(image, *width, *height, node.attribute("preserveAspectRatio").value(), style,
               place.transform * Transform::translation(get("x", Along::width).value_or(0.0F),
                                                        get("y", Along::height).value_or(0.0F)));
}

void Reader::draw_image(Image& image, float width, float height, const char* ratio, const Style& style,
                        const Transform& transform) {
    const std::string box = "0 0 " + std::to_string(image.width) + " " + std::to_string(image.height);
    const ViewBox view{box.c_str(), ratio};
    const Transform to_viewport = view_box(view, width, height, nullptr, nullptr).value_or(Transform{});
    // Part of the image in the viewport.
    const Transform from_viewport = to_viewport.inverse();
    const Point first = from_viewport({0, 0}), last = from_viewport({width, height});
    const bool is_slice = std::string_view(view.ratio).find("slice") != std::string_view::npos;
    const Rect part = is_slice ? Rect{std::max(first.x, 0.0F), std::max(first.y, 0.0F), std::min(last.x, image.width),
                                      std::min(last.y, image.height)}
                               : Rect{0, 0, image.width, image.height};
    Path region;
    region.add_rect(part.left, part.top, part.right - part.left, part.bottom - part.top);
    const OutlineId outline = drawing_.scene.add_outline(region);
    const Transform to = transform * to_viewport;
    if (!image.reader) {
        drawing_.scene.fill(outline,
                            drawing_.scene.add_paint({.bitmap = bitmap_of(image), .filter = style.image_filter}), to);
    } else {
        drawing_.scene.push_clip(outline, to);
        draw_document(image, to);
        drawing_.scene.pop_layer();
    }
}

BitmapId Reader::bitmap_of(Image& image) {
    const auto [found, is_new] = image.bitmaps.try_emplace(scene_);
    if (is_new) {
        const Raster& raster = image.raster;
        found->second = drawing_.scene.add_bitmap({raster.width, raster.height, raster.pixels});
    }
    return found->second;
}

void Reader::draw_document(Image& image, const Transform& to) {
    Reader& inner = *image.reader;
    inner.elements_ = elements_;
    inner.segments_ = segments_;
    inner.scene_ = scene_;
    inner.scenes_ = scenes_;
    inner.scale_ = scale_;
    inner.draw_root(to);
    scenes_ = inner.scenes_;
    elements_ = inner.elements_;
    segments_ = inner.segments_;
    error_ = error_ ? error_ : inner.error_;
    for (const auto& [what, count] : std::exchange(inner.not_drawn_, {})) {
        not_drawn_[what] += count;
    }
}

} // namespace weir::svg
