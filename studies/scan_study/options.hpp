#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/files.hpp"
#include "common/options.hpp"

namespace samples {

/// 2^first, 2^(first + step), ... up to 2^last.
struct Sizes {
    std::uint32_t first = 0, last = 0, step = 1;
};

struct Options : DeviceOptions {
    std::optional<Sizes> sizes;                 ///< empty: by device
    std::optional<std::uint64_t> blocking_size; ///< empty: by device
    std::uint32_t repeat = 0;                   ///< timed runs; 0: by device
    std::uint64_t seed = 1;
    std::string csv;
    std::string plots; ///< a folder
};

/// The CSV file, then the plots; without a path, those that are not asked for.
std::vector<NamedFile> written_files(const Options& options);

CommandLine<Options> parse_command_line(int argc, char** argv);

} // namespace samples
