#include "engine/base/log.hpp"

#include <array>
#include <memory>
#include <utility>

// The application may link other versions of spdlog and fmt, whose functions have the same names: the linker would keep
// one of each. Therefore the functions compiled here get names of Weir's own. Only this file includes these headers,
// which take seconds to compile.
#define spdlog weir_log_library
#define fmt weir_format_library
#include <spdlog/logger.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include "engine/base/strings.hpp"

namespace weir {

namespace {

/// Creates a logger outside the library's registry, which is process-wide.
LogFunction log_to_stderr() {
    auto logger = std::make_shared<spdlog::logger>("weir", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    logger->set_level(spdlog::level::debug); // Log::tell has filtered by level before
    return [logger = std::move(logger)](LogLevel level, const char* message) {
        constexpr std::array levels{spdlog::level::debug, spdlog::level::warn, spdlog::level::err};
        logger->log(levels.at(static_cast<std::size_t>(level)), spdlog::string_view_t(message));
    };
}

} // namespace

const char* to_string(LogLevel level) {
    static constexpr std::array names{"debug", "warning", "error"};
    return name_in(names, level);
}

Log::Log(LogFunction write, LogLevel min_level)
    : write_(write ? std::move(write) : log_to_stderr()), min_level_(min_level) {}

void Log::tell(LogLevel level, const std::string& message) const {
    if (tells(level)) {
        write_(level, message.c_str());
    }
}

} // namespace weir
