#include "estimate/statistics.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <utility>

namespace weir::bench {

std::optional<PipelineStatistics> read_statistics(std::string_view message) {
    constexpr std::string_view begin = "pipeline '", middle = "': ";
    const std::size_t end = message.find(middle);
    if (!message.starts_with(begin) || end == std::string_view::npos) {
        return std::nullopt;
    }
    PipelineStatistics found{.pass = std::string(message.substr(begin.size(), end - begin.size()))};
    struct {
        std::string_view name;
        std::uint64_t& value;
        bool is_there = false;
    } wanted[] = {{"VGPRs", found.vgprs},
                  {"SGPRs", found.sgprs},
                  {"Spilled VGPRs", found.spilled_vgprs},
                  {"Spilled SGPRs", found.spilled_sgprs},
                  {"LDS size", found.workgroup_bytes},
                  {"Subgroups per SIMD", found.subgroups_per_simd},
                  {"Instructions", found.instructions},
                  {"Latency", found.latency},
                  {"Inverse Throughput", found.inverse_throughput}};
    for (std::string_view rest = message.substr(end + middle.size()); !rest.empty();) {
        const std::size_t comma = rest.find(", ");
        const std::string_view one = rest.substr(0, comma);
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 2);
        const std::size_t space = one.rfind(' ');
        for (auto& [name, value, is_there] : wanted) {
            if (space != std::string_view::npos && one.substr(0, space) == name) {
                const char* const last = one.data() + one.size();
                is_there = std::from_chars(one.data() + space + 1, last, value).ptr == last;
            }
        }
    }
    return std::ranges::all_of(wanted, [](const auto& one) { return one.is_there; }) ? std::optional(std::move(found))
                                                                                     : std::nullopt;
}

LogFunction PipelineLog::function() {
    return [this](LogLevel level, const char* message) {
        if (auto statistics = read_statistics(message)) {
            const std::lock_guard lock(mutex_);
            pipelines_.push_back(std::move(*statistics));
        } else if (level != LogLevel::debug) {
            std::fprintf(stderr, "%s\n", message);
        }
    };
}

void PipelineLog::add_error(const char* message) {
    std::string line = message;
    std::ranges::replace(line, '\n', ' ');
    const std::lock_guard lock(mutex_);
    errors_.push_back(std::move(line));
}

std::vector<std::string> PipelineLog::take_errors() {
    const std::lock_guard lock(mutex_);
    return std::exchange(errors_, {});
}

std::vector<PipelineStatistics> PipelineLog::take() {
    const std::lock_guard lock(mutex_);
    std::ranges::sort(pipelines_, {}, &PipelineStatistics::pass);
    return std::exchange(pipelines_, {});
}

} // namespace weir::bench
