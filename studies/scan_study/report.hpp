#pragma once

#include <string>
#include <vector>

#include "scan_study/study.hpp"

namespace samples {

/// Formats the rows as a text table.
std::string table(const std::vector<Row>& rows);

/// Formats the rows as a CSV file, one line per row.
std::string csv(const std::vector<Row>& rows);

/// Returns the names of the files of `plots`, in the same order.
std::vector<std::string> plot_files();

/// Returns the plots as SVG files: throughput against size; throughput of all operations against the blocking rate,
/// relative to no blocking and to reduce-then-scan; and for sums of u32, throughput and each counter against the
/// blocking rate.
std::vector<std::string> plots(const std::vector<Row>& rows, const std::string& device);

} // namespace samples
