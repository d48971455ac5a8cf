#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <weir/engine/error.hpp>

#include "engine/spirv/reflection.hpp"

namespace weir {

/// A SPIR-V shader that passed `check_spirv`, with its reflections. Shared by all its users; thread-safe.
class CompiledShader {
public:
    /// Creates a shader from `words`. `name` is for error messages. Errors: those of `check_spirv`.
    static Result<std::shared_ptr<const CompiledShader>> create(std::vector<std::uint32_t> words,
                                                                const std::string& name);

    [[nodiscard]] std::span<const std::uint32_t> words() const { return words_; }
    [[nodiscard]] std::uint64_t hash() const { return hash_; }

    /// Returns `weir::uses_layers` of the words.
    [[nodiscard]] bool uses_layers() const { return uses_layers_; }

    /// Returns `reflect` of the words with these values. The most recently used results are cached.
    [[nodiscard]] std::shared_ptr<const Reflection>
    reflection(std::span<const std::uint32_t> constants, std::span<const std::optional<std::uint32_t>> push) const;

    /// Checks that both have the same words.
    friend bool operator==(const CompiledShader& one, const CompiledShader& other);

private:
    struct Reflected {
        std::vector<std::uint32_t> constants;
        std::vector<std::optional<std::uint32_t>> push;
        std::shared_ptr<const Reflection> reflection;
    };

    explicit CompiledShader(std::vector<std::uint32_t> words);

    std::vector<std::uint32_t> words_;
    std::uint64_t hash_;
    bool uses_layers_;
    mutable std::mutex mutex_;
    mutable std::list<Reflected> reflected_; ///< most recently used first
};

/// Returns CompiledShader::hash of a shader of these words.
std::uint64_t hash_spirv(std::span<const std::uint32_t> words);

} // namespace weir
