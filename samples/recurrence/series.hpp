#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weir/engine/error.hpp>

namespace samples {

/// Numbers in groups.
struct Series {
    std::vector<float> x;
    std::vector<std::uint32_t> group; ///< of each, as many; neighbours of one group have the same number
};

/// n noisy numbers in four groups.
Series make_series(std::uint32_t n, std::uint64_t seed);

/// Columns of a CSV file whose first line names them. Without `group` all is one group. Errors: `io`, also for what is
/// no finite number, with its line.
weir::Result<Series> read_series(const std::string& path, const std::string& column, const std::string& group);

/// A CSV file's text: group, x and y, a line for each.
std::string series_csv(const Series& series, const std::vector<double>& y);

} // namespace samples
