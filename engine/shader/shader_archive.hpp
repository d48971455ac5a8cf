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

#include "engine/shader/compiled_shader.hpp"
#include "engine/shader/shader_compiler.hpp"

namespace weir {

/// A compiled shader, with the identity and the files of its GLSL.
struct ArchivedShader {
    std::string identity;        ///< see `identity_of`
    std::vector<Included> files; ///< see CompiledText
    std::shared_ptr<const CompiledShader> shader;

    /// Returns the approximate size in bytes, in memory and in a file.
    [[nodiscard]] std::size_t size() const;
};

/// Returns everything that the SPIR-V of `source` depends on, except the contents of its files. Two sources with equal
/// identities and equal contents of their files give the same SPIR-V.
std::string identity_of(const ShaderSource& source);

/// Reads a file that `write_archive` wrote. The unexpected value says why it failed, as a predicate of the file: "is
/// ...", "cannot ...".
tl::expected<std::vector<ArchivedShader>, std::string> read_archive(const std::filesystem::path& path);

/// Writes a file, or replaces it. Returns why it failed; empty on success.
std::string write_archive(const std::filesystem::path& path, std::span<const ArchivedShader> shaders);

} // namespace weir
