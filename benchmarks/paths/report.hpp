#pragma once

#include <string>
#include <vector>

#include "harness/report.hpp"
#include "paths/measure.hpp"

namespace weir::bench {

/// Begins a table on stdout.
void print_header(const Conditions& conditions);
/// A line with what a drawing has and how long it takes, and one with its stages.
void print_row(const PathRow& row);

/// CSV with a row for each time of each drawing.
std::string csv_of(const Conditions& conditions, const std::vector<PathRow>& rows);

} // namespace weir::bench
