#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weir {

/// Resources and inputs that compute entry point `main` of a SPIR-V module uses, given the values that are known before
/// it runs.
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
    /// A binding. Variables with the same set, binding and kind are one resource.
    struct Resource {
        std::uint32_t set = 0, binding = 0;
        Kind kind = Kind::other;
        bool is_array = false;   ///< an array of such resources
        std::string name;        ///< name of the variable, or else of its block; empty if the module has no names
        bool is_counter = false; ///< the hidden counter of HLSL's buffer `name`
        /// Uses that can be reached with the known values. A query of its length or size sets `used` only.
        bool used = false, read = false, written = false;
    };

    /// All resources that `main` and the functions it calls mention, used or not. Vulkan requires them in the pipeline
    /// layout.
    std::vector<Resource> resources;
    std::uint64_t push_bytes = 0;                               ///< up to the end of the last push constant
    std::array<std::optional<std::uint32_t>, 3> workgroup_size; ///< x, y and z; nullopt if unknown
    /// Components of WorkgroupId and GlobalInvocationId that are read, as bits: 1 for x, 2 for y, 4 for z. A use of a
    /// whole vector counts as a read of all components.
    std::uint8_t place = 0;
    std::uint8_t group_counts = 0; ///< components of NumWorkgroups that are read, as bits
    bool loops = false;            ///< a loop can be reached
    /// A mistake of the shader, independent of the pass, as a sentence; empty if none was found.
    std::string mistake;
    /// True if all uses were followed. False for a module of extreme size, of more than 64 resources, or without
    /// `main`. Then `used`, `read`, `written`, `place`, `group_counts` and `loops` may be incomplete.
    bool followed = false;
};

/// Analyzes a module. `constants`: value of specialization constant i. `push`: 32-bit push constants, if known. At a
/// branch on an unknown value, both sides count. Any words are accepted, but the result is meaningful only for a SPIR-V
/// module of version 1.6 or lower.
Reflection reflect(std::span<const std::uint32_t> spirv, std::span<const std::uint32_t> constants = {},
                   std::span<const std::optional<std::uint32_t>> push = {});

const char* to_string(Reflection::Kind kind);

/// Name of the uniform buffer of HLSL's global variables that are not static: `$Global` of glslang, `$Globals` of DXC.
constexpr std::string_view globals_block = "$Global";

/// Returns "'NAME'" or "the counter of 'NAME'"; empty if the resource has no name.
std::string quoted(const Reflection::Resource& resource);

} // namespace weir
