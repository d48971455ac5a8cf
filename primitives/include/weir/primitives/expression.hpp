#pragma once

#include <string>
#include <vector>

#include <weir/primitives/fused.hpp>

namespace weir {

/// A GLSL expression that computes a value from an element.
struct Expression {
    /// GLSL expression. It may use `x`, the element, and `uint i`, its index. The type of `x` is uint, int or float for
    /// a 32-bit number; uvec, ivec or vec for an array; uvec2 for a 64-bit number, with its bits, the low word first;
    /// uint for a struct of one word; an array of uint for a larger struct. The expression's float arithmetic is
    /// `precise`. The shader is compiled with the graph, which requires shaderc.
    std::string text = {};
    /// GLSL declarations that precede the expression, which may use them. Their arithmetic is only as precise as they
    /// declare it. Names of the kernel and of shaders/lib are reserved.
    std::string functions = {};
    std::vector<FusedBuffer> buffers = {}; ///< buffers that the expression reads
    std::vector<FusedValue> values = {};   ///< values that the expression uses
    std::string name = "expression";       ///< file name in compile errors
};

} // namespace weir
