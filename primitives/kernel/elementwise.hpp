#pragma once

#include <cstdint>

#include <weir/graph/graph.hpp>

// Functions shared by primitives that process each element separately.

namespace weir {

/// Checks that the device supports 64-bit floats. Fails the graph if not.
bool check_doubles(Graph& graph, const char* primitive);

/// Returns the buffer of a count that is on the GPU; otherwise an invalid buffer.
BufferId buffer_of(const Count& count);

/// Returns the workgroup size of kernels that are not tuned.
std::uint32_t plain_workgroup(const Capabilities& device);

/// Returns a pass over `count` elements by a kernel of shaders/lib/elementwise.glsl, with the bindings and constants of
/// elementwise_interface.h. The caller appends the kernel's own push constants. `stand_in` is any buffer of the pass.
/// `rows`: elements per invocation, if the kernel has a constant for them.
Pass elementwise_pass(Graph& graph, const char* name, ShaderSource shader, const Count& count, std::uint32_t words,
                      BufferId stand_in, std::uint32_t rows = 4);

} // namespace weir
