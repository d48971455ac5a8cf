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

/// An error with the name of a pass, and the source line that added the pass unless the error tells a line of its
/// shader.
Error in_pass(const GraphDescription::PassNode& pass, const Error& error);

} // namespace weir
