#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weir/graph/graph.hpp>
#include <weir/primitives/scan.hpp>

// Text of kernels that are compiled with the graph: Weir's GLSL and the GLSL that the application adds.

namespace weir {

/// Returns the first lines of such a text: the version, and the extensions for includes.
std::string glsl_version();

/// Returns GLSL that declares the buffers that the application's functions use, as blocks named `name` followed by a
/// number, bound from `first_binding` on.
std::string declare_buffers(const std::vector<FusedBuffer>& buffers, std::uint32_t first_binding,
                            const std::string& name);

/// Checks that the names of all values are identifiers. Fails the graph if not.
bool check_values(Graph& graph, const char* primitive, const std::vector<FusedValue>& values);

/// Returns a definition of VALUES, the members at the end of a kernel's push constants: one per value. Empty if there
/// are no values.
std::string declare_values(const std::vector<FusedValue>& values);

/// Appends the values to the push constants of the pass.
void push_values(Pass& pass, const std::vector<FusedValue>& values);

/// Returns `text` with #line directives, so that compile errors report its lines as lines of `file`.
std::string with_lines(const std::string& text, const std::string& file);

} // namespace weir
