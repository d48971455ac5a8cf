#ifndef WEIR_C_COMPACT_H
#define WEIR_C_COMPACT_H

/// @file
/// Selections, partitions, runs, expansions and searches by a predicate, in C.

#include <weir/c/scan.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Options of selections. An output that is given is also wanted.
typedef struct weir_select_options {
    size_t size;                    ///< of this struct
    VkBool32 no_items;              ///< whether the elements are not wanted
    VkBool32 indices;               ///< whether the indices of the elements are wanted
    weir_buffer_ref output;         ///< none: a new transient with room for all elements
    weir_buffer_ref output_indices; ///< none: a new transient, if indices are wanted
    weir_buffer_ref count;          ///< a word; none: a new transient
    weir_layout input_layout;       ///< of the input
    weir_layout output_layout;      ///< of the items
} weir_select_options;

/// Selected elements, in the order of the input.
typedef struct weir_selected {
    weir_buffer_ref items;   ///< the elements; their count is on the GPU
    weir_buffer_ref indices; ///< the index of each in the input; the same count
    weir_buffer_ref count;   ///< word p: number of elements of part p, those that did not fit included
} weir_selected;

/// Adds a selection of the elements that satisfy the predicate.
WEIR_C_API weir_selected weir_select_if(weir_graph* graph, weir_buffer_ref input, const weir_predicate* predicate,
                                        const weir_select_options* options);
/// Adds a selection of the elements whose flag, one word per element, is not 0.
WEIR_C_API weir_selected weir_select_flagged(weir_graph* graph, weir_buffer_ref input, weir_buffer_ref flags,
                                             const weir_select_options* options);
/// Adds a selection of the elements whose bit is set: for element i, bit i % 32 of word i / 32.
WEIR_C_API weir_selected weir_select_by_bits(weir_graph* graph, weir_buffer_ref input, weir_buffer_ref bits,
                                             const weir_select_options* options);
/// Adds a pass that keeps the first element of each run of equal neighbours.
WEIR_C_API weir_selected weir_unique(weir_graph* graph, weir_buffer_ref input, const weir_select_options* options);

/// Options of weir_unique_by_key.
typedef struct weir_unique_by_key_options {
    size_t size;                    ///< of this struct
    VkBool32 indices;               ///< whether the indices of the kept keys are wanted
    weir_buffer_ref keys;           ///< output; none: a new transient with room for all keys
    weir_buffer_ref values;         ///< output; none: a new transient with room for all values
    weir_buffer_ref output_indices; ///< output; none: a new transient, if wanted
    weir_buffer_ref count;          ///< output, a word; none: a new transient
} weir_unique_by_key_options;

/// Keys that are kept, and their values.
typedef struct weir_unique_keys {
    weir_buffer_ref keys;    ///< the kept keys; their count is on the GPU
    weir_buffer_ref values;  ///< the value of each; the same count
    weir_buffer_ref indices; ///< the index of each in the input, if wanted; the same count
    weir_buffer_ref count;   ///< a word: number of kept keys, those that did not fit included
} weir_unique_keys;

/// Adds a pass that keeps the first key of each run of equal keys, and its value. Keys have 1 to 4 words.
WEIR_C_API weir_unique_keys weir_unique_by_key(weir_graph* graph, weir_buffer_ref keys, weir_buffer_ref values,
                                               const weir_unique_by_key_options* options);

/// Options of weir_partition.
typedef struct weir_partition_options {
    size_t size;                       ///< of this struct
    VkBool32 no_items;                 ///< whether the elements are not wanted
    VkBool32 indices;                  ///< whether the indices of the elements are wanted
    weir_buffer_ref outputs[3];        ///< of each part; none: a new transient with room for all elements
    weir_buffer_ref output_indices[3]; ///< of each part; none: a new transient, if wanted
    weir_buffer_ref counts;            ///< one word per part; none: a new transient
    weir_layout input_layout;          ///< of the input
    weir_layout output_layout;         ///< of the items
} weir_partition_options;

/// The parts of a partition.
typedef struct weir_parts {
    weir_selected parts[3]; ///< as many as predicates, and one
} weir_parts;

/// Adds a stable partition by one or two predicates: the elements that satisfy the first one; of the rest, those that
/// satisfy the second one, which may be null; and the others. Both are expressions or both are comparisons.
WEIR_C_API weir_parts weir_partition(weir_graph* graph, weir_buffer_ref input, const weir_predicate* first,
                                     const weir_predicate* second, const weir_partition_options* options);

/// Options of weir_run_length_encode. An output that is given is also wanted.
typedef struct weir_run_length_options {
    size_t size;                    ///< of this struct
    VkBool32 no_values;             ///< whether the element of each run is not wanted
    VkBool32 offsets;               ///< whether the index of the first element of each run is wanted
    VkBool32 repeated_only;         ///< whether runs of one element are left out
    weir_buffer_ref values;         ///< output; none: a new transient with room for one run per element
    weir_buffer_ref lengths;        ///< output; none: a new transient with room for one run per element
    weir_buffer_ref output_offsets; ///< output; none: a new transient, if wanted
    weir_buffer_ref count;          ///< output, a word; none: a new transient
} weir_run_length_options;

/// Runs of equal elements, in their order.
typedef struct weir_runs {
    weir_buffer_ref values;  ///< element of each run; its count is on the GPU
    weir_buffer_ref lengths; ///< number of elements of each run; the same count
    weir_buffer_ref offsets; ///< index of the first element of each run; the same count
    weir_buffer_ref count;   ///< a word: number of runs, those that did not fit included
} weir_runs;

/// Adds a run-length encoding.
WEIR_C_API weir_runs weir_run_length_encode(weir_graph* graph, weir_buffer_ref input,
                                            const weir_run_length_options* options);

/// Options of weir_run_length_decode.
typedef struct weir_run_length_decode_options {
    size_t size;            ///< of this struct
    uint32_t capacity;      ///< elements that fit, if no output is given
    weir_buffer_ref output; ///< none: a new transient
    weir_buffer_ref count;  ///< a word; none: a new transient
} weir_run_length_decode_options;

/// The elements of runs.
typedef struct weir_decoded {
    weir_buffer_ref items; ///< the elements; their count is on the GPU
    weir_buffer_ref count; ///< a word: number of elements, those that did not fit included; at most 2^32 - 1
} weir_decoded;

/// Adds a run-length decoding: each value as often as its length says.
WEIR_C_API weir_decoded weir_run_length_decode(weir_graph* graph, weir_buffer_ref values, weir_buffer_ref lengths,
                                               const weir_run_length_decode_options* options);

/// Options of weir_expand and weir_expand_offsets. An output that is given is also wanted.
typedef struct weir_expand_options {
    size_t size;                  ///< of this struct
    uint32_t capacity;            ///< slots that outputs have room for, where they are not given
    VkBool32 no_sources;          ///< whether the item of each slot is not wanted
    VkBool32 ranks;               ///< whether the position of each slot among those of its item is wanted
    weir_buffer_ref sources;      ///< output; none: a new transient, if wanted
    weir_buffer_ref output_ranks; ///< output; none: a new transient, if wanted
    weir_buffer_ref offsets;      ///< output; none: a new transient
    weir_buffer_ref count;        ///< output, a word; none: a new transient
} weir_expand_options;

/// The slots of all items, item after item.
typedef struct weir_expanded {
    weir_buffer_ref sources; ///< item of each slot; its count is on the GPU
    weir_buffer_ref ranks;   ///< position of each slot among the slots of its item; the same count
    weir_buffer_ref offsets; ///< first slot of each item
    weir_buffer_ref count;   ///< a word: number of slots, those that did not fit included; at most 2^32 - 1
} weir_expanded;

/// Adds an expansion: item i gets counts[i] slots, and each slot learns its item.
WEIR_C_API weir_expanded weir_expand(weir_graph* graph, weir_buffer_ref counts, const weir_expand_options* options);
/// The same where the offsets are known: the slots of item i are offsets[i] to before offsets[i + 1]; those of the last
/// one end before `slot_count`.
WEIR_C_API weir_expanded weir_expand_offsets(weir_graph* graph, weir_buffer_ref offsets, weir_count slot_count,
                                             const weir_expand_options* options);

/// Options of searches that find a word.
typedef struct weir_find_options {
    size_t size;              ///< of this struct
    weir_buffer_ref output;   ///< a word; none: a new transient
    VkBool32 descending;      ///< of weir_is_sorted and weir_is_sorted_until: whether the greatest elements come first
    weir_layout input_layout; ///< of the input
} weir_find_options;

/// Adds the count of the elements that satisfy the predicate: a word.
WEIR_C_API weir_buffer_ref weir_count_if(weir_graph* graph, weir_buffer_ref input, const weir_predicate* predicate,
                                         const weir_find_options* options);
/// Adds the search for the first element that satisfies the predicate: a word, its index, or the number of elements.
WEIR_C_API weir_buffer_ref weir_find_if(weir_graph* graph, weir_buffer_ref input, const weir_predicate* predicate,
                                        const weir_find_options* options);
/// Adds the search for the first element of a partitioned input that does not satisfy the predicate: a word, its index,
/// or the number of elements.
WEIR_C_API weir_buffer_ref weir_partition_point(weir_graph* graph, weir_buffer_ref input,
                                                const weir_predicate* predicate, const weir_find_options* options);
/// Adds the question whether numbers are sorted: a word, 1 or 0.
WEIR_C_API weir_buffer_ref weir_is_sorted(weir_graph* graph, weir_buffer_ref input, const weir_find_options* options);

/// Adds the search for the first number that comes before its predecessor: a word, its index, or the number of
/// elements.
WEIR_C_API weir_buffer_ref weir_is_sorted_until(weir_graph* graph, weir_buffer_ref input,
                                                const weir_find_options* options);

#ifdef __cplusplus
}
#endif

#endif
