#include "engine/shader/shaderc_library.hpp"

#include <cstddef>
#include <filesystem>
#include <iterator>
#include <string>
#include <type_traits>
#include <vector>

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
#include <windows.h>
#else
#include <dlfcn.h>
#endif
#if defined(__linux__)
#include <link.h>
#endif

#include "engine/base/files.hpp"
#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"

namespace weir {

namespace fs = std::filesystem;

namespace {

#if defined(_WIN32)
constexpr const char* system_names[] = {"shaderc_shared.dll"};
constexpr const char* module_name = "weir_shaderc.dll";
void* open(const std::string& name) {
    return reinterpret_cast<void*>(LoadLibraryW(path_of(name).c_str()));
}
void* find(void* library, const char* name) {
    return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library), name));
}
std::string last_error(const std::string& name) {
    const DWORD error = GetLastError();
    return error == ERROR_MOD_NOT_FOUND ? concat(name, ": No such file, or one that it needs")
                                        : concat(name, ": LoadLibrary failed with error ", error);
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
std::string last_error(const std::string& /*name*/) {
    const char* text = dlerror();
    return text != nullptr ? text : "";
}
#endif

/// Checks that the loader's reason is that the library does not exist. For any other reason it may exist.
bool says_missing(const std::string& reason, const std::string& name) {
    const auto has = [&](const char* part) { return reason.find(part) != std::string::npos; };
    return reason.find(name) != std::string::npos && has("No such file") && !has("needed by");
}

/// The names that were tried, and why they failed.
class Attempts {
public:
    /// Returns null if the library does not open.
    void* open(const std::string& name) {
        void* library = weir::open(name);
        if (library == nullptr) {
            const std::string reason = last_error(name);
            (says_missing(reason, name) ? missing_ : failed_).push_back(says_missing(reason, name) ? name : reason);
        }
        return library;
    }
    void lacks_functions(const std::string& name) { failed_.push_back(name + " lacks required functions"); }

    [[nodiscard]] std::string text() const {
        const std::string missing = missing_.empty() ? "" : concat("; not found: ", list(missing_));
        return failed_.empty() ? concat("shaderc is not installed (Debian: libshaderc1)", missing)
                               : concat("shaderc is installed but cannot be opened: ", list(failed_), missing);
    }

private:
    static std::string list(const std::vector<std::string>& parts) {
        std::string out;
        for (const std::string& part : parts) {
            out += (out.empty() ? "" : "; ") + part;
        }
        return out;
    }
    std::vector<std::string> missing_, failed_;
};

bool load_system(const std::vector<std::string>& names, ShadercLibrary& out, Attempts& attempts) {
    for (const std::string& name : names) {
        void* library = attempts.open(name);
        if (library == nullptr) {
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
        attempts.lacks_functions(name);
    }
    return false;
}

#if defined(__linux__)
/// Returns the folder of the program or shared library that this code is in, or nothing if it is unknown.
fs::path folder_of_code() {
    Dl_info code{};
    const bool found = dladdr(reinterpret_cast<const void*>(&folder_of_code), &code) != 0 && code.dli_fname != nullptr;
    return found ? fs::path(code.dli_fname).parent_path() : fs::path();
}

/// Returns the folders in which the loader looks for libraries on behalf of the program or shared library that this
/// code is in: its run path with $ORIGIN replaced, LD_LIBRARY_PATH, and the folders of the system. Only the GNU C
/// library reports them.
std::vector<fs::path> search_folders() {
    std::vector<fs::path> out;
#if defined(__GLIBC__)
    Dl_info code{};
    link_map* map = nullptr;
    if (dladdr1(reinterpret_cast<const void*>(&search_folders), &code, reinterpret_cast<void**>(&map),
                RTLD_DL_LINKMAP) == 0) {
        return out;
    }
    const bool is_program = map->l_name == nullptr || *map->l_name == '\0';
    void* handle = dlopen(is_program ? nullptr : map->l_name, RTLD_LAZY | RTLD_NOLOAD);
    if (handle == nullptr) {
        return out;
    }
    Dl_serinfo size{};
    if (dlinfo(handle, RTLD_DI_SERINFOSIZE, &size) == 0) {
        // The names of the folders follow the structure, and count in its size.
        std::vector<std::max_align_t> memory(size.dls_size / sizeof(std::max_align_t) + 1);
        auto* found = reinterpret_cast<Dl_serinfo*>(memory.data());
        *found = size;
        if (dlinfo(handle, RTLD_DI_SERINFO, found) == 0) {
            const Dl_serpath* folders = found->dls_serpath;
            for (unsigned i = 0; i < found->dls_cnt; ++i) {
                out.emplace_back(folders[i].dls_name);
            }
        }
    }
    dlclose(handle);
#endif
    return out;
}
#endif

/// Returns the names by which to open Weir's module, which is built where the system's library cannot be opened (see
/// engine/CMakeLists.txt), in this order:
/// - the file alone, which the loader looks for in the run path of the caller;
/// - the file in each folder of that run path, if it exists: AddressSanitizer and ThreadSanitizer replace dlopen, and
///   the loader then takes the sanitizer for the caller;
/// - the file near the program and near this code.
std::vector<std::string> module_paths() {
    std::vector<std::string> out{module_name};
#if defined(__linux__)
    std::error_code error;
    for (const fs::path& folder : search_folders()) {
        const fs::path path = folder / module_name;
        if (path.is_absolute() && fs::exists(path, error)) {
            out.push_back(path.string());
        }
    }
    for (const fs::path& folder : {fs::read_symlink("/proc/self/exe", error).parent_path(), folder_of_code()}) {
        for (const char* place : {"weir", "../lib", "../lib/weir"}) {
            out.push_back((folder / place / module_name).string());
        }
    }
#endif
    return out;
}

bool load_module(const std::vector<std::string>& paths, ShadercLibrary& out, Attempts& attempts) {
    for (const std::string& path : paths) {
        using Get = const ShadercLibrary* (*)();
        void* library = attempts.open(path);
        if (library == nullptr) {
            continue;
        }
        if (const Get get = reinterpret_cast<Get>(find(library, "weir_shaderc_3")); get != nullptr) {
            out = *get();
            return true;
        }
        attempts.lacks_functions(path);
    }
    return false;
}

} // namespace

Result<ShadercLibrary> load_shaderc(const std::vector<std::string>& libraries,
                                    const std::vector<std::string>& modules) {
    ShadercLibrary out;
    Attempts attempts;
    if (!load_system(libraries, out, attempts) && !load_module(modules, out, attempts)) {
        return tl::unexpected(Error{ErrorCode::unsupported, attempts.text()});
    }
    return out;
}

Result<const ShadercLibrary*> shaderc_library() {
    static const Result<ShadercLibrary> loaded =
        load_shaderc({std::begin(system_names), std::end(system_names)}, module_paths());
    WEIR_PROPAGATE(loaded);
    return &*loaded;
}

} // namespace weir
