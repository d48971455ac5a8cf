#pragma once

#include <weir/primitives/radix_sort.hpp>

// Keys of 8 and 16 bits are sorted as words. The kernels that unpack and pack them need no 8- or 16-bit storage.

namespace weir {

/// Adds a pass that turns keys into unsigned words of the same order. Returns the request that sorts these, by the same
/// bits. If sorted keys are wanted, it sorts the words `in_place` or into another transient.
detail::RadixSortRequest add_widened(Graph& graph, const detail::RadixSortRequest& request, bool in_place);

/// Adds a pass that turns the sorted words into the output's keys, if these are wanted.
void add_narrowed(Graph& graph, const detail::RadixSortRequest& words, const detail::RadixSortRequest& request);

} // namespace weir
