#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <weir/engine/error.hpp>
#include <weir/engine/export.hpp>

namespace weir {

struct Packed;

/// Source of a compute shader.
///
/// GLSL and HLSL are compiled together with the graph that uses them. This needs shaderc, unless the context already
/// has the SPIR-V of the same text, from an earlier compilation (ContextOptions::pipeline_cache_directory) or from
/// CompilerOptions::shader_file. SPIR-V needs no compiler, and may come from any compiler of any language. GLSL without
/// `#version` is version 460. A shader may include at most 1024 files, nested at most 64 deep, of at most 16 MiB each
/// and 64 MiB in total.
class WEIR_API ShaderSource {
public:
    /// Creates a source from GLSL text. `name` replaces the file name in compile errors. `#include <weir/NAME.glsl>`
    /// includes a file of Weir's shader library.
    static ShaderSource glsl(std::string text, std::string name = "shader");
    /// Creates a source from a GLSL file. The file may include files in its own folder and below, by paths relative to
    /// itself. Paths are UTF-8 on Windows and in the system's encoding elsewhere. A std::filesystem::path converts
    /// implicitly if its native paths are narrow strings.
    static ShaderSource glsl_file(const std::string& path);
    /// Creates a source from HLSL text, which shaderc compiles: shader model 5, wave operations, and [[vk::...]]
    /// attributes. `name` replaces the file name in compile errors. `#include <weir/NAME.hlsl>` includes a file of
    /// Weir's shader library.
    static ShaderSource hlsl(std::string text, std::string name = "shader");
    /// Creates a source from an HLSL file, with the includes of `glsl_file`.
    static ShaderSource hlsl_file(const std::string& path);
    /// Creates a source from SPIR-V words, version 1.6 or older.
    static ShaderSource spirv(std::vector<std::uint32_t> words, std::string name = "spirv");

    /// Creates a source from packed SPIR-V of Weir's own kernels, unpacked on use. Keeps a reference to `words`, which
    /// must outlive the source and its copies.
    static ShaderSource packed(const Packed& words, std::string name);

    /// Chooses the entry point. By default it is `main`; SPIR-V without `main` must have only one compute entry point,
    /// which is then chosen. Must be `main` or empty for GLSL. Returns *this.
    ShaderSource& entry_point(std::string name);

    /// Defines a macro for GLSL or HLSL. Returns *this.
    ShaderSource& define(std::string macro, std::string value = "1");

    /// Adds a folder to the include path. It is searched after the folder of the including file and before Weir's
    /// shader library. Files in the folder and below may be included; links that lead elsewhere are rejected. Returns
    /// *this.
    ShaderSource& include_folder(const std::string& folder);

    /// Adds a file that the shader may include, by its path and text, such as a file of an archive. It is searched
    /// after the folder of the including file, and before the folders of `include_folder` and Weir's shader library. It
    /// may include other files by paths relative to its own. A path weir/NAME replaces a file of Weir's shader library,
    /// whose contents differ between versions. Returns *this.
    ShaderSource& include_text(std::string path, std::string text);

    /// Forms of a source.
    enum class Language : std::uint8_t {
        glsl_text,    ///< GLSL
        glsl_path,    ///< the path of a GLSL file
        spirv_words,  ///< SPIR-V
        packed_words, ///< packed SPIR-V of Weir's own kernels
        hlsl_text,    ///< HLSL
        hlsl_path,    ///< the path of an HLSL file
    };
    [[nodiscard]] Language language() const { return language_; } ///< form of the source
    /// Returns true if the source is GLSL.
    [[nodiscard]] bool is_glsl() const { return language_ == Language::glsl_text || language_ == Language::glsl_path; }
    /// Returns true if the source is HLSL.
    [[nodiscard]] bool is_hlsl() const { return language_ == Language::hlsl_text || language_ == Language::hlsl_path; }
    /// Returns true if `text` is the path of a file.
    [[nodiscard]] bool is_file() const { return language_ == Language::glsl_path || language_ == Language::hlsl_path; }
    /// Returns the chosen entry point; empty if none was chosen.
    [[nodiscard]] const std::string& entry_point() const { return entry_point_; }
    [[nodiscard]] const std::string& name() const { return name_; }                   ///< name in messages
    [[nodiscard]] const std::string& text() const { return text_; }                   ///< text, or path of a file
    [[nodiscard]] const std::vector<std::uint32_t>& words() const { return *words_; } ///< SPIR-V words
    [[nodiscard]] const Packed* packed_words() const { return packed_; }              ///< packed SPIR-V, or null
    /// Returns the names and values of macros.
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& macros() const { return macros_; }
    /// Returns the folders added by `include_folder`.
    [[nodiscard]] const std::vector<std::string>& include_folders() const { return include_folders_; }
    /// Returns the paths and texts added by `include_text`.
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& include_texts() const {
        return include_texts_;
    }

private:
    Language language_ = Language::spirv_words;
    std::string name_;
    std::string text_; ///< text, or path of a file
    std::string entry_point_;
    /// Shared between copies, because graphs are copied and their SPIR-V can be large.
    std::shared_ptr<const std::vector<std::uint32_t>> words_ = std::make_shared<const std::vector<std::uint32_t>>();
    const Packed* packed_ = nullptr;
    std::vector<std::pair<std::string, std::string>> macros_;
    std::vector<std::string> include_folders_;
    std::vector<std::pair<std::string, std::string>> include_texts_;
};

/// Compiles `source` to SPIR-V: GLSL to version 1.6 for Vulkan 1.3, HLSL to version 1.3 for Vulkan 1.1. Each call
/// compiles again. The chosen entry point of HLSL and SPIR-V is renamed to `main`, and others are removed; SPIR-V is
/// otherwise returned unchanged. Errors: `shader_compilation` with the compiler's messages, each with the file and line
/// in the author's source; `io` for a file that cannot be read; `unsupported` if shaderc is not installed;
/// `invalid_argument` for words that are not a SPIR-V shader, for SPIR-V without the chosen entry point, and for GLSL
/// with a chosen entry point other than `main`.
[[nodiscard]] WEIR_API Result<std::vector<std::uint32_t>> compile_shader(const ShaderSource& source);

} // namespace weir
