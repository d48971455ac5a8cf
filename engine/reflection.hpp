#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weir {

/// What the compute entry point `main` of a SPIR-V module uses.
struct Reflection {
    enum class Kind : std::uint8_t {
        storage_buffer,
        uniform_buffer,
        storage_image,
        sampled_image,
        combined_image_sampler,
        sampler,
        other,
    };
    /// What is bound to one place. Variables that share it are one resource.
    struct Resource {
        std::uint32_t set = 0, binding = 0;
        Kind kind = Kind::other;
        bool is_array = false; ///< of several such resources
        std::string name;      ///< of the variable or its block; empty where the module has no names
        /// By an instruction that constants do not rule out. A query of its length or size uses it without a read.
        bool used = false, read = false, written = false;
    };

    /// The resources that its functions name, used or not: Vulkan requires them in the pipeline layout.
    std::vector<Resource> resources;
    std::uint64_t push_bytes = 0;                               ///< up to the end of the last push constant
    std::array<std::optional<std::uint32_t>, 3> workgroup_size; ///< in x, y and z, where it is known
    /// Whether `used`, `read` and `written` are complete: not for a module of more than 64 resources.
    bool followed = false;
};

/// `constants`: value of specialization constant i. Both sides of a branch count unless constants decide it, in the
/// function that has the branch. Any words will do, but only SPIR-V modules up to version 1.6 have a meaningful
/// reflection.
Reflection reflect(std::span<const std::uint32_t> spirv, std::span<const std::uint32_t> constants = {});

const char* to_string(Reflection::Kind kind);

} // namespace weir
