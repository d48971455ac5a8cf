#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weir/engine/error.hpp>

namespace samples {

/// A sequence of numbers, divided into groups.
struct Series {
    std::vector<float> x;
    std::vector<std::uint32_t> group; ///< group of each element; consecutive elements with equal numbers form a group
};

/// Generates n noisy numbers in four groups.
Series make_series(std::uint32_t n, std::uint64_t seed);

/// Reads columns of a CSV file whose first line names the columns. If `group` is empty, all elements form one group.
/// Errors: `io`, also for a value that is not a finite number; the message names its line.
weir::Result<Series> read_series(const std::string& path, const std::string& column, const std::string& group);

/// Returns a CSV file with columns group, x and y.
std::string series_csv(const Series& series, const std::vector<double>& y);

} // namespace samples
