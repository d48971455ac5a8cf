#ifndef WEIR_C_SORT_H
#define WEIR_C_SORT_H

/// @file
/// Sorts, top-k and k-th element, in C.

#include <weir/c/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Options of weir_radix_sort and weir_segmented_sort.
typedef struct weir_sort_options {
    size_t size;                   ///< of this struct
    weir_buffer_ref values;        ///< if given: move along with the keys; of 1 to 4 words
    VkBool32 indices;              ///< the values are the indices of the keys; no values go in
    VkBool32 descending;           ///< greatest key first
    uint32_t first_bit;            ///< only bits first_bit <= b < end_bit are compared
    uint32_t end_bit;              ///< 0: all bits from `first_bit` on
    VkBool32 no_keys;              ///< whether the sorted keys are not wanted
    weir_buffer_ref output_keys;   ///< none: a new transient; the keys themselves: sorted in place
    weir_buffer_ref output_values; ///< none: a new transient; the values themselves: sorted in place
    uint32_t longest;              ///< of weir_segmented_sort: promises that no segment at offsets has more keys
} weir_sort_options;

/// The result of a sort.
typedef struct weir_sorted {
    weir_buffer_ref keys;   ///< the sorted keys; none if not wanted
    weir_buffer_ref values; ///< their values or indices; none if there are none
} weir_sorted;

/// Adds a stable sort of numbers of 8 to 64 bits. Floats are in the total order of IEEE 754.
WEIR_C_API weir_sorted weir_radix_sort(weir_graph* graph, weir_buffer_ref keys, const weir_sort_options* options);
/// Adds a stable sort of each segment on its own. Keys are of 32 or 64 bits; segments are of one length or at offsets.
WEIR_C_API weir_sorted weir_segmented_sort(weir_graph* graph, weir_buffer_ref keys, const weir_segments* segments,
                                           const weir_sort_options* options);

/// An order of keys, in GLSL.
typedef struct weir_comparator {
    size_t size;               ///< of this struct
    const char* expression;    ///< of type bool, of two keys `a` and `b`: whether a comes before b
    const char* const* fields; ///< of structs: "TYPE NAME", in memory order; null: keys are as in weir_expression
    uint32_t field_count;      ///< how many
    const char* functions;     ///< GLSL declarations that it may use; null: none
    const char* name;          ///< stands for the file in messages of the compiler; null: "comparator"
} weir_comparator;

/// Options of weir_merge_sort.
typedef struct weir_merge_sort_options {
    size_t size;                   ///< of this struct
    weir_buffer_ref values;        ///< if given: move along with the keys; of 1 to 4 words
    VkBool32 indices;              ///< the values are the indices of the keys; no values go in
    weir_buffer_ref output_keys;   ///< none: a new transient; the keys themselves: sorted in place
    weir_buffer_ref output_values; ///< none: a new transient; the values themselves: sorted in place
} weir_merge_sort_options;

/// Adds a stable sort by an order of the application, of numbers of 32 or 64 bits, vectors or structs of at most 4
/// words.
WEIR_C_API weir_sorted weir_merge_sort(weir_graph* graph, weir_buffer_ref keys, const weir_comparator* order,
                                       const weir_merge_sort_options* options);

/// Options of weir_top_k and weir_segmented_top_k. An output that is given is also wanted.
typedef struct weir_top_k_options {
    size_t size;                    ///< of this struct
    VkBool32 descending;            ///< the greatest keys, greatest first
    VkBool32 unsorted;              ///< the result is in the order of the input
    VkBool32 no_keys;               ///< whether the keys are not wanted; only of weir_top_k
    VkBool32 indices;               ///< whether the indices of the keys are wanted
    weir_buffer_ref output_keys;    ///< none: a new transient
    weir_buffer_ref output_indices; ///< none: a new transient, if wanted
    weir_buffer_ref count;          ///< a word; none: a new transient; only of weir_top_k
} weir_top_k_options;

/// The chosen keys.
typedef struct weir_top {
    weir_buffer_ref keys;    ///< the keys
    weir_buffer_ref indices; ///< the index of each in the input; none if not wanted
    weir_buffer_ref count;   ///< a word: the smaller of k and the count of the input; none for segments
} weir_top;

/// Adds the choice of the k smallest or greatest keys, numbers of 32 or 64 bits. For their values, gather by indices.
WEIR_C_API weir_top weir_top_k(weir_graph* graph, weir_buffer_ref keys, weir_count k,
                               const weir_top_k_options* options);
/// Adds the choice of the k smallest or greatest keys of each segment, which have k places each in the output. Segments
/// are of one length or at offsets.
WEIR_C_API weir_top weir_segmented_top_k(weir_graph* graph, weir_buffer_ref keys, const weir_segments* segments,
                                         uint32_t k, const weir_top_k_options* options);

/// Options of weir_kth_element.
typedef struct weir_kth_element_options {
    size_t size;            ///< of this struct
    VkBool32 descending;    ///< place 0 is that of the greatest key
    weir_buffer_ref output; ///< one key; none: a new transient
} weir_kth_element_options;

/// Adds the search for the key that a sort would put in place k, counted from 0: one element.
WEIR_C_API weir_buffer_ref weir_kth_element(weir_graph* graph, weir_buffer_ref keys, weir_count k,
                                            const weir_kth_element_options* options);

#ifdef __cplusplus
}
#endif

#endif
