#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <weir/weir.hpp>

namespace weir::bench {

/// One measurement.
struct Row {
    std::string op;
    std::string type;
    std::uint32_t n = 0;
    std::string impl; ///< "weir", "weir SHAPE", "cub" or "cub graph"
    double median_ms = 0;
    double min_ms = 0;
    std::uint32_t repeats = 0;
    double items_per_s = 0; ///< from the median, as are all of the following
    double bytes_per_s = 0;
    std::optional<double> ratio_to_copy;      ///< bytes/s relative to a copy of the same words in this process
    std::optional<double> ratio_to_cub;       ///< items/s relative to CUB in this run
    std::optional<double> ratio_to_cub_graph; ///< items/s relative to a CUDA graph of CUB's calls
    std::string kernel = {};                  ///< Variant::describe
};

/// Returns the row "op/type/impl" of runs of `n` items.
Row row_of(const std::string& name, std::uint32_t n, const std::vector<double>& runs_ms);

nlohmann::json to_json(const Row& row);
/// Reads a row. Errors: `invalid_argument` if a field is missing or has another type.
Result<Row> row_from_json(const nlohmann::json& json);

/// A line through times over sizes: ms = launch_ms + n / items_per_s * 1000. launch_ms is the fixed cost of an
/// operation.
struct Fit {
    std::string op;
    std::string type;
    std::string impl;
    double launch_ms = 0;
    double items_per_s = 0;
    double worst = 0; ///< maximum distance of a median from the line, relative to the median
};

/// Fits a line for each operation and implementation with at least three sizes. Minimizes the squares of relative
/// distances, so small and large sizes have the same weight. Lines that do not rise are omitted.
std::vector<Fit> fit_lines(const std::vector<Row>& rows);

/// Device, driver and command of a set of rows.
struct Conditions {
    std::string device;
    std::string driver;
    std::string date; ///< UTC, ISO 8601
    std::vector<std::string> command;
    nlohmann::json peer; ///< PeerResult::about; null without a peer
};

std::string utc_now();

/// Returns "2^20", or the number in decimal if it is not a power of two.
std::string size_name(std::uint32_t n);

/// Prints a table to stdout, row by row as they are measured.
class Table {
public:
    /// `peers` adds columns with ratios to CUB. Each width is the length of the longest name in its column.
    Table(bool peers, std::size_t op_width, std::size_t impl_width)
        : peers_(peers), op_width_(static_cast<int>(op_width)), impl_width_(static_cast<int>(impl_width)) {}

    void begin(const Conditions& conditions);
    void add(const Row& row);
    void add(const std::vector<Fit>& fits); ///< prints a second table

private:
    bool peers_;
    int op_width_, impl_width_;
    std::string operation_;
};

/// Writes the first lines of a CSV file: device, driver, date, command and the peer's version, as comments.
void write_conditions(std::ostream& file, const Conditions& conditions);

/// Writes rows to a file. Errors: `io` names the file.
Result<> write_json(const std::string& path, const Conditions& conditions, const std::vector<Row>& rows,
                    const std::vector<Fit>& fits = {});
Result<> write_csv(const std::string& path, const Conditions& conditions, const std::vector<Row>& rows);

} // namespace weir::bench
