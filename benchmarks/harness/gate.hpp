#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <weir/weir.hpp>

#include "harness/report.hpp"

namespace weir::bench {

/// A table of an earlier run. Only the names, sizes and times of its rows are filled.
struct GateTable {
    std::string path;
    std::vector<std::string> devices; ///< from its lines "# device: NAME"
    std::vector<Row> rows;
};

/// Reads a file of `write_csv`. Errors: `io` if the file cannot be read; `invalid_argument` names the line that is not
/// a row.
Result<GateTable> read_gate_table(const std::string& path);

/// Checks that all rows of the table were measured on this device. Errors: `invalid_argument` names both devices.
Result<> check_gate_device(const GateTable& table, const std::string& device);

/// Returns the relative difference of two times of this row that is noise (benchmarks/NOTES.md, Measuring).
double noise_of(const Row& row);

struct GateResult {
    std::uint32_t compared = 0;
    std::vector<std::string> slower; ///< a description per row
    std::vector<Row> not_measured;   ///< rows that only the table has
    std::vector<Row> not_in_table;   ///< rows that only the run has
};

/// Compares the rows of a run with the table. A row is slower if both its median and its minimum exceed those of the
/// table by more than noise. Ignores rows of peers, and rows of the table that are not `expected` of the run.
GateResult compare(std::span<const Row> rows, const GateTable& table,
                   const std::function<bool(const Row& row)>& expected);

/// Formats the result. Lists rows that differ only in size together.
std::string to_text(const GateResult& result, const GateTable& table);

} // namespace weir::bench
