#pragma once

#include <cstdint>
#include <string>

#include <weir/engine/export.hpp>

namespace weir {

/// A place in the application's source, for messages. Replaces std::source_location, which Clang 14 does not have. As
/// the default of a last argument it is the place of the call.
struct SourceLocation {
    const char* file = "";  ///< path as passed to the compiler
    std::uint32_t line = 0; ///< 0: unknown

    /// Returns the place of the call.
    static constexpr SourceLocation current(const char* file = __builtin_FILE(),
                                            std::uint32_t line = __builtin_LINE()) {
        return {file, line};
    }
};

/// Returns " (main.cpp:12)", without folders; empty if the place is unknown. Error messages end with it.
WEIR_API std::string to_string(const SourceLocation& where);

} // namespace weir
