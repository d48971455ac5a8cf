#ifndef WEIR_C_ELEMENTWISE_H
#define WEIR_C_ELEMENTWISE_H

/// @file
/// Elementwise operations and histograms, in C.

#include <weir/c/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

// Every output is optional, except where documented: for a struct of zeros, a new transient is created.

/// Adds a pass that sets the first `output.count` elements to the element that `value` points to. `output` is required.
/// Returns it.
WEIR_C_API weir_buffer_ref weir_fill(weir_graph* graph, weir_buffer_ref output, const void* value);
/// Adds a pass that sets the elements of `output` to start, start + step, start + 2 step and so on. A null `start` is
/// 0, a null `step` is 1. `output` is required. Returns it.
WEIR_C_API weir_buffer_ref weir_iota(weir_graph* graph, weir_buffer_ref output, const void* start, const void* step);

/// Adds a pass that sets element i of the output to the value of the expression for element i of the input. Elements of
/// the output have type `to`. The output may be the input if both types have the same number of words. Returns the
/// output.
WEIR_C_API weir_buffer_ref weir_transform(weir_graph* graph, weir_buffer_ref input, weir_type to,
                                          const weir_expression* expression, weir_buffer_ref output);

/// Adds a pass that sets output[i] = items[indices[i]]. If the index is not less than the count of `items`, output[i]
/// is not written. Returns the output.
WEIR_C_API weir_buffer_ref weir_gather(weir_graph* graph, weir_buffer_ref items, weir_buffer_ref indices,
                                       weir_buffer_ref output);
/// Adds a pass that sets output[indices[i]] = items[i]. Indices that are not less than the count of `output` are
/// ignored. `output` is required. Returns it.
WEIR_C_API weir_buffer_ref weir_scatter(weir_graph* graph, weir_buffer_ref items, weir_buffer_ref indices,
                                        weir_buffer_ref output);

/// Adds a pass that sets output[i] = input[i] - input[i - 1] and output[0] = input[0]. Elements are numbers. Returns
/// the output.
WEIR_C_API weir_buffer_ref weir_adjacent_difference(weir_graph* graph, weir_buffer_ref input, weir_buffer_ref output);

/// Adds a pass that writes the elements in a random order. The seed, a constant or a parameter, determines the order.
/// Returns the output.
WEIR_C_API weir_buffer_ref weir_shuffle(weir_graph* graph, weir_buffer_ref items, weir_count seed,
                                        weir_buffer_ref output);
/// Adds a pass that writes the numbers 0 to `count` - 1 in a random order. Returns the output.
WEIR_C_API weir_buffer_ref weir_random_permutation(weir_graph* graph, weir_count count, weir_count seed,
                                                   weir_buffer_ref output);

/// Adds a copy of many ranges of elements. Range r has sizes[r] elements; it starts at source_offsets[r] in the source
/// and goes to destination_offsets[r]. The count of `sizes` is the number of ranges. `max_elements` is the maximum
/// number of elements in all ranges together; further elements are not copied. 0: the capacity of the destination.
WEIR_C_API void weir_copy_ranges(weir_graph* graph, weir_buffer_ref source, weir_buffer_ref destination,
                                 weir_buffer_ref sizes, weir_buffer_ref source_offsets,
                                 weir_buffer_ref destination_offsets, uint32_t max_elements);

/// Kind of bins.
typedef enum weir_bins_kind {
    WEIR_BINS_BYTES = 0,                 ///< 256 bins; counts every byte of every word
    WEIR_BINS_EVEN = 1,                  ///< `count` bins of equal width in [lower, upper)
    WEIR_BINS_DIGIT = 2,                 ///< by bits [shift, shift + bits) of elements of one word
    WEIR_BINS_EDGES = 3,                 ///< between the ascending numbers in `edges`
    WEIR_BINS_EXPRESSION = 4,            ///< `count` bins, by an expression of type uint
    WEIR_BINS_KIND_MAX_ENUM = 0x7FFFFFFF ///< not a kind
} weir_bins_kind;

/// Mapping of elements to bins. An element may be in no bin.
typedef struct weir_bins {
    size_t size;                       ///< size of this struct
    weir_bins_kind kind;               ///< kind of bins
    uint32_t count;                    ///< number of bins; even bins and expressions only
    const void* lower;                 ///< lower bound, an element; even bins only
    const void* upper;                 ///< upper bound, an element; even bins only
    uint32_t shift;                    ///< lowest bit; digits only
    uint32_t bits;                     ///< number of bits, 0: 8; digits only
    weir_buffer_ref edges;             ///< edges, one more than bins, of the type of the elements
    const weir_expression* expression; ///< bin of an element; expressions only
} weir_bins;

/// Adds a histogram. Null `bins` are bytes. Returns the counts, one word per bin.
WEIR_C_API weir_buffer_ref weir_histogram(weir_graph* graph, weir_buffer_ref input, const weir_bins* bins,
                                          weir_buffer_ref output);

/// Adds one histogram per channel. Channels are the bytes of words, with WEIR_BINS_BYTES, or the numbers of vectors.
/// `bins[c]` are the bins of channel c, for the first `channel_count` channels. Returns the counts, channel after
/// channel.
WEIR_C_API weir_buffer_ref weir_multi_histogram(weir_graph* graph, weir_buffer_ref input, const weir_bins* const* bins,
                                                uint32_t channel_count, weir_buffer_ref output);

/// Adds a pass that converts numbers of 8 or 16 bits to 32 bits. Returns the output.
WEIR_C_API weir_buffer_ref weir_widen(weir_graph* graph, weir_buffer_ref input, weir_buffer_ref output);
/// Adds a pass that converts numbers of 32 bits to type `to`, which has 8 or 16 bits. Returns the output.
WEIR_C_API weir_buffer_ref weir_narrow(weir_graph* graph, weir_buffer_ref input, weir_type to, weir_buffer_ref output);

#ifdef __cplusplus
}
#endif

#endif
