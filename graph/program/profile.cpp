#include <weir/graph/profile.hpp>

#include <algorithm>
#include <iomanip>
#include <locale>
#include <sstream>

#include "graph/plan/stages.hpp"

namespace weir {

namespace {

/// Returns a row of the table.
std::string row(double us, double total, const std::string& group, const std::string& name) {
    std::ostringstream out;
    out.imbue(std::locale::classic());
    out << std::fixed << std::setprecision(3) << std::setw(12) << us << std::setprecision(1) << std::setw(7)
        << (total > 0 ? us / total * 100 : 0.0) << "% " << std::setw(6) << group << "  " << name << '\n';
    return out.str();
}

} // namespace

double Profile::total_us() const {
    double begin = 0, end = 0; // the first pass in order may begin later than a pass on another queue
    for (const PassTime& time : passes) {
        begin = std::min(begin, time.begin_us);
        end = std::max(end, time.end_us);
    }
    return end - begin;
}

double Profile::longest_chain_us() const {
    if (graph == nullptr) {
        return 0;
    }
    const auto edges = find_edges(*graph);          // cannot fail: the graph was compiled
    std::vector<double> ends(graph->passes.size()); // per pass: end of the longest chain that ends with it
    double longest = 0;
    for (const PassTime& time : passes) { // passes are in a possible order of execution
        double begin = 0;
        for (const Edge& edge : edges ? (*edges)[time.pass] : std::vector<Edge>()) {
            begin = std::max(begin, ends[edge.on]);
        }
        ends[time.pass] = begin + time.end_us - time.begin_us;
        longest = std::max(longest, ends[time.pass]);
    }
    return longest;
}

double Profile::two_queues_us() const {
    double sum = 0;
    for (const PassTime& time : passes) {
        sum += time.end_us - time.begin_us;
    }
    return std::max(longest_chain_us(), sum / 2);
}

std::string Profile::text() const {
    const double total = total_us();
    std::string out = "          us   total  group  pass\n";
    for (const PassTime& time : passes) {
        const std::string& said = time.pass < statistics.size() ? statistics[time.pass] : std::string();
        out += row(time.end_us - time.begin_us, total, std::to_string(time.group),
                   graph->passes[time.pass].name + (said.empty() ? "" : " (" + said + ")"));
    }
    out += row(total, total, "", "all");
    const double bound = two_queues_us();
    return out + row(bound, total, "", "at least, on two queues");
}

} // namespace weir
