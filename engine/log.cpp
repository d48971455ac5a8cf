#include "engine/log.hpp"

#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_color_sinks.h>

namespace weir {

std::shared_ptr<spdlog::logger> make_default_log() {
    auto log = std::make_shared<spdlog::logger>("weir", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    log->set_level(spdlog::level::warn);
    return log;
}

bool logs_debug(const spdlog::logger& log) {
    return log.should_log(spdlog::level::debug);
}

void log_debug(spdlog::logger& log, const std::string& message) {
    log.debug(message);
}

void log_warning(spdlog::logger& log, const std::string& message) {
    log.warn(message);
}

void log_error(spdlog::logger& log, const std::string& message) {
    log.error(message);
}

} // namespace weir
