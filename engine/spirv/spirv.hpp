#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <weir/engine/error.hpp>

namespace weir {

/// Checks the structure of a SPIR-V module: magic number, version up to 1.6, instructions that end where the words do,
/// a function at the end, and a compute entry point `main`. Drivers do not check their input. Errors:
/// `invalid_argument` with `name`.
Result<> check_spirv(std::span<const std::uint32_t> words, const std::string& name);

/// Returns the module with compute entry point `entry_point` renamed to `main`, and without other entry points.
/// Compilers of HLSL and Slang keep the names of entry points, and may write several to a module. An empty
/// `entry_point` chooses `main`, or else the only compute entry point. If the choice is `main`, the words are
/// unchanged. Errors: those of `check_spirv`; `invalid_argument` if the module has no such entry point.
Result<std::vector<std::uint32_t>> with_main(std::span<const std::uint32_t> words, const std::string& entry_point,
                                             const std::string& name);

/// Returns true if the module has SPV_GOOGLE_hlsl_functionality1 or SPV_GOOGLE_user_type, which name semantics, types
/// and counters for tools. Precondition: check_spirv(words) succeeds.
bool has_hlsl_decorations(std::span<const std::uint32_t> words);

/// Returns the module without these extensions and their decorations, which a device need not support. Precondition:
/// check_spirv(words) succeeds.
std::vector<std::uint32_t> without_hlsl_decorations(std::span<const std::uint32_t> words);

/// Returns the module without two repetitions that SPIR-V and Vulkan do not allow: glslang declares an input variable
/// for each function of HLSL that calls WaveGetLaneIndex or WaveGetLaneCount, and vkd3d repeats decorations. Variables
/// that `main` does not list are kept. Returns nullopt if nothing is removed. Precondition: check_spirv(words)
/// succeeds.
std::optional<std::vector<std::uint32_t>> without_repetitions(std::span<const std::uint32_t> words);

/// Returns the module with SPV_KHR_subgroup_uniform_control_flow requested: lanes of a subgroup that diverge in a
/// branch or a loop reconverge at the first possible place. Precondition: check_spirv(words) succeeds.
std::vector<std::uint32_t> with_uniform_control_flow(std::span<const std::uint32_t> words);

/// Specialization constants of `<weir/weir_*.glsl>`, which Weir sets when it creates a pipeline.
constexpr std::uint32_t subgroup_constant = 2000; ///< subgroup size; 0: only the driver knows it
constexpr std::uint32_t barriers_constant = 2001; ///< Capabilities::shuffles_need_barriers
constexpr std::uint32_t order_constant = 2002;    ///< Capabilities::workgroups_start_in_order

/// Specialization constants of `<weir/weir_*.hlsl>`. Weir sets the first one; the default of the second one is the
/// number of invocations of a workgroup, and only `weir_begin` reads it.
constexpr std::uint32_t hlsl_subgroup_constant = 2003; ///< subgroup size; 0: only the driver knows it
constexpr std::uint32_t hlsl_workgroup_constant = 2004;

/// Checks that the module has one of the constants 2000, 2001 and 2003. It then uses the layers for an application's
/// own kernels, which need full subgroups. Precondition: check_spirv(words) succeeds.
bool uses_layers(std::span<const std::uint32_t> words);

/// Use of `<weir/weir_*.hlsl>` by a module.
struct HlslLayers {
    bool used = false;           ///< the module has hlsl_subgroup_constant
    std::uint32_t workgroup = 0; ///< default of hlsl_workgroup_constant; 0 if the module does not have it
};
/// Finds both constants. Precondition: check_spirv(words) succeeds.
HlslLayers hlsl_layers(std::span<const std::uint32_t> words);

/// Returns the module with loads and stores that no longer make their data visible or available to the workgroup.
/// Barriers still do so, which is enough if one thread runs a workgroup. Precondition: check_spirv(words) succeeds.
std::vector<std::uint32_t> without_workgroup_coherence(std::span<const std::uint32_t> words);

} // namespace weir
