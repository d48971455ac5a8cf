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

#include "engine/reflection.hpp"

namespace weir {

/// A SPIR-V shader that was checked, with what was learned of it. Shared by all that use it; thread-safe.
class CompiledShader {
public:
    /// Errors: those of `check_spirv`, for which `name` is.
    static Result<std::shared_ptr<const CompiledShader>> create(std::vector<std::uint32_t> words,
                                                                const std::string& name);

    [[nodiscard]] std::span<const std::uint32_t> words() const { return words_; }
    [[nodiscard]] std::uint64_t hash() const { return hash_; }

    /// As the function in spirv.hpp.
    [[nodiscard]] bool uses_layers() const { return uses_layers_; }

    /// As `reflect`, which is called once for the same values; those that were asked for last are kept.
    [[nodiscard]] std::shared_ptr<const Reflection>
    reflection(std::span<const std::uint32_t> constants, std::span<const std::optional<std::uint32_t>> push) const;

    /// Whether the words are the same.
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
    mutable std::list<Reflected> reflected_; ///< the last one first
};

/// The hash that a shader of these words has.
std::uint64_t hash_spirv(std::span<const std::uint32_t> words);

} // namespace weir
