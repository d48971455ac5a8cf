#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include <weir/engine/shader.hpp>

namespace weir {

/// A shader's file, or a file that it includes.
struct ShaderFile {
    std::string name; ///< name in compile errors, and base of its relative includes
    std::string text;
};

/// An include request of the compiler.
struct IncludeRequest {
    std::string requested;  ///< path in the directive
    std::string requesting; ///< the name of the file with the directive
    bool relative = false;  ///< true for "...", false for <...>
};

/// Returns the text of a shader's file, at most 16 MiB; nullopt if it cannot be read.
std::optional<std::string> read_shader_file(const std::filesystem::path& path);

/// Finds the includes of one shader: next to the file with the directive, among the texts given with it, in the
/// shader's include folders, and in Weir's library. A file is not read if it is, with links resolved, outside the
/// include folders and the folder of the shader's file.
class ShaderIncludes {
public:
    explicit ShaderIncludes(const ShaderSource& source);

    /// Returns the requested file. The unexpected value says why it was not found.
    tl::expected<ShaderFile, std::string> find(const IncludeRequest& request);

private:
    [[nodiscard]] std::optional<ShaderFile> read(const std::filesystem::path& path, std::string& why);

    [[nodiscard]] std::optional<ShaderFile> given(const std::string& name);
    [[nodiscard]] std::optional<ShaderFile> from_library(const std::string& name);

    std::vector<std::pair<std::string, std::string>> texts_; ///< paths and texts given with the shader
    std::vector<std::filesystem::path> folders_;             ///< the shader's include folders
    std::vector<std::filesystem::path> roots_;               ///< allowed folders of files, with links resolved
    std::set<std::string> on_disk_, given_, from_library_;   ///< names of files that were found
};

} // namespace weir
