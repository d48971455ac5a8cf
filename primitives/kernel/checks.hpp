#pragma once

#include <cstdint>
#include <span>

#include <weir/graph/graph.hpp>
#include <weir/primitives/scan.hpp>

// What all primitives ask of the buffers that they are given. A count that is past a buffer's capacity is refused here
// and nowhere else: each primitive hands in the most elements that it may reach.

namespace weir {

/// A buffer as a check sees it.
struct CheckedBuffer {
    const char* what = "";
    BufferId buffer;
    std::uint64_t capacity = 0; ///< elements that there is room for
};

/// Whether it is a buffer with room for so many elements, of which words can be reached by 32 bits; fails the graph if
/// not. Elements of less than a word count as one.
bool check_room(Graph& graph, const char* primitive, const CheckedBuffer& buffer, std::uint64_t needed,
                std::uint32_t words);

/// Elements that lie apart in a buffer.
struct CheckedLayout {
    const char* what = "";
    std::uint64_t buffer_words = 0;
    std::uint32_t element_words = 1;
    WordLayout layout;
};

/// Whether so many elements end within the buffer, do not overlap, and can be reached by 32 bits; fails the graph if
/// not.
bool check_layout(Graph& graph, const char* primitive, const CheckedLayout& elements, std::uint64_t needed);

/// Whether none of the buffers that are written is another one of them, or one that is read; fails the graph if so.
/// Those that are not valid are not there.
bool check_apart(Graph& graph, const char* primitive, std::span<const BufferId> written,
                 std::span<const BufferId> only_read);

} // namespace weir
