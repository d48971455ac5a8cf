#include "engine/shader/shader_compiler.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <string_view>

#include "engine/base/files.hpp"
#include "engine/base/hash.hpp"
#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "engine/spirv/spirv.hpp"

namespace weir {

namespace {

/// Maximum nesting of includes; deeper ones are treated as circular. Circles that include guards break are legal, so
/// only the depth is limited. The number of includes is limited too, because a file that includes itself twice would be
/// read 2^64 times before it is too deep.
constexpr std::size_t deepest_include = 64;
constexpr std::size_t max_includes = 1024;
constexpr std::size_t max_included_bytes = std::size_t{64} << 20U;

constexpr int default_version = 460;

/// Answers the compiler's callbacks and lists the includes.
class IncludeCallbacks {
public:
    explicit IncludeCallbacks(const ShaderSource& source) : includes_(source) {}

    static shaderc_include_result* resolve(void* self, const char* requested, int type, const char* requesting,
                                           std::size_t depth) {
        return static_cast<IncludeCallbacks*>(self)->find(
            {requested, requesting, type == shaderc_include_type_relative}, depth);
    }
    static void release(void*, shaderc_include_result* result) { delete static_cast<Answer*>(result->user_data); }

    [[nodiscard]] std::vector<Included> take_files() { return std::move(files_); }

private:
    struct Answer {
        ShaderFile file; ///< without a name: the text says why it was not found
        shaderc_include_result result{};
    };

    static shaderc_include_result* answer(ShaderFile file) {
        auto* out = new Answer{std::move(file), {}};
        out->result = {out->file.name.c_str(), out->file.name.size(), out->file.text.c_str(), out->file.text.size(),
                       out};
        return &out->result;
    }

    shaderc_include_result* find(IncludeRequest request, std::size_t depth) {
        if (too_much_.empty()) {
            check(request, depth);
        }
        if (!too_much_.empty()) { // for all later requests too; otherwise the compilation would not end
            return answer({"", too_much_});
        }
        auto file = includes_.find(request);
        if (!file) {
            // If "..." was not found, the compiler requests it again as <...>. The first answer says more.
            if (request.relative || not_found_ != request.requested) {
                why_ = file.error();
            }
            not_found_ = request.requested;
            return answer({"", why_});
        }
        bytes_ += file->text.size();
        files_.push_back(included(std::move(request), *file));
        return answer(std::move(*file));
    }

    void check(const IncludeRequest& request, std::size_t depth) {
        if (depth > deepest_include) {
            too_much_ = concat("includes are nested deeper than ", deepest_include, ": ", request.requesting, " and ",
                               request.requested, " seem to include each other");
        } else if (files_.size() >= max_includes) {
            too_much_ = concat("more than ", max_includes, " files are included");
        } else if (bytes_ > max_included_bytes) {
            too_much_ = concat("more than ", max_included_bytes, " bytes are included");
        }
    }

    ShaderIncludes includes_;
    std::vector<Included> files_;
    std::size_t bytes_ = 0;
    std::string not_found_, why_, too_much_;
};

/// Returns the compiler's lines "file:line: error: message" as "file:line: message", without repeated lines and without
/// its count of errors.
std::string readable(const std::string& messages) {
    static constexpr std::string_view marker = " error: ";
    std::string out, last;
    for (std::size_t at = 0; at < messages.size();) {
        const std::size_t end = std::min(messages.find('\n', at), messages.size());
        std::string line = messages.substr(at, end - at);
        at = end + 1;
        if (const std::size_t found = line.find(marker); found != std::string::npos) {
            line.erase(found, marker.size() - 1);
        }
        if (line.empty() || line == last || line.ends_with("error generated.") || line.ends_with("errors generated.") ||
            line.ends_with("HLSL parsing failed.")) { // follows the errors
            continue;
        }
        out += (out.empty() ? "" : "\n") + line;
        last = std::move(line);
    }
    return out;
}

/// Returns the text without the blanks and comments that it begins with.
std::string_view skip_blanks(std::string_view text) {
    while (!text.empty()) {
        std::size_t skipped = 0;
        if (std::isspace(static_cast<unsigned char>(text.front())) != 0) {
            skipped = 1;
        } else if (text.starts_with("//")) {
            skipped = text.find('\n');
        } else if (text.starts_with("/*")) {
            skipped = text.find("*/", 2);
            skipped += skipped != std::string_view::npos ? 2 : 0;
        } else {
            break;
        }
        text.remove_prefix(std::min(skipped, text.size()));
    }
    return text;
}

struct Version {
    int number = 0;
    bool is_es = false;
    std::ptrdiff_t line = 1;
};

/// Returns the version of the `#version` directive, which must be the first in a text; nullopt if it is missing or has
/// no number.
std::optional<Version> version_of(std::string_view text) {
    std::string_view rest = skip_blanks(text);
    Version version;
    version.line += std::count(text.begin(), text.end() - static_cast<std::ptrdiff_t>(rest.size()), '\n');
    if (!rest.starts_with('#')) {
        return std::nullopt;
    }
    const auto skip = [&] { rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size())); };
    rest.remove_prefix(1);
    skip();
    if (!rest.starts_with("version")) {
        return std::nullopt;
    }
    rest.remove_prefix(std::string_view("version").size());
    skip();
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), version.number);
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    skip();
    version.is_es = rest.starts_with("es");
    return error == std::errc() ? std::optional(version) : std::nullopt;
}

/// Implements ShadercLibrary::Take for a vector.
void assign(void* vector, const std::uint32_t* words, std::size_t count) {
    static_cast<std::vector<std::uint32_t>*>(vector)->assign(words, words + count);
}

tl::unexpected<Error> failed(ErrorCode code, std::string message) {
    return tl::unexpected(Error{code, std::move(message)});
}

} // namespace

Included included(IncludeRequest request, const ShaderFile& file) {
    const auto bytes = std::as_bytes(std::span(file.text));
    return {std::move(request), file.name, bytes.size(), hash_content(bytes)};
}

Result<> ShaderCompiler::start(const ShaderSource& source) {
    const std::lock_guard lock(mutex_);
    if (compiler_) {
        return {};
    }
    const auto shaderc = load_();
    if (!shaderc) {
        return failed(shaderc.error().code, concat("'", source.name(), source.is_hlsl() ? "' is HLSL" : "' is GLSL",
                                                   ", but ", shaderc.error().message));
    }
    shaderc_ = *shaderc;
    compiler_ = Compiler(shaderc_->compiler_initialize(), shaderc_->compiler_release);
    return compiler_
               ? Result<>()
               : failed(ErrorCode::out_of_memory, "'" + source.name() + "': the shader compiler cannot be initialized");
}

Result<CompiledText> ShaderCompiler::compile(const ShaderSource& source) {
    CompiledText out;
    const bool is_hlsl = source.is_hlsl();
    const std::string entry_point = source.entry_point().empty() ? "main" : source.entry_point();
    if (!is_hlsl && entry_point != "main") {
        return failed(ErrorCode::invalid_argument,
                      concat("'", source.name(), "': the entry point of GLSL is main, not ", entry_point));
    }
    std::string text = source.text();
    if (source.is_file()) {
        auto contents = read_shader_file(path_of(source.text()));
        if (!contents) {
            return failed(ErrorCode::io, "the shader file " + source.text() + " cannot be read");
        }
        text = std::move(*contents);
        out.files.push_back(included({source.text(), "", true}, {source.text(), text}));
    }
    // The compiler would print everything that such versions lack to standard output.
    const std::optional<Version> version = is_hlsl ? std::nullopt : version_of(text);
    if (version && version->number < (version->is_es ? 310 : 420)) {
        return failed(ErrorCode::shader_compilation,
                      concat(source.name(), ":", version->line, ": GLSL version ", version->number,
                             version->is_es ? " es" : "", " has no compute shaders; use 460 or 310 es"));
    }
    WEIR_PROPAGATE(start(source));
    const ShadercLibrary& shaderc = *shaderc_;
    const std::unique_ptr<shaderc_compile_options, decltype(shaderc.options_release)> options(
        shaderc.options_initialize(), shaderc.options_release);
    if (!options) {
        return failed(ErrorCode::out_of_memory, "'" + source.name() + "': the shader compiler cannot be initialized");
    }
    IncludeCallbacks includes(source);
    // glslang declares the buffers of HLSL as of SPIR-V 1.3. HLSL is not optimized, because that removes the names by
    // which reflection recognizes counters. shaderc always inlines and simplifies it.
    shaderc.options_set_target_env(options.get(), shaderc_target_env_vulkan,
                                   is_hlsl ? shaderc_env_version_vulkan_1_1 : shaderc_env_version_vulkan_1_3);
    shaderc.options_set_target_spirv(options.get(), is_hlsl ? shaderc_spirv_version_1_3 : shaderc_spirv_version_1_6);
    shaderc.options_set_source_language(options.get(),
                                        is_hlsl ? shaderc_source_language_hlsl : shaderc_source_language_glsl);
    shaderc.options_set_optimization_level(options.get(), is_hlsl || shaderc.optimize != nullptr
                                                              ? shaderc_optimization_level_zero
                                                              : shaderc_optimization_level_performance);
    if (!is_hlsl) {
        shaderc.options_set_suppress_warnings(options.get());
    }
    shaderc.options_set_include_callbacks(options.get(), IncludeCallbacks::resolve, IncludeCallbacks::release,
                                          &includes);
    if (!version && !is_hlsl) {
        shaderc.options_set_forced_version_profile(options.get(), default_version, shaderc_profile_none);
    }
    for (const auto& [macro, value] : source.macros()) {
        shaderc.options_add_macro_definition(options.get(), macro.c_str(), macro.size(), value.c_str(), value.size());
    }
    ++compilations_;
    const std::unique_ptr<shaderc_compilation_result, decltype(shaderc.result_release)> result(
        shaderc.compile_into_spv(compiler_.get(), text.c_str(), text.size(), shaderc_glsl_compute_shader,
                                 source.name().c_str(), entry_point.c_str(), options.get()),
        shaderc.result_release);
    if (!result) {
        return failed(ErrorCode::out_of_memory, "'" + source.name() + "': the shader compiler returned no result");
    }
    if (shaderc.result_get_compilation_status(result.get()) != shaderc_compilation_status_success) {
        return failed(ErrorCode::shader_compilation, readable(shaderc.result_get_error_message(result.get())));
    }
    // glslang only warns of this, and generates an empty `main`.
    if (is_hlsl && std::string_view(shaderc.result_get_error_message(result.get())).find("Entry point not found") !=
                       std::string_view::npos) {
        return failed(ErrorCode::shader_compilation,
                      concat(source.name(), ": there is no function '", entry_point, "' with numthreads",
                             source.entry_point().empty() ? "; choose one with ShaderSource::entry_point" : ""));
    }
    const auto* words = reinterpret_cast<const std::uint32_t*>(shaderc.result_get_bytes(result.get()));
    const std::size_t count = shaderc.result_get_length(result.get()) / sizeof(std::uint32_t);
    if (is_hlsl) {
        auto renamed = with_main({words, count}, entry_point, source.name());
        WEIR_PROPAGATE(renamed);
        out.words = std::move(*renamed);
    } else if (shaderc.optimize == nullptr || !shaderc.optimize(words, count, assign, &out.words)) {
        assign(&out.words, words, count);
    }
    for (Included& file : includes.take_files()) {
        out.files.push_back(std::move(file));
    }
    return out;
}

} // namespace weir
