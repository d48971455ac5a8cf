#pragma once

#include <functional>
#include <string>

#include <weir/engine/log.hpp>

namespace weir {

/// Where the messages of a context go, and which.
class Log {
public:
    /// Messages from `least` on go to `write`; if that is empty, to stderr, through a logger of its own.
    Log(LogFunction write, LogLevel least);

    [[nodiscard]] bool tells(LogLevel level) const { return level >= least_; }
    void tell(LogLevel level, const std::string& message) const;

private:
    LogFunction write_;
    LogLevel least_;
};

} // namespace weir
