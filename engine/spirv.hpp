#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <weir/engine/error.hpp>

namespace weir {

/// Whether `words` are a SPIR-V module in shape: magic number, version up to 1.6, instructions that end where the words
/// do, and a compute entry point `main`. Drivers trust what they are given. Errors: `invalid_argument` with `name`.
Result<> check_spirv(std::span<const std::uint32_t> words, const std::string& name);

/// The module, which `check_spirv` has nothing against, with the promise asked for that the lanes of a subgroup which
/// part in a branch or a loop meet again where they could first (SPV_KHR_subgroup_uniform_control_flow).
std::vector<std::uint32_t> with_uniform_control_flow(std::span<const std::uint32_t> words);

/// Specialization constants of `<weir/weir_*.glsl>`, which pipelines set by themselves.
constexpr std::uint32_t subgroup_constant = 2000; ///< the size of subgroups, or 0 if only the driver knows it
constexpr std::uint32_t barriers_constant = 2001; ///< Capabilities::shuffles_need_barriers
constexpr std::uint32_t order_constant = 2002;    ///< Capabilities::workgroups_start_in_order

/// Whether the module, which `check_spirv` has nothing against, has one of the first two constants: whether it uses the
/// layers for kernels of one's own, which need full subgroups.
bool uses_layers(std::span<const std::uint32_t> words);

/// The module, which `check_spirv` has nothing against, with loads and stores that no longer make what they access
/// visible or available to the workgroup. Barriers do so alone, which is enough where one thread runs a workgroup.
std::vector<std::uint32_t> without_workgroup_coherence(std::span<const std::uint32_t> words);

} // namespace weir
