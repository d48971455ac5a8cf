#pragma once

#include <span>

#include <weir/engine/error.hpp>
#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>

namespace weir {

/// Compiles the GLSL of all passes of `graphs` and writes it to a file for CompilerOptions::shader_file. Contexts with
/// this file need neither a shader compiler nor the shader files. Needs no device.
///
/// Shaders in the file are found by the contents of their GLSL. Therefore the graphs must be the ones that will be
/// compiled later: built by the same version of Weir, for capabilities like those of the later device. One file may
/// hold graphs for several devices.
///
/// Errors: the first mistake of a graph; `shader_compilation`; `unsupported` without a compiler; `io`. Each names the
/// pass or the file.
[[nodiscard]] WEIR_API Result<> compile_ahead(std::span<const Graph* const> graphs, const std::string& file);
/// Compiles the GLSL of all passes of one graph and writes it to a file. Errors: as for several graphs.
[[nodiscard]] WEIR_API Result<> compile_ahead(const Graph& graph, const std::string& file);

} // namespace weir
