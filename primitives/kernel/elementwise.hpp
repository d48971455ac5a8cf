#pragma once

#include <cstdint>

#include <weir/graph/graph.hpp>

// What primitives that process each element by itself have in common.

namespace weir {

/// Whether the device has 64-bit floats; fails the graph if not.
bool check_doubles(Graph& graph, const char* primitive);

/// The buffer of a count that is on the GPU, else none.
BufferId buffer_of(const Count& count);

/// Invocations in a workgroup of kernels that are not tuned.
std::uint32_t plain_workgroup(const Capabilities& device);

/// A pass over `count` elements by a kernel of shaders/lib/elementwise.glsl, with the bindings and constants of
/// elementwise_interface.h. The kernel's own push constants follow. `stand_in` is a buffer of the pass. `rows`:
/// elements of an invocation, if the kernel has a constant for them.
Pass elementwise_pass(Graph& graph, const char* name, ShaderSource shader, const Count& count, std::uint32_t words,
                      BufferId stand_in, std::uint32_t rows = 4);

} // namespace weir
