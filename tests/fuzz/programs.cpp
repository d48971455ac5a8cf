#include <cmath>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <weir/splats/files.hpp>
#include <weir/svg/document.hpp>
#include <weir/svg/values.hpp>

#include "common/command_line.hpp"
#include "radix_sort/numbers.hpp"
#include "radix_sort/options.hpp"
#include "recurrence/series.hpp"
#include "splats/camera_file.hpp"
#include "svg/images.hpp"
#include "tests/fuzz/fed_file.hpp"
#include "tests/fuzz/targets.hpp"
#include "tune/table.hpp"

namespace weir::fuzz {

namespace {

std::string_view text_of(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

} // namespace

void shapes(Bytes bytes) {
    const KernelShape row{.device = "cpu", .workgroup = 64, .items = 1};
    const bench::Winners winners{{10, KernelShape{.device = "cpu", .workgroup = 128, .items = 2}}, {20, std::nullopt}};
    (void)bench::replace_rows(text_of(bytes), bench::with_winners({&row, 1}, winners, true), "fed");
}

void numbers(Bytes bytes) {
    if (bytes.empty()) {
        return;
    }
    constexpr auto types = static_cast<unsigned>(samples::NumberType::f64) + 1;
    const auto type = static_cast<samples::NumberType>(bytes[0] % types);
    const FedFile file{bytes.subspan(1)};
    for (const auto& read :
         {samples::read_numbers(file.name(), type, 1000), samples::read_bytes(file.name(), type, 1000)}) {
        if (read) {
            (void)samples::to_text(*read, type);
            (void)samples::in_unsigned_order(*read, type);
        }
    }
    std::uint64_t count = 0;
    (void)samples::parse_count(text_of(bytes), count);
    (void)samples::parse_type(text_of(bytes), const_cast<samples::NumberType&>(type));
}

void series(Bytes bytes) {
    const FedFile file{bytes};
    (void)samples::read_series(file.name(), "x", "");
    (void)samples::read_series(file.name(), "x", "group");
}

void cloud(Bytes bytes) {
    const auto read = splats::read_cloud(std::as_bytes(bytes), {.threads = 1, .morton_order = true});
    if (read) {
        (void)splats::write_ply(read->cloud);
        (void)splats::write_spz(read->cloud);
    }
}

void cameras(Bytes bytes) {
    namespace sample = samples::splats;
    const auto keys = sample::parse_camera_path(std::string(text_of(bytes)), "fed", {0, 1, 0});
    if (keys) {
        for (const double part : {0.0, 0.3, 1.0}) {
            const double time = std::lerp(keys->front().time, keys->back().time, part);
            (void)sample::camera_at(*keys, time, 64, 48);
        }
        (void)sample::parse_camera_path(sample::camera_path_text(*keys), "written", {0, 1, 0});
    }
}

void svg(Bytes bytes) {
    (void)weir::svg::read(text_of(bytes));
    (void)weir::svg::read_path_data(text_of(bytes));
}

void raster(Bytes bytes) {
    (void)weir::svg::read_raster(text_of(bytes));
}

void options(Bytes bytes) {
    // Splits the bytes at zeros into words.
    std::vector<std::string> words{"radix_sort"};
    words.emplace_back();
    for (const std::uint8_t byte : bytes) {
        if (byte == 0) {
            words.emplace_back();
        } else {
            words.back() += static_cast<char>(byte);
        }
    }
    std::vector<char*> pointers;
    for (std::string& word : words) {
        pointers.push_back(word.data());
    }
    pointers.push_back(nullptr);
    (void)samples::parse_command_line(static_cast<int>(words.size()), pointers.data());
}

} // namespace weir::fuzz
