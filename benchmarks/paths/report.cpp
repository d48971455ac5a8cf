#include "paths/report.hpp"

#include <cstdio>
#include <iomanip>
#include <locale>
#include <sstream>

namespace weir::bench {

void print_header(const Conditions& conditions) {
    std::printf("%s, %s\n", conditions.device.c_str(), conditions.driver.c_str());
    std::printf("%-18s %-12s %7s %8s %8s %8s %8s %7s %10s %10s %10s\n", "drawing", "pixels", "draws", "lines", "cuts",
                "strips", "MB", "B/line", "median us", "min us", "CPU us");
    std::fflush(stdout);
}

void print_row(const PathRow& row) {
    const auto find = [&](const char* what) {
        for (const PathTime& time : row.times) {
            if (time.what == what) {
                return time.times;
            }
        }
        return Times{};
    };
    const Times graph = find("graph");
    const std::string pixels = std::to_string(row.width) + " x " + std::to_string(row.height);
    std::printf("%-18s %-12s %7zu %8u %8u %8u %8.1f %7.1f %10.1f %10.1f %10.0f\n", row.name.c_str(), pixels.c_str(),
                row.draws, row.sizes.lines, row.sizes.cuts, row.sizes.strips, static_cast<double>(row.memory) * 1e-6,
                row.bytes_per_line, graph.median_ms * 1e3, graph.min_ms * 1e3, find("cpu strips").median_ms * 1e3);
    const char* before = "   ";
    for (const PathTime& time : row.times) {
        if (time.what != "graph" && time.what != "cpu strips") {
            std::printf("%s %s %.1f", before, time.what.c_str(), time.times.median_ms * 1e3);
            before = ",";
        }
    }
    std::printf("\n");
    std::fflush(stdout);
}

std::string csv_of(const Conditions& conditions, const std::vector<PathRow>& rows) {
    std::ostringstream file;
    file.imbue(std::locale::classic());
    write_conditions(file, conditions);
    file << "drawing,width,height,draws,lines,cuts,strips,memory_bytes,bytes_per_line,time,median_ms,min_ms,repeats\n";
    file << std::setprecision(6);
    for (const PathRow& row : rows) {
        for (const PathTime& time : row.times) {
            file << std::quoted(row.name, '"', '"') << ',' << row.width << ',' << row.height << ',' << row.draws << ','
                 << row.sizes.lines << ',' << row.sizes.cuts << ',' << row.sizes.strips << ',' << row.memory << ','
                 << row.bytes_per_line << ',' << time.what << ',' << time.times.median_ms << ',' << time.times.min_ms
                 << ',' << time.times.repeats << '\n';
        }
    }
    return file.str();
}

} // namespace weir::bench
