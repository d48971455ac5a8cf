#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

namespace weir::svg {

/// Appends what the reader ignores in the value of a property, as short names: "vector-effect: non-rotation",
/// "var()". `is_css` is false for presentation attributes.
void find_unsupported(std::string_view property, std::string_view value, bool is_css, std::vector<std::string>& found);

/// Appends what the reader ignores in an element, its attributes and its style attribute. Text, filters, images and
/// foreign objects are reported where they are drawn.
void find_unsupported(const pugi::xml_node& element, std::vector<std::string>& found);

} // namespace weir::svg
