#pragma once

#include <cstdint>

#include <weir/graph/graph.hpp>
#include <weir/primitives/element.hpp>

// What primitives that treat each element for itself have in common.

namespace weir {

/// Whether the device has 64-bit floats; fails the graph if not.
bool check_doubles(Graph& graph, const char* primitive);

/// The buffer of a count that is on the GPU, else none.
BufferId buffer_of(const Count& count);

/// What shaders/lib/total_order.glsl and shaders/compact/classify.glsl call the numbers of such elements.
std::uint32_t key_numbers(Scalar scalar);

/// Invocations in a workgroup of a kernel that makes no more of them.
std::uint32_t plain_workgroup(const Capabilities& device);

/// A pass over `count` elements by a kernel of shaders/lib/elementwise.glsl, whose bindings, push constants and
/// constants it begins with; `stand_in` is a buffer of the pass.
Pass elementwise_pass(Graph& graph, const char* name, ShaderSource shader, const Count& count, std::uint32_t words,
                      BufferId stand_in);

} // namespace weir
