#pragma once

#include <cstdint>
#include <span>
#include <string>

#include <weir/engine/error.hpp>

namespace weir {

/// Whether `words` are a SPIR-V module in shape: magic number, version up to 1.6, instructions that end where the words
/// do, and a compute entry point `main`. Drivers trust what they are given. Errors: `invalid_argument` with `name`.
Result<> check_spirv(std::span<const std::uint32_t> words, const std::string& name);

} // namespace weir
