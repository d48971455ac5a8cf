// shaderc_shared.dll under Wine: hands the calls of a program for Windows on to the shaderc of this machine, so that
// Weir's tests compile GLSL there without a shaderc for Windows. It is a library of this machine, which Wine loads as a
// DLL; the two sides differ in how they call functions. Built by tests/windows.sh.

#include <cstdio>
#include <cstdlib>

#include "engine/shader/shaderc_library.hpp"

#define WINDOWS __attribute__((ms_abi))

namespace {

const weir::ShadercLibrary& here() {
    static const weir::ShadercLibrary library = [] {
        const char* const module = std::getenv("WEIR_TESTS_SHADERC");
        auto loaded = weir::load_shaderc({"libshaderc_shared.so.1", "libshaderc.so.1"},
                                         {module != nullptr ? module : "libweir_shaderc.so"});
        if (!loaded) {
            std::fprintf(stderr, "%s\n", loaded.error().message.c_str());
            std::abort();
        }
        return *loaded;
    }();
    return library;
}

/// Target of the program's pointers shaderc_compile_options_t.
struct Options {
    shaderc_compile_options_t of_library = nullptr;
    WINDOWS shaderc_include_result* (*find)(void*, const char*, int, const char*, std::size_t) = nullptr;
    WINDOWS void (*release)(void*, shaderc_include_result*) = nullptr;
    void* user = nullptr;
};

Options& behind(shaderc_compile_options_t options) {
    return *reinterpret_cast<Options*>(options);
}

shaderc_include_result* find(void* self, const char* requested, int type, const char* requesting, std::size_t depth) {
    const Options& options = *static_cast<Options*>(self);
    return options.find(options.user, requested, type, requesting, depth);
}
void release(void* self, shaderc_include_result* result) {
    const Options& options = *static_cast<Options*>(self);
    options.release(options.user, result);
}

} // namespace

extern "C" {

WINDOWS shaderc_compiler_t wine_compiler_initialize() {
    return here().compiler_initialize();
}
WINDOWS void wine_compiler_release(shaderc_compiler_t compiler) {
    here().compiler_release(compiler);
}
WINDOWS shaderc_compile_options_t wine_options_initialize() {
    return reinterpret_cast<shaderc_compile_options_t>(new Options{here().options_initialize()});
}
WINDOWS void wine_options_release(shaderc_compile_options_t options) {
    here().options_release(behind(options).of_library);
    delete &behind(options);
}
WINDOWS void wine_options_add_macro_definition(shaderc_compile_options_t options, const char* name,
                                               std::size_t name_size, const char* value, std::size_t value_size) {
    here().options_add_macro_definition(behind(options).of_library, name, name_size, value, value_size);
}
WINDOWS void wine_options_set_optimization_level(shaderc_compile_options_t options, shaderc_optimization_level level) {
    here().options_set_optimization_level(behind(options).of_library, level);
}
WINDOWS void wine_options_set_include_callbacks(shaderc_compile_options_t options, decltype(Options::find) find_file,
                                                decltype(Options::release) release_file, void* user) {
    Options& own = behind(options);
    own.find = find_file;
    own.release = release_file;
    own.user = user;
    here().options_set_include_callbacks(own.of_library, find, release, &own);
}
WINDOWS void wine_options_set_suppress_warnings(shaderc_compile_options_t options) {
    here().options_set_suppress_warnings(behind(options).of_library);
}
WINDOWS void wine_options_set_forced_version_profile(shaderc_compile_options_t options, int version,
                                                     shaderc_profile profile) {
    here().options_set_forced_version_profile(behind(options).of_library, version, profile);
}
WINDOWS void wine_options_set_target_env(shaderc_compile_options_t options, shaderc_target_env target,
                                         std::uint32_t version) {
    here().options_set_target_env(behind(options).of_library, target, version);
}
WINDOWS void wine_options_set_target_spirv(shaderc_compile_options_t options, shaderc_spirv_version version) {
    here().options_set_target_spirv(behind(options).of_library, version);
}
WINDOWS shaderc_compilation_result_t wine_compile_into_spv(shaderc_compiler_t compiler, const char* text,
                                                           std::size_t size, shaderc_shader_kind kind, const char* file,
                                                           const char* entry_point, shaderc_compile_options_t options) {
    return here().compile_into_spv(compiler, text, size, kind, file, entry_point, behind(options).of_library);
}
WINDOWS void wine_result_release(shaderc_compilation_result_t result) {
    here().result_release(result);
}
WINDOWS std::size_t wine_result_get_length(shaderc_compilation_result_t result) {
    return here().result_get_length(result);
}
WINDOWS const char* wine_result_get_bytes(shaderc_compilation_result_t result) {
    return here().result_get_bytes(result);
}
WINDOWS shaderc_compilation_status wine_result_get_compilation_status(shaderc_compilation_result_t result) {
    return here().result_get_compilation_status(result);
}
WINDOWS const char* wine_result_get_error_message(shaderc_compilation_result_t result) {
    return here().result_get_error_message(result);
}
}
