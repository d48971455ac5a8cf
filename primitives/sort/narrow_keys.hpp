#pragma once

#include <weir/primitives/radix_sort.hpp>

// Keys of 8 and 16 bits that are sorted as words: on devices without 8- and 16-bit storage, and where sorted keys would
// be copied back to the input's buffer. The kernels that unpack and pack them need no such storage.

namespace weir {

/// Adds a pass that turns keys into unsigned words of the same order. Returns the request that sorts these, by the same
/// bits. If sorted keys are wanted, it sorts the words `in_place` or into another transient.
detail::RadixSortRequest add_widened(Graph& graph, const detail::RadixSortRequest& request, bool in_place);

/// Adds a pass that turns the sorted words into the output's keys, if these are wanted.
void add_narrowed(Graph& graph, const detail::RadixSortRequest& words, const detail::RadixSortRequest& request);

} // namespace weir
