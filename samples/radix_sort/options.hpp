#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/options.hpp"

namespace samples {

struct Options : DeviceOptions {
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
    bool json = false;
};

CommandLine<Options> parse_command_line(int argc, char** argv);

} // namespace samples
