#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/files.hpp"
#include "common/options.hpp"

namespace samples {

/// Sizes 2^first, 2^(first + step), ... up to 2^last.
struct Sizes {
    std::uint32_t first = 0, last = 0, step = 1;
};

struct Options : DeviceOptions {
    std::optional<Sizes> sizes;                 ///< empty: chosen by device
    std::optional<std::uint64_t> blocking_size; ///< empty: chosen by device
    std::uint32_t repeat = 0;                   ///< timed runs; 0: chosen by device
    std::uint64_t seed = 1;
    std::string csv;
    std::string plots; ///< folder of the SVG files
};

/// Returns the CSV file, then the plots. Files that are not requested have an empty path.
std::vector<NamedFile> written_files(const Options& options);

CommandLine<Options> parse_command_line(int argc, char** argv);

} // namespace samples
