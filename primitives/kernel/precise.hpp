#pragma once

#include <string>

namespace weir {

/// GLSL whose functions round what they return alike wherever they are called: those that are defined in `text` are
/// made `precise`, if they are not already. A compiler may otherwise contract a product and a sum in one place and not
/// in another. Lines stay where they are. What a function hands back by parameters is not touched, nor are functions
/// that macros make.
std::string with_precise_functions(const std::string& text);

} // namespace weir
