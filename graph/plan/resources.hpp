#pragma once

#include <cstdint>

#include <weir/graph/description.hpp>

// Questions that several stages ask about a resource of a graph.

namespace weir {

/// "buffer" or "image".
inline const char* kind_of(const GraphDescription::Resource& resource) {
    return resource.image ? "image" : "buffer";
}

/// Whether it is one of the two buffers of a history.
inline bool is_history(const GraphDescription::Resource& buffer) {
    return buffer.previous != ResourceId::none || buffer.current != ResourceId::none;
}

/// Whether it has no contents before a pass of the execution writes it.
inline bool starts_undefined(const GraphDescription::Resource& buffer) {
    return buffer.lifetime == GraphDescription::Lifetime::transient || buffer.previous != ResourceId::none;
}

/// Whether a pass of the graph writes it.
bool is_written(const GraphDescription& graph, std::uint32_t resource);

} // namespace weir
