#pragma once

#include <weir/engine/error.hpp>
#include <weir/graph/description.hpp>

namespace weir {

class CompiledShader;

/// Whether what `pass` declares holds for its shader: that set 0 has a storage buffer for each binding, that the shader
/// reads and writes no more than is declared, and that the push constants are all there. Counts what may run with the
/// pass's specialization constants and with those of its push constants that are always the same.
/// Errors: `invalid_graph`, naming the binding; also `limit_exceeded` for the size of workgroups.
Result<> check_declarations(const GraphDescription& graph, const Pass& pass, const CompiledShader& shader);

/// What is wrong with a pass, which it names, and where that was added; for errors of the shader's compiler, which tell
/// a line of the shader, without the latter.
Error in_pass(const GraphDescription::PassNode& pass, const Error& error);

} // namespace weir
