#ifndef WEIR_C_SORT_H
#define WEIR_C_SORT_H

/// @file
/// Sorts, top-k selection and k-th element, in C.

#include <weir/c/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Options of weir_radix_sort and weir_segmented_sort.
typedef struct weir_sort_options {
    size_t size;                   ///< size of this struct
    weir_buffer_ref values;        ///< values to move along with the keys, of 1 to 4 words; none: no values
    VkBool32 want_indices;         ///< outputs the indices of the keys as values; `values` must be none
    VkBool32 descending;           ///< largest key first
    uint32_t first_bit;            ///< first compared bit
    uint32_t end_bit;              ///< end of the compared bits [first_bit, end_bit); 0: all bits from `first_bit` on
    VkBool32 omit_keys;            ///< omits the sorted keys; requires `values` or `want_indices`
    weir_buffer_ref output_keys;   ///< output; none: a new transient; the keys' own buffer: sorted in place
    weir_buffer_ref output_values; ///< output; none: a new transient; the values' own buffer: sorted in place
    uint32_t longest;       ///< weir_segmented_sort only: promised maximum of keys per segment at offsets; 0: none
    VkBool32 local_indices; ///< weir_segmented_sort only: indices count from the start of the segment
} weir_sort_options;

/// Result of a sort.
typedef struct weir_sort_result {
    weir_buffer_ref keys;   ///< sorted keys; none with `omit_keys`
    weir_buffer_ref values; ///< values or indices of the sorted keys; none without values and indices
} weir_sort_result;

/// Adds a stable radix sort. Keys are numbers of 8 to 64 bits. Floats sort in IEEE 754 total order.
WEIR_C_API weir_sort_result weir_radix_sort(weir_graph* graph, weir_buffer_ref keys, const weir_sort_options* options);
/// Adds a stable sort of each segment. Keys are numbers of 32 or 64 bits. Segments must be given by length, offsets or
/// rows.
WEIR_C_API weir_sort_result weir_segmented_sort(weir_graph* graph, weir_buffer_ref keys, const weir_segments* segments,
                                                const weir_sort_options* options);

/// An order of keys, in GLSL. It must be a strict weak order.
typedef struct weir_comparator {
    size_t size;               ///< size of this struct
    const char* expression;    ///< expression of type bool of two keys: true if `a` comes before `b`
    const char* const* fields; ///< members "TYPE NAME" of structs, in memory order; null: keys as in weir_expression
    uint32_t field_count;      ///< number of `fields`
    const char* functions;     ///< GLSL declarations that the expression may use; null: none
    const char* name;          ///< file name in compile errors; null: "comparator"
} weir_comparator;

/// Options of weir_merge_sort.
typedef struct weir_merge_sort_options {
    size_t size;                   ///< size of this struct
    weir_buffer_ref values;        ///< values to move along with the keys, of 1 to 4 words; none: no values
    VkBool32 want_indices;         ///< outputs the indices of the keys as values; `values` must be none
    weir_buffer_ref output_keys;   ///< output; none: a new transient; the keys' own buffer: sorted in place
    weir_buffer_ref output_values; ///< output; none: a new transient; the values' own buffer: sorted in place
} weir_merge_sort_options;

/// Adds a stable merge sort by the application's order. Keys are numbers of 32 or 64 bits, vectors, or structs of at
/// most 4 words.
WEIR_C_API weir_sort_result weir_merge_sort(weir_graph* graph, weir_buffer_ref keys, const weir_comparator* order,
                                            const weir_merge_sort_options* options);

/// Options of weir_top_k and weir_segmented_top_k. Setting `output_indices` implies `want_indices`. Setting both
/// `omit_keys` and `output_keys` is an error.
typedef struct weir_top_k_options {
    size_t size;                    ///< size of this struct
    VkBool32 descending;            ///< selects the largest keys, largest first
    VkBool32 unsorted;              ///< keeps the result in the order of the input
    VkBool32 omit_keys;             ///< omits the keys; weir_top_k only; requires indices
    VkBool32 want_indices;          ///< outputs the indices of the keys
    weir_buffer_ref output_keys;    ///< output; none: a new transient
    weir_buffer_ref output_indices; ///< output; none: a new transient if `want_indices` is set
    weir_buffer_ref output_count;   ///< output, a word; none: a new transient; weir_top_k only
    VkBool32 local_indices;         ///< weir_segmented_top_k only: indices count from the start of the segment
} weir_top_k_options;

/// Result of weir_top_k and weir_segmented_top_k.
typedef struct weir_top_k_result {
    weir_buffer_ref keys;    ///< selected keys; none with `omit_keys`
    weir_buffer_ref indices; ///< index of each in the input; none if not requested
    weir_buffer_ref count;   ///< a word: the minimum of k and the count of the input; none for segments
} weir_top_k_result;

/// Adds a selection of the k smallest or largest keys. Keys are numbers of 32 or 64 bits. To get values of the keys,
/// request indices and call weir_gather.
WEIR_C_API weir_top_k_result weir_top_k(weir_graph* graph, weir_buffer_ref keys, weir_count k,
                                        const weir_top_k_options* options);
/// Adds a selection of the k smallest or largest keys of each segment. Each segment has k places in the output; surplus
/// places have the index 0xFFFFFFFF. Segments must be given by length, offsets or rows.
WEIR_C_API weir_top_k_result weir_segmented_top_k(weir_graph* graph, weir_buffer_ref keys,
                                                  const weir_segments* segments, weir_count k,
                                                  const weir_top_k_options* options);

/// Options of weir_kth_element.
typedef struct weir_kth_element_options {
    size_t size;            ///< size of this struct
    VkBool32 descending;    ///< place 0 is that of the largest key
    weir_buffer_ref output; ///< output, one key; none: a new transient
} weir_kth_element_options;

/// Adds a search for the key that a sort would move to place k, counted from 0. Returns the output, one element.
WEIR_C_API weir_buffer_ref weir_kth_element(weir_graph* graph, weir_buffer_ref keys, weir_count k,
                                            const weir_kth_element_options* options);

#ifdef __cplusplus
}
#endif

#endif
