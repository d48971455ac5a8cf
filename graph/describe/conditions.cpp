#include "graph/describe/conditions.hpp"

#include <algorithm>

namespace weir {

std::vector<Condition> open_conditions(const GraphDescription& graph, std::size_t depth) {
    std::vector<Condition> all;
    for (std::size_t i = 0; i < depth; ++i) {
        const Condition& condition = graph.open[i].condition;
        const auto* count = std::get_if<Count>(&condition);
        const bool always = count != nullptr && count->kind == Count::Kind::constant && count->max != 0;
        if (!always && std::find(all.begin(), all.end(), condition) == all.end()) {
            all.push_back(condition);
        }
    }
    return all;
}

std::vector<Condition> without_gpu(std::vector<Condition> conditions) {
    std::erase_if(conditions, [](const Condition& condition) {
        const auto* count = std::get_if<Count>(&condition);
        return count != nullptr && count->kind == Count::Kind::gpu;
    });
    return conditions;
}

std::optional<Count> open_gate(const GraphDescription& graph) {
    for (std::size_t i = graph.open.size(); i-- > 0;) {
        if (graph.open[i].gate) {
            return graph.open[i].gate;
        }
    }
    return {};
}

} // namespace weir
