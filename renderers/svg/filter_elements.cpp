#include <algorithm>
#include <cmath>
#include <numbers>

#include "svg/filters.hpp"

namespace weir::svg {

namespace effect = weir::paths::effect;
using weir::paths::Effect;
using weir::paths::Point;
using weir::paths::Rect;
using weir::paths::Transform;

using Node = pugi::xml_node;

float number_of(const Node& node, const char* name, float usual) {
    Scanner scanner(node.attribute(name).value());
    const auto number = scanner.number();
    return number && scanner.at_end() ? *number : usual;
}

/// Returns one or two numbers; the second one is the first one if it is missing. Returns nullopt for others.
std::optional<Point> pair_of(const Node& node, const char* name) {
    const std::vector<float> numbers = number_list(node.attribute(name).value());
    return numbers.empty() || numbers.size() > 2 ? std::nullopt : std::optional(Point{numbers.front(), numbers.back()});
}

namespace {

weir::paths::Color flood_color(const Style& style) {
    weir::paths::Color color = style.flood_color;
    color.alpha *= style.flood_opacity;
    return color;
}

effect::Offset offset_of(const Node& node, Point scale, float usual) {
    return {number_of(node, "dx", usual) * scale.x, number_of(node, "dy", usual) * scale.y};
}

effect::Blur blur_of(const Node& node, Point scale, float usual) {
    const bool is_given = !node.attribute("stdDeviation").empty();
    const Point read = is_given ? pair_of(node, "stdDeviation").value_or(Point{}) : Point{usual, usual};
    return {std::max(0.0F, read.x * scale.x), std::max(0.0F, read.y * scale.y)};
}

effect::Composite composite_of(const Node& node) {
    effect::Composite composite;
    composite.k = {number_of(node, "k1", 0), number_of(node, "k2", 0), number_of(node, "k3", 0),
                   number_of(node, "k4", 0)};
    const std::string_view name = node.attribute("operator").value();
    for (const auto& [word, kind] : {std::pair{"in", effect::Operator::in},
                                     {"out", effect::Operator::out},
                                     {"atop", effect::Operator::atop},
                                     {"xor", effect::Operator::exclusive},
                                     {"lighter", effect::Operator::lighter},
                                     {"arithmetic", effect::Operator::arithmetic}}) {
        composite.kind = name == word ? kind : composite.kind;
    }
    return composite;
}

effect::ColorMatrix color_matrix_of(const Node& node) {
    const std::string_view type = node.attribute("type").value();
    const std::vector<float> values = number_list(node.attribute("values").value());
    effect::ColorMatrix matrix;
    if (type == "luminanceToAlpha") {
        matrix = effect::ColorMatrix::luminance_to_alpha();
    } else if (type == "saturate" && !values.empty()) {
        matrix = effect::ColorMatrix::saturation(std::clamp(values[0], 0.0F, 1.0F));
    } else if (type == "hueRotate" && !values.empty()) {
        matrix = effect::ColorMatrix::hue_rotation(values[0] * std::numbers::pi_v<float> / 180);
    } else if (type != "saturate" && type != "hueRotate" && values.size() == matrix.values.size()) {
        std::copy(values.begin(), values.end(), matrix.values.begin());
    }
    return matrix;
}

std::optional<effect::Function> function_of(const Node& node) {
    const std::string_view type = node.attribute("type").value();
    if (type == "identity") {
        return effect::Function{};
    }
    if (type == "table" || type == "discrete") {
        return effect::Function{type == "table" ? effect::Curve::table : effect::Curve::discrete,
                                number_list(node.attribute("tableValues").value())};
    }
    if (type == "linear") {
        return effect::Function{effect::Curve::linear, {number_of(node, "slope", 1), number_of(node, "intercept", 0)}};
    }
    if (type == "gamma") {
        return effect::Function{
            effect::Curve::gamma,
            {number_of(node, "amplitude", 1), number_of(node, "exponent", 1), number_of(node, "offset", 0)}};
    }
    return {};
}

effect::Transfer transfer_of(const Node& node) {
    effect::Transfer transfer;
    const std::pair<std::string_view, effect::Function*> functions[] = {{"feFuncR", &transfer.red},
                                                                        {"feFuncG", &transfer.green},
                                                                        {"feFuncB", &transfer.blue},
                                                                        {"feFuncA", &transfer.alpha}};
    for (const Node& child : node.children()) {
        for (const auto& [name, function] : functions) {
            if (name == child.name()) {
                *function = function_of(child).value_or(*function);
            }
        }
    }
    return transfer;
}

effect::Morphology morphology_of(const Node& node, Point scale) {
    Point radius = pair_of(node, "radius").value_or(Point{1, 1});
    radius = radius.x < 0 || radius.y < 0 ? Point{1, 1} : radius;
    // Browsers take 1 for 0.
    return {std::string_view(node.attribute("operator").value()) == "dilate", (radius.x == 0 ? 1 : radius.x) * scale.x,
            (radius.y == 0 ? 1 : radius.y) * scale.y};
}

/// Reads a primitive that is a single step and has no positions. Returns nullopt for others.
std::optional<effect::Work> work_of(const Node& node, const Style& style, Point scale) {
    const std::string_view name = node.name();
    if (name == "feGaussianBlur") {
        return blur_of(node, scale, 0);
    }
    if (name == "feOffset") {
        return offset_of(node, scale, 0);
    }
    if (name == "feFlood") {
        return effect::Flood{flood_color(style)};
    }
    if (name == "feBlend") {
        return effect::Blend{blend_of(node.attribute("mode").value()).value_or(weir::paths::Blend::normal)};
    }
    if (name == "feComposite") {
        return composite_of(node);
    }
    if (name == "feColorMatrix") {
        return color_matrix_of(node);
    }
    if (name == "feComponentTransfer") {
        return transfer_of(node);
    }
    if (name == "feMerge") {
        return node.child("feMergeNode") ? effect::Work(effect::Merge{}) : effect::Work(effect::Flood{{0, 0, 0, 0}});
    }
    if (name == "feMorphology") {
        return morphology_of(node, scale);
    }
    if (name == "feTile") {
        return effect::Tile{};
    }
    if (name == "feTurbulence") {
        return turbulence_of(node);
    }
    if (name == "feDisplacementMap") {
        return displacement_of(node, scale);
    }
    if (name == "feConvolveMatrix") {
        return convolution_of(node);
    }
    return {};
}

} // namespace

FilterReader::Input FilterReader::input_of(const Node& node, const char* attribute) const {
    const std::string_view name = trimmed(node.attribute(attribute).value());
    if (name == "SourceAlpha") {
        return effect::source_alpha;
    }
    // Other sources are not available. As in resvg, they are the picture of the element.
    for (const char* source : {"SourceGraphic", "BackgroundImage", "BackgroundAlpha", "FillPaint", "StrokePaint"}) {
        if (name == source) {
            return effect::source;
        }
    }
    const auto found = std::find_if(primitives_.rbegin(), primitives_.rend(),
                                    [&](const Primitive& one) { return !name.empty() && one.result == name; });
    return found != primitives_.rend() ? found->input : primitives_.empty() ? effect::source : primitives_.back().input;
}

std::vector<FilterReader::Input> FilterReader::inputs_of(const Node& primitive) const {
    const std::string_view name = primitive.name();
    std::vector<Input> inputs;
    if (name == "feMerge") {
        for (const Node& child : primitive.children("feMergeNode")) {
            inputs.push_back(input_of(child, "in"));
        }
    } else if (name != "feFlood" && name != "feImage" && name != "feTurbulence") {
        inputs.push_back(input_of(primitive, "in"));
    }
    if (name == "feBlend" || name == "feComposite" || name == "feDisplacementMap") {
        inputs.push_back(input_of(primitive, "in2"));
    }
    return inputs;
}

std::optional<Rect> FilterReader::area_of(const Node& primitive, const Units& units, const Rect& region) const {
    const std::string_view name = primitive.name();
    const auto get = [&](const char* attribute, Along along) -> std::optional<float> {
        Scanner scanner(primitive.attribute(attribute).value());
        const auto read = scanner.length();
        if (!read || !scanner.at_end()) {
            return {};
        }
        if (!units.is_box) {
            return Reader::pixels(*read, place_, place_.style, along);
        }
        const float part = read->unit == Length::Unit::percent ? read->value / 100 : read->value;
        return part * (along == Along::width ? units.scale.x : units.scale.y);
    };
    // In units of the bounding box, floods and images have its size. Otherwise the size is that of the filter.
    const Rect usual = units.is_box && (name == "feFlood" || name == "feImage") ? *box_ : region;
    const auto x = get("x", Along::width), y = get("y", Along::height);
    const float left = x ? *x + (units.is_box ? box_->left : 0) : usual.left;
    const float top = y ? *y + (units.is_box ? box_->top : 0) : usual.top;
    const float width = get("width", Along::width).value_or(usual.right - usual.left);
    const float height = get("height", Along::height).value_or(usual.bottom - usual.top);
    return width > 0 && height > 0 ? std::optional(Rect{left, top, left + width, top + height}) : std::nullopt;
}

std::optional<effect::Work> FilterReader::image(const Node& primitive, const Style& style, const Rect& area) const {
    constexpr float most_pixels = 1 << 24;
    const Node target = reader_.linked(primitive);
    Reader::Image* const image = target ? nullptr : &reader_.image_of(primitive);
    // A bitmap with the pixels of the picture, of which the area is a part.
    Transform to_pixels = Transform::scaling(reader_.scale_, reader_.scale_) * place_.transform;
    Rect reach = bounds_of(to_pixels, area);
    if (const float size = (reach.right - reach.left) * (reach.bottom - reach.top); size > most_pixels) {
        const float factor = std::sqrt(most_pixels / size);
        to_pixels = Transform::scaling(factor, factor) * to_pixels;
        reach = bounds_of(to_pixels, area);
    }
    const float left = std::floor(reach.left), top = std::floor(reach.top);
    const float width = std::ceil(reach.right) - left, height = std::ceil(reach.bottom) - top;
    to_pixels = Transform::translation(-left, -top) * to_pixels;
    // Elements with images of elements would take exponential time.
    const bool is_readable = target ? !reader_.is_in_fe_image_ : image->width > 0 && image->height > 0;
    if (!is_readable || !(width <= weir::paths::max_bitmap_size && height <= weir::paths::max_bitmap_size)) {
        reader_.warn("feImage");
        return {};
    }
    Reader::Place place = place_;
    place.transform = to_pixels * Transform::translation(area.left, area.top);
    if (to_pixels.yx == 0 && to_pixels.xy == 0 && to_pixels.xx > 0 && to_pixels.yy > 0) {
        place.transform.dx = place.transform.dy = 0; // as in resvg, an image begins at a whole pixel
    }
    const auto bitmap = reader_.drawn(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), [&] {
        if (target) {
            place.style = reader_.style_in_document(target.parent());
            reader_.is_in_fe_image_ = true;
            reader_.draw(target, place);
            reader_.is_in_fe_image_ = false;
        } else {
            reader_.draw_image(*image, area.right - area.left, area.bottom - area.top,
                               primitive.attribute("preserveAspectRatio").value(), style, place.transform);
        }
    });
    return effect::Paint{reader_.drawing_.scene.add_paint({.bitmap = bitmap}), to_pixels.inverse()};
}

std::optional<effect::Work> FilterReader::work(const Node& primitive, const Style& style, const Units& units,
                                               const Rect& area) const {
    const std::string_view name = primitive.name();
    if (name == "feImage") {
        return image(primitive, style, area).value_or(effect::Flood{{0, 0, 0, 0}});
    }
    if (name == "feDiffuseLighting" || name == "feSpecularLighting") {
        return lighting_of(primitive, style, units.origin, units.scale);
    }
    return work_of(primitive, style, units.scale);
}

void FilterReader::add(Effect& effect, const Node& primitive, const Style& style, const Units& units,
                       const Rect& area) {
    const std::string_view name = primitive.name();
    std::vector<Input> inputs = inputs_of(primitive);
    Input result;
    if (name == "feDropShadow") {
        result =
            effect.add_drop_shadow(inputs[0], blur_of(primitive, units.scale, 2), offset_of(primitive, units.scale, 2),
                                   flood_color(style), area, style.is_linear_filter);
    } else if (name == "feConvolveMatrix" && has_large_matrix(primitive)) {
        reader_.warn(std::string(name));
        result = inputs[0];
    } else if (const auto read = work(primitive, style, units, area)) {
        // As in resvg, feOffset has no region of its own unless it is given.
        const bool has_area = name != "feOffset" || primitive.attribute("x") || primitive.attribute("y") ||
                              primitive.attribute("width") || primitive.attribute("height");
        result = effect.add(
            {*read, std::move(inputs), has_area ? std::optional(area) : std::nullopt, style.is_linear_filter});
    } else {
        return; // not a primitive
    }
    primitives_.push_back({primitive.attribute("result").value(), result});
}

std::optional<Effect> FilterReader::element(const Node& filter) {
    const Reader::Server attributes = reader_.server(filter);
    const auto has_elements = [](const Node& node) {
        return std::any_of(node.begin(), node.end(),
                           [](const Node& child) { return child.type() == pugi::node_element; });
    };
    // The first one with primitives; attributes may be those of others.
    const auto owner = std::find_if(attributes.chain.begin(), attributes.chain.end(), [&](const Node& one) {
        return std::string_view(one.name()) != "filter" || has_elements(one);
    });
    if (owner == attributes.chain.end() || std::string_view(owner->name()) != "filter") {
        return {};
    }
    const bool in_user_space = std::string_view(attributes.attribute("filterUnits")) == "userSpaceOnUse";
    Units units{.is_box = std::string_view(attributes.attribute("primitiveUnits")) == "objectBoundingBox"};
    if ((!in_user_space || units.is_box) && !box_) {
        return {};
    }
    const auto region = reader_.effect_region(attributes, in_user_space, box_.value_or(Rect{}), place_);
    if (!region) {
        return {};
    }
    if (units.is_box) {
        units.origin = {box_->left, box_->top};
        units.scale = {box_->right - box_->left, box_->bottom - box_->top};
    }
    Effect effect{.region = *region, .transform = place_.transform};
    const Style style = reader_.style_in_document(*owner);
    primitives_.clear();
    for (const Node& child : owner->children()) {
        if (child.type() == pugi::node_element) {
            const auto area = area_of(child, units, *region);
            if (!area) { // resvg ignores all others
                break;
            }
            add(effect, child, reader_.style_at(child, style), units, *area);
        }
    }
    if (primitives_.empty()) {
        return {};
    }
    if (const Input result = primitives_.back().input; result.index + 1 != effect.steps.size()) {
        effect.add({effect::Merge{}, {result}}); // the last primitive is not drawn
    }
    return effect;
}

} // namespace weir::svg
