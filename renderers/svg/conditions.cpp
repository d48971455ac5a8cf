#include <algorithm>
#include <string_view>

#include "svg/reader.hpp"

namespace weir::svg {

bool Reader::is_for_us(const Node& node) {
    if (node.attribute("requiredExtensions")) { // no extensions are supported, so the attribute never holds
        return false;
    }
    // Features of static pictures.
    constexpr std::string_view features[] = {"SVG-static",
                                             "CoreAttribute",
                                             "Structure",
                                             "BasicStructure",
                                             "ContainerAttribute",
                                             "Image",
                                             "Style",
                                             "ViewportAttribute",
                                             "Shape",
                                             "ConditionalProcessing",
                                             "PaintAttribute",
                                             "OpacityAttribute",
                                             "GraphicsAttribute",
                                             "BasicPaintAttribute",
                                             "BasicGraphicsAttribute",
                                             "Marker",
                                             "Gradient",
                                             "Pattern",
                                             "Clip",
                                             "BasicClip",
                                             "Mask",
                                             "XlinkAttribute",
                                             "BasicFilter",
                                             "BasicText",
                                             "Text",
                                             "SVGDOM-static"};
    const pugi::xml_attribute wanted_features = node.attribute("requiredFeatures");
    Scanner wanted(wanted_features.value());
    if (wanted_features && wanted.at_end()) {
        return false;
    }
    while (!wanted.at_end()) {
        const std::string_view feature = wanted.rest().substr(0, wanted.rest().find_first_of(" \t\r\n"));
        constexpr std::string_view prefix = "http://www.w3.org/TR/SVG11/feature#";
        if (!feature.starts_with(prefix) ||
            std::find(std::begin(features), std::end(features), feature.substr(prefix.size())) == std::end(features)) {
            return false;
        }
        wanted.skip(feature);
    }
    if (const pugi::xml_attribute languages = node.attribute("systemLanguage")) {
        std::string_view rest = languages.value();
        while (!rest.empty()) {
            const std::size_t comma = std::min(rest.size(), rest.find(','));
            const std::string_view language = trimmed(rest.substr(0, comma));
            if (language == "en" || language.starts_with("en-")) {
                return true;
            }
            rest.remove_prefix(std::min(rest.size(), comma + 1));
        }
        return false;
    }
    return true;
}

void Reader::draw_switch(const Node& node, const Place& place) {
    // Skips unknown elements. Skips foreignObject, because an alternative may follow it.
    constexpr std::string_view drawn[] = {"a",    "circle",  "defs",     "ellipse", "g",      "image", "line", "path",
                                          "rect", "polygon", "polyline", "svg",     "switch", "text",  "use"};
    for (const Node& child : node.children()) {
        const std::string_view name = child.name();
        if (std::find(std::begin(drawn), std::end(drawn), name) != std::end(drawn) && is_for_us(child)) {
            draw(child, place);
            return;
        }
    }
}

} // namespace weir::svg
