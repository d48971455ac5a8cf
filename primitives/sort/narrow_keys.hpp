#pragma once

#include <weir/primitives/radix_sort.hpp>

// Keys of 8 and 16 bits, which are sorted as words. What packs them needs no storage of such a width.

namespace weir {

/// Adds a pass that makes words of the keys: numbers without sign in the same order, by the same bits. Returns what
/// sorts them instead, with sorted words, if sorted keys are wanted, where the words were or elsewhere.
detail::RadixSortRequest add_widened(Graph& graph, const detail::RadixSortRequest& request, bool in_place);

/// Adds a pass that makes the output's keys of the sorted words, if they are wanted.
void add_narrowed(Graph& graph, const detail::RadixSortRequest& words, const detail::RadixSortRequest& request);

} // namespace weir
