#pragma once

#include <cstddef>

#include <weir/engine/error.hpp>
#include <weir/graph/description.hpp>

namespace weir {

class CompiledShader;

/// Returns the bytes of push constants that a pass declares.
std::size_t push_bytes(const Pass& pass);

/// Checks that the declarations of `pass` match its shader.
///
/// Set 0 must have a resource of the declared kind for each binding. Further sets must be among those of the
/// application, and Pass::uses must declare a write if the shader writes through them. The shader must not read or
/// write more than is declared, and must not use more push constants than are declared. Workgroups must be within the
/// limits of the graph's capabilities. They must consist of full subgroups of `device` if the pass or its shader
/// requires these.
///
/// Ignores branches that specialization constants of the pass, or push constants that never change, rule out. Errors:
/// `invalid_graph`, naming the binding; `limit_exceeded` for workgroup sizes.
Result<> check_declarations(const GraphDescription& graph, const Pass& pass, const CompiledShader& shader,
                            const Capabilities& device);

/// Checks that the shader of a pass reads y of its position in the grid if its workgroups may be spread over y. Accepts
/// a shader that reads neither x nor y, because it finds its work in another way, such as by an atomic counter. Accepts
/// a shader that loops over the grid by gl_NumWorkGroups.x and reads nothing that the pass writes, because it only
/// repeats its work in each row. Errors: `invalid_graph`, naming the shader and the number of workgroups.
Result<> check_spread(const GraphDescription& graph, const GraphDescription::PassNode& pass,
                      const CompiledShader& shader);

/// Returns an error with the name of a pass and the source line that added the pass. Errors of shader compilation have
/// lines of their own, which follow that line.
Error in_pass(const GraphDescription::PassNode& pass, const Error& error);

} // namespace weir
