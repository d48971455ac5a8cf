#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace samples {

struct Options {
    std::optional<std::uint64_t> n; ///< random keys; empty: by device
    bool values = false;
    bool descending = false;
    std::uint32_t first_bit = 0;
    std::uint32_t end_bit = 32;
    std::uint32_t repeat = 0; ///< timed sorts; 0: by device
    std::uint64_t seed = 1;
    std::string input;
    std::string output;
    std::string graph;
    std::string device;
    bool list_devices = false;
    bool json = false;
};

/// What the command line says. If it says something wrong, or asks for help, the program is to end with `exit_code`.
struct CommandLine {
    Options options;
    std::optional<int> exit_code;
};
CommandLine parse_command_line(int argc, char** argv);

} // namespace samples
