#pragma once

#include <cstdint>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>

namespace weir {

/// Returns the tile states of a pass whose shader, written by the application, includes <weir/weir_look_back.glsl>: a
/// scan over all workgroups of a dispatch. Bind the buffer with `read_write`, in one pass only.
///
///     pass.bindings = {read(input), read_write(tile_states(graph, divide_up(capacity, tile), 2)), write(output)};
///
/// `tiles`: maximum number of tiles of a dispatch, at most 262140. `words`: WEIR_TILE_WORDS of the shader, from 1 to
/// 16. Memory: about 8 bytes per word of each tile, at least 32 bytes per tile, and half as much again. The buffer
/// needs no clearing between executions. Errors, reported by `compile`: `invalid_argument` for another number of words,
/// `limit_exceeded` for more tiles.
WEIR_API BufferRef<std::uint32_t> tile_states(const GraphCall& graph, std::uint32_t tiles, std::uint32_t words);

} // namespace weir
