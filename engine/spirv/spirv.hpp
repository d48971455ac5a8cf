#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <weir/engine/error.hpp>

namespace weir {

/// Checks the structure of a SPIR-V module: magic number, version up to 1.6, instructions that end where the words do,
/// a function at the end, and a compute entry point `main`. Drivers do not check their input. Errors:
/// `invalid_argument` with `name`.
Result<> check_spirv(std::span<const std::uint32_t> words, const std::string& name);

/// Returns the module with SPV_KHR_subgroup_uniform_control_flow requested: lanes of a subgroup that diverge in a
/// branch or a loop reconverge at the first possible place. Precondition: check_spirv(words) succeeds.
std::vector<std::uint32_t> with_uniform_control_flow(std::span<const std::uint32_t> words);

/// Specialization constants of `<weir/weir_*.glsl>`, which Weir sets when it creates a pipeline.
constexpr std::uint32_t subgroup_constant = 2000; ///< subgroup size; 0: only the driver knows it
constexpr std::uint32_t barriers_constant = 2001; ///< Capabilities::shuffles_need_barriers
constexpr std::uint32_t order_constant = 2002;    ///< Capabilities::workgroups_start_in_order

/// Checks that the module has one of the first two constants. It then uses the layers for an application's own kernels,
/// which need full subgroups. Precondition: check_spirv(words) succeeds.
bool uses_layers(std::span<const std::uint32_t> words);

/// Returns the module with loads and stores that no longer make their data visible or available to the workgroup.
/// Barriers still do so, which is enough if one thread runs a workgroup. Precondition: check_spirv(words) succeeds.
std::vector<std::uint32_t> without_workgroup_coherence(std::span<const std::uint32_t> words);

} // namespace weir
