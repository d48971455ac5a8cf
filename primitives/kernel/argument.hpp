#pragma once

#include <cstdint>
#include <string>

#include <weir/primitives/element.hpp>

#include "engine/base/strings.hpp"

namespace weir {

/// The argument `x` of an application's expression: its GLSL type, and a GLSL list of its values, made from the words
/// of an element.
struct Argument {
    std::string type, value;
};

inline Argument argument_of(ElementType element) {
    const std::uint32_t words = element.words();
    const auto list = [&](const char* convert) {
        std::string text;
        for (std::uint32_t w = 0; w < words; ++w) {
            text += concat(w == 0 ? "" : ", ", convert, "(item[", w, "])");
        }
        return text;
    };
    switch (element.scalar) {
    case Scalar::i32: return {words == 1 ? "int" : concat("ivec", words), list("int")};
    case Scalar::f32: return {words == 1 ? "float" : concat("vec", words), list("uintBitsToFloat")};
    case Scalar::custom:
        if (words > 1) {
            return {concat("uint[", words, "]"), list("")};
        }
        break;
    default: break;
    }
    return {words == 1 ? "uint" : concat("uvec", words), list("uint")};
}

} // namespace weir
