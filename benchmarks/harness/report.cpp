#include "harness/report.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iomanip>
#include <locale>
#include <map>

#include "common/paths.hpp"
#include "common/text.hpp"
#include "common/timing.hpp"

namespace weir::bench {

namespace {

nlohmann::json number_or_null(const std::optional<double>& value) {
    return value ? nlohmann::json(*value) : nlohmann::json();
}

std::string ratio_text(const std::optional<double>& ratio) {
    return ratio ? samples::fixed(*ratio, 3) : "-";
}

Result<> finished(std::ofstream& file, const std::string& path) {
    file.close();
    if (!file) {
        return tl::unexpected(Error{ErrorCode::io, "cannot write '" + path + "'"});
    }
    return {};
}

} // namespace

Row row_of(const std::string& name, std::uint32_t n, const std::vector<double>& runs_ms) {
    const auto type = name.find('/') + 1, impl = name.find('/', type) + 1;
    const double median = samples::median(runs_ms);
    return {.op = name.substr(0, type - 1),
            .type = name.substr(type, impl - type - 1),
            .n = n,
            .impl = name.substr(impl),
            .median_ms = median,
            .min_ms = *std::min_element(runs_ms.begin(), runs_ms.end()),
            .repeats = static_cast<std::uint32_t>(runs_ms.size()),
            .items_per_s = median > 0 ? n / median * 1e3 : 0};
}

nlohmann::json to_json(const Row& row) {
    nlohmann::json json{{"op", row.op},
                        {"type", row.type},
                        {"n", row.n},
                        {"impl", row.impl},
                        {"median_ms", row.median_ms},
                        {"min_ms", row.min_ms},
                        {"repeats", row.repeats},
                        {"items_per_s", row.items_per_s},
                        {"bytes_per_s", row.bytes_per_s},
                        {"ratio_to_copy", number_or_null(row.ratio_to_copy)}};
    if (!row.kernel.empty()) {
        json["kernel"] = row.kernel;
    }
    if (row.ratio_to_cub) {
        json["ratio_to_cub"] = *row.ratio_to_cub;
    }
    if (row.ratio_to_cub_graph) {
        json["ratio_to_cub_graph"] = *row.ratio_to_cub_graph;
    }
    return json;
}

Result<Row> row_from_json(const nlohmann::json& json) {
    try {
        Row row;
        row.op = json.at("op").get<std::string>();
        row.type = json.at("type").get<std::string>();
        row.n = json.at("n").get<std::uint32_t>();
        row.impl = json.at("impl").get<std::string>();
        row.median_ms = json.at("median_ms").get<double>();
        row.min_ms = json.at("min_ms").get<double>();
        row.repeats = json.at("repeats").get<std::uint32_t>();
        row.items_per_s = json.at("items_per_s").get<double>();
        row.bytes_per_s = json.at("bytes_per_s").get<double>();
        if (const auto& ratio = json.at("ratio_to_copy"); !ratio.is_null()) {
            row.ratio_to_copy = ratio.get<double>();
        }
        return row;
    } catch (const nlohmann::json::exception& exception) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, exception.what()});
    }
}

std::vector<Fit> fit_lines(const std::vector<Row>& rows) {
    constexpr std::size_t fewest = 3;
    std::vector<Fit> fits;
    std::vector<std::vector<const Row*>> lines; // in the order of their first rows
    std::map<std::array<std::string, 3>, std::size_t> places;
    for (const Row& row : rows) {
        if (row.median_ms > 0) {
            const auto place = places.try_emplace({row.op, row.type, row.impl}, lines.size()).first;
            lines.resize(std::max(lines.size(), place->second + 1));
            lines[place->second].push_back(&row);
        }
    }
    for (const auto& points : lines) {
        if (points.size() < fewest) {
            continue;
        }
        // Least squares of 1 = (launch + n * each) / ms: weights 1 / ms^2.
        double w = 0, wn = 0, wnn = 0, wt = 0, wnt = 0;
        for (const Row* row : points) {
            const double n = row->n, t = row->median_ms, weight = 1 / (t * t);
            w += weight;
            wn += weight * n;
            wnn += weight * n * n;
            wt += weight * t;
            wnt += weight * n * t;
        }
        const double determinant = w * wnn - wn * wn;
        const double each = determinant > 0 ? (w * wnt - wn * wt) / determinant : 0;
        if (each <= 0) {
            continue; // only one size, or large sizes are not slower
        }
        const Row& first = *points.front();
        Fit fit{first.op, first.type, first.impl, (wt - each * wn) / w, 1e3 / each};
        for (const Row* row : points) {
            const double line = fit.launch_ms + each * row->n;
            fit.worst = std::max(fit.worst, std::abs(row->median_ms - line) / row->median_ms);
        }
        fits.push_back(std::move(fit));
    }
    return fits;
}

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
#if defined(_WIN32)
    gmtime_s(&utc, &now);
#else
    gmtime_r(&now, &utc);
#endif
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

std::string size_name(std::uint32_t n) {
    return std::has_single_bit(n) ? "2^" + std::to_string(std::countr_zero(n)) : std::to_string(n);
}

void Table::begin(const Conditions& conditions) {
    std::printf("%s, %s\n", conditions.device.c_str(), conditions.driver.c_str());
    std::printf("%-*s %-6s %-5s %-*s %11s %11s %9s %9s %8s%s\n", op_width_, "op", "type", "n", impl_width_, "impl",
                "median us", "min us", "G items/s", "GB/s", "of copy", peers_ ? "   of cub of graph" : "");
    std::fflush(stdout);
}

void Table::add(const Row& row) {
    const std::string operation = row.op + '/' + row.type;
    if (operation != operation_) {
        std::printf("\n");
        operation_ = operation;
    }
    std::printf("%-*s %-6s %-5s %-*s %11.2f %11.2f %9.4g %9.1f %8s", op_width_, row.op.c_str(), row.type.c_str(),
                size_name(row.n).c_str(), impl_width_, row.impl.c_str(), row.median_ms * 1e3, row.min_ms * 1e3,
                row.items_per_s * 1e-9, row.bytes_per_s * 1e-9, ratio_text(row.ratio_to_copy).c_str());
    if (peers_) {
        std::printf(" %8s %8s", ratio_text(row.ratio_to_cub).c_str(), ratio_text(row.ratio_to_cub_graph).c_str());
    }
    std::printf("%s%s\n", row.kernel.empty() ? "" : "  ", row.kernel.c_str());
    std::fflush(stdout);
}

void Table::add(const std::vector<Fit>& fits) {
    if (fits.empty()) {
        return;
    }
    std::printf("\nLines through the medians: us = launch + n / rate\n%-*s %-6s %-*s %11s %11s %9s\n", op_width_, "op",
                "type", impl_width_, "impl", "launch us", "G items/s", "off by");
    for (const Fit& fit : fits) {
        std::printf("%-*s %-6s %-*s %11.2f %11.4g %8.0f%%\n", op_width_, fit.op.c_str(), fit.type.c_str(), impl_width_,
                    fit.impl.c_str(), fit.launch_ms * 1e3, fit.items_per_s * 1e-9, fit.worst * 100);
    }
    std::fflush(stdout);
}

Result<> write_json(const std::string& path, const Conditions& conditions, const std::vector<Row>& rows,
                    const std::vector<Fit>& fits) {
    nlohmann::json json{{"device", conditions.device},
                        {"driver", conditions.driver},
                        {"date", conditions.date},
                        {"command", conditions.command},
                        {"rows", nlohmann::json::array()}};
    if (!conditions.peer.is_null()) {
        json["peer"] = conditions.peer;
    }
    for (const Row& row : rows) {
        json["rows"].push_back(to_json(row));
    }
    for (const Fit& fit : fits) {
        json["lines"].push_back({{"op", fit.op},
                                 {"type", fit.type},
                                 {"impl", fit.impl},
                                 {"launch_ms", fit.launch_ms},
                                 {"items_per_s", fit.items_per_s},
                                 {"worst", fit.worst}});
    }
    std::ofstream file(samples::path_of(path), std::ios::binary);
    file << json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
    return finished(file, path);
}

void write_conditions(std::ostream& file, const Conditions& conditions) {
    file << "# device: " << conditions.device << "\n# driver: " << conditions.driver << "\n# date: " << conditions.date
         << "\n# command:";
    for (const std::string& word : conditions.command) {
        file << ' ' << word;
    }
    file << '\n';
    if (conditions.peer.is_object()) {
        file << "# " << conditions.peer.value("peer", "peer") << ": " << conditions.peer.value("version", "unknown")
             << '\n';
    }
}

Result<> write_csv(const std::string& path, const Conditions& conditions, const std::vector<Row>& rows) {
    std::ofstream file(samples::path_of(path), std::ios::binary);
    write_conditions(file, conditions);
    file << "op,type,n,impl,median_ms,min_ms,repeats,items_per_s,bytes_per_s,ratio_to_copy,ratio_to_cub,"
            "ratio_to_cub_graph,kernel\n";
    file.imbue(std::locale::classic());
    file << std::setprecision(6);
    for (const Row& row : rows) {
        // Only impl and kernel can contain a comma, because shapes do.
        file << row.op << ',' << row.type << ',' << row.n << ',' << std::quoted(row.impl, '"', '"') << ','
             << row.median_ms << ',' << row.min_ms << ',' << row.repeats << ',' << row.items_per_s << ','
             << row.bytes_per_s << ',' << (row.ratio_to_copy ? ratio_text(row.ratio_to_copy) : "") << ','
             << (row.ratio_to_cub ? ratio_text(row.ratio_to_cub) : "") << ','
             << (row.ratio_to_cub_graph ? ratio_text(row.ratio_to_cub_graph) : "") << ','
             << std::quoted(row.kernel, '"', '"') << '\n';
    }
    return finished(file, path);
}

} // namespace weir::bench
