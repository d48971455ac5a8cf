#pragma once

#include <cstddef>

#include <weir/engine/error.hpp>
#include <weir/graph/description.hpp>

namespace weir {

class CompiledShader;

/// The bytes of push constants that a pass declares.
std::size_t push_bytes(const Pass& pass);

/// Whether the declarations of `pass` hold for its shader: set 0 has a resource of the declared kind for each binding,
/// further sets are among those of the application, what is written through these is declared in Pass::uses, the shader
/// reads and writes no more than is declared, all push constants are there, and workgroups are no larger than the
/// device allows and made of full subgroups of `device` where the pass or its shader asks for these. Branches that the
/// pass's specialization constants, or push constants that never change, rule out do not count. Errors:
/// `invalid_graph`, naming the binding; `limit_exceeded` for workgroup sizes.
Result<> check_declarations(const GraphDescription& graph, const Pass& pass, const CompiledShader& shader,
                            const Capabilities& device);

/// Checks that the shader of a pass reads y of its place where its workgroups may be spread over y. A shader that reads
/// neither x nor y finds its work in another way, such as by an atomic counter. One that loops over the grid by
/// gl_NumWorkGroups.x repeats its work in each row, which changes nothing unless the pass writes what it reads. Errors:
/// `invalid_graph`, naming the shader and the number of workgroups.
Result<> check_spread(const GraphDescription& graph, const GraphDescription::PassNode& pass,
                      const CompiledShader& shader);

/// An error with the name of a pass, and the source line that added the pass unless the error tells a line of its
/// shader.
Error in_pass(const GraphDescription::PassNode& pass, const Error& error);

} // namespace weir
