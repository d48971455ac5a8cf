#pragma once

#include <span>

#include <weir/engine/error.hpp>
#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>

namespace weir {

/// Compiles all GLSL of the passes of `graphs` and writes it to a file for CompilerOptions::shader_file. Contexts with
/// that file need neither a shader compiler nor the shader files. Needs no device. GLSL is found in the file by its
/// contents, so the graphs have to be the ones that will be compiled later, for capabilities like those of the later
/// device (one file may hold graphs for several devices), built by the same version of Weir. Errors: those of a wrong
/// graph; `shader_compilation`; `unsupported` without a compiler; `io`. Each names the pass or the file.
WEIR_API Result<> compile_ahead(std::span<const Graph* const> graphs, const std::string& file);
/// The same for one graph.
WEIR_API Result<> compile_ahead(const Graph& graph, const std::string& file);

} // namespace weir
