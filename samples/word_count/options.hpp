#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/options.hpp"

namespace samples {

struct Options : DeviceOptions, PlanOptions {
    std::vector<std::string> files;
    std::optional<std::uint32_t> top; ///< maximum number of listed words; empty: all
    std::uint32_t bits = 48;          ///< bits of a fingerprint
    bool json = false;
};

CommandLine<Options> parse_command_line(int argc, char** argv);

} // namespace samples
