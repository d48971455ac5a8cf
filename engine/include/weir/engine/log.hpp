#pragma once

#include <cstdint>
#include <functional>

#include <weir/engine/export.hpp>

namespace weir {

/// Severities of messages.
enum class LogLevel : std::uint8_t {
    debug,   ///< details, such as the driver's statistics of pipelines
    warning, ///< something works, but not as intended
    error,   ///< something failed
};

/// Returns "debug", "warning" or "error".
WEIR_API const char* to_string(LogLevel level);

/// Receives a message of one or more lines, without a line break at the end. May be called from several threads at
/// once. Must not throw.
using LogFunction = std::function<void(LogLevel level, const char* message)>;

} // namespace weir
