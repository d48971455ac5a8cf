#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include <weir/engine/shader.hpp>

#include "engine/compiled_shader.hpp"
#include "engine/shader_compiler.hpp"

namespace weir {

/// SPIR-V with the GLSL that it was made from.
struct ArchivedShader {
    std::string identity;        ///< see `identity_of`
    std::vector<Included> files; ///< see CompiledGlsl
    std::shared_ptr<const CompiledShader> shader;

    /// About the bytes that it takes, in memory and in a file.
    [[nodiscard]] std::size_t size() const;
};

/// All that decides what GLSL compiles to, its files' contents apart: two sources with the same identity, whose files
/// have the same contents, give the same SPIR-V.
std::string identity_of(const ShaderSource& source);

/// Reads a file that `write_archive` wrote. The unexpected value says why it cannot: the file "is ...", "cannot ...".
tl::expected<std::vector<ArchivedShader>, std::string> read_archive(const std::filesystem::path& path);

/// Writes a file, or all of it anew. Returns why it cannot; empty: it is done.
std::string write_archive(const std::filesystem::path& path, std::span<const ArchivedShader> shaders);

} // namespace weir
