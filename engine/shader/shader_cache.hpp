#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <weir/engine/error.hpp>
#include <weir/engine/shader.hpp>

#include "engine/shader/compiled_shader.hpp"
#include "engine/shader/shader_archive.hpp"
#include "engine/shader/shader_compiler.hpp"

namespace weir {

/// The compiled shaders of one context, in memory and in a file of the user. Shaders are found again by their contents.
/// The file is read when the first GLSL is requested. The destructor writes it if anything was compiled. Thread-safe.
class ShaderCache {
public:
    struct Options {
        std::string file;                    ///< empty: none; a damaged file, or one of another version, is ignored
        std::vector<ArchivedShader> shipped; ///< never removed
        std::size_t max_bytes = 32U << 20U;  ///< maximum in memory and in the file, each, without `shipped`
        ShaderCompiler::Load load = shaderc_library;
        std::function<void(const std::string& message)> warn; ///< called with warnings; may be empty
    };
    explicit ShaderCache(Options options);
    ~ShaderCache();
    ShaderCache(const ShaderCache&) = delete;
    ShaderCache& operator=(const ShaderCache&) = delete;

    /// Returns the shader of `source` and compiles it if necessary. If several threads request the same one, one thread
    /// compiles it and the others wait. Errors: those of `compile_shader`, which are not cached.
    [[nodiscard]] Result<std::shared_ptr<const CompiledShader>> get(const ShaderSource& source);
    /// Returns the shader if nothing must be compiled for it; otherwise null.
    [[nodiscard]] std::shared_ptr<const CompiledShader> find(const ShaderSource& source);

    /// Writes all cached shaders of GLSL, also those that were loaded from files, to a file that can be shipped.
    /// Returns why it failed; empty on success.
    [[nodiscard]] std::string write(const std::filesystem::path& file) const;

    /// Returns the bytes that are kept in memory, without `shipped`.
    [[nodiscard]] std::size_t kept_bytes() const;
    /// Returns the number of calls of shaderc.
    [[nodiscard]] std::uint64_t compilations() const { return compiler_.compilations(); }

private:
    struct Entry {
        ArchivedShader archived;
        bool is_shipped = false;
    };
    using Entries = std::list<std::shared_ptr<const Entry>>;

    [[nodiscard]] Result<std::shared_ptr<const CompiledShader>> get_spirv(const ShaderSource& source);
    [[nodiscard]] Result<std::shared_ptr<const CompiledShader>> get_packed(const ShaderSource& source);
    [[nodiscard]] std::shared_ptr<const CompiledShader> find(const ShaderSource& source, const std::string& identity);
    void keep(ArchivedShader shader, bool is_shipped);
    void forget(Entries::iterator entry);
    void load();
    void save() const;

    Options options_;
    ShaderCompiler compiler_;
    std::once_flag loaded_;

    mutable std::mutex mutex_;
    Entries entries_;                                                          ///< most recently used first
    std::unordered_multimap<std::string_view, Entries::iterator> by_identity_; ///< keys point into the entries
    std::size_t bytes_ = 0;
    bool has_new_ = false, has_shipped_ = false;
    std::unordered_map<std::string, std::weak_ptr<std::mutex>> compiling_;              ///< locks, by identity
    std::unordered_multimap<std::uint64_t, std::weak_ptr<const CompiledShader>> spirv_; ///< shaders in use, by hash
    std::unordered_map<const Packed*, std::weak_ptr<const CompiledShader>> packed_;     ///< shaders in use
    std::size_t max_spirv_ = 64; ///< unused shaders are removed from `spirv_` at this size
};

/// Returns the path of the shader cache in `directory` (empty: the user's cache folder; "none": no file). Returns an
/// empty string if there is no file or no cache folder.
std::string shader_cache_file(const std::string& directory);

} // namespace weir
