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

#include "engine/shader/shader_includes.hpp"
#include "engine/shader/shaderc_library.hpp"

namespace weir {

/// An include request of a compilation, and the file that answered it.
struct Included {
    IncludeRequest request;
    std::string name;
    std::uint64_t size = 0, hash = 0; ///< bytes and hash of the text
};
Included included(IncludeRequest request, const ShaderFile& file);

/// SPIR-V compiled from GLSL or HLSL, and all files that it was compiled from. If the shader is a file, that file is
/// the first.
struct CompiledText {
    std::vector<std::uint32_t> words;
    std::vector<Included> files;
};

/// A shaderc compiler. It is started when it is first needed, because starting takes longer than compiling most
/// shaders. Thread-safe.
class ShaderCompiler {
public:
    /// Returns the shaderc library to use.
    using Load = std::function<Result<const ShadercLibrary*>()>;
    explicit ShaderCompiler(Load load = shaderc_library) : load_(std::move(load)) {}

    /// Compiles `source`, which must be GLSL or HLSL. Errors: those of `compile_shader`.
    [[nodiscard]] Result<CompiledText> compile(const ShaderSource& source);

    /// Returns the number of calls of shaderc.
    [[nodiscard]] std::uint64_t compilations() const { return compilations_; }

private:
    using Compiler = std::unique_ptr<shaderc_compiler, void (*)(shaderc_compiler_t)>;

    [[nodiscard]] Result<> start(const ShaderSource& source);

    Load load_;
    std::mutex mutex_; ///< held while the compiler is started
    const ShadercLibrary* shaderc_ = nullptr;
    Compiler compiler_{nullptr, nullptr};
    std::atomic<std::uint64_t> compilations_ = 0;
};

} // namespace weir
