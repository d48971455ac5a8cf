#include "scan_study/report.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <functional>
#include <iterator>

#include "common/plot.hpp"
#include "common/text.hpp"

namespace samples {

namespace {

template <class... Values>
std::string format(const char* how, Values... values) {
    char text[256];
    std::snprintf(text, sizeof(text), how, values...);
    return text;
}

std::string size_name(std::uint32_t n) {
    return std::has_single_bit(n) ? format("2^%d", std::countr_zero(n)) : std::to_string(n);
}

std::string blocking_name(const Row& row) {
    return row.blocking > 0 ? format("1/%.0f", 1 / row.blocking) : row.per_workgroup ? "none" : "-";
}

double giga_items(const Row& row) {
    return row.items_per_second() * 1e-9;
}

const char* color_of(const std::string& implementation) {
    return implementation == "copy"               ? "#888"
           : implementation == "reduce_then_scan" ? "#d1495b"
           : implementation == "look_back"        ? "#e0a030"
                                                  : "#1f6fb4";
}

std::string silent_text(const Row& row) {
    return row.tiles == 0 ? "-" : std::to_string(row.silent_tiles) + " of " + std::to_string(row.tiles);
}

std::string throughput_by_size(const std::vector<Row>& rows, const std::string& device) {
    Plot plot{.title = "Inclusive sums of u32: " + device,
              .x = {.label = "n", .powers_of_two = true},
              .y = {.label = "G items/s", .powers_of_two = true}};
    for (const Row& row : rows) {
        if (row.part != "throughput") {
            continue;
        }
        auto& curves = plot.curves;
        auto curve = std::find_if(curves.begin(), curves.end(),
                                  [&](const Curve& each) { return each.name == row.implementation; });
        if (curve == curves.end()) {
            curve = curves.insert(curve,
                                  {.name = row.implementation, .color = color_of(row.implementation), .markers = true});
        }
        curve->x.push_back(row.n);
        curve->y.push_back(giga_items(row));
    }
    return to_svg(plot);
}

bool is_blocking(const Row& row) {
    return row.part == "blocking" && row.operation == "u32";
}

/// Plots a ratio of each operation against the blocking rate. `ratio` takes a row and that of the same kernel without
/// blocking.
std::string by_operation(const std::vector<Row>& rows, const std::string& device, const std::string& label,
                         const std::function<std::optional<double>(const Row& row, const Row& without)>& ratio) {
    constexpr std::array colors = {"#1f6fb4", "#e0a030", "#d1495b", "#3a9a5b", "#7a4fa3", "#888"};
    Plot plot{.title = "Tiles that never post: " + device,
              .x = {.label = "fraction of tiles that never post", .powers_of_two = true},
              .y = {.label = label, .from_zero = true}};
    const Row* without = nullptr;
    for (const Row& row : rows) {
        if (row.part != "blocking" || !row.per_workgroup) {
            continue;
        }
        if (row.blocking == 0) {
            without = &row;
        }
        const auto value = without != nullptr ? ratio(row, *without) : std::nullopt;
        if (!value) {
            continue;
        }
        if (row.blocking == 0) {
            plot.curves.push_back(
                {.name = row.operation, .color = colors.at(plot.curves.size() % colors.size()), .markers = true});
        } else {
            plot.curves.back().x.push_back(row.blocking);
            plot.curves.back().y.push_back(*value);
        }
    }
    return to_svg(plot);
}

/// Plots a value against the blocking rate. Dashed lines: no blocking. `value` returns a row's value, if it has one.
std::string by_blocking(const std::vector<Row>& rows, const std::string& device, const std::string& label,
                        const std::function<std::optional<double>(const Row&)>& value) {
    Plot plot{.x = {.label = "fraction of tiles that never post", .powers_of_two = true},
              .y = {.label = label, .from_zero = true}};
    Curve blocked{.name = "fallback", .color = color_of("fallback"), .markers = true};
    for (const Row& row : rows) {
        if (is_blocking(row) && row.blocking > 0) {
            blocked.x.push_back(row.blocking);
            blocked.y.push_back(value(row).value_or(0));
        }
    }
    for (const Row& row : rows) {
        const auto level = value(row);
        if (is_blocking(row) && row.blocking == 0 && level && !blocked.x.empty()) {
            plot.curves.push_back({.name = row.implementation + (row.per_workgroup ? ", no blocking" : ""),
                                   .color = color_of(row.implementation),
                                   .y = {*level, *level},
                                   .x = {blocked.x.front(), blocked.x.back()},
                                   .dashed = true});
        }
        if (is_blocking(row)) {
            plot.title = "Inclusive sums of " + size_name(row.n) + " u32: " + device;
        }
    }
    plot.curves.push_back(std::move(blocked));
    return to_svg(plot);
}

} // namespace

std::string table(const std::vector<Row>& rows) {
    std::string text = format("%-11s %-10s %-17s %-6s %8s %14s %11s %11s %9s %10s %10s %8s %20s\n", "part", "operation",
                              "implementation", "n", "blocking", "silent tiles", "us", "mean us", "deviation",
                              "G items/s", "harmonic", "of copy", "of reduce_then_scan");
    std::string counters = format("\nCounters of the look-back with fallback, means over the runs, per workgroup; of a "
                                  "sort, per workgroup and pass:\n%-10s %8s",
                                  "operation", "blocking");
    for (const char* name : counter_names) {
        counters += format(" %14s", name);
    }
    counters += '\n';
    bool has_counters = false;
    for (const Row& row : rows) {
        const auto& ratio = row.ratio_to_reduce_then_scan;
        text += format("%-11s %-10s %-17s %-6s %8s %14s %11.2f %11.2f %9.2f %10.4g %10.4g %8.3f %20s\n",
                       row.part.c_str(), row.operation.c_str(), row.implementation.c_str(), size_name(row.n).c_str(),
                       blocking_name(row).c_str(), silent_text(row).c_str(), row.ms * 1e3, row.mean_ms * 1e3,
                       row.deviation_ms * 1e3, giga_items(row), row.harmonic_items_per_second() * 1e-9,
                       row.ratio_to_copy, ratio ? fixed(*ratio, 3).c_str() : "-");
        if (row.per_workgroup) {
            has_counters = true;
            counters += format("%-10s %8s", row.operation.c_str(), blocking_name(row).c_str());
            for (const double counter : *row.per_workgroup) {
                counters += format(" %14.4g", counter);
            }
            counters += '\n';
        }
    }
    return has_counters ? text + counters : text;
}

std::string csv(const std::vector<Row>& rows) {
    std::string text = "part,operation,implementation,n,blocking,all_tiles,silent_tiles,microseconds,mean_microseconds,"
                       "deviation_microseconds,items_per_second,harmonic_items_per_second,ratio_to_copy,"
                       "ratio_to_reduce_then_scan";
    for (const char* name : counter_names) {
        text += std::string(",") + name;
    }
    text += '\n';
    for (const Row& row : rows) {
        text += row.part + ',' + row.operation + ',' + row.implementation + ',' + std::to_string(row.n) + ',' +
                general(row.blocking, 9) + ',';
        text += row.tiles == 0 ? "," : std::to_string(row.tiles) + ',' + std::to_string(row.silent_tiles);
        for (const double ms : {row.ms, row.mean_ms, row.deviation_ms}) {
            text += ',' + fixed(ms * 1e3, 3);
        }
        for (const double number : {row.items_per_second(), row.harmonic_items_per_second(), row.ratio_to_copy}) {
            text += ',' + general(number, 6);
        }
        text += ',' + (row.ratio_to_reduce_then_scan ? general(*row.ratio_to_reduce_then_scan, 6) : std::string());
        for (std::size_t i = 0; i < counter_names.size(); ++i) {
            text += ',' + (row.per_workgroup ? general((*row.per_workgroup)[i], 6) : std::string());
        }
        text += '\n';
    }
    return text;
}

std::vector<std::string> plot_files() {
    std::vector<std::string> names{"throughput.svg", "blocking_operations.svg", "blocking_ratios.svg",
                                   "blocking_throughput.svg"};
    for (const char* name : counter_names) {
        names.push_back(std::string("blocking_") + name + ".svg");
    }
    return names;
}

std::vector<std::string> plots(const std::vector<Row>& rows, const std::string& device) {
    std::vector<std::string> all{
        throughput_by_size(rows, device),
        by_operation(rows, device, "throughput relative to no blocking",
                     [](const Row& row, const Row& without) { return std::optional(without.ms / row.ms); }),
        by_operation(rows, device, "throughput relative to reduce_then_scan",
                     [](const Row& row, const Row&) { return row.ratio_to_reduce_then_scan; }),
        by_blocking(rows, device, "G items/s", giga_items)};
    constexpr std::array labels = {"unsuccessful polls per workgroup", "successful polls per workgroup",
                                   "fallbacks started per workgroup", "fallbacks that posted first, per workgroup",
                                   "tiles covered per look-back"};
    static_assert(labels.size() == counter_names.size());
    for (std::size_t i = 0; i < labels.size(); ++i) {
        all.push_back(by_blocking(rows, device, labels.at(i), [i](const Row& row) {
            return row.per_workgroup ? std::optional(row.per_workgroup->at(i)) : std::nullopt;
        }));
    }
    return all;
}

} // namespace samples
