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

#include "engine/compiled_shader.hpp"
#include "engine/shader_archive.hpp"
#include "engine/shader_compiler.hpp"

namespace weir {

/// The shaders of one context: what was compiled once is found again by its contents, in memory and in a file of this
/// user's, which it reads when it is first asked for GLSL and writes when it is destroyed, if it has compiled anything.
/// Thread-safe.
class ShaderCache {
public:
    struct Options {
        std::string file;                    ///< empty: none; one that is damaged, or of another version, is ignored
        std::vector<ArchivedShader> shipped; ///< always there
        std::size_t most_bytes = 32U << 20U; ///< of what is kept, in memory and in the file each, `shipped` apart
        ShaderCompiler::Load load = shaderc_library;
        std::function<void(const std::string& message)> warn; ///< empty: nobody is told
    };
    explicit ShaderCache(Options options);
    ~ShaderCache();
    ShaderCache(const ShaderCache&) = delete;
    ShaderCache& operator=(const ShaderCache&) = delete;

    /// What `source` compiles to. One thread compiles, others that ask for the same wait for it.
    /// Errors: those of `compile_shader`, which are not kept.
    [[nodiscard]] Result<std::shared_ptr<const CompiledShader>> get(const ShaderSource& source);
    /// The same if nothing must be compiled for it; else null.
    [[nodiscard]] std::shared_ptr<const CompiledShader> find(const ShaderSource& source);

    /// Writes all GLSL that it has compiled to a file, for others to ship. Returns why it cannot; empty: it is done.
    [[nodiscard]] std::string write(const std::filesystem::path& file) const;

    /// Bytes that are kept in memory, `shipped` apart.
    [[nodiscard]] std::size_t kept_bytes() const;
    /// How often shaderc was called.
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
    Entries entries_;                                                          ///< those that were used last first
    std::unordered_multimap<std::string_view, Entries::iterator> by_identity_; ///< the views are into the entries
    std::size_t bytes_ = 0;
    bool has_new_ = false, has_shipped_ = false;
    std::unordered_map<std::string, std::weak_ptr<std::mutex>> compiling_;              ///< by identity
    std::unordered_multimap<std::uint64_t, std::weak_ptr<const CompiledShader>> spirv_; ///< by hash: of those in use
    std::unordered_map<const Packed*, std::weak_ptr<const CompiledShader>> packed_;     ///< of those in use
    std::size_t most_spirv_ = 64; ///< as many may be in `spirv_` before those are taken out that nobody uses
};

/// The file in `directory` as for `pipeline_cache_file`. Empty if there is to be none.
std::string shader_cache_file(const std::string& directory);

} // namespace weir
