#include <weir/graph/profile.hpp>

#include <array>
#include <cstdio>

#include "graph/json.hpp"

namespace weir {

namespace {

/// A row of the table.
std::string row(double us, double total, const std::string& group, const std::string& name) {
    std::array<char, 64> numbers{};
    std::snprintf(numbers.data(), numbers.size(), "%12.3f %6.1f%% %6s  ", us, total > 0 ? us / total * 100 : 0.0,
                  group.c_str());
    return numbers.data() + name + '\n';
}

} // namespace

double Profile::total_us() const {
    return passes.empty() ? 0 : passes.back().end_us;
}

std::string Profile::text(const GraphDescription& graph) const {
    const double total = total_us();
    std::string out = "          us   total  group  pass\n";
    for (const PassTime& time : passes) {
        out += row(time.end_us - time.begin_us, total, std::to_string(time.group), graph.passes[time.pass].name);
    }
    return out + row(total, total, "", "all");
}

std::string Profile::trace(const GraphDescription& graph) const {
    Json events = Json::array();
    const auto metadata = [&](const char* what, const char* name) {
        events.push_back({{"name", what}, {"ph", "M"}, {"pid", 1}, {"tid", 1}, {"args", {{"name", name}}}});
    };
    metadata("process_name", "weir");
    metadata("thread_name", "GPU");
    for (const PassTime& time : passes) {
        events.push_back({{"name", graph.passes[time.pass].name},
                          {"ph", "X"},
                          {"pid", 1},
                          {"tid", 1},
                          {"ts", time.begin_us},
                          {"dur", time.end_us - time.begin_us},
                          {"args", {{"pass", time.pass}, {"group", time.group}}}});
    }
    return to_text({{"displayTimeUnit", "ns"}, {"traceEvents", std::move(events)}});
}

} // namespace weir
