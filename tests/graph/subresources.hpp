#pragma once

#include <cstdint>

#include <weir/graph/description.hpp>
#include <weir/graph/plan.hpp>

// Parts of images and buffers, for checks of plans: each mip of each layer, and each range of a buffer between the ends
// of parts, becomes a resource of its own.

namespace weir::tests {

/// Returns the image or buffer of which `resource` is a part, otherwise `resource`.
std::uint32_t whole_of(const GraphDescription& graph, std::uint32_t resource);
/// Returns true if two resources are the same, or have a mip of a layer of an image or a byte of a buffer in common.
bool have_common(const GraphDescription& graph, std::uint32_t a, std::uint32_t b);
/// Returns true if the graph has a part of an image or a buffer.
bool has_parts(const GraphDescription& graph);

/// A graph in which each mip of each layer of an image with parts, and each range of a buffer with parts, is a resource
/// of its own, and a plan of the original graph, translated to this graph. The first of them has the index of the
/// image. The others come after all resources of the graph and are parts of the image. All of them have the memory of
/// the image.
struct Subresources {
    GraphDescription graph;
    Plan plan;
};
/// Translates a graph and its plan.
Subresources subresources_of(const GraphDescription& graph, const Plan& plan);

} // namespace weir::tests
