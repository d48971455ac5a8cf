#pragma once

#include <cstdint>

#include <weir/graph/description.hpp>

// Properties of resources of a graph that several stages need.

namespace weir {

/// Returns "buffer" or "image".
inline const char* kind_of(const GraphDescription::Resource& resource) {
    return resource.image ? "image" : "buffer";
}

/// Checks if the resource is one of the two buffers or images of a history.
inline bool is_history(const GraphDescription::Resource& resource) {
    return resource.previous != ResourceId::none || resource.current != ResourceId::none;
}

/// Checks if the resource has no contents before a pass of the execution writes it.
inline bool starts_undefined(const GraphDescription::Resource& buffer) {
    return buffer.lifetime == GraphDescription::Lifetime::transient || buffer.previous != ResourceId::none;
}

/// Checks if the resource has no contents at the start of an execution.
inline bool starts_empty(const GraphDescription::Resource& resource) {
    const bool is_import = resource.lifetime == GraphDescription::Lifetime::import;
    return starts_undefined(resource) || (is_import && resource.image && resource.arrives.empty());
}

/// Returns the image or buffer that contains `resource` as a part, or `resource` itself. Memory belongs to the returned
/// resource.
inline std::uint32_t root_of(const GraphDescription& graph, std::uint32_t resource) {
    const std::uint32_t image = graph.resources[resource].part_of;
    return image != ResourceId::none ? image : resource;
}

/// Returns the mips and layers of a part in its image, or all mips and layers of an image that is not a part.
ImagePart range_of(const GraphDescription& graph, std::uint32_t image);

/// Creates the resource for a part of `image`, named after its mips and layers. Does not add it to the graph.
GraphDescription::Resource part_of(const GraphDescription& graph, std::uint32_t image, const ImagePart& range);

/// Creates the resource for `bytes` bytes of `buffer` from byte `offset` on. Does not add it to the graph.
GraphDescription::Resource part_of(const GraphDescription& graph, std::uint32_t buffer, std::uint64_t offset,
                                   std::uint64_t bytes);

/// Checks if two resources have a byte, mip or layer in common. Resources that only share memory do not overlap.
bool overlap(const GraphDescription& graph, std::uint32_t a, std::uint32_t b);

/// Checks if the application uses the resource, or a piece of it, after an execution: it is exported.
bool leaves(const GraphDescription& graph, std::uint32_t resource);

/// Checks if a pass of the graph writes the resource or one that overlaps it.
bool is_written(const GraphDescription& graph, std::uint32_t resource);

} // namespace weir
