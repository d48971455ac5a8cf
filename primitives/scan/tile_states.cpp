#include <weir/primitives/tile_states.hpp>

#include <algorithm>

#include "engine/base/strings.hpp"
#include "primitives/kernel/kernel.hpp"

namespace weir {

BufferRef<std::uint32_t> tile_states(const GraphCall& graph, std::uint32_t tiles, std::uint32_t words) {
    if (words < 1 || words > 16) {
        graph->fail({ErrorCode::invalid_argument,
                     concat("tile_states: values of ", words, " words; 1 to 16 words are supported")});
    }
    if (tiles > max_tiles) {
        graph->fail({ErrorCode::limit_exceeded,
                     concat("tile_states: ", tiles, " tiles; at most ", max_tiles, " are supported")});
    }
    // One entry per tile, and two per block of tiles. A block has as many tiles as a subgroup has lanes.
    // weir_max_blocks of shaders/include/weir/weir_look_back.glsl computes the same number of blocks.
    const std::uint32_t entries = std::min(tiles, max_tiles);
    const std::uint32_t blocks = entries / LibraryInterface::WEIR_MIN_SUBGROUP + 2;
    return graph->state_buffer<std::uint32_t>("tile states",
                                              tile_state_words(entries + 2 * blocks, 2 * std::clamp(words, 1U, 16U)));
}

} // namespace weir
