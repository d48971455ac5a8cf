// The only source of libweir_shaderc.so. Static libraries are linked into it: see engine/CMakeLists.txt.

#include "engine/shader/shaderc_library.hpp"

#if defined(WEIR_PASSES)
#include <sstream>
#include <string>
#include <vector>

#include <spirv-tools/optimizer.hpp>
#endif

#if defined(_WIN32)
#define WEIR_MODULE_EXPORT __declspec(dllexport)
#else
#define WEIR_MODULE_EXPORT __attribute__((visibility("default")))
#endif

namespace {

#if defined(WEIR_PASSES)
/// Runs the passes that cmake/WeirShaders.cmake uses to unroll loops. On large kernels they take 0.6 of the time of
/// shaderc_optimization_level_performance; benchmarks/NOTES.md has the times.
bool optimize(const std::uint32_t* words, std::size_t count, weir::ShadercLibrary::Take take, void* context) {
    spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_3);
    std::istringstream passes(WEIR_PASSES);
    for (std::string flag; passes >> flag;) {
        if (!optimizer.RegisterPassFromFlag(flag)) {
            return false;
        }
    }
    spvtools::OptimizerOptions options;
    options.set_run_validator(false); // the words come from the compiler
    std::vector<std::uint32_t> optimized;
    if (!optimizer.Run(words, count, &optimized, options)) {
        return false;
    }
    take(context, optimized.data(), optimized.size());
    return true;
}
#else
constexpr decltype(weir::ShadercLibrary::optimize) optimize = nullptr;
#endif

} // namespace

extern "C" WEIR_MODULE_EXPORT const weir::ShadercLibrary* weir_shaderc_3() { // 3: version of the table's layout
    static const weir::ShadercLibrary library{
        .compiler_initialize = shaderc_compiler_initialize,
        .compiler_release = shaderc_compiler_release,
        .options_initialize = shaderc_compile_options_initialize,
        .options_release = shaderc_compile_options_release,
        .options_add_macro_definition = shaderc_compile_options_add_macro_definition,
        .options_set_optimization_level = shaderc_compile_options_set_optimization_level,
        .options_set_include_callbacks = shaderc_compile_options_set_include_callbacks,
        .options_set_suppress_warnings = shaderc_compile_options_set_suppress_warnings,
        .options_set_forced_version_profile = shaderc_compile_options_set_forced_version_profile,
        .options_set_source_language = shaderc_compile_options_set_source_language,
        .options_set_target_env = shaderc_compile_options_set_target_env,
        .options_set_target_spirv = shaderc_compile_options_set_target_spirv,
        .compile_into_spv = shaderc_compile_into_spv,
        .result_release = shaderc_result_release,
        .result_get_length = shaderc_result_get_length,
        .result_get_bytes = shaderc_result_get_bytes,
        .result_get_compilation_status = shaderc_result_get_compilation_status,
        .result_get_error_message = shaderc_result_get_error_message,
        .optimize = optimize,
    };
    return &library;
}
