#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include <weir/engine/shader.hpp>

namespace weir {

/// A file of a shader, or one that it includes.
struct ShaderFile {
    std::string name; ///< as compile errors call it, and what it includes starts from
    std::string text;
};

/// An include as the compiler asks for it.
struct IncludeRequest {
    std::string requested;  ///< what stands in the directive
    std::string requesting; ///< the name of the file with the directive
    bool relative = false;  ///< "..." and not <...>
};

/// The text of a shader's file, at most 16 MiB. None: it cannot be read.
std::optional<std::string> read_shader_file(const std::filesystem::path& path);

/// Finds what one shader includes: beside the file with the directive, in the folders that the shader was given, and in
/// Weir's library. A file that is, links followed, outside the folder of the shader's file and those that it was given
/// is not read.
class ShaderIncludes {
public:
    explicit ShaderIncludes(const ShaderSource& source);

    /// The unexpected value says why there is none.
    tl::expected<ShaderFile, std::string> find(const IncludeRequest& request);

private:
    [[nodiscard]] std::optional<ShaderFile> read(const std::filesystem::path& path, std::string& why);

    std::vector<std::filesystem::path> folders_;   ///< that were given
    std::vector<std::filesystem::path> roots_;     ///< in which files may be, without links
    std::set<std::string> on_disk_, from_library_; ///< names of files that were found
};

} // namespace weir
