#ifndef WEIR_C_ELEMENTWISE_H
#define WEIR_C_ELEMENTWISE_H

/// @file
/// What works on each element by itself, and histograms, in C.

#include <weir/c/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

// Where an output may be given, a struct of zeros stands for a new transient.

/// Adds a pass that sets the elements of a buffer to the one that `value` points to. Returns the buffer.
WEIR_C_API weir_buffer_ref weir_fill(weir_graph* graph, weir_buffer_ref output, const void* value);
/// Adds a pass that sets numbers to start, start + step, start + 2 step and so on. Null: from 0, by 1. Returns the
/// buffer.
WEIR_C_API weir_buffer_ref weir_iota(weir_graph* graph, weir_buffer_ref output, const void* start, const void* step);

/// Adds a pass that sets element i of the output, of type `to`, to the value of the expression for element i of the
/// input. The output may be the input if its elements have as many words. Returns the output.
WEIR_C_API weir_buffer_ref weir_transform(weir_graph* graph, weir_buffer_ref input, weir_type to,
                                          const weir_expression* expression, weir_buffer_ref output);

/// Adds a pass that sets output[i] = items[indices[i]]; where an index is not below the count of the items, the element
/// is not written. Returns the output.
WEIR_C_API weir_buffer_ref weir_gather(weir_graph* graph, weir_buffer_ref items, weir_buffer_ref indices,
                                       weir_buffer_ref output);
/// Adds a pass that sets output[indices[i]] = items[i]; indices that are not below the count of the output are ignored.
/// The output has to be given. Returns it.
WEIR_C_API weir_buffer_ref weir_scatter(weir_graph* graph, weir_buffer_ref items, weir_buffer_ref indices,
                                        weir_buffer_ref output);

/// Adds a pass that computes output[i] = input[i] - input[i - 1] of numbers; output[0] = input[0]. Returns the output.
WEIR_C_API weir_buffer_ref weir_adjacent_difference(weir_graph* graph, weir_buffer_ref input, weir_buffer_ref output);

/// Adds a pass that puts elements into a random order, which the seed, a constant or a parameter, determines. Returns
/// the output.
WEIR_C_API weir_buffer_ref weir_shuffle(weir_graph* graph, weir_buffer_ref items, weir_count seed,
                                        weir_buffer_ref output);
/// Adds a pass that writes the numbers below `count` in a random order. Returns the output.
WEIR_C_API weir_buffer_ref weir_random_permutation(weir_graph* graph, weir_count count, weir_count seed,
                                                   weir_buffer_ref output);

/// Adds a copy of many ranges of elements: range r has sizes[r] elements, from source_offsets[r] on in the source, and
/// goes to destination_offsets[r]. There are as many ranges as the count of `sizes`. `most`: the most elements that all
/// ranges have together; 0: the capacity of the destination.
WEIR_C_API void weir_copy_ranges(weir_graph* graph, weir_buffer_ref source, weir_buffer_ref destination,
                                 weir_buffer_ref sizes, weir_buffer_ref source_offsets,
                                 weir_buffer_ref destination_offsets, uint32_t most);

/// Kinds of bins.
typedef enum weir_bins_kind {
    WEIR_BINS_BYTES = 0,                 ///< 256, by every byte of every word
    WEIR_BINS_EVEN = 1,                  ///< `count` of equal width, from `lower` to before `upper`
    WEIR_BINS_DIGIT = 2,                 ///< by bits shift <= b < shift + bits of elements of one word
    WEIR_BINS_EDGES = 3,                 ///< between ascending numbers in a buffer
    WEIR_BINS_EXPRESSION = 4,            ///< `count`, by an expression of type uint
    WEIR_BINS_KIND_MAX_ENUM = 0x7FFFFFFF ///< no bins
} weir_bins_kind;

/// The bin in which an element is counted, if any.
typedef struct weir_bins {
    size_t size;                       ///< of this struct
    weir_bins_kind kind;               ///< kind of bins
    uint32_t count;                    ///< number of bins, where they are even or by an expression
    const void* lower;                 ///< of even bins: an element
    const void* upper;                 ///< of even bins: an element
    uint32_t shift;                    ///< of digits: the lowest bit
    uint32_t bits;                     ///< of digits: how many; 0: 8
    weir_buffer_ref edges;             ///< of the type of the elements; one more than bins
    const weir_expression* expression; ///< of bins by an expression
} weir_bins;

/// Adds a count of elements by bins. Null: by bytes. Returns the counts, one word per bin.
WEIR_C_API weir_buffer_ref weir_histogram(weir_graph* graph, weir_buffer_ref input, const weir_bins* bins,
                                          weir_buffer_ref output);

/// Adds a histogram of each of several channels: of the bytes of words, with bins by bytes, or of the numbers of
/// vectors. There are bins for each of the first `channel_count` channels. Returns the counts, channel after channel.
WEIR_C_API weir_buffer_ref weir_multi_histogram(weir_graph* graph, weir_buffer_ref input, const weir_bins* const* bins,
                                                uint32_t channel_count, weir_buffer_ref output);

/// Adds a pass that makes numbers of 32 bits of numbers of 8 or 16 bits. Returns the output.
WEIR_C_API weir_buffer_ref weir_widen(weir_graph* graph, weir_buffer_ref input, weir_buffer_ref output);
/// Adds a pass that makes numbers of type `to`, of 8 or 16 bits, of numbers of 32 bits. Returns the output.
WEIR_C_API weir_buffer_ref weir_narrow(weir_graph* graph, weir_buffer_ref input, weir_type to, weir_buffer_ref output);

#ifdef __cplusplus
}
#endif

#endif
