#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace samples {

struct Options {
    std::string recurrence = "average"; ///< its name
    double k = 0;                       ///< its parameter
    std::uint32_t n = 1U << 16;         ///< elements that are made up
    std::uint64_t seed = 1;
    std::string input, column, group; ///< a CSV file and columns of it; empty: none
    std::string output, plot;
    std::string device;
    bool list_devices = false;
};

/// What the command line says. If it says something wrong, or asks for help, the program is to end with `exit_code`.
struct CommandLine {
    Options options;
    std::optional<int> exit_code;
};
CommandLine parse_command_line(int argc, char** argv);

} // namespace samples
