#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weir/engine/error.hpp>

namespace samples {

/// A sequence of numbers that is divided into groups.
struct Series {
    std::vector<float> x;
    std::vector<std::uint32_t> group; ///< group of each element; consecutive elements with equal numbers form a group
};

/// Generates n values of a sine with noise, in four groups.
Series make_series(std::uint32_t n, std::uint64_t seed);

/// Reads the columns `column` and `group` of a CSV file, whose first line names the columns. If `group` is empty, all
/// elements form one group. Errors: `io` for a file that cannot be read or parsed, for more than 2^28 elements, and for
/// a value that is not a finite number; the message contains the line number.
weir::Result<Series> read_series(const std::string& path, const std::string& column, const std::string& group);

/// Returns the text of a CSV file with the columns group, x and y.
std::string series_csv(const Series& series, const std::vector<double>& y);

} // namespace samples
