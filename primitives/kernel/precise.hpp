#pragma once

#include <string>

namespace weir {

/// Makes the functions that are defined in `text` `precise`, so that their results are rounded the same way at every
/// call: a compiler may otherwise contract a product and a sum at one call and not at another. Line numbers do not
/// change. Output parameters, and functions defined by macros, are left as they are.
std::string with_precise_functions(const std::string& text);

} // namespace weir
