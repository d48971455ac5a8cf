#pragma once

#include <cstdint>

#include <weir/graph/description.hpp>
#include <weir/graph/plan.hpp>

// Parts of images, for checks of plans: each mip of each layer becomes an image of its own.

namespace weir::tests {

/// Returns the image of which `resource` is a part, otherwise `resource`.
std::uint32_t whole_of(const GraphDescription& graph, std::uint32_t resource);
/// Returns true if two resources are the same, or have a mip of a layer of an image in common.
bool have_common(const GraphDescription& graph, std::uint32_t a, std::uint32_t b);
/// Returns true if the graph has a part of an image.
bool has_parts(const GraphDescription& graph);

/// A graph in which each mip of each layer of an image with parts is a resource of its own, and a plan of the original
/// graph, translated to this graph. The first mip of the first layer has the index of the image. The others come after
/// all resources of the graph and are parts of the image. All of them have the memory of the image.
struct Subresources {
    GraphDescription graph;
    Plan plan;
};
/// Translates a graph and its plan.
Subresources subresources_of(const GraphDescription& graph, const Plan& plan);

} // namespace weir::tests
