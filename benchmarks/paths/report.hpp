#pragma once

#include <string>
#include <vector>

#include "harness/report.hpp"
#include "paths/measure.hpp"

namespace weir::bench {

/// Prints the heading of a table to stdout.
void print_header(const Conditions& conditions);
/// Prints a line with the sizes and times of a drawing, and one with its stages.
void print_row(const PathRow& row);

/// Returns CSV with a row for each time of each drawing.
std::string csv_of(const Conditions& conditions, const std::vector<PathRow>& rows);

} // namespace weir::bench
