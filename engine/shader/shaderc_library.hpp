#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <shaderc/shaderc.h>

#include <weir/engine/error.hpp>

namespace weir {

/// The functions of shaderc, which is loaded at run time. An application that provides SPIR-V does not need it.
struct ShadercLibrary {
    decltype(&shaderc_compiler_initialize) compiler_initialize = nullptr;
    decltype(&shaderc_compiler_release) compiler_release = nullptr;
    decltype(&shaderc_compile_options_initialize) options_initialize = nullptr;
    decltype(&shaderc_compile_options_release) options_release = nullptr;
    decltype(&shaderc_compile_options_add_macro_definition) options_add_macro_definition = nullptr;
    decltype(&shaderc_compile_options_set_optimization_level) options_set_optimization_level = nullptr;
    decltype(&shaderc_compile_options_set_include_callbacks) options_set_include_callbacks = nullptr;
    decltype(&shaderc_compile_options_set_suppress_warnings) options_set_suppress_warnings = nullptr;
    decltype(&shaderc_compile_options_set_forced_version_profile) options_set_forced_version_profile = nullptr;
    decltype(&shaderc_compile_options_set_source_language) options_set_source_language = nullptr;
    decltype(&shaderc_compile_options_set_target_env) options_set_target_env = nullptr;
    decltype(&shaderc_compile_options_set_target_spirv) options_set_target_spirv = nullptr;
    decltype(&shaderc_compile_into_spv) compile_into_spv = nullptr;
    decltype(&shaderc_result_release) result_release = nullptr;
    decltype(&shaderc_result_get_length) result_get_length = nullptr;
    decltype(&shaderc_result_get_bytes) result_get_bytes = nullptr;
    decltype(&shaderc_result_get_compilation_status) result_get_compilation_status = nullptr;
    decltype(&shaderc_result_get_error_message) result_get_error_message = nullptr;

    /// Receives the words of a module.
    using Take = void (*)(void* context, const std::uint32_t* words, std::size_t count);
    /// Optimizes `count` words that shaderc compiled without optimization, and calls `take` with the result. Returns
    /// false, without a call, if a pass fails. Null for shaderc's own libraries, which have only their own passes.
    bool (*optimize)(const std::uint32_t* words, std::size_t count, Take take, void* context) = nullptr;
};

/// Calls `visit(function, name)` for each function of shaderc.
template <class Visit>
void for_each_function(ShadercLibrary& library, const Visit& visit) {
    visit(library.compiler_initialize, "shaderc_compiler_initialize");
    visit(library.compiler_release, "shaderc_compiler_release");
    visit(library.options_initialize, "shaderc_compile_options_initialize");
    visit(library.options_release, "shaderc_compile_options_release");
    visit(library.options_add_macro_definition, "shaderc_compile_options_add_macro_definition");
    visit(library.options_set_optimization_level, "shaderc_compile_options_set_optimization_level");
    visit(library.options_set_include_callbacks, "shaderc_compile_options_set_include_callbacks");
    visit(library.options_set_suppress_warnings, "shaderc_compile_options_set_suppress_warnings");
    visit(library.options_set_forced_version_profile, "shaderc_compile_options_set_forced_version_profile");
    visit(library.options_set_source_language, "shaderc_compile_options_set_source_language");
    visit(library.options_set_target_env, "shaderc_compile_options_set_target_env");
    visit(library.options_set_target_spirv, "shaderc_compile_options_set_target_spirv");
    visit(library.compile_into_spv, "shaderc_compile_into_spv");
    visit(library.result_release, "shaderc_result_release");
    visit(library.result_get_length, "shaderc_result_get_length");
    visit(library.result_get_bytes, "shaderc_result_get_bytes");
    visit(library.result_get_compilation_status, "shaderc_result_get_compilation_status");
    visit(library.result_get_error_message, "shaderc_result_get_error_message");
}

/// Opens the first of `libraries`, shaderc's own, that opens and has all functions. If none does, opens the first of
/// `modules`, which are Weir's. Errors: `unsupported` says what was missing, or why an existing file does not open.
Result<ShadercLibrary> load_shaderc(const std::vector<std::string>& libraries, const std::vector<std::string>& modules);

/// Returns the library, which is opened at the first call for the rest of the process. Errors: `unsupported` says what
/// was missing.
Result<const ShadercLibrary*> shaderc_library();

} // namespace weir
