#include <weir/engine/shader.hpp>

#include <fstream>
#include <iterator>
#include <optional>
#include <set>

#include "engine/shader_library.hpp"
#include "engine/shaderc_library.hpp"
#include "engine/spirv.hpp"
#include "engine/text.hpp"

namespace weir {

namespace fs = std::filesystem;

namespace {

/// Includes nested deeper than this go in circles. Circles that include guards break are legal, so depth is what
/// counts.
constexpr std::size_t deepest_include = 64;

std::optional<std::string> read_text(const fs::path& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) {
        return std::nullopt;
    }
    std::ifstream in(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    return in.bad() ? std::nullopt : std::optional(std::move(text));
}

/// Finds what a shader includes.
class Includes {
public:
    explicit Includes(bool from_files) : from_files_(from_files) {}

    static shaderc_include_result* resolve(void* self, const char* requested, int type, const char* requesting,
                                           std::size_t depth) {
        return static_cast<Includes*>(self)->find(requested, type == shaderc_include_type_relative, requesting, depth);
    }
    static void release(void*, shaderc_include_result* result) { delete static_cast<Answer*>(result->user_data); }

private:
    struct Answer {
        std::string name; ///< empty: `text` says why there is none
        std::string text;
        shaderc_include_result result{};
    };

    static shaderc_include_result* answer(std::string name, std::string text) {
        auto* out = new Answer{std::move(name), std::move(text), {}};
        out->result = {out->name.c_str(), out->name.size(), out->text.c_str(), out->text.size(), out};
        return &out->result;
    }

    shaderc_include_result* find(const std::string& requested, bool relative, const std::string& requesting,
                                 std::size_t depth) {
        if (depth > deepest_include) {
            return answer("", concat("includes are nested deeper than ", deepest_include, ": ", requesting, " and ",
                                     requested, " seem to include each other"));
        }
        const bool in_library = from_library_.contains(requesting);
        const fs::path beside = (fs::path(requesting).parent_path() / requested).lexically_normal();
        if (relative && from_files_ && !in_library) {
            if (auto text = read_text(beside)) {
                return answer(beside.generic_string(), std::move(*text));
            }
        }
        for (const std::string& name : {requested, beside.generic_string()}) {
            if (name != requested && !(relative && in_library)) {
                continue;
            }
            if (const auto text = shader_library(name)) {
                from_library_.insert(name);
                return answer(name, std::string(*text));
            }
        }
        // The compiler asks for "..." again as for <...> when that was not found; the first answer says more.
        if (!relative && not_found_ == requested) {
            return answer("", why_);
        }
        not_found_ = requested;
        why_ = !relative     ? "it is not in Weir's shader library"
               : from_files_ ? beside.generic_string() + " cannot be read"
                             : "a shader given as text can include only <weir/...>";
        return answer("", why_);
    }

    bool from_files_;
    std::set<std::string> from_library_;
    std::string not_found_;
    std::string why_;
};

/// The compiler's lines "file:line: error: message" as "file:line: message", without its count of errors.
std::string readable(const std::string& messages) {
    static constexpr std::string_view marker = " error: ";
    std::string out;
    for (std::size_t at = 0; at < messages.size();) {
        const std::size_t end = std::min(messages.find('\n', at), messages.size());
        std::string line = messages.substr(at, end - at);
        at = end + 1;
        if (const std::size_t found = line.find(marker); found != std::string::npos) {
            line.erase(found, marker.size() - 1);
        }
        if (line.empty() || line.ends_with("error generated.") || line.ends_with("errors generated.")) {
            continue;
        }
        out += (out.empty() ? "" : "\n") + line;
    }
    return out;
}

tl::unexpected<Error> failed(ErrorCode code, std::string message) {
    return tl::unexpected(Error{code, std::move(message)});
}

Result<std::vector<std::uint32_t>> compile_glsl(const ShadercLibrary& shaderc, const std::string& text,
                                                const ShaderSource& source) {
    const std::unique_ptr<shaderc_compiler, decltype(shaderc.compiler_release)> compiler(shaderc.compiler_initialize(),
                                                                                         shaderc.compiler_release);
    const std::unique_ptr<shaderc_compile_options, decltype(shaderc.options_release)> options(
        shaderc.options_initialize(), shaderc.options_release);
    if (!compiler || !options) {
        return failed(ErrorCode::out_of_memory, "'" + source.name() + "': the shader compiler does not start");
    }
    Includes includes(source.language() == ShaderSource::Language::glsl_path);
    shaderc.options_set_target_env(options.get(), shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_3);
    shaderc.options_set_target_spirv(options.get(), shaderc_spirv_version_1_6);
    shaderc.options_set_optimization_level(options.get(), shaderc_optimization_level_performance);
    shaderc.options_set_suppress_warnings(options.get());
    shaderc.options_set_include_callbacks(options.get(), Includes::resolve, Includes::release, &includes);
    for (const auto& [macro, value] : source.macros()) {
        shaderc.options_add_macro_definition(options.get(), macro.c_str(), macro.size(), value.c_str(), value.size());
    }
    const std::unique_ptr<shaderc_compilation_result, decltype(shaderc.result_release)> result(
        shaderc.compile_into_spv(compiler.get(), text.c_str(), text.size(), shaderc_glsl_compute_shader,
                                 source.name().c_str(), "main", options.get()),
        shaderc.result_release);
    if (!result) {
        return failed(ErrorCode::out_of_memory, "'" + source.name() + "': the shader compiler gave no result");
    }
    if (shaderc.result_get_compilation_status(result.get()) != shaderc_compilation_status_success) {
        return failed(ErrorCode::shader_compilation, readable(shaderc.result_get_error_message(result.get())));
    }
    const auto* words = reinterpret_cast<const std::uint32_t*>(shaderc.result_get_bytes(result.get()));
    return std::vector<std::uint32_t>(words, words + shaderc.result_get_length(result.get()) / sizeof(std::uint32_t));
}

} // namespace

ShaderSource ShaderSource::glsl(std::string text, std::string name) {
    ShaderSource source;
    source.language_ = Language::glsl_text;
    source.text_ = std::move(text);
    source.name_ = std::move(name);
    return source;
}

ShaderSource ShaderSource::glsl_file(const std::filesystem::path& path) {
    ShaderSource source;
    source.language_ = Language::glsl_path;
    source.text_ = path.generic_string();
    source.name_ = source.text_;
    return source;
}

ShaderSource ShaderSource::spirv(std::vector<std::uint32_t> words, std::string name) {
    ShaderSource source;
    source.language_ = Language::spirv_words;
    source.words_ = std::move(words);
    source.name_ = std::move(name);
    return source;
}

ShaderSource& ShaderSource::define(std::string macro, std::string value) {
    macros_.emplace_back(std::move(macro), std::move(value));
    return *this;
}

Result<std::vector<std::uint32_t>> compile_shader(const ShaderSource& source) {
    if (source.language() == ShaderSource::Language::spirv_words) {
        if (auto checked = check_spirv(source.words(), source.name()); !checked) {
            return tl::unexpected(checked.error());
        }
        return source.words();
    }
    std::string text = source.text();
    if (source.language() == ShaderSource::Language::glsl_path) {
        auto contents = read_text(source.text());
        if (!contents) {
            return failed(ErrorCode::io, "the shader file " + source.text() + " cannot be read");
        }
        text = std::move(*contents);
    }
    const auto shaderc = shaderc_library();
    if (!shaderc) {
        return failed(shaderc.error().code, "'" + source.name() + "' is GLSL, and " + shaderc.error().message);
    }
    return compile_glsl(**shaderc, text, source);
}

} // namespace weir
