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

/// The image of which it is a part, or itself: what has memory.
inline std::uint32_t root_of(const GraphDescription& graph, std::uint32_t resource) {
    const std::uint32_t image = graph.resources[resource].part_of;
    return image != ResourceId::none ? image : resource;
}

/// Its mips and layers in the image of which it is a part; of an image all.
ImagePart range_of(const GraphDescription& graph, std::uint32_t image);

/// Such a part of an image, named after its mips and layers; it is not in the graph yet.
GraphDescription::Resource part_of(const GraphDescription& graph, std::uint32_t image, const ImagePart& range);

/// Whether they have a byte, mip or layer in common; resources that only share memory have none.
bool overlap(const GraphDescription& graph, std::uint32_t a, std::uint32_t b);

/// Whether the application uses it, or a part of it, after an execution.
bool leaves(const GraphDescription& graph, std::uint32_t resource);

/// Whether a pass of the graph writes it, or a part of it.
bool is_written(const GraphDescription& graph, std::uint32_t resource);

} // namespace weir
