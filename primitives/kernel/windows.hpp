#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include <weir/graph/graph.hpp>
#include <weir/primitives/layout.hpp>

// Windows of buffers that are larger than a binding may be (Capabilities::max_storage_range). A primitive adds one pass
// for each window, and each pass binds its part of the buffers.

namespace weir {

/// A range of consecutive elements.
struct Window {
    std::uint64_t first = 0;
    Count count; ///< number of elements in use; its maximum is the size of the window
};

/// All elements of an input, in windows of equal size except the last one.
struct Windows {
    std::vector<Window> each; ///< in order; at least one
    Count used;               ///< number of windows that are not empty
};

/// Returns whether one of the buffers is too large for a binding. Ignores invalid buffers.
bool exceeds_binding(const Graph& graph, std::initializer_list<BufferId> buffers);

/// Returns the words from one element to the next.
std::uint32_t stride_of(WordLayout layout, std::uint32_t words);

/// Divides elements into windows. A window of a buffer with at most `stride` words per element fits a binding. If `all`
/// is not 0, it is the number of elements and `count` is not used. Windows begin at multiples of 64 * `per_word`
/// elements, for buffers with `per_word` elements per word. Adds a pass if the count is not a constant. Fails the graph
/// and returns no windows if a binding is too small for one window.
Windows divide_into_windows(Graph& graph, const char* primitive, const Count& count, std::uint64_t all,
                            std::uint32_t stride, std::uint32_t per_word = 1);

/// A part of a buffer, and the layout of its elements.
struct WindowPart {
    BufferId buffer;
    WordLayout layout;
    std::uint64_t words = 0; ///< size
};

/// Returns the part of a buffer that holds the elements of a window, of `words` words each. An invalid buffer has
/// itself as its part.
WindowPart part_of(Graph& graph, BufferId buffer, const Window& window, std::uint32_t words, WordLayout layout = {});

} // namespace weir
