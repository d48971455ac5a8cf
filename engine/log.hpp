#pragma once

#include <memory>

#include <spdlog/logger.h>

namespace weir {

/// The log of a context that was given none: warnings and errors, to stderr. Not in spdlog's registry, which is process-wide.
std::shared_ptr<spdlog::logger> make_default_log();

} // namespace weir
