#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/options.hpp"

namespace samples {

struct Options : DeviceOptions {
    std::string recurrence = "average"; ///< name of the recurrence
    double k = 0;                       ///< parameter of the recurrence
    std::uint32_t n = 1U << 16;         ///< number of random elements
    std::uint64_t seed = 1;
    std::string input, column, group; ///< CSV file and names of its columns; empty: not given
    std::string output, plot;
};

CommandLine<Options> parse_command_line(int argc, char** argv);

} // namespace samples
