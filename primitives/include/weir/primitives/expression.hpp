#pragma once

#include <string>
#include <utility>
#include <vector>

#include <weir/primitives/scan.hpp>

namespace weir {

/// A GLSL expression of an element.
struct Expression {
    /// GLSL of `x`, the element, and `uint i`, its index. `x` is a uint, int or float; of an array a uvec, ivec or vec;
    /// of a 64-bit number a uvec2 of its bits, the low word first; of a struct of one word a uint, of more words an
    /// array of uint. Its own arithmetic of floats is `precise`. The shader is compiled with the graph, which needs
    /// shaderc.
    std::string text;
    /// GLSL declarations before the expression, which it may use. Their arithmetic is as precise as they declare it.
    /// Names of the kernel and of shaders/lib are reserved.
    std::string functions;
    std::vector<FusedBuffer> buffers; ///< buffers that it reads
    std::vector<FusedValue> values;   ///< values that it uses
    std::string name = "expression";  ///< stands for the file in compile errors

    /// No expression.
    Expression() = default;
    // NOLINTBEGIN(google-explicit-constructor): a text is an expression
    /// This text.
    Expression(std::string glsl) : text(std::move(glsl)) {}
    /// This text.
    Expression(const char* glsl) : text(glsl) {}
    // NOLINTEND(google-explicit-constructor)
};

} // namespace weir
