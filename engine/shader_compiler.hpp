#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <weir/engine/error.hpp>
#include <weir/engine/shader.hpp>

#include "engine/shader_includes.hpp"
#include "engine/shaderc_library.hpp"

namespace weir {

/// A request that a compilation made, and what it was given.
struct Included {
    IncludeRequest request;
    std::string name;
    std::uint64_t size = 0, hash = 0; ///< of the text
};
Included included(IncludeRequest request, const ShaderFile& file);

/// GLSL as SPIR-V, with all that it was made from: for a shader's file, that file is the first.
struct CompiledGlsl {
    std::vector<std::uint32_t> words;
    std::vector<Included> files;
};

/// One shaderc compiler, which is started when it is first needed: starting takes longer than most shaders.
/// Thread-safe.
class ShaderCompiler {
public:
    /// `load` says where shaderc is.
    using Load = std::function<Result<const ShadercLibrary*>()>;
    explicit ShaderCompiler(Load load = shaderc_library) : load_(std::move(load)) {}

    /// `source` is GLSL. Errors: those of `compile_shader`.
    [[nodiscard]] Result<CompiledGlsl> compile(const ShaderSource& source);

    /// How often shaderc was called.
    [[nodiscard]] std::uint64_t compilations() const { return compilations_; }

private:
    using Compiler = std::unique_ptr<shaderc_compiler, void (*)(shaderc_compiler_t)>;

    [[nodiscard]] Result<> start(const std::string& name);

    Load load_;
    std::mutex mutex_; ///< while it is started
    const ShadercLibrary* shaderc_ = nullptr;
    Compiler compiler_{nullptr, nullptr};
    std::atomic<std::uint64_t> compilations_ = 0;
};

} // namespace weir
