#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace weir {

/// What compute entry point `main` of a SPIR-V module uses, with the values that are known before it runs.
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
        /// How it is used where these values lead. Its length or size is asked for without a read.
        bool used = false, read = false, written = false;
    };

    /// All that any of its functions mentions, used or not: what Vulkan wants a pipeline layout to have.
    std::vector<Resource> resources;
    std::uint64_t push_bytes = 0;                               ///< up to the end of the last push constant
    std::array<std::optional<std::uint32_t>, 3> workgroup_size; ///< in x, y and z, where it is known
    /// The components of WorkgroupId and GlobalInvocationId that are read, as bits: 1 for x, 2 for y, 4 for z. A vector
    /// that is used as a whole has all of them.
    std::uint8_t place = 0;
    std::uint8_t group_counts = 0; ///< the components of NumWorkgroups that are read
    bool loops = false;            ///< reaches a loop
    /// Whether the uses were followed to the end. If not, for a module of extreme size or of more than 64 resources,
    /// `used`, `read` and `written` say less than there is, and so do `place`, `group_counts` and `loops`.
    bool followed = false;
};

/// `constants`: value of specialization constant i. `push`: 32-bit push constants, where they are known. What remains
/// unknown may go either way: both sides of such a branch count. Any words will do, but what is no SPIR-V module of
/// version 1.6 has no meaningful reflection.
Reflection reflect(std::span<const std::uint32_t> spirv, std::span<const std::uint32_t> constants = {},
                   std::span<const std::optional<std::uint32_t>> push = {});

const char* to_string(Reflection::Kind kind);

} // namespace weir
