#pragma once

#include <cstdint>
#include <span>

#include <weir/engine/error.hpp>
#include <weir/graph/description.hpp>

namespace weir {

/// Whether what `pass` declares holds for its shader: that set 0 has a storage buffer for each binding, that the shader
/// reads and writes no more than is declared, and that the push constants are all there. Counts what may run with the
/// pass's specialization constants and with those of its push constants that are always the same.
/// Errors: `invalid_graph`, naming the binding.
Result<> check_declarations(const GraphDescription& graph, const Pass& pass, std::span<const std::uint32_t> spirv);

} // namespace weir
