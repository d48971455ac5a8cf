#pragma once

#include <string>

namespace weir {

/// Returns `text` with the functions that it defines declared `precise`, so that their results are rounded the same way
/// at every call. Otherwise a compiler may contract a product and a sum at one call and not at another. Line numbers do
/// not change. Output parameters and functions defined by macros are not changed.
std::string with_precise_functions(const std::string& text);

} // namespace weir
