#include "svg/unsupported.hpp"

#include <algorithm>

#include "svg/css.hpp"
#include "svg/syntax.hpp"

namespace weir::svg {

namespace {

constexpr std::string_view unknown_elements[] = {"altglyph", "canvas",     "embed", "font", "font-face",
                                                 "hatch",    "iframe",     "link",  "mesh", "meshgradient",
                                                 "object",   "solidcolor", "video"};

/// Values of a property that are drawn as another value. A word that ends with '(' stands for a function, '*' for all
/// values except `none`.
struct Property {
    std::string_view name, values;
    bool only_css = false; ///< attributes of this name are something else
};
constexpr Property partial_properties[] = {
    {"clip-path", "circle( ellipse( inset( path( polygon( rect( xywh("},
    {"mask", "linear-gradient( radial-gradient( conic-gradient( image-set("},
    {"mix-blend-mode", "plus-darker"},
    {"offset-path", "*", true},
    {"perspective", "*", true},
    {"stroke-linejoin", "arcs"},
    {"text-decoration-style", "dashed dotted double wavy"},
    {"text-transform", "capitalize full-width lowercase uppercase"},
    {"transform-box", "border-box content-box fill-box stroke-box"},
    {"vector-effect", "fixed-position non-rotation non-scaling-size"},
};

/// Functions of CSS that make a value invalid here.
constexpr std::string_view unknown_functions[] = {"attr",        "calc", "clamp",      "color-mix", "contrast-color",
                                                  "device-cmyk", "env",  "light-dark", "max",       "min"};

/// Functions of CSS that are supported in part: color() has spaces that are not.
constexpr std::string_view partial_functions[] = {"color", "hwb", "lab", "lch", "oklab", "oklch"};

template <std::size_t N>
bool contains(const std::string_view (&names)[N], std::string_view name) {
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool is_name_part(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
}

/// Returns true if the property refers to another element by url().
bool refers(std::string_view property) {
    return property == "fill" || property == "stroke" || property == "clip-path" || property == "mask" ||
           property == "filter" || property.starts_with("marker");
}

/// Returns true if a link leads out of the document.
bool is_outside(std::string_view link) {
    link = trimmed(link);
    return !link.empty() && link.front() != '#';
}

/// Returns false for a transform that is not drawn: in three dimensions, or invalid.
bool is_transform(std::string_view property, std::string_view value) {
    const auto zero = [](const Length&, bool) { return 0.0F; };
    if (value == "none" || value == "inherit" || value == "initial") {
        return true;
    }
    if (property == "rotate" || property == "scale" || property == "translate") {
        return read_css_transform(std::string(property) + "(" + std::string(value) + ")", zero).has_value();
    }
    return property != "transform" || read_css_transform(value, zero).has_value();
}

void find_functions(std::string_view property, std::string_view value, std::vector<std::string>& found) {
    for (std::size_t open = value.find('('); open != std::string_view::npos; open = value.find('(', open + 1)) {
        std::size_t begin = open;
        while (begin > 0 && is_name_part(value[begin - 1])) {
            --begin;
        }
        const std::string name = lower(value.substr(begin, open - begin));
        if (contains(unknown_functions, name) ||
            (contains(partial_functions, name) &&
             !read_color(value.substr(begin, 1 + value.find(')', open) - begin)))) {
            found.push_back(name + "()");
        } else if (name == "url" && refers(property)) {
            std::string_view link = trimmed(value.substr(open + 1));
            link.remove_prefix(link.starts_with('"') || link.starts_with('\'') ? 1 : 0);
            if (is_outside(link)) {
                found.emplace_back("url() of another file");
            }
        }
    }
}

} // namespace

void find_unsupported(std::string_view property, std::string_view value, bool is_css, std::vector<std::string>& found) {
    find_functions(property, value, found);
    if (is_css && !is_transform(property, value)) {
        found.push_back(std::string(property) + ": " + std::string(value));
    }
    for (const Property& one : partial_properties) {
        if (one.name != property || (one.only_css && !is_css)) {
            continue;
        }
        for (std::string_view rest = one.values; !rest.empty();) {
            const std::size_t end = std::min(rest.size(), rest.find(' '));
            const std::string_view word = rest.substr(0, end);
            rest = trimmed(rest.substr(end));
            if (word == "*" && value != "none") {
                found.emplace_back(property);
            } else if (word.ends_with('(') ? value.find(word) != std::string_view::npos : value == word) {
                found.push_back(std::string(property) + ": " + std::string(word) + (word.ends_with('(') ? ")" : ""));
            }
        }
    }
}

void find_unsupported(const pugi::xml_node& element, std::vector<std::string>& found) {
    const std::string_view name = element.name();
    if (contains(unknown_elements, lower(name))) {
        found.emplace_back(name);
    }
    if ((name == "flowPara" || name == "flowSpan") && !trimmed(element.child_value()).empty()) {
        found.emplace_back("flowRoot"); // Inkscape leaves empty ones in drawings
    }
    const bool is_gradient = name == "linearGradient" || name == "radialGradient";
    for (const pugi::xml_attribute& attribute : element.attributes()) {
        const std::string_view key = attribute.name(), value = trimmed(attribute.value());
        if (key == "style") {
            for_declarations(value, [&](const std::string& property, std::string_view declared, bool) {
                find_unsupported(property, declared, true, found);
            });
        } else if (key == "href" || key == "xlink:href") {
            if ((name == "use" || name == "pattern" || is_gradient) && is_outside(value)) {
                found.push_back(std::string(name) + " of another file");
            }
        } else if (key == "pathLength") {
            found.emplace_back(key);
        } else if (key == "color-interpolation") {
            if (is_gradient && value == "linearRGB") {
                found.emplace_back("color-interpolation: linearRGB of a gradient");
            }
        } else if (key != "id" && key != "class" && key.find(':') == std::string_view::npos) {
            find_unsupported(key, value, false, found);
        }
    }
}

} // namespace weir::svg
