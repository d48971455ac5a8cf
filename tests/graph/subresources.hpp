#pragma once

#include <cstdint>
#include <vector>

#include <weir/graph/description.hpp>
#include <weir/graph/plan.hpp>

// Parts of images, for the judges: each mip of each layer as an image of its own.

namespace weir::tests {

/// The image of which a resource is a part, or itself.
std::uint32_t whole_of(const GraphDescription& graph, std::uint32_t resource);
/// Whether two resources are, or have, a mip of a layer of the same image, or are the same.
bool have_common(const GraphDescription& graph, std::uint32_t a, std::uint32_t b);
bool has_parts(const GraphDescription& graph);

/// A graph in which each mip of each layer of an image that has parts is an image of its own, and a plan of the other
/// graph as one of this. The first mip of the first layer stands in the place of the image, others come last; they are
/// parts of it. All of an image have its memory.
struct Subresources {
    GraphDescription graph;
    Plan plan;
};
Subresources subresources_of(const GraphDescription& graph, const Plan& plan);

} // namespace weir::tests
