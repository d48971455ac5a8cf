#pragma once

#include <cstdint>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>

namespace weir {

/// The tile states of a pass with a shader of yours that includes <weir/weir_look_back.glsl>: a scan over all
/// workgroups of a dispatch. Bind it with `read_write`, in one pass only.
///
///     pass.bindings = {read(input), read_write(tile_states(graph, divide_up(capacity, tile), 2)), write(output)};
///
/// `tiles`: the most that a dispatch has, at most 262140. `words`: WEIR_TILE_WORDS of the shader, from 1 to 16. It
/// takes some 8 bytes for each word of each tile, at least 32, and half as much again. Needs no clearing between
/// executions. Errors, which compiling returns: `invalid_argument` for other numbers of words, `limit_exceeded` for
/// more tiles.
WEIR_API BufferRef<std::uint32_t> tile_states(const GraphCall& graph, std::uint32_t tiles, std::uint32_t words);

} // namespace weir
