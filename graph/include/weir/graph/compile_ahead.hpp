#pragma once

#include <filesystem>
#include <span>

#include <weir/engine/error.hpp>
#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>

namespace weir {

/// Compiles all GLSL of passes of `graphs`, and writes it to a file for CompilerOptions::shader_file of the contexts
/// that will compile such graphs: what is in the file needs no shader compiler there, nor the shaders' files. It needs
/// no device. GLSL is found again by its contents, so graphs must be made as they are going to be, with capabilities
/// like those of the device (graphs for several may be in one file), and by the same version of Weir. Errors: what is
/// wrong with a graph; `shader_compilation`, `unsupported` without a compiler, and `io`, each naming the pass or the
/// file.
WEIR_API Result<> compile_ahead(std::span<const Graph* const> graphs, const std::filesystem::path& file);
WEIR_API Result<> compile_ahead(const Graph& graph, const std::filesystem::path& file);

} // namespace weir
