#include <string_view>

#include <weir/graph/description.hpp>

#include "engine/base/strings.hpp"

namespace weir {

std::string to_string(const SourceLocation& where) {
    const std::string_view file = where.file;
    return where.line == 0 || file.empty()
               ? ""
               : concat(" (", file.substr(file.find_last_of("/\\") + 1), ":", where.line, ")");
}

GraphCall::GraphCall(Graph& graph, SourceLocation where)
    : graph_(graph), is_outermost_(graph.description_->caller.line == 0) {
    if (is_outermost_) {
        graph_.description_->caller = where;
    }
}

GraphCall::~GraphCall() {
    if (is_outermost_) {
        graph_.description_->caller = {};
    }
}

} // namespace weir
