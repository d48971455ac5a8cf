#pragma once

#include <string>
#include <utility>
#include <vector>

#include <weir/primitives/scan.hpp>

namespace weir {

/// What an element becomes, in GLSL.
struct Expression {
    /// Of `x`, the element, and `uint i`, its index. `x` is a uint, int or float; of an array a uvec, ivec or vec; of a
    /// 64-bit number a uvec2 of its bits, the low word first; of a struct of one word a uint, of more an array of
    /// uints. Its own arithmetic of floats is `precise`. The shader is compiled with the graph, which needs shaderc.
    std::string text;
    /// GLSL before it, which it may call; what functions compute of floats is as precise as they say. Names of the
    /// kernel and of shaders/lib are taken.
    std::string functions;
    std::vector<FusedBuffer> buffers; ///< that it sees, to be read
    std::vector<FusedValue> values;   ///< that it sees
    std::string name = "expression";  ///< stands for the file in compile errors

    Expression() = default;
    // NOLINTBEGIN(google-explicit-constructor): a text is an expression
    Expression(std::string glsl) : text(std::move(glsl)) {}
    Expression(const char* glsl) : text(glsl) {}
    // NOLINTEND(google-explicit-constructor)
};

} // namespace weir
