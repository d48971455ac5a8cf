#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include <weir/paths/cpu.hpp>

#include "svg/reader.hpp"

namespace weir::svg {

using weir::paths::BitmapId;
using weir::paths::OutlineId;
using weir::paths::PaintId;
using weir::paths::Path;
using weir::paths::Rect;
using weir::paths::Spread;
using weir::paths::Transform;

namespace {

// A tile has two pixels per pixel of the picture, so that a shift by a part of a pixel does not blur it; a large one
// has fewer.
constexpr float tile_scale = 2, most_tile_pixels = 1 << 20;
// Number of large tiles that are drawn one by one, with all their details.
constexpr float few_tiles = 16;

std::uint32_t to_pixels(float length) {
    return static_cast<std::uint32_t>(std::clamp(std::round(length), 1.0F, most_tile_pixels / 64));
}

/// Returns the range of the tiles that are reached along one axis, at least one. A box that extends beyond a tile by an
/// error of rounding does not reach the next one.
std::pair<float, float> range_of(float from, float to, float first, float size) {
    constexpr float tolerance = 1e-5F;
    const float begin = std::floor((from - first) / size + tolerance), end = std::ceil((to - first) / size - tolerance);
    return {begin, std::max(end, begin + 1)};
}

} // namespace

std::optional<Reader::Pattern> Reader::pattern_of(const Node& node, const Rect& box, const Place& place) {
    const Server attributes = server(node);
    const auto owner = std::find_if(attributes.chain.begin(), attributes.chain.end(), [](const Node& one) {
        return std::any_of(one.begin(), one.end(),
                           [](const Node& child) { return child.type() == pugi::node_element; });
    });
    if (owner == attributes.chain.end() || is_entered(*owner)) {
        return {};
    }
    const bool in_user_space = std::string_view(attributes.attribute("patternUnits")) == "userSpaceOnUse";
    const bool content_in_box = std::string_view(attributes.attribute("patternContentUnits")) == "objectBoundingBox";
    const auto get = [&](const char* name, Along along) {
        Scanner scanner(attributes.attribute(name));
        const Length read = scanner.length().value_or(Length{});
        if (in_user_space) {
            return pixels(read, place, place.style, along);
        }
        const float whole = along == Along::width ? box.right - box.left : box.bottom - box.top;
        return (read.unit == Length::Unit::percent ? read.value / 100 : read.value) * whole;
    };
    const auto transform = server_transform(attributes.attribute("patternTransform"));
    Pattern pattern{.owner = *owner,
                    .x = get("x", Along::width) + (in_user_space ? 0 : box.left),
                    .y = get("y", Along::height) + (in_user_space ? 0 : box.top),
                    .width = get("width", Along::width),
                    .height = get("height", Along::height),
                    .transform = transform.value_or(Transform{}),
                    .to_tile = {},
                    .inner = place};
    if (!(pattern.width > 0 && pattern.height > 0) || !transform) {
        return {};
    }
    if (const char* origin = attributes.attribute("transform-origin"); *origin != 0) {
        pattern.transform = about(pattern.transform, origin, place, place.style,
                                  in_user_space ? Rect{0, 0, place.width, place.height} : box);
    }
    pattern.inner.style = style_in_document(*owner);
    pattern.inner.context.reset();
    const ViewBox view{attributes.attribute("viewBox"), attributes.attribute("preserveAspectRatio")};
    if (const auto viewed =
            view_box(view, pattern.width, pattern.height, &pattern.inner.width, &pattern.inner.height)) {
        pattern.to_tile = *viewed;
    } else if (content_in_box) {
        pattern.to_tile = Transform::scaling(box.right - box.left, box.bottom - box.top);
    }
    return pattern;
}

Reader::Pattern Reader::snapped_to_pixels(const Pattern& pattern, const Transform& in_picture, float width,
                                          float height) {
    const float across = width < 1 ? 1 : std::round(width) / width, down = height < 1 ? 1 : std::round(height) / height;
    Pattern snapped = pattern;
    snapped.width *= across;
    snapped.height *= down;
    if (!is_tile_clipped(pattern)) { // contents that end at the edge of the tile must do so again
        snapped.to_tile = Transform::scaling(across, down) * snapped.to_tile;
    }
    if (in_picture.yx == 0 && in_picture.xy == 0 && width > 0 && height > 0) {
        const weir::paths::Point corner = in_picture({pattern.x, pattern.y});
        snapped.x += (std::ceil(corner.x - 0.5F) - corner.x) / in_picture.xx;
        snapped.y += (std::ceil(corner.y - 0.5F) - corner.y) / in_picture.yy;
    }
    return snapped;
}

std::optional<PaintId> Reader::pattern_paint(const Pattern& pattern, float opacity, const Place& place,
                                             const Transform& to_draw, const std::function<void()>& cover,
                                             const Rect& painted) {
    if (!enter(pattern.owner)) {
        return {};
    }
    const Rect reached = bounds_of(pattern.transform.inverse(), painted);
    Rect tiles; // range of tiles
    std::tie(tiles.left, tiles.right) = range_of(reached.left, reached.right, pattern.x, pattern.width);
    std::tie(tiles.top, tiles.bottom) = range_of(reached.top, reached.bottom, pattern.y, pattern.height);
    const float count = (tiles.right - tiles.left) * (tiles.bottom - tiles.top);
    // Pixels of a tile in the picture.
    const Transform in_picture = Transform::scaling(scale_, scale_) * place.transform * pattern.transform;
    const float width = pattern.width * std::hypot(in_picture.xx, in_picture.yx);
    const float height = pattern.height * std::hypot(in_picture.xy, in_picture.yy);
    std::optional<PaintId> paint;
    if (count <= 1 || (count <= few_tiles && width * height > most_tile_pixels)) {
        drawing_.scene.begin_mask(weir::paths::Mask::alpha);
        cover();
        drawing_.scene.end_mask();
        drawing_.scene.push_layer({.opacity = opacity});
        draw_tiles(pattern, place, tiles);
        drawing_.scene.pop_layer();
    } else if (std::isfinite(width * height)) {
        const Pattern snapped = snapped_to_pixels(pattern, in_picture, width, height);
        const float scale = std::min(tile_scale, std::sqrt(most_tile_pixels / (width * height)));
        const std::uint32_t columns = to_pixels(width * scale * snapped.width / pattern.width);
        const std::uint32_t rows = to_pixels(height * scale * snapped.height / pattern.height);
        const Transform from_bitmap =
            Transform::scaling(snapped.width / static_cast<float>(columns), snapped.height / static_cast<float>(rows));
        paint = drawing_.scene.add_paint({.bitmap = bitmap_of(snapped, columns, rows),
                                          .across = Spread::repeat,
                                          .down = Spread::repeat,
                                          .transform = to_draw * snapped.corner(0, 0) * from_bitmap,
                                          .opacity = opacity});
    }
    leave();
    return paint;
}

bool Reader::is_tile_clipped(const Pattern& pattern) {
    const std::vector<Node> entered = std::exchange(entered_, {});
    Path content;
    bool has_other = false; // anything except fills
    for (const Node& child : pattern.owner.children()) {
        if (child.type() == pugi::node_element) {
            const Place& inner = pattern.inner;
            add_geometry(child, inner, pattern.to_tile * transform_at(child, inner, inner.style), content);
            has_other = has_other || style_at(child, inner.style).stroke.kind != PaintValue::Kind::none ||
                        !shape(child, inner, inner.style);
        }
    }
    entered_ = entered;
    const Rect reach = content.bounds();
    const float tolerance = 1e-4F * (pattern.width + pattern.height);
    return has_other || reach.left < -tolerance || reach.top < -tolerance || reach.right > pattern.width + tolerance ||
           reach.bottom > pattern.height + tolerance;
}

void Reader::draw_tiles(const Pattern& pattern, const Place& place, const Rect& tiles) {
    Path tile;
    tile.add_rect(0, 0, pattern.width, pattern.height);
    const OutlineId outline = drawing_.scene.add_outline(tile);
    const bool is_clipped = is_tile_clipped(pattern);
    Place inner = pattern.inner;
    const auto columns = static_cast<int>(tiles.right - tiles.left), rows = static_cast<int>(tiles.bottom - tiles.top);
    for (int row = 0; row < rows && !error_; ++row) {
        for (int column = 0; column < columns && !error_; ++column) {
            const Transform corner = place.transform * pattern.corner(tiles.left + static_cast<float>(column),
                                                                      tiles.top + static_cast<float>(row));
            inner.transform = corner * pattern.to_tile;
            if (is_clipped) {
                drawing_.scene.push_clip(outline, corner);
            }
            draw_children(pattern.owner, inner);
            if (is_clipped) {
                drawing_.scene.pop_layer();
            }
        }
    }
}

BitmapId Reader::bitmap_of(const Pattern& pattern, std::uint32_t width, std::uint32_t height) {
    Place inner = pattern.inner;
    inner.transform =
        Transform::scaling(static_cast<float>(width) / pattern.width, static_cast<float>(height) / pattern.height) *
        pattern.to_tile;
    const Transform& m = inner.transform;
    const std::vector<float> key = {static_cast<float>(scene_),
                                    static_cast<float>(width),
                                    static_cast<float>(height),
                                    m.xx,
                                    m.yx,
                                    m.xy,
                                    m.yy,
                                    m.dx,
                                    m.dy,
                                    inner.width,
                                    inner.height};
    if (const auto found = tiles_.find({pattern.owner, key}); found != tiles_.end()) {
        return found->second;
    }
    const BitmapId bitmap = drawn(width, height, [&] { draw_children(pattern.owner, inner); });
    tiles_.emplace(std::pair(pattern.owner, key), bitmap);
    return bitmap;
}

BitmapId Reader::drawn(std::uint32_t width, std::uint32_t height, const std::function<void()>& content) {
    // Draws into a scene of its own.
    weir::paths::Scene outside = std::exchange(drawing_.scene, {});
    const std::uint32_t scene = std::exchange(scene_, scenes_++);
    const float scale = std::exchange(scale_, 1.0F);
    content();
    const weir::paths::Scene tile = std::exchange(drawing_.scene, std::move(outside));
    scene_ = scene;
    scale_ = scale;
    std::vector<std::uint32_t> pixels;
    if (!error_) {
        const weir::paths::View view{.width = width, .height = height};
        pixels = weir::paths::cpu_pixels(tile, view, weir::paths::cpu_strips(tile, view));
    }
    return drawing_.scene.add_bitmap({width, height, pixels, true});
}

} // namespace weir::svg
