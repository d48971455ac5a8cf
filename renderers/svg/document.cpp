#include <weir/svg/document.hpp>

#include "svg/reader.hpp"
#include "svg/xml.hpp"

namespace weir::svg {

void Reader::draw_root(const Transform& transform) {
    const Node root = document_.document_element();
    const Style style = style_at(root, initial_);
    Place place{.transform = transform, .style = style, .width = width_, .height = height_};
    if (!style.is_displayed || !is_for_us(root) || !enter(root)) {
        return;
    }
    if (style.background.alpha > 0) {
        weir::paths::Path all;
        all.add_rect(0, 0, width_, height_);
        drawing_.scene.fill(drawing_.scene.add_outline(all), drawing_.scene.add_paint(style.background), transform);
    }
    place.transform = transform * transform_at(root, place, style);
    draw_in_layers(root, style, place, [&] { draw_svg(root, place, true, width_, height_); });
    leave();
}

void Reader::draw_only_element() {
    const Node node = find(only_element_);
    const PaintValue color{PaintValue::Kind::color, initial_.color};
    Place place{.style = style_in_document(node.parent()), .context = ContextPaint{color, color}};
    const std::vector<float> box = number_list(document_.document_element().attribute("viewBox").value());
    if (box.size() == 4) {
        place.transform = Transform::translation(-box[0], -box[1]);
    }
    if (node == document_.document_element()) {
        place.style = style_in_document(node);
        draw_children(node, place);
    } else {
        draw(node, place);
    }
}

weir::Result<> Reader::read(const ReadOptions& options) {
    only_element_ = options.element;
    draws_text_ = only_element_.empty();
    initial_.color = options.color;
    if (auto prepared = prepare(options.name); !prepared) {
        return prepared;
    }
    scale_ = options.scale_of ? options.scale_of(width_, height_) : 1;
    drawing_.width = width_;
    drawing_.height = height_;
    if (only_element_.empty()) {
        draw_root({});
    } else {
        draw_only_element();
    }
    if (error_) {
        return tl::unexpected(weir::Error{error_->code, options.name + ": " + error_->message});
    }
    for (const auto& [what, count] : not_drawn_) {
        drawing_.not_drawn.push_back({what, count});
    }
    return {};
}

Result<Drawing> read(std::string_view bytes, const ReadOptions& options) {
    pugi::xml_document document;
    if (auto loaded = load_xml(bytes, options.name, document); !loaded) {
        return tl::unexpected(std::move(loaded).error());
    }
    Drawing drawing;
    std::error_code error; // if set, images in files are not found
    const auto folder = options.folder.empty() ? options.folder : std::filesystem::absolute(options.folder, error);
    if (auto done = Reader(document, drawing, folder).read(options); !done) {
        return tl::unexpected(std::move(done).error());
    }
    return drawing;
}

} // namespace weir::svg
