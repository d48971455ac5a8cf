#ifndef WEIR_C_SEARCH_H
#define WEIR_C_SEARCH_H

/// @file
/// Binary searches, merges and set operations, in C.

#include <weir/c/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

// What is searched and merged are numbers of 32 or 64 bits, which ascend; floats in the total order of IEEE 754.

/// Adds a search for each key, in any order: the index of the first element that is not less than it, or the number of
/// elements. `output` of zeros: a new transient. Returns the indices.
WEIR_C_API weir_buffer_ref weir_lower_bound(weir_graph* graph, weir_buffer_ref sorted, weir_buffer_ref keys,
                                            weir_buffer_ref output);
/// Adds a search for each key: the index of the first element that is greater than it, or the number of elements.
WEIR_C_API weir_buffer_ref weir_upper_bound(weir_graph* graph, weir_buffer_ref sorted, weir_buffer_ref keys,
                                            weir_buffer_ref output);

/// Options of weir_merge, weir_merge_by_key and weir_set_operation.
typedef struct weir_merge_options {
    size_t size;            ///< of this struct
    weir_buffer_ref keys;   ///< output, with room for all keys; none: a new transient
    weir_buffer_ref values; ///< output of weir_merge_by_key; none: a new transient
    weir_buffer_ref count;  ///< output, a word; none: a new transient
} weir_merge_options;

/// The result of a merge or of a set operation.
typedef struct weir_merged {
    weir_buffer_ref keys;   ///< the keys, ascending; their count is on the GPU
    weir_buffer_ref values; ///< of weir_merge_by_key; the same count
    weir_buffer_ref count;  ///< a word: their number
} weir_merged;

/// Adds the merge of two arrays. Equal keys keep their order, those of the first array first.
WEIR_C_API weir_merged weir_merge(weir_graph* graph, weir_buffer_ref first, weir_buffer_ref second,
                                  const weir_merge_options* options);
/// Adds the merge of two arrays of keys with a value of 1 to 4 words each.
WEIR_C_API weir_merged weir_merge_by_key(weir_graph* graph, weir_buffer_ref first_keys, weir_buffer_ref first_values,
                                         weir_buffer_ref second_keys, weir_buffer_ref second_values,
                                         const weir_merge_options* options);

/// Operations on two arrays as sets, in which a key may be several times.
typedef enum weir_set_operation_kind {
    WEIR_SET_UNION = 0,                           ///< what is in either
    WEIR_SET_INTERSECTION = 1,                    ///< what is in both
    WEIR_SET_DIFFERENCE = 2,                      ///< what is in the first and not in the second
    WEIR_SET_SYMMETRIC_DIFFERENCE = 3,            ///< what is in one and not in the other
    WEIR_SET_OPERATION_KIND_MAX_ENUM = 0x7FFFFFFF ///< no operation
} weir_set_operation_kind;

/// Adds an operation on two arrays as sets.
WEIR_C_API weir_merged weir_set_operation(weir_graph* graph, weir_set_operation_kind kind, weir_buffer_ref first,
                                          weir_buffer_ref second, const weir_merge_options* options);

#ifdef __cplusplus
}
#endif

#endif
