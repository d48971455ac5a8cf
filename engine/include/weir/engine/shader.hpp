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

/// The source of a compute shader. GLSL is compiled with the graph that uses it, through shaderc, which must then be
/// installed, unless the context has compiled the same text before (see ContextOptions::pipeline_cache_directory).
/// SPIR-V needs no compiler. The entry point is `main`. GLSL without `#version` is version 460.
///
/// GLSL may include at most 1024 files, 64 deep, of at most 16 MiB each and 64 MiB together.
class WEIR_API ShaderSource {
public:
    /// GLSL text. `name` stands for the file in compile errors. `#include <weir/NAME.glsl>` includes a file of Weir's
    /// shader library.
    static ShaderSource glsl(std::string text, std::string name = "shader");
    /// A GLSL file. It may include files relative to itself, in its folder or below. Paths are UTF-8 on Windows, and
    /// elsewhere as the system takes them; a std::filesystem::path converts itself where these are its native ones.
    static ShaderSource glsl_file(const std::string& path);
    /// SPIR-V words, of version 1.6 at most.
    static ShaderSource spirv(std::vector<std::uint32_t> words, std::string name = "spirv");

    /// SPIR-V of the library, which is unpacked when it is needed. Refers to `words`, which has to outlive it.
    static ShaderSource packed(const Packed& words, std::string name);

    /// Defines a macro for GLSL. Returns *this.
    ShaderSource& define(std::string macro, std::string value = "1");

    /// Adds a folder in which includes are searched, after the folder of the including file and before Weir's library.
    /// Files in the folder and below may be included; files elsewhere may not, not even through links. Returns *this.
    ShaderSource& include_folder(const std::string& folder);

    /// Forms of a source.
    enum class Language : std::uint8_t {
        glsl_text,    ///< GLSL
        glsl_path,    ///< the path of a GLSL file
        spirv_words,  ///< SPIR-V
        packed_words, ///< SPIR-V of the library
    };
    [[nodiscard]] Language language() const { return language_; } ///< the form of the source
    /// whether it has to be compiled
    [[nodiscard]] bool is_glsl() const { return language_ == Language::glsl_text || language_ == Language::glsl_path; }
    [[nodiscard]] const std::string& name() const { return name_; }                   ///< for messages
    [[nodiscard]] const std::string& text() const { return text_; }                   ///< GLSL, or the path of a file
    [[nodiscard]] const std::vector<std::uint32_t>& words() const { return *words_; } ///< SPIR-V
    [[nodiscard]] const Packed* packed_words() const { return packed_; }              ///< SPIR-V of the library
    /// Names and values of macros.
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& macros() const { return macros_; }
    /// Folders of `include_folder`.
    [[nodiscard]] const std::vector<std::string>& include_folders() const { return include_folders_; }

private:
    Language language_ = Language::spirv_words;
    std::string name_;
    std::string text_; ///< the GLSL itself, or the path of its file
    /// Shared by copies: graphs are copied, and their SPIR-V can be large.
    std::shared_ptr<const std::vector<std::uint32_t>> words_ = std::make_shared<const std::vector<std::uint32_t>>();
    const Packed* packed_ = nullptr;
    std::vector<std::pair<std::string, std::string>> macros_;
    std::vector<std::string> include_folders_;
};

/// Compiles `source` to SPIR-V 1.6 for Vulkan 1.3, anew in each call. Errors: `shader_compilation` with the messages of
/// the compiler, each with the file and line of the author; `io` for a file that cannot be read; `unsupported` where
/// shaderc is not installed.
WEIR_API Result<std::vector<std::uint32_t>> compile_shader(const ShaderSource& source);

} // namespace weir
