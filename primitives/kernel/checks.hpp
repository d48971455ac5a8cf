#pragma once

#include <cstdint>
#include <span>

#include <weir/graph/graph.hpp>
#include <weir/primitives/scan.hpp>

// Checks of the buffers that callers pass to primitives. Only these checks refuse a count that exceeds a buffer's
// capacity: each primitive passes the maximum number of elements that it may access.

namespace weir {

/// A buffer to check.
struct CheckedBuffer {
    const char* what = "";
    BufferId buffer;
    std::uint64_t capacity = 0; ///< in elements
    bool is_large = false;      ///< the primitive accesses the buffer in windows
};

/// Checks that the buffer belongs to the graph, has capacity for `needed` elements of `words` words, and that every
/// word index fits 32 bits unless the buffer is accessed in windows. Fails the graph if not. Pass 1 word for elements
/// smaller than a word.
bool check_room(Graph& graph, const char* primitive, const CheckedBuffer& buffer, std::uint64_t needed,
                std::uint32_t words);

/// Elements in a buffer with a layout.
struct CheckedLayout {
    const char* what = "";
    std::uint64_t buffer_words = 0;
    std::uint32_t element_words = 1;
    WordLayout layout;
    bool is_large = false; ///< the primitive accesses the buffer in windows
};

/// Checks that `needed` elements end within the buffer, do not overlap, and that every word index fits 32 bits unless
/// the buffer is accessed in windows. Fails the graph if not.
bool check_layout(Graph& graph, const char* primitive, const CheckedLayout& elements, std::uint64_t needed);

/// Checks that the written buffers differ from each other and from those that are only read. Fails the graph if not.
/// Invalid buffers are ignored.
bool check_apart(Graph& graph, const char* primitive, std::span<const BufferId> written,
                 std::span<const BufferId> only_read);

} // namespace weir
