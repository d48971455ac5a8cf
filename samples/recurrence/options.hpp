#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/options.hpp"

namespace samples {

struct Options : DeviceOptions {
    std::string recurrence = "average"; ///< its name
    double k = 0;                       ///< its parameter
    std::uint32_t n = 1U << 16;         ///< elements that are made up
    std::uint64_t seed = 1;
    std::string input, column, group; ///< a CSV file and columns of it; empty: none
    std::string output, plot;
};

CommandLine<Options> parse_command_line(int argc, char** argv);

} // namespace samples
