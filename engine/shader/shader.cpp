#include <weir/engine/shader.hpp>

#include "engine/base/files.hpp"
#include "engine/codec/unpack.hpp"
#include "engine/shader/shader_compiler.hpp"
#include "engine/spirv/spirv.hpp"

namespace weir {

ShaderSource ShaderSource::glsl(std::string text, std::string name) {
    ShaderSource source;
    source.language_ = Language::glsl_text;
    source.text_ = std::move(text);
    source.name_ = std::move(name);
    return source;
}

ShaderSource ShaderSource::glsl_file(const std::string& path) {
    ShaderSource source;
    source.language_ = Language::glsl_path;
    source.text_ = name_of(path_of(path));
    source.name_ = source.text_;
    return source;
}

ShaderSource ShaderSource::hlsl(std::string text, std::string name) {
    ShaderSource source = glsl(std::move(text), std::move(name));
    source.language_ = Language::hlsl_text;
    return source;
}

ShaderSource ShaderSource::hlsl_file(const std::string& path) {
    ShaderSource source = glsl_file(path);
    source.language_ = Language::hlsl_path;
    return source;
}

ShaderSource ShaderSource::spirv(std::vector<std::uint32_t> words, std::string name) {
    ShaderSource source;
    source.language_ = Language::spirv_words;
    source.words_ = std::make_shared<const std::vector<std::uint32_t>>(std::move(words));
    source.name_ = std::move(name);
    return source;
}

ShaderSource ShaderSource::packed(const Packed& words, std::string name) {
    ShaderSource source;
    source.language_ = Language::packed_words;
    source.packed_ = &words;
    source.name_ = std::move(name);
    return source;
}

ShaderSource& ShaderSource::entry_point(std::string name) {
    entry_point_ = std::move(name);
    return *this;
}

ShaderSource& ShaderSource::define(std::string macro, std::string value) {
    macros_.emplace_back(std::move(macro), std::move(value));
    return *this;
}

ShaderSource& ShaderSource::include_folder(const std::string& folder) {
    include_folders_.push_back(name_of(path_of(folder)));
    return *this;
}

ShaderSource& ShaderSource::include_text(std::string path, std::string text) {
    include_texts_.emplace_back(std::move(path), std::move(text));
    return *this;
}

Result<std::vector<std::uint32_t>> compile_shader(const ShaderSource& source) {
    if (source.language() == ShaderSource::Language::spirv_words) {
        return with_main(source.words(), source.entry_point(), source.name());
    }
    if (source.language() == ShaderSource::Language::packed_words) {
        return unpack_words(*source.packed_words());
    }
    ShaderCompiler compiler;
    return compiler.compile(source).map([](CompiledText&& compiled) { return std::move(compiled.words); });
}

} // namespace weir
