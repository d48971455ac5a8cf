#pragma once

#include <cstdint>
#include <functional>

#include <weir/engine/export.hpp>

namespace weir {

enum class LogLevel : std::uint8_t { debug, warning, error };

/// "debug", "warning" or "error".
WEIR_API const char* to_string(LogLevel level);

/// Is told a message: a line, or a few, without a line break at the end. Called from any thread, also from several at
/// once; must not throw.
using LogFunction = std::function<void(LogLevel level, const char* message)>;

} // namespace weir
