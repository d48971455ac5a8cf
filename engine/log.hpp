#pragma once

#include <memory>
#include <string>

namespace spdlog {
class logger;
}

namespace weir {

/// The log of a context that was given none: warnings and errors, to stderr. Not in spdlog's registry, which is
/// process-wide.
std::shared_ptr<spdlog::logger> make_default_log();

/// One message. Only log.cpp includes spdlog's templates, which take seconds to compile.
[[nodiscard]] bool logs_debug(const spdlog::logger& log);
void log_debug(spdlog::logger& log, const std::string& message);
void log_warning(spdlog::logger& log, const std::string& message);
void log_error(spdlog::logger& log, const std::string& message);

} // namespace weir
