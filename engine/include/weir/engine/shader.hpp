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

/// Where a compute shader comes from. GLSL is compiled when the graph that uses it is (through shaderc, which must then
/// be installed); SPIR-V needs no compiler. The entry point is `main`.
class WEIR_API ShaderSource {
public:
    /// GLSL text. `name` stands for the file in compile errors. `#include <weir/NAME.glsl>` finds Weir's shader
    /// library.
    static ShaderSource glsl(std::string text, std::string name = "shader");
    /// A GLSL file; it may include others relative to itself.
    static ShaderSource glsl_file(const std::filesystem::path& path);
    /// SPIR-V words, version 1.6 at most.
    static ShaderSource spirv(std::vector<std::uint32_t> words, std::string name = "spirv");

    /// Adds a macro for GLSL sources. Returns *this.
    ShaderSource& define(std::string macro, std::string value = "1");

    enum class Language : std::uint8_t { glsl_text, glsl_path, spirv_words };
    [[nodiscard]] Language language() const { return language_; }
    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::string& text() const { return text_; }
    [[nodiscard]] const std::vector<std::uint32_t>& words() const { return words_; }
    [[nodiscard]] const std::vector<std::pair<std::string, std::string>>& macros() const { return macros_; }

private:
    Language language_ = Language::spirv_words;
    std::string name_;
    std::string text_; ///< the GLSL itself, or the path of its file
    std::vector<std::uint32_t> words_;
    std::vector<std::pair<std::string, std::string>> macros_;
};

/// Compiles `source` to SPIR-V 1.6 for Vulkan 1.3. Errors: `shader_compilation` with the compiler's messages, each
/// naming file and line as the author knows them; `io` for a file that cannot be read; `unsupported` where shaderc is
/// not installed.
WEIR_API Result<std::vector<std::uint32_t>> compile_shader(const ShaderSource& source);

} // namespace weir
