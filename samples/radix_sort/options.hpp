#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/options.hpp"
#include "radix_sort/numbers.hpp"

namespace samples {

struct Options : DeviceOptions, PlanOptions {
    std::optional<std::uint64_t> n; ///< random keys; empty: by device
    NumberType type = NumberType::u32;
    bool values = false;
    bool argsort = false; ///< the sorted places of the keys are wanted, not the keys
    bool text = false;    ///< files are text
    bool descending = false;
    std::optional<std::uint64_t> top_k; ///< so many of the first ones in order are wanted; empty: all, by a sort
    std::uint32_t first_bit = 0;
    std::uint32_t end_bit = 0; ///< up to the keys' size
    std::uint32_t repeat = 0;  ///< timed sorts; 0: by device
    std::uint64_t seed = 1;
    std::string input;
    std::string output;
    bool json = false;

    /// The file of the values; empty: none.
    [[nodiscard]] std::string values_output() const {
        return values && !output.empty() ? output + ".values" : std::string();
    }
};

CommandLine<Options> parse_command_line(int argc, char** argv);

} // namespace samples
