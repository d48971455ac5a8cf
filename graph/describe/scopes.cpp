#include <algorithm>

#include <weir/graph/description.hpp>

namespace weir {

OnlyIf::~OnlyIf() {
    graph_.open.resize(std::min(graph_.open.size(), depth_));
}

OnQueue::~OnQueue() {
    graph_.queue = before_;
}

} // namespace weir
