#include "harness/gate.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <iomanip>
#include <iterator>
#include <sstream>
#include <string_view>
#include <utility>

#include "common/files.hpp"
#include "common/paths.hpp"
#include "common/text.hpp"

namespace weir::bench {

namespace {

constexpr double usual_noise = 0.03;
constexpr double noise_of_few_items = 0.07;
constexpr std::uint32_t few_items = 1U << 12;
constexpr double noise_of_host = 0.5; // planning, recording, submission

template <class Number>
bool read(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

/// Reads the first fields of a line: op, type, n, impl, median_ms, min_ms. Only impl is quoted and may contain commas.
bool read_row(const std::string& line, Row& row) {
    std::istringstream text(line);
    std::string n, median, least;
    std::getline(text, row.op, ',');
    std::getline(text, row.type, ',');
    std::getline(text, n, ',');
    text >> std::quoted(row.impl);
    text.ignore(1, ',');
    std::getline(text, median, ',');
    std::getline(text, least, ',');
    return read(n, row.n) && read(median, row.median_ms) && read(least, row.min_ms) && row.min_ms > 0 &&
           row.median_ms >= row.min_ms;
}

std::string name_of(const Row& row) {
    return row.op + '/' + row.type + '/' + row.impl;
}

bool is_peer(const Row& row) {
    return row.impl == "cub" || row.impl == "cub graph";
}

const Row* find(std::span<const Row> rows, const Row& wanted) {
    const auto found = std::ranges::find_if(
        rows, [&](const Row& row) { return row.n == wanted.n && name_of(row) == name_of(wanted); });
    return found == rows.end() ? nullptr : &*found;
}

std::string percent(double ratio) {
    return samples::fixed(ratio * 100, 1) + " %";
}

std::string describe_slower(const Row& row, const Row& before) {
    return name_of(row) + " at " + size_name(row.n) + ": " + samples::fixed(row.median_ms * 1e3, 2) + " us, " +
           percent(row.median_ms / before.median_ms - 1) + " more than " + samples::fixed(before.median_ms * 1e3, 2) +
           " us; noise: " + percent(noise_of(row));
}

/// Returns the rows, one line per name with its sizes.
std::string listed(std::span<const Row> rows) {
    std::string text, last;
    for (const Row& row : rows) {
        const std::string name = name_of(row);
        text += name == last ? ", " : "\n    " + name + " at ";
        text += size_name(row.n);
        last = name;
    }
    return text + '\n';
}

} // namespace

Result<GateTable> read_gate_table(const std::string& path) {
    constexpr std::string_view device = "# device: ", columns = "op,type,n,impl,median_ms,min_ms,";
    std::ifstream file(samples::path_of(path), std::ios::binary);
    GateTable table{.path = path};
    bool has_columns = false;
    std::uint32_t number = 0;
    for (std::string line; std::getline(file, line);) {
        ++number;
        if (line.starts_with(device)) {
            table.devices.push_back(line.substr(device.size()));
        }
        if (line.empty() || line.starts_with('#')) {
            continue;
        }
        Row row;
        if (has_columns ? !read_row(line, row) : !line.starts_with(columns)) {
            return tl::unexpected(
                Error{ErrorCode::invalid_argument, path + ": line " + std::to_string(number) + " is not a " +
                                                       (has_columns ? "row" : "header") +
                                                       " of weir_bench --csv: " + samples::in_quotes(line)});
        }
        if (std::exchange(has_columns, true)) {
            table.rows.push_back(std::move(row));
        }
    }
    if (!file.eof()) {
        return samples::io_error(path, "cannot be read");
    }
    if (table.rows.empty()) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, path + " has no rows"});
    }
    return table;
}

Result<> check_gate_device(const GateTable& table, const std::string& device) {
    if (table.devices.empty()) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, table.path + " has no line '# device: NAME'"});
    }
    const auto other = std::ranges::find_if(table.devices, [&](const auto& name) { return name != device; });
    if (other != table.devices.end()) {
        return tl::unexpected(Error{ErrorCode::invalid_argument,
                                    table.path + " was measured on " + *other + ", and this device is " + device});
    }
    return {};
}

double noise_of(const Row& row) {
    constexpr std::array host{"make_plan", "record", "bind_and_record", "submit", "latency"};
    if (std::ranges::find(host, row.op) != host.end()) {
        return noise_of_host;
    }
    return row.n <= few_items ? noise_of_few_items : usual_noise;
}

GateResult compare(std::span<const Row> rows, const GateTable& table,
                   const std::function<bool(const Row& row)>& expected) {
    GateResult result;
    for (const Row& row : rows) {
        if (is_peer(row)) {
            continue;
        }
        const Row* before = find(table.rows, row);
        if (before == nullptr) {
            result.not_in_table.push_back(row);
            continue;
        }
        ++result.compared;
        const double most = 1 + noise_of(row);
        if (row.median_ms > before->median_ms * most && row.min_ms > before->min_ms * most) {
            result.slower.push_back(describe_slower(row, *before));
        }
    }
    std::ranges::copy_if(table.rows, std::back_inserter(result.not_measured),
                         [&](const Row& row) { return !is_peer(row) && expected(row) && find(rows, row) == nullptr; });
    return result;
}

std::string to_text(const GateResult& result, const GateTable& table) {
    std::string text = "\nCompared with " + table.path + ": " + std::to_string(result.compared) + " rows, " +
                       std::to_string(result.slower.size()) + " slower beyond noise\n";
    for (const std::string& line : result.slower) {
        text += "slower: " + line + '\n';
    }
    if (!result.not_measured.empty()) {
        text += "In the table, but not in this run:" + listed(result.not_measured);
    }
    if (!result.not_in_table.empty()) {
        text += "In this run, but not in the table:" + listed(result.not_in_table);
    }
    return text;
}

} // namespace weir::bench
