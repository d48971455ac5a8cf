#pragma once

#include <weir/primitives/radix_sort.hpp>

// Sorts keys of 8 and 16 bits as words: on devices without 8-bit and 16-bit storage, and if sorted packed keys would
// need a copy back to the input's buffer. The kernels that unpack and pack them need no 8-bit or 16-bit storage.

namespace weir {

/// Adds a pass that converts keys to unsigned words of the same order. Returns the request that sorts these words by
/// the same bits. If sorted keys are requested, it sorts the words `in_place`, or else into another transient.
detail::RadixSortRequest add_widened(Graph& graph, const detail::RadixSortRequest& request, bool in_place);

/// Adds a pass that converts the sorted words to the output's keys, if these are requested.
void add_narrowed(Graph& graph, const detail::RadixSortRequest& words, const detail::RadixSortRequest& request);

} // namespace weir
