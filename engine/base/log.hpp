#pragma once

#include <functional>
#include <string>

#include <weir/engine/log.hpp>

namespace weir {

/// Filters the messages of a context by level and writes them.
class Log {
public:
    /// Writes messages of level `least` and above to `write`. If `write` is empty, writes to stderr through a logger of
    /// its own.
    Log(LogFunction write, LogLevel least);

    [[nodiscard]] bool tells(LogLevel level) const { return level >= least_; }
    void tell(LogLevel level, const std::string& message) const;

private:
    LogFunction write_;
    LogLevel least_;
};

} // namespace weir
