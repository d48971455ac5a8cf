#pragma once

#include <cstdint>
#include <string>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>

// Buffers and values that GLSL code of the application uses within a primitive's kernel.

namespace weir {

/// A buffer that GLSL code of the application uses. `declaration` declares its contents, such as "float x[]". Names of
/// the kernel, of shaders/lib and of shaders/scan are reserved; using one is a compile error. With
/// Capabilities::narrow_storage, contents may have types of 8 and 16 bits, such as "float16_t x[]": loads and stores
/// convert them, as in float(x[i]) and float16_t(y).
struct FusedBuffer {
    std::string declaration = {}; ///< GLSL type and name
    Binding binding = {};         ///< the buffer and its access
};

/// A named value that GLSL code of the application uses as a uint, int or float. It is a push constant, so another
/// value does not need another shader, unlike a number in the text. A count is a parameter of the graph, which each
/// recording may set, or a constant. Names of the kernel, of shaders/lib and of the kernel's folder are reserved.
struct WEIR_API FusedValue {
    /// Creates a uint.
    FusedValue(std::string name, std::uint32_t value);
    /// Creates an int.
    FusedValue(std::string name, std::int32_t value);
    /// Creates a float.
    FusedValue(std::string name, float value);
    /// Creates a uint from a count.
    FusedValue(std::string name, const Count& value);

    std::string name;          ///< name in GLSL
    const char* type = "uint"; ///< type in GLSL
    PushWord value;            ///< bits of the value
};

} // namespace weir
