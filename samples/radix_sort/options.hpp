#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "common/options.hpp"
#include "radix_sort/numbers.hpp"

namespace samples {

struct Options : DeviceOptions, PlanOptions {
    std::optional<std::uint64_t> n; ///< number of random keys; empty: chosen by device
    NumberType type = NumberType::u32;
    bool values = false;
    bool argsort = false; ///< write the indices of the sorted keys instead of the keys
    bool text = false;    ///< files are text, not binary
    bool descending = false;
    std::optional<std::uint64_t> top_k; ///< number of keys to select; empty: sort all keys
    std::uint32_t first_bit = 0;
    std::uint32_t end_bit = 0; ///< at most the bits of a key
    std::uint32_t repeat = 0;  ///< timed runs; 0: chosen by device
    std::uint64_t seed = 1;
    std::string input;
    std::string output;
    bool json = false;

    /// Returns the path of the values' file; empty if values are not written.
    [[nodiscard]] std::string values_output() const {
        return values && !output.empty() ? output + ".values" : std::string();
    }
};

CommandLine<Options> parse_command_line(int argc, char** argv);

} // namespace samples
