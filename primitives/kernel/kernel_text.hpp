#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weir/graph/graph.hpp>
#include <weir/primitives/scan.hpp>

// The text of a kernel that is compiled with the graph: Weir's GLSL, and what the application adds to it.

namespace weir {

/// The first lines of such a text: the version, and the extensions for includes.
std::string glsl_version();

/// Declares buffers that the application's functions see, as blocks called `name` and a number, from binding
/// `first_binding` on.
std::string declare_buffers(const std::vector<FusedBuffer>& buffers, std::uint32_t first_binding,
                            const std::string& name);

/// Whether the names of all values are identifiers; fails the graph if not.
bool check_values(Graph& graph, const char* primitive, const std::vector<FusedValue>& values);

/// Defines VALUES, with which a kernel's push constants end: the values as members. Empty if there are none.
std::string declare_values(const std::vector<FusedValue>& values);

/// Appends the values to the push constants of the pass.
void push_values(Pass& pass, const std::vector<FusedValue>& values);

/// `text`, with directives by which compile errors count its lines as those of `file`.
std::string with_lines(const std::string& text, const std::string& file);

} // namespace weir
