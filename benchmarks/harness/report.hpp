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
    double items_per_s = 0; ///< by the median, as is what follows
    double bytes_per_s = 0;
    std::optional<double> ratio_to_copy;      ///< bytes/s over those of a copy of as many words in the same process
    std::optional<double> ratio_to_cub;       ///< items/s over those of CUB in this run
    std::optional<double> ratio_to_cub_graph; ///< items/s over those of a CUDA graph of CUB's calls
    std::string kernel = {};                  ///< Variant::describe
};

nlohmann::json to_json(const Row& row);
/// Errors: `invalid_argument` if a field is missing or of another type.
Result<Row> row_from_json(const nlohmann::json& json);

/// A line through times over sizes: ms = launch_ms + n / items_per_s. What a scan costs at all, and what an item costs.
struct Fit {
    std::string op;
    std::string type;
    std::string impl;
    double launch_ms = 0;
    double items_per_s = 0;
    double worst = 0; ///< greatest distance of a median from the line, as a part of the median
};

/// For each operation and implementation with at least three sizes, by least squares of relative distances, so that
/// small sizes count as much as large ones. Host rows have one size, and so no line.
std::vector<Fit> fit_lines(const std::vector<Row>& rows);

/// What a set of rows was measured with.
struct Conditions {
    std::string device;
    std::string driver;
    std::string date; ///< UTC, ISO 8601
    std::vector<std::string> command;
    nlohmann::json peer; ///< what the peer program says of itself; null without one
};

std::string utc_now();

/// "2^20", or the number where it is no power of two.
std::string size_name(std::uint32_t n);

/// A table on stdout, row by row as they are measured.
class Table {
public:
    /// `peers`: with columns of ratios to CUB. Widths: the longest name in that column.
    Table(bool peers, std::size_t op_width, std::size_t impl_width)
        : peers_(peers), op_width_(static_cast<int>(op_width)), impl_width_(static_cast<int>(impl_width)) {}

    void begin(const Conditions& conditions);
    void add(const Row& row);
    void add(const std::vector<Fit>& fits); ///< a table of its own

private:
    bool peers_;
    int op_width_, impl_width_;
    std::string operation_;
};

/// The first lines of a CSV file: device, driver, date, command and the peer's version, as comments.
void write_conditions(std::ostream& file, const Conditions& conditions);

/// Errors: `io` names the file.
Result<> write_json(const std::string& path, const Conditions& conditions, const std::vector<Row>& rows,
                    const std::vector<Fit>& fits = {});
Result<> write_csv(const std::string& path, const Conditions& conditions, const std::vector<Row>& rows);

} // namespace weir::bench
