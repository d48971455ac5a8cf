#include "engine/shaderc_library.hpp"

#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <dlfcn.h>
#endif

namespace weir {

namespace fs = std::filesystem;

namespace {

#if defined(_WIN32)
constexpr const char* system_names[] = {"shaderc_shared.dll"};
constexpr const char* module_name = "weir_shaderc.dll";
void* open(const std::string& name) {
    return reinterpret_cast<void*>(LoadLibraryA(name.c_str()));
}
void* find(void* library, const char* name) {
    return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library), name));
}
std::string last_error() {
    return "LoadLibrary failed";
}
#else
#if defined(__APPLE__)
constexpr const char* system_names[] = {"libshaderc_shared.1.dylib", "libshaderc_shared.dylib"};
#else
constexpr const char* system_names[] = {"libshaderc_shared.so.1", "libshaderc.so.1", "libshaderc_shared.so",
                                        "libshaderc.so"};
#endif
constexpr const char* module_name = "libweir_shaderc.so";
void* open(const std::string& name) {
    return dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
}
void* find(void* library, const char* name) {
    return dlsym(library, name);
}
std::string last_error() {
    const char* text = dlerror();
    return text != nullptr ? text : "";
}
#endif

bool load_system(ShadercLibrary& out, std::string& why) {
    for (const char* name : system_names) {
        void* library = open(name);
        if (library == nullptr) {
            why += (why.empty() ? "" : "; ") + last_error();
            continue;
        }
        bool complete = true;
        for_each_function(out, [&](auto& function, const char* symbol) {
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(find(library, symbol));
            complete = complete && function != nullptr;
        });
        if (complete) {
            return true;
        }
        why += (why.empty() ? "" : "; ") + std::string(name) + " lacks functions";
    }
    return false;
}

/// Where Weir's own copy can be, which is built where the system's library cannot be opened (see
/// engine/CMakeLists.txt): where the caller's run path says, and, since tools that intercept dlopen lose that, near
/// this code.
std::vector<std::string> module_paths() {
    std::vector<std::string> out{module_name};
#if defined(__linux__)
    Dl_info code{};
    std::error_code error;
    std::vector<fs::path> folders{fs::read_symlink("/proc/self/exe", error).parent_path()};
    if (dladdr(reinterpret_cast<const void*>(&module_paths), &code) != 0 && code.dli_fname != nullptr) {
        folders.push_back(fs::path(code.dli_fname).parent_path());
    }
    for (const fs::path& folder : folders) {
        for (const char* near : {"weir", "../lib", "../lib/weir"}) {
            out.push_back((folder / near / module_name).string());
        }
    }
#endif
    return out;
}

bool load_module(ShadercLibrary& out) {
    for (const std::string& path : module_paths()) {
        using Get = const ShadercLibrary* (*)();
        void* library = open(path);
        const Get get = library != nullptr ? reinterpret_cast<Get>(find(library, "weir_shaderc")) : nullptr;
        if (get != nullptr) {
            out = *get();
            return true;
        }
    }
    return false;
}

struct Loaded {
    ShadercLibrary library;
    bool there = false;
    std::string why;

    Loaded() { there = load_system(library, why) || load_module(library); }
};

} // namespace

Result<const ShadercLibrary*> shaderc_library() {
    static const Loaded loaded;
    if (!loaded.there) {
        return tl::unexpected(
            Error{ErrorCode::unsupported,
                  "the shader compiler shaderc cannot be loaded (Debian: libshaderc1): " + loaded.why});
    }
    return &loaded.library;
}

} // namespace weir
