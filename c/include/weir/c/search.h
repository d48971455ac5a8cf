#ifndef WEIR_C_SEARCH_H
#define WEIR_C_SEARCH_H

/// @file
/// Binary searches, merges and set operations, in C.

#include <weir/c/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

// Arrays that are searched or merged must contain ascending numbers of 32 or 64 bits. Floats are in IEEE 754 total
// order.

/// Adds a search of `sorted` for each key. The result is the index of the first element that is not less than the key,
/// or the number of elements. Keys may be in any order. If `output` is zeros, a new transient is created. Returns the
/// indices.
WEIR_C_API weir_buffer_ref weir_lower_bound(weir_graph* graph, weir_buffer_ref sorted, weir_buffer_ref keys,
                                            weir_buffer_ref output);
/// Adds a search of `sorted` for each key. The result is the index of the first element that is greater than the key,
/// or the number of elements. Keys may be in any order. If `output` is zeros, a new transient is created. Returns the
/// indices.
WEIR_C_API weir_buffer_ref weir_upper_bound(weir_graph* graph, weir_buffer_ref sorted, weir_buffer_ref keys,
                                            weir_buffer_ref output);

/// Options of weir_merge, weir_merge_by_key and weir_set_operation.
typedef struct weir_merge_options {
    size_t size;                   ///< size of this struct
    weir_buffer_ref output_keys;   ///< output, with capacity for all keys; none: a new transient
    weir_buffer_ref output_values; ///< output, weir_merge_by_key only; none: a new transient
    weir_buffer_ref output_count;  ///< output, a word; none: a new transient
} weir_merge_options;

/// Result of a merge or of a set operation.
typedef struct weir_merge_result {
    weir_buffer_ref keys;   ///< keys, ascending; the count is on the GPU
    weir_buffer_ref values; ///< value of each key; weir_merge_by_key only; the same count
    weir_buffer_ref count;  ///< a word: number of keys
} weir_merge_result;

/// Adds a stable merge of two arrays. Equal keys keep their order; those of the first array come first.
WEIR_C_API weir_merge_result weir_merge(weir_graph* graph, weir_buffer_ref first, weir_buffer_ref second,
                                        const weir_merge_options* options);
/// Adds a stable merge of two arrays of keys. Each key has a value of 1 to 4 words.
WEIR_C_API weir_merge_result weir_merge_by_key(weir_graph* graph, weir_buffer_ref first_keys,
                                               weir_buffer_ref first_values, weir_buffer_ref second_keys,
                                               weir_buffer_ref second_values, const weir_merge_options* options);

/// Operation on two arrays as sets. A key may occur several times in an array.
typedef enum weir_set_operation_kind {
    WEIR_SET_UNION = 0,                           ///< keys in either array
    WEIR_SET_INTERSECTION = 1,                    ///< keys in both arrays
    WEIR_SET_DIFFERENCE = 2,                      ///< keys in the first array and not in the second
    WEIR_SET_SYMMETRIC_DIFFERENCE = 3,            ///< keys in one array and not in the other
    WEIR_SET_OPERATION_KIND_MAX_ENUM = 0x7FFFFFFF ///< not an operation
} weir_set_operation_kind;

/// Adds a set operation on two arrays.
WEIR_C_API weir_merge_result weir_set_operation(weir_graph* graph, weir_set_operation_kind kind, weir_buffer_ref first,
                                                weir_buffer_ref second, const weir_merge_options* options);

#ifdef __cplusplus
}
#endif

#endif
