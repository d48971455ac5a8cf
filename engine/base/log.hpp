#pragma once

#include <functional>
#include <string>

#include <weir/engine/log.hpp>

namespace weir {

/// Filters the messages of a context by level and writes them.
class Log {
public:
    /// Writes messages of level `min_level` and above to `write`. If `write` is empty, writes to stderr through a
    /// logger of its own.
    Log(LogFunction write, LogLevel min_level);

    [[nodiscard]] bool tells(LogLevel level) const { return level >= min_level_; }
    void tell(LogLevel level, const std::string& message) const;

private:
    LogFunction write_;
    LogLevel min_level_;
};

} // namespace weir
