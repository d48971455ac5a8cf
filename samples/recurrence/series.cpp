#include "recurrence/series.hpp"

#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#define CSV_IO_NO_THREAD
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wstringop-truncation" // the parser terminates the names that it copies with strncpy
#endif
#include <csv.h>

#include "common/files.hpp"
#include "common/paths.hpp"
#include "common/progress.hpp"
#include "common/text.hpp"

namespace samples {

namespace {

constexpr std::size_t most = std::size_t{1} << 28; // elements

template <unsigned columns>
using Reader = io::CSVReader<columns, io::trim_chars<' ', '\t'>, io::double_quote_escape<',', '"'>>;

/// Adds an element. It begins a new group if `group` differs from `last_group`. Returns an error message, or an empty
/// string.
std::string add(Series& series, const char* text, const char* group, std::string& last_group) {
    float value = 0;
    const char* end = text + std::strlen(text);
    const auto [rest, error] = std::from_chars(text, end, value);
    if (error != std::errc() || rest != end || !std::isfinite(value)) {
        return in_quotes(text) + " is not a finite number";
    }
    if (series.x.size() == most) {
        return "more than 2^28 elements";
    }
    const std::uint32_t number = series.group.empty() ? 0 : series.group.back() + (last_group == group ? 0 : 1);
    last_group = group;
    series.x.push_back(value);
    series.group.push_back(number);
    return {};
}

} // namespace

Series make_series(std::uint32_t n, std::uint64_t seed) {
    Progress progress("generate");
    std::mt19937_64 random(seed);
    Series series;
    series.x.resize(n);
    series.group.resize(n);
    for (std::uint32_t i = 0; i < n; ++i) {
        const double noise = static_cast<double>(random() >> 11) * 0x1p-53 - 0.5;
        const double at = static_cast<double>(i) / n;
        series.x[i] = static_cast<float>(std::sin(20 * at) + noise);
        series.group[i] = static_cast<std::uint32_t>(4 * at);
    }
    return series;
}

weir::Result<Series> read_series(const std::string& path, const std::string& column, const std::string& group) {
    std::error_code error;
    if (std::filesystem::is_directory(path_of(path), error)) {
        return io_error(path, "is a directory");
    }
    if (!std::ifstream(path_of(path))) {
        return io_error(path, std::strerror(errno));
    }
    Progress progress("read");
    Series series;
    std::string last_group;
    try {
        const auto read = [&](auto& reader, auto next) -> weir::Result<Series> {
            const char* text = nullptr;
            const char* name = "";
            while (next(reader, text, name)) {
                if (const std::string why = add(series, text, name, last_group); !why.empty()) {
                    return io_error(path, "line " + std::to_string(reader.get_file_line()) + ": " + why);
                }
            }
            return std::move(series);
        };
        if (group.empty() || group == column) {
            Reader<1> reader(path);
            reader.read_header(io::ignore_extra_column, column);
            return read(reader, [&](Reader<1>& from, const char*& text, const char*& name) {
                const bool more = from.read_row(text);
                name = group.empty() || !more ? "" : text;
                return more;
            });
        }
        Reader<2> reader(path);
        reader.read_header(io::ignore_extra_column, column, group);
        return read(reader,
                    [](Reader<2>& from, const char*& text, const char*& name) { return from.read_row(text, name); });
    } catch (const io::error::base& wrong) { // the message names the file
        return tl::unexpected(weir::Error{weir::ErrorCode::io, escaped(wrong.what(), 400)});
    }
}

std::string series_csv(const Series& series, const std::vector<double>& y) {
    std::string text = "group,x,y\n";
    for (std::size_t i = 0; i < y.size(); ++i) {
        text += std::to_string(series.group[i]) + ',' + general(static_cast<double>(series.x[i]), 9) + ',' +
                general(y[i], 10) + '\n';
    }
    return text;
}

} // namespace samples
