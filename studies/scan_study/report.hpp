#pragma once

#include <string>
#include <vector>

#include "scan_study/study.hpp"

namespace samples {

/// A table for people.
std::string table(const std::vector<Row>& rows);

/// A CSV file's text: a line for each row.
std::string csv(const std::vector<Row>& rows);

/// Names of the files of `plots`, in their order.
std::vector<std::string> plot_files();

/// SVG files' texts: throughput against size; then against the rate of blocking the throughput of all operations, and
/// of sums of u32 the throughput and each counter.
std::vector<std::string> plots(const std::vector<Row>& rows, const std::string& device);

} // namespace samples
