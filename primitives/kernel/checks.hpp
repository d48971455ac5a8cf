#pragma once

#include <cstdint>
#include <span>

#include <weir/graph/graph.hpp>
#include <weir/primitives/scan.hpp>

// Checks of the buffers that primitives are given. A count past a buffer's capacity is refused here and nowhere else:
// each primitive passes the most elements that it may access.

namespace weir {

/// A buffer to be checked.
struct CheckedBuffer {
    const char* what = "";
    BufferId buffer;
    std::uint64_t capacity = 0; ///< elements that there is room for
};

/// Whether the buffer has room for `needed` elements, and all of their words have places of 32 bits; fails the graph if
/// not. Elements of less than a word count as one.
bool check_room(Graph& graph, const char* primitive, const CheckedBuffer& buffer, std::uint64_t needed,
                std::uint32_t words);

/// Elements in a buffer with a layout of their own.
struct CheckedLayout {
    const char* what = "";
    std::uint64_t buffer_words = 0;
    std::uint32_t element_words = 1;
    WordLayout layout;
};

/// Whether `needed` elements end within the buffer, do not overlap, and have places of 32 bits; fails the graph if not.
bool check_layout(Graph& graph, const char* primitive, const CheckedLayout& elements, std::uint64_t needed);

/// Whether the written buffers differ from each other and from those that are only read; fails the graph if not.
/// Invalid buffers are ignored.
bool check_apart(Graph& graph, const char* primitive, std::span<const BufferId> written,
                 std::span<const BufferId> only_read);

} // namespace weir
