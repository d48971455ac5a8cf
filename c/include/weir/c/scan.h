#ifndef WEIR_C_SCAN_H
#define WEIR_C_SCAN_H

/// @file
/// Scans and reductions, in C.

#include <weir/c/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Built-in operators. Integers wrap; `min` and `max` of floats use the total order of IEEE 754. Vectors are combined
/// component by component.
typedef enum weir_operator {
    WEIR_ADD = 0,                       ///< sum
    WEIR_MUL = 1,                       ///< product
    WEIR_MIN = 2,                       ///< smaller one
    WEIR_MAX = 3,                       ///< greater one
    WEIR_BIT_AND = 4,                   ///< bitwise and
    WEIR_BIT_OR = 5,                    ///< bitwise or
    WEIR_BIT_XOR = 6,                   ///< bitwise exclusive or
    WEIR_OPERATOR_MAX_ENUM = 0x7FFFFFFF ///< no operator
} weir_operator;

/// An associative operator of the application, in GLSL, on elements of WEIR_WORDS_n. It need not commute.
typedef struct weir_monoid {
    size_t size;               ///< of this struct
    const char* name;          ///< stands for the file in messages of the compiler; null: "monoid"
    const char* const* fields; ///< "TYPE NAME", in memory order, without padding
    uint32_t field_count;      ///< how many
    const char* functions;     ///< GLSL declarations that the others may use; null: none
    const char* identity;      ///< an expression of type T
    const char* combine;       ///< the body of T combine(T left, T right)
    VkBool32 commutes;         ///< whether operands may be swapped, which is faster
    VkBool32 exact;            ///< whether it is associative to the last bit, which is faster
} weir_monoid;

/// How the beginnings of segments are given.
typedef enum weir_segments_kind {
    WEIR_SEGMENTS_NONE = 0,    ///< all elements are one segment
    WEIR_SEGMENTS_LENGTH = 1,  ///< segments of `length` elements
    WEIR_SEGMENTS_FLAGS = 2,   ///< element i begins a segment if word i of the buffer is not 0
    WEIR_SEGMENTS_BITS = 3,    ///< element i begins a segment if bit i % 32 of word i / 32 is set
    WEIR_SEGMENTS_KEYS = 4,    ///< neighbours are in one segment if their keys are equal
    WEIR_SEGMENTS_OFFSETS = 5, ///< segment s begins at element offsets[s]; there are as many as the buffer's count
    /// Segment s has the elements from offsets[s] to before offsets[s + 1]. The buffer's count is the number of
    /// segments; the buffer has one offset more, as CUB takes them.
    WEIR_SEGMENTS_BETWEEN_OFFSETS = 6,
    WEIR_SEGMENTS_KIND_MAX_ENUM = 0x7FFFFFFF ///< no segments
} weir_segments_kind;

/// Where segments begin: consecutive elements that are scanned, reduced or sorted on their own. Elements before the
/// first offset are in no segment, and neither are those from the last offset of WEIR_SEGMENTS_BETWEEN_OFFSETS on: no
/// output is written for them.
typedef struct weir_segments {
    size_t size;             ///< of this struct
    weir_segments_kind kind; ///< how the beginnings are given
    uint32_t length;         ///< elements of each segment, where they are of one length
    weir_buffer_ref buffer;  ///< the flags, bits, keys or offsets
} weir_segments;

/// The places of elements in a buffer: element i begins at word `offset + i * stride`.
typedef struct weir_layout {
    uint32_t offset; ///< 32-bit words before the first element
    uint32_t stride; ///< 32-bit words from one element to the next; 0: the size of an element
} weir_layout;

/// Options of weir_scan.
typedef struct weir_scan_options {
    size_t size;                   ///< of this struct
    VkBool32 exclusive;            ///< out[i] = in[0] + ... + in[i - 1]; otherwise in[i] is included
    weir_operator op;              ///< the operator
    const weir_monoid* monoid;     ///< if not null: the operator, of the application
    const void* initial;           ///< an element that comes before the first one; null: none
    weir_buffer_ref output;        ///< may be the input; none: a new transient
    weir_buffer_ref other_output;  ///< if given: gets the scan of the other kind at the same time
    weir_buffer_ref total;         ///< if given: its first element becomes the total
    const weir_segments* segments; ///< where the scan restarts; null: nowhere
    weir_layout input_layout;      ///< of the input
    weir_layout output_layout;     ///< of the outputs
} weir_scan_options;

/// Adds a scan of numbers of 32 or 64 bits, vectors or structs. Returns the output, with the count of the input.
WEIR_C_API weir_buffer_ref weir_scan(weir_graph* graph, weir_buffer_ref input, const weir_scan_options* options);

/// Options of weir_scan_columns.
typedef struct weir_column_scan_options {
    size_t size;               ///< of this struct
    VkBool32 exclusive;        ///< otherwise each element includes itself
    weir_operator op;          ///< the operator
    const weir_monoid* monoid; ///< if not null: the operator, of the application
    const void* initial;       ///< an element that comes before the first one of each column; null: none
    weir_buffer_ref output;    ///< may be the input; none: a new transient
    uint32_t input_offset;     ///< elements before the matrix
    uint32_t input_pitch;      ///< elements from the beginning of a row to that of the next one; 0: the columns
    uint32_t output_offset;    ///< elements before the matrix
    uint32_t output_pitch;     ///< elements from the beginning of a row to that of the next one; 0: the columns
} weir_column_scan_options;

/// Adds scans along the columns of a matrix that is in memory row by row. Returns the output.
WEIR_C_API weir_buffer_ref weir_scan_columns(weir_graph* graph, weir_buffer_ref input, uint32_t rows, uint32_t columns,
                                             const weir_column_scan_options* options);

/// A scan whose elements GLSL of the application produces and uses. They are structs of the monoid.
typedef struct weir_fused_scan {
    size_t size;                      ///< of this struct
    const weir_monoid* monoid;        ///< the operator
    weir_count count;                 ///< number of elements
    const weir_named_buffer* buffers; ///< buffers that `load` and `store` use
    uint32_t buffer_count;            ///< how many
    const weir_named_value* values;   ///< values that `load` and `store` use
    uint32_t value_count;             ///< how many
    const char* load;                 ///< body of T load(uint i), which produces element i
    /// Body of void store(uint i, T element, T exclusive, T inclusive, uint n, bool is_last), called once per element.
    const char* store;
    const void* initial;           ///< an element that comes before the first one; null: the identity
    uint32_t words;                ///< of an element, where `initial` is given
    weir_buffer_ref total;         ///< of WEIR_U32; if given: gets the words of the total
    const weir_segments* segments; ///< where the scan restarts; null: nowhere
} weir_fused_scan;

/// Adds a scan with loads and stores of the application. It is compiled with the graph, which needs shaderc.
WEIR_C_API void weir_add_fused_scan(weir_graph* graph, const weir_fused_scan* scan);

/// Options of weir_reduce and weir_reduce_by_segment.
typedef struct weir_reduce_options {
    size_t size;               ///< of this struct
    weir_operator op;          ///< the operator
    const weir_monoid* monoid; ///< if not null: the operator, of the application
    const void* initial;       ///< an element that comes before the first one; null: none
    weir_buffer_ref output;    ///< room for one element, or one for each segment; none: a new transient
    weir_layout input_layout;  ///< of the input
} weir_reduce_options;

/// Adds the reduction of all elements to one, in order. Returns the output, one element.
WEIR_C_API weir_buffer_ref weir_reduce(weir_graph* graph, weir_buffer_ref input, const weir_reduce_options* options);
/// Adds the reduction of each segment to one element; segments are of one length or at offsets.
WEIR_C_API weir_buffer_ref weir_reduce_by_segment(weir_graph* graph, weir_buffer_ref input,
                                                  const weir_segments* segments, const weir_reduce_options* options);

/// A reduction whose elements GLSL of the application computes.
typedef struct weir_fused_reduce {
    size_t size;                      ///< of this struct
    weir_type type;                   ///< of the elements
    weir_operator op;                 ///< the operator
    const weir_monoid* monoid;        ///< if not null: the operator, of the application
    weir_count count;                 ///< number of elements
    const weir_named_buffer* buffers; ///< buffers that `load` reads
    uint32_t buffer_count;            ///< how many
    const weir_named_value* values;   ///< values that `load` uses
    uint32_t value_count;             ///< how many
    const char* functions;            ///< GLSL declarations that `load` may use; null: none
    const char* load;                 ///< the body of a function of `uint i` that returns element i
    const void* initial;              ///< an element that comes before the first one; null: none
    weir_buffer_ref output;           ///< one element; none: a new transient
    const char* name;                 ///< of the pass, and for messages of the compiler; null: "fused reduce"
} weir_fused_reduce;

/// Adds a reduction with loads of the application. It is compiled with the graph, which needs shaderc. Returns the
/// output, one element.
WEIR_C_API weir_buffer_ref weir_add_fused_reduce(weir_graph* graph, const weir_fused_reduce* reduction);

/// Options of weir_reduce_by_key.
typedef struct weir_reduce_by_key_options {
    size_t size;               ///< of this struct
    weir_operator op;          ///< the operator
    const weir_monoid* monoid; ///< if not null: the operator, of the application
    const void* initial;       ///< a value that comes before the first one of each run; null: none
    weir_buffer_ref keys;      ///< output; none: a new transient with room for one run per element
    weir_buffer_ref values;    ///< output; none: a new transient with room for one run per element
    weir_buffer_ref count;     ///< output, a word; none: a new transient
} weir_reduce_by_key_options;

/// A key and a value for each run of equal keys.
typedef struct weir_reduced_by_key {
    weir_buffer_ref keys;   ///< key of each run; its count is on the GPU
    weir_buffer_ref values; ///< value of each run; the same count
    weir_buffer_ref count;  ///< a word: number of runs, those that did not fit included
} weir_reduced_by_key;

/// Adds the reduction of the values of each run of equal neighbouring keys. Keys are numbers of 32 or 64 bits.
WEIR_C_API weir_reduced_by_key weir_reduce_by_key(weir_graph* graph, weir_buffer_ref keys, weir_buffer_ref values,
                                                  const weir_reduce_by_key_options* options);

/// Options of weir_min_element and weir_max_element.
typedef struct weir_extremum_options {
    size_t size;              ///< of this struct
    weir_buffer_ref value;    ///< output, one element; none: a new transient
    weir_buffer_ref position; ///< output, a word; none: a new transient
    weir_layout input_layout; ///< of the input
} weir_extremum_options;

/// An element and its place.
typedef struct weir_extremum {
    weir_buffer_ref value;    ///< one element
    weir_buffer_ref position; ///< a word: the index of the first element that is equal to it
} weir_extremum;

/// Adds the search for the smallest number.
WEIR_C_API weir_extremum weir_min_element(weir_graph* graph, weir_buffer_ref input,
                                          const weir_extremum_options* options);
/// Adds the search for the greatest number.
WEIR_C_API weir_extremum weir_max_element(weir_graph* graph, weir_buffer_ref input,
                                          const weir_extremum_options* options);

#ifdef __cplusplus
}
#endif

#endif
