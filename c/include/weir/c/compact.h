#ifndef WEIR_C_COMPACT_H
#define WEIR_C_COMPACT_H

/// @file
/// Selection, partition, run-length encoding, expansion and search by a predicate, in C.

#include <weir/c/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Options of selections. Setting `output_indices` implies `want_indices`. Setting both `omit_items` and `output` is an
/// error.
typedef struct weir_select_options {
    size_t size;                    ///< size of this struct
    VkBool32 omit_items;            ///< omits the elements
    VkBool32 want_indices;          ///< outputs the indices of the elements
    weir_buffer_ref output;         ///< output of elements; none: a new transient for all elements
    weir_buffer_ref output_indices; ///< output of indices; none: a new transient if `want_indices` is set
    weir_buffer_ref output_count;   ///< output, a word; none: a new transient
    weir_layout input_layout;       ///< layout of the input
    weir_layout output_layout;      ///< layout of the items
} weir_select_options;

/// Selected elements, in the order of the input.
typedef struct weir_select_result {
    weir_buffer_ref items;   ///< selected elements; the count is on the GPU
    weir_buffer_ref indices; ///< index of each in the input; the same count
    weir_buffer_ref count;   ///< word p: number of elements of part p, including those that did not fit
} weir_select_result;

/// Adds a selection of the elements that satisfy the predicate.
WEIR_C_API weir_select_result weir_select_if(weir_graph* graph, weir_buffer_ref input, const weir_predicate* predicate,
                                             const weir_select_options* options);
/// Adds a selection of the elements whose flag is not 0. Flags are one word per element.
WEIR_C_API weir_select_result weir_select_flagged(weir_graph* graph, weir_buffer_ref input, weir_buffer_ref flags,
                                                  const weir_select_options* options);
/// Adds a selection of the elements whose bit is set. The bit of element i is bit i % 32 of word i / 32.
WEIR_C_API weir_select_result weir_select_by_bits(weir_graph* graph, weir_buffer_ref input, weir_buffer_ref bits,
                                                  const weir_select_options* options);
/// Adds a selection of the first element of each run of equal neighbors.
WEIR_C_API weir_select_result weir_unique(weir_graph* graph, weir_buffer_ref input, const weir_select_options* options);

/// Options of weir_unique_by_key. Setting `output_indices` implies `want_indices`.
typedef struct weir_unique_by_key_options {
    size_t size;                    ///< size of this struct
    VkBool32 want_indices;          ///< outputs the indices of the kept keys
    weir_buffer_ref output_keys;    ///< output; none: a new transient for all keys
    weir_buffer_ref output_values;  ///< output; none: a new transient for all values
    weir_buffer_ref output_indices; ///< output; none: a new transient if `want_indices` is set
    weir_buffer_ref output_count;   ///< output, a word; none: a new transient
} weir_unique_by_key_options;

/// Result of weir_unique_by_key.
typedef struct weir_unique_by_key_result {
    weir_buffer_ref keys;    ///< kept keys; the count is on the GPU
    weir_buffer_ref values;  ///< value of each; the same count
    weir_buffer_ref indices; ///< index of each in the input, if requested; the same count
    weir_buffer_ref count;   ///< a word: number of kept keys, including those that did not fit
} weir_unique_by_key_result;

/// Adds a selection of the first key of each run of equal keys, and its value. Keys have 1 to 4 words, values 1 to 16.
WEIR_C_API weir_unique_by_key_result weir_unique_by_key(weir_graph* graph, weir_buffer_ref keys, weir_buffer_ref values,
                                                        const weir_unique_by_key_options* options);

/// Options of weir_partition. Setting an entry of `output_indices` implies `want_indices`. Setting both `omit_items`
/// and an entry of `outputs` is an error.
typedef struct weir_partition_options {
    size_t size;                       ///< size of this struct
    VkBool32 omit_items;               ///< omits the elements
    VkBool32 want_indices;             ///< outputs the indices of the elements
    weir_buffer_ref outputs[3];        ///< outputs by part; none: a new transient for all elements
    weir_buffer_ref output_indices[3]; ///< outputs by part; none: a new transient if `want_indices` is set
    weir_buffer_ref output_counts;     ///< output, one word per part; none: a new transient
    weir_layout input_layout;          ///< layout of the input
    weir_layout output_layout;         ///< layout of the items
} weir_partition_options;

/// Result of weir_partition.
typedef struct weir_partition_result {
    weir_select_result parts[3]; ///< one part per predicate, and the rest
} weir_partition_result;

/// Adds a stable partition by one or two predicates. Part 0 has the elements that satisfy `first`. If `second` is not
/// null, part 1 has those of the others that satisfy `second`. The last part has the rest. Two predicates must be both
/// expressions or both comparisons.
WEIR_C_API weir_partition_result weir_partition(weir_graph* graph, weir_buffer_ref input, const weir_predicate* first,
                                                const weir_predicate* second, const weir_partition_options* options);

/// Options of weir_run_length_encode. Setting `output_offsets` implies `want_offsets`. Setting both `omit_values` and
/// `output_values` is an error.
typedef struct weir_run_length_options {
    size_t size;                    ///< size of this struct
    VkBool32 omit_values;           ///< omits the element of each run
    VkBool32 want_offsets;          ///< outputs the index of the first element of each run
    VkBool32 repeated_only;         ///< omits runs of one element
    weir_buffer_ref output_values;  ///< output; none: a new transient for one run per element
    weir_buffer_ref output_lengths; ///< output; none: a new transient for one run per element
    weir_buffer_ref output_offsets; ///< output; none: a new transient if `want_offsets` is set
    weir_buffer_ref output_count;   ///< output, a word; none: a new transient
} weir_run_length_options;

/// Runs of equal elements, in their order.
typedef struct weir_run_length_result {
    weir_buffer_ref values;  ///< element of each run; the count is on the GPU
    weir_buffer_ref lengths; ///< number of elements of each run; the same count
    weir_buffer_ref offsets; ///< index of the first element of each run; the same count
    weir_buffer_ref count;   ///< a word: number of runs, including those that did not fit
} weir_run_length_result;

/// Adds a run-length encoding of runs of equal neighbors.
WEIR_C_API weir_run_length_result weir_run_length_encode(weir_graph* graph, weir_buffer_ref input,
                                                         const weir_run_length_options* options);

/// Options of weir_run_length_decode.
typedef struct weir_run_length_decode_options {
    size_t size;                  ///< size of this struct
    uint32_t capacity;            ///< capacity of a new output; required if `output` is none
    weir_buffer_ref output;       ///< output; none: a new transient
    weir_buffer_ref output_count; ///< output, a word; none: a new transient
} weir_run_length_decode_options;

/// Result of weir_run_length_decode.
typedef struct weir_run_length_decode_result {
    weir_buffer_ref items; ///< elements; the count is on the GPU
    weir_buffer_ref count; ///< a word: number of elements, including those that did not fit; at most 2^32 - 1
} weir_run_length_decode_result;

/// Adds a run-length decoding. Value i is repeated lengths[i] times, possibly 0.
WEIR_C_API weir_run_length_decode_result weir_run_length_decode(weir_graph* graph, weir_buffer_ref values,
                                                                weir_buffer_ref lengths,
                                                                const weir_run_length_decode_options* options);

/// Options of weir_expand and weir_expand_offsets. Outputs that are set are always written.
typedef struct weir_expand_options {
    size_t size;                    ///< size of this struct
    uint32_t capacity;              ///< capacity of new outputs in slots; 0: all slots, weir_expand_offsets only
    VkBool32 omit_sources;          ///< omits the item of each slot
    VkBool32 want_ranks;            ///< outputs the position of each slot among those of its item
    weir_buffer_ref output_sources; ///< output; none: a new transient unless `omit_sources` is set
    weir_buffer_ref output_ranks;   ///< output; none: a new transient if `want_ranks` is set
    weir_buffer_ref output_offsets; ///< output, weir_expand only; none: a new transient
    weir_buffer_ref output_count;   ///< output, a word, weir_expand only; none: a new transient
} weir_expand_options;

/// Slots of all items, item after item.
typedef struct weir_expand_result {
    weir_buffer_ref sources; ///< item of each slot; the count is on the GPU
    weir_buffer_ref ranks;   ///< position of each slot among the slots of its item; the same count
    weir_buffer_ref offsets; ///< first slot of each item
    /// A word: number of slots, including those that did not fit; at most 2^32 - 1. None for weir_expand_offsets.
    weir_buffer_ref count;
} weir_expand_result;

/// Adds an expansion. Item i receives counts[i] slots, possibly 0. Each slot stores its item and, if requested, its
/// position among the slots of the item.
WEIR_C_API weir_expand_result weir_expand(weir_graph* graph, weir_buffer_ref counts,
                                          const weir_expand_options* options);
/// Adds an expansion for known offsets. Item i has the slots [offsets[i], offsets[i + 1]). The slots of the last item
/// end at `slot_count`.
WEIR_C_API weir_expand_result weir_expand_offsets(weir_graph* graph, weir_buffer_ref offsets, weir_count slot_count,
                                                  const weir_expand_options* options);

/// Options of searches whose result is one word.
typedef struct weir_find_options {
    size_t size;              ///< size of this struct
    weir_buffer_ref output;   ///< output, a word; none: a new transient
    VkBool32 descending;      ///< weir_is_sorted and weir_is_sorted_until only: the largest elements come first
    weir_layout input_layout; ///< layout of the input
} weir_find_options;

/// Adds a count of the elements that satisfy the predicate. Returns the count, a word.
WEIR_C_API weir_buffer_ref weir_count_if(weir_graph* graph, weir_buffer_ref input, const weir_predicate* predicate,
                                         const weir_find_options* options);
/// Adds a search for the first element that satisfies the predicate. Returns a word: its index, or the number of
/// elements if no element satisfies the predicate.
WEIR_C_API weir_buffer_ref weir_find_if(weir_graph* graph, weir_buffer_ref input, const weir_predicate* predicate,
                                        const weir_find_options* options);
/// Adds a search for the first element of a partitioned input that does not satisfy the predicate. Returns a word: its
/// index, or the number of elements if all satisfy the predicate.
WEIR_C_API weir_buffer_ref weir_partition_point(weir_graph* graph, weir_buffer_ref input,
                                                const weir_predicate* predicate, const weir_find_options* options);
/// Adds a check that numbers are sorted. Returns a word: 1 if they are, otherwise 0.
WEIR_C_API weir_buffer_ref weir_is_sorted(weir_graph* graph, weir_buffer_ref input, const weir_find_options* options);

/// Adds a search for the first number that is out of order with its predecessor. Returns a word: its index, or the
/// number of elements if all are in order.
WEIR_C_API weir_buffer_ref weir_is_sorted_until(weir_graph* graph, weir_buffer_ref input,
                                                const weir_find_options* options);

#ifdef __cplusplus
}
#endif

#endif
