#include "svg/reader.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string_view>

#include "svg/unsupported.hpp"

namespace weir::svg {

namespace {

constexpr std::size_t most_elements = 1000000, most_segments = 50000000;
constexpr std::size_t deepest = 600; // nested elements; each takes 1.5 kB of the stack, and threads may have 1 MB

/// Removes the prefix from SVG elements. Renames elements of other namespaces to a name that no SVG element has.
void resolve_namespaces(pugi::xml_node node, std::map<std::string, bool, std::less<>> prefixes) {
    for (const pugi::xml_attribute& attribute : node.attributes()) {
        const std::string_view name = attribute.name();
        if (name == "xmlns" || name.starts_with("xmlns:")) {
            const std::string prefix(name == "xmlns" ? std::string_view() : name.substr(6));
            prefixes[prefix] = std::string_view(attribute.value()) == "http://www.w3.org/2000/svg";
        }
    }
    const std::string name = node.name();
    const std::size_t colon = name.find(':');
    const auto found = prefixes.find(colon == std::string::npos ? std::string() : name.substr(0, colon));
    if (found != prefixes.end() && !found->second) {
        node.set_name("other");
    } else if (colon != std::string::npos && found != prefixes.end()) {
        node.set_name(name.substr(colon + 1).c_str());
    }
    for (const pugi::xml_node& child : node.children()) {
        if (child.type() == pugi::node_element) {
            resolve_namespaces(child, prefixes);
        }
    }
}

/// Returns the custom properties of an element: those that it declares, and those of its parent.
std::shared_ptr<const Properties> custom_properties(const Properties& css, std::shared_ptr<const Properties> parent) {
    const auto first = css.lower_bound("--"), last = css.lower_bound("-.");
    if (first == last) {
        return parent;
    }
    Properties own(first, last);
    if (parent) {
        own.insert(parent->begin(), parent->end());
    }
    return std::make_shared<const Properties>(std::move(own));
}

/// Returns true if the attribute sets a property of the same name.
bool is_property(std::string_view name) {
    return name != "style" && name != "class" && name != "id" && name != "d" && name != "transform" &&
           name != "mix-blend-mode" && name != "isolation"; // the last two only in CSS
}

weir::Error too_deep() {
    return {weir::ErrorCode::limit_exceeded, "elements are nested more than " + std::to_string(deepest) + " deep"};
}

} // namespace

void Reader::warn(const std::string& what) {
    ++not_drawn_[what];
}

void Reader::warn_of_unsupported() {
    std::vector<std::string> found = sheet_.skipped();
    struct Walker : pugi::xml_tree_walker {
        std::vector<std::string>* found = nullptr;
        bool for_each(pugi::xml_node& node) override {
            if (node.type() == pugi::node_element) {
                find_unsupported(node, *found);
            } else if (node.type() == pugi::node_pi && std::string_view(node.name()) == "xml-stylesheet") {
                found->emplace_back(node.name());
            }
            return true;
        }
    } walker;
    walker.found = &found;
    const_cast<pugi::xml_document&>(document_).traverse(walker);
    for (const std::string& what : found) {
        warn(what);
    }
}

bool Reader::is_entered(const Node& node) const {
    return std::find(entered_.begin(), entered_.end(), node) != entered_.end();
}

bool Reader::enter(const Node& node) {
    if (is_entered(node)) {
        return false;
    }
    if (entered_.size() >= deepest) {
        error_ = too_deep();
        return false;
    }
    entered_.push_back(node);
    return true;
}

bool Reader::may_draw(std::size_t segments) {
    segments_ += segments;
    if (!error_ && (++elements_ > most_elements || segments_ > most_segments)) {
        error_ = weir::Error{weir::ErrorCode::limit_exceeded, "it draws more than " + std::to_string(most_elements) +
                                                                  " shapes or " + std::to_string(most_segments) +
                                                                  " lines and curves"};
    }
    return !error_;
}

Reader::Node Reader::find(std::string_view id) const {
    const auto found = ids_.find(id);
    return found == ids_.end() ? Node() : found->second;
}

Reader::Node Reader::linked(const Node& node) const {
    std::string_view link = node.attribute("href").value();
    if (link.empty()) {
        link = node.attribute("xlink:href").value();
    }
    link = trimmed(link);
    return link.starts_with('#') ? find(link.substr(1)) : Node();
}

const Properties& Reader::css_of(const Node& node) const {
    if (node != css_node_) {
        Properties important;
        css_.clear();
        sheet_.apply(node, css_, important);
        add_declarations(node.attribute("style").value(), css_, important);
        for (const auto& [name, value] : important) {
            css_[name] = value;
        }
        css_node_ = node;
    }
    return css_;
}

Style Reader::style_at(const Node& node, const Style& parent) const {
    const Properties& css = css_of(node);
    Properties properties = css;
    for (const pugi::xml_attribute& attribute : node.attributes()) {
        if (is_property(attribute.name())) {
            properties.emplace(attribute.name(), trimmed(attribute.value()));
        }
    }
    const auto custom = custom_properties(css, parent.custom);
    for (auto one = properties.begin(); one != properties.end();) {
        const bool is_variable = one->second.find("var(") != std::string::npos;
        const auto value = is_variable ? substituted(one->second, custom ? *custom : Properties{}) : std::nullopt;
        if (value) {
            one->second = *value;
        }
        one = is_variable && (!value || !is_value(one->first, *value)) ? properties.erase(one) : std::next(one);
    }
    Style style = style_of(properties, parent);
    style.custom = custom;
    for (const auto& [name, value] : css) {
        if (const auto found = properties.find(name); is_geometry(name) && found != properties.end()) {
            style.geometry.emplace(name, found->second);
        }
    }
    return style;
}

Style Reader::style_in_document(const Node& node) const {
    std::vector<Node> nodes;
    for (Node next = node; next && next.type() == pugi::node_element; next = next.parent()) {
        nodes.push_back(next);
    }
    Style style = initial_;
    for (auto next = nodes.rbegin(); next != nodes.rend(); ++next) {
        style = style_at(*next, style);
    }
    return style;
}

Reader::ContextPaint Reader::context_of(const Style& style, const Place& place,
                                        const std::optional<weir::paths::Rect>& box) {
    ContextPaint context{style.fill, style.stroke};
    for (PaintValue* paint : {&context.fill, &context.stroke}) {
        paint->is_current = false; // the color of this element, not of the one that is painted
        if (paint->kind == PaintValue::Kind::server && !paint->space) {
            paint->space = std::make_shared<const PaintSpace>(
                PaintSpace{place.transform, box.value_or(weir::paths::Rect{0, 0, 0, 0})});
        }
    }
    return context;
}

void Reader::use_context(Style& style, const Place& place) {
    for (PaintValue* paint : {&style.fill, &style.stroke}) {
        if (place.context && paint->kind == PaintValue::Kind::context_fill) {
            *paint = place.context->fill;
        } else if (place.context && paint->kind == PaintValue::Kind::context_stroke) {
            *paint = place.context->stroke;
        }
    }
}

void Reader::draw_children(const Node& node, const Place& place) {
    for (const Node& child : node.children()) {
        if (child.type() == pugi::node_element) {
            draw(child, place);
        }
    }
}

void Reader::draw(const Node& node, const Place& place) {
    const std::string_view name = node.name();
    if (error_ || !is_for_us(node)) {
        return;
    }
    if (name == "foreignObject") {
        warn(std::string(name));
        return;
    }
    // Large objects are not on the stack, because elements may be nested deeply.
    const auto inner_place = std::make_unique<Place>(place);
    Place& inner = *inner_place;
    Style& style = inner.style;
    style = style_at(node, place.style);
    if (!style.is_displayed || !enter(node)) {
        return;
    }
    use_context(style, place);
    inner.transform = place.transform * transform_at(node, place, style);
    if (name == "use") { // clip path and mask are in the space of `use` too
        inner.transform = inner.transform * use_translation(node, place, style);
    }
    if (const auto path = shape(node, place, style)) {
        if (!path->empty() && may_draw(path->points().size())) {
            draw_in_layers(node, style, inner, [&] { draw_shape(node, *path, style, inner); });
        }
    } else if (name == "g" || name == "a") {
        if (!place.is_clip) {
            draw_in_layers(node, style, inner, [&] { draw_children(node, inner); });
        }
    } else if (name == "svg") {
        if (!place.is_clip) {
            draw_in_layers(node, style, inner, [&] { draw_svg(node, inner, false); });
        }
    } else if (name == "image") {
        if (!place.is_clip && style.is_visible) {
            draw_in_layers(node, style, inner, [&] { draw_image(node, style, inner); });
        }
    } else if (name == "text" && draws_text_) {
        draw_in_layers(node, style, inner, [&] { draw_text(node, style, inner); });
    } else if (name == "use") {
        draw_in_layers(node, style, inner, [&] { draw_use(node, inner); });
    } else if (name == "switch") {
        if (!place.is_clip) {
            draw_in_layers(node, style, inner, [&] { draw_switch(node, inner); });
        }
    }
    leave();
}

void Reader::draw_svg(const Node& node, const Place& place, bool is_root, std::optional<float> width,
                      std::optional<float> height) {
    const auto get = [&](const char* name, Along along) { return length(node, name, place, place.style, along); };
    const float x = is_root ? 0 : get("x", Along::width).value_or(0.0F);
    const float y = is_root ? 0 : get("y", Along::height).value_or(0.0F);
    if (!width) {
        width = get("width", Along::width).value_or(place.width);
    }
    if (!height) {
        height = get("height", Along::height).value_or(place.height);
    }
    if (!(*width > 0 && *height > 0)) {
        return;
    }
    const auto inner_place = std::make_unique<Place>(place);
    Place& inner = *inner_place;
    inner.width = *width;
    inner.height = *height;
    inner.transform = place.transform * Transform::translation(x, y);
    const Transform outside = inner.transform;
    if (const auto box = view_box(node, *width, *height, &inner.width, &inner.height)) {
        inner.transform = inner.transform * *box;
    }
    const std::string& overflow = place.style.overflow;
    const bool is_clipped = !is_root && overflow != "visible" && overflow != "auto";
    if (is_clipped) {
        weir::paths::Path region;
        region.add_rect(0, 0, *width, *height);
        drawing_.scene.push_clip(drawing_.scene.add_outline(region), outside);
    }
    draw_children(node, inner);
    if (is_clipped) {
        drawing_.scene.pop_layer();
    }
}

void Reader::draw_use(const Node& node, const Place& place) {
    const Node target = linked(node);
    if (!target || !may_draw(0)) { // counted, because uses of uses grow exponentially
        return;
    }
    const auto get = [&](const char* name, Along along) { return length(node, name, place, place.style, along); };
    const auto inner_place = std::make_unique<Place>(place);
    Place& inner = *inner_place;
    const bool has_server =
        place.style.fill.kind == PaintValue::Kind::server || place.style.stroke.kind == PaintValue::Kind::server;
    inner.context = context_of(place.style, place, has_server ? box_of(node, place) : std::nullopt);
    const std::string_view name = target.name();
    if (place.is_clip && name != "text" && !shape(target, place, place.style)) {
        return; // a clip path may use shapes and text only
    }
    if (name != "symbol" && name != "svg") {
        draw(target, inner);
        return;
    }
    const auto style_of_target = std::make_unique<Style>(style_at(target, inner.style));
    const Style& style = *style_of_target;
    // A symbol is never displayed at its own place, and always displayed where it is used.
    if ((!style.is_displayed && name != "symbol") || !is_for_us(target) || !enter(target)) {
        return;
    }
    inner.transform = inner.transform * transform_at(target, inner, style);
    inner.style = style;
    const auto width = get("width", Along::width), height = get("height", Along::height);
    draw_in_layers(target, style, inner, [&] {
        draw_svg(target, inner, false, name == "symbol" && !width ? std::optional(place.width) : width,
                 name == "symbol" && !height ? std::optional(place.height) : height);
    });
    leave();
}

void Reader::draw_in_layers(const Node& node, const Style& style, const Place& place,
                            const std::function<void()>& content) {
    const auto named = [&](const std::string& id, std::string_view element) { // ignored within itself
        const Node found = id.empty() ? Node() : find(id);
        return found && found.name() == element && !is_entered(found) ? found : Node();
    };
    const Node clip = named(style.clip_path, "clipPath"), mask = place.is_clip ? Node() : named(style.mask, "mask");
    weir::paths::Layer layer{style.opacity, style.blend, style.composite};
    if (place.is_clip) {
        layer = {};
    }
    std::vector<weir::paths::EffectId> effects; // in the order in which they apply
    if (!style.filter.empty() && !place.is_clip) {
        auto added = effects_of(node, style, place);
        if (!added) {
            return;
        }
        effects = std::move(*added);
    }
    std::size_t pushed = 0;
    bool is_seen = true;
    if (mask) {
        is_seen = begin_mask(mask, node, place);
        if (is_seen) {
            drawing_.scene.push_layer(layer);
            ++pushed;
        }
    }
    if (is_seen && clip) {
        push_clip(clip, node, place, pushed == 0 ? layer : weir::paths::Layer{});
        ++pushed;
    }
    if (pushed == 0 && (layer.opacity < 1 || layer.blend != weir::paths::Blend::normal ||
                        layer.composite != weir::paths::Composite::src_over || style.is_isolated)) {
        drawing_.scene.push_layer(layer);
        ++pushed;
    }
    if (is_seen) {
        std::for_each(effects.rbegin(), effects.rend(),
                      [&](weir::paths::EffectId effect) { drawing_.scene.push_layer({.effect = effect}); });
        pushed += effects.size();
        content();
    }
    for (; pushed != 0; --pushed) {
        drawing_.scene.pop_layer();
    }
}

weir::Result<> Reader::prepare(const std::string& name) {
    const auto fail = [&](const std::string& why) {
        return tl::unexpected(weir::Error{weir::ErrorCode::io, name + ": " + why});
    };
    std::size_t depth = 0;
    struct Walker : pugi::xml_tree_walker {
        std::function<void(const Node&, int)> visit;
        bool for_each(pugi::xml_node& node) override {
            visit(node, depth());
            return true;
        }
    } walker;
    walker.visit = [&](const Node& node, int level) {
        depth = std::max(depth, static_cast<std::size_t>(level) + (node.type() == pugi::node_element ? 1 : 0));
        if (const pugi::xml_attribute id = node.attribute("id")) {
            ids_.emplace(id.value(), node);
        }
        const std::string_view type = node.attribute("type").value();
        if (std::string_view(node.name()) == "style" && (type.empty() || type == "text/css")) {
            for (const Node& text : node.children()) {
                sheet_.add(text.value());
            }
        }
    };
    const_cast<pugi::xml_document&>(document_).traverse(walker);
    if (depth > deepest) {
        return fail(too_deep().message);
    }

    const Node root = document_.document_element();
    resolve_namespaces(root, {});
    if (std::string_view(root.name()) != "svg") {
        return fail("it is not an SVG document: its root element is '" + std::string(root.name()) + "'");
    }
    warn_of_unsupported();
    if (!only_element_.empty()) {
        return find(only_element_) ? weir::Result<>() : fail("it has no element with the id '" + only_element_ + "'");
    }
    Place place;
    const Style style = style_at(root, initial_);
    const std::vector<float> box = number_list(root.attribute("viewBox").value());
    const bool has_box = box.size() == 4 && box[2] > 0 && box[3] > 0;
    place.width = has_box ? box[2] : 100;
    place.height = has_box ? box[3] : 100;
    auto width = length(root, "width", place, style, Along::width);
    auto height = length(root, "height", place, style, Along::height);
    if ((width && !(*width > 0)) || (height && !(*height > 0))) {
        return fail("its width or its height is not positive");
    }
    if (has_box && width && !height) {
        height = *width * box[3] / box[2];
    } else if (has_box && height && !width) {
        width = *height * box[2] / box[3];
    }
    if (!has_box) { // percentages have nothing to refer to
        const auto is_percentage = [&](const char* name) {
            return trimmed(geometry(root, name, style)).ends_with('%');
        };
        width = is_percentage("width") ? std::nullopt : width;
        height = is_percentage("height") ? std::nullopt : height;
    }
    if (!has_box && (!width || !height)) { // use the bounds of the contents
        place.style = style;
        if (const auto bounds = box_of(root, place)) {
            width = width ? width : std::optional(bounds->right);
            height = height ? height : std::optional(bounds->bottom);
        }
    }
    width_ = width.value_or(place.width);
    height_ = height.value_or(place.height);
    if (!(width_ > 0 && height_ > 0 && std::isfinite(width_) && std::isfinite(height_))) {
        return fail("it has no size, and its contents have none");
    }
    return {};
}

} // namespace weir::svg
