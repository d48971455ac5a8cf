#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <weir/engine/error.hpp>
#include <weir/engine/export.hpp>

namespace weir {

struct Packed;

/// Where a compute shader comes from. GLSL is compiled when the graph that uses it is (through shaderc, which must then
/// be installed), unless the context has compiled the same before: see ContextOptions::pipeline_cache_directory. SPIR-V
/// needs no compiler. The entry point is `main`. GLSL without `#version` is of version 460.
///
/// GLSL includes at most 1024 files, 64 deep and 64 MiB in all, of at most 16 MiB each.
class WEIR_API ShaderSource {
public:
    /// GLSL text. `name` stands for the file in compile errors. `#include <weir/NAME.glsl>` finds Weir's shader
    /// library.
    static ShaderSource glsl(std::string text, std::string name = "shader");
    /// A GLSL file; it may include others relative to itself, in its folder or below.
    static ShaderSource glsl_file(const std::filesystem::path& path);
    /// SPIR-V words, version 1.6 at most.
    static ShaderSource spirv(std::vector<std::uint32_t> words, std::string name = "spirv");

    /// SPIR-V that the library brings, which is unpacked when it is needed. Refers to `words`.
    static ShaderSource packed(const Packed& words, std::string name);

    /// Adds a macro for GLSL sources. Returns *this.
    ShaderSource& define(std::string macro, std::string value = "1");

    /// Adds a folder where includes are looked for, after that of the file with the directive and before Weir's
    /// library. Files in it and below may be included; nothing else outside the shader's own folder, by links neither.
    /// Returns *this.
    ShaderSource& include_folder(const std::filesystem::path& folder);

    enum class Language : std::uint8_t { glsl_text, glsl_path, spirv_words, packed_words };
    [[nodiscard]] Language language() const { return language_; }
    [[nodiscard]] bool is_glsl() const { return language_ == Language::glsl_text || language_ == Language::glsl_path; }
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] const std::vector<std::uint32_t>& words() const { return *words_; }
    [[nodiscard]] const Packed* packed_words() const { return packed_; }
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& macros() const { return macros_; }
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

/// Compiles `source` to SPIR-V 1.6 for Vulkan 1.3, anew in each call. Errors: `shader_compilation` with the compiler's
/// messages, each naming file and line as the author knows them; `io` for a file that cannot be read; `unsupported`
/// where shaderc is not installed.
WEIR_API Result<std::vector<std::uint32_t>> compile_shader(const ShaderSource& source);

} // namespace weir
