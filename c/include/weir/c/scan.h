#ifndef WEIR_C_SCAN_H
#define WEIR_C_SCAN_H

/// @file
/// Scans and reductions, in C.

#include <weir/c/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Built-in operator. Integers wrap. WEIR_MIN and WEIR_MAX compare floats in IEEE 754 total order. Vectors are combined
/// component by component.
typedef enum weir_operator {
    WEIR_ADD = 0,                       ///< sum
    WEIR_MUL = 1,                       ///< product
    WEIR_MIN = 2,                       ///< minimum
    WEIR_MAX = 3,                       ///< maximum
    WEIR_BIT_AND = 4,                   ///< bitwise and
    WEIR_BIT_OR = 5,                    ///< bitwise or
    WEIR_BIT_XOR = 6,                   ///< bitwise exclusive or
    WEIR_OPERATOR_MAX_ENUM = 0x7FFFFFFF ///< not an operator
} weir_operator;

/// An associative operator of the application, in GLSL, on elements of type WEIR_WORDS_n. It need not be commutative.
typedef struct weir_monoid {
    size_t size;               ///< size of this struct
    const char* name;          ///< file name in compile errors; null: "monoid"
    const char* const* fields; ///< members "TYPE NAME", in memory order, without padding
    uint32_t field_count;      ///< number of `fields`
    const char* functions;     ///< GLSL declarations for `identity` and `combine`; null: none
    const char* identity;      ///< identity element, an expression of type T
    const char* combine;       ///< body of T combine(T left, T right)
    VkBool32 commutes;         ///< operands may be swapped, which is faster
    VkBool32 exact;            ///< the operator is associative to the last bit, which is faster
} weir_monoid;

/// Source of the starts of segments.
typedef enum weir_segments_kind {
    WEIR_SEGMENTS_NONE = 0,    ///< all elements are one segment
    WEIR_SEGMENTS_LENGTH = 1,  ///< segments have `length` elements each; the last may have fewer
    WEIR_SEGMENTS_FLAGS = 2,   ///< element i starts a segment if word i of `buffer` is not 0
    WEIR_SEGMENTS_BITS = 3,    ///< element i starts a segment if bit i % 32 of word i / 32 is set
    WEIR_SEGMENTS_KEYS = 4,    ///< neighbors are in one segment if the bits of their keys are equal
    WEIR_SEGMENTS_OFFSETS = 5, ///< segment s starts at element offsets[s]; `buffer.count` is the number of segments
    /// Segment s has the elements [offsets[s], offsets[s + 1]). `buffer.count` is the number of segments. The buffer
    /// must contain one more offset, as for CUB.
    WEIR_SEGMENTS_BETWEEN_OFFSETS = 6,
    /// Segment s has the elements [begins[s], ends[s]). `buffer` has the begins, which ascend; its count is the number
    /// of segments. Ranges must not overlap. Scans and reductions only.
    WEIR_SEGMENTS_RANGES = 7,
    /// `rows` segments of `length` or `variable_length` elements each: the rows of a row-major matrix. The count of the
    /// input is not used. weir_segmented_sort and weir_segmented_top_k only.
    WEIR_SEGMENTS_ROWS = 8,
    WEIR_SEGMENTS_KIND_MAX_ENUM = 0x7FFFFFFF ///< not a kind
} weir_segments_kind;

/// Segments: ranges of consecutive elements that are scanned, reduced or sorted separately. Elements before the first
/// offset are in no segment. Neither are elements from the last offset of WEIR_SEGMENTS_BETWEEN_OFFSETS on, and those
/// between ranges. No output is written for elements in no segment.
typedef struct weir_segments {
    size_t size;             ///< size of this struct
    weir_segments_kind kind; ///< source of the starts
    uint32_t length;         ///< elements per segment; WEIR_SEGMENTS_LENGTH and WEIR_SEGMENTS_ROWS only
    weir_buffer_ref buffer;  ///< flags, bits, keys, offsets or begins
    weir_buffer_ref ends;    ///< ends of segments; WEIR_SEGMENTS_RANGES only
    /// Elements per segment, if they are a parameter or on the GPU; WEIR_SEGMENTS_LENGTH of scans and reductions, and
    /// WEIR_SEGMENTS_ROWS. A constant must be 0 or equal `length`.
    weir_count variable_length;
    weir_count rows; ///< number of segments; WEIR_SEGMENTS_ROWS only
} weir_segments;

/// Positions of elements in a buffer: element i starts at word `offset + i * stride`.
typedef struct weir_layout {
    uint32_t offset; ///< 32-bit words before the first element
    uint32_t stride; ///< 32-bit words from one element to the next; 0: the size of an element
} weir_layout;

/// Options of weir_scan.
typedef struct weir_scan_options {
    size_t size;                   ///< size of this struct
    VkBool32 exclusive;            ///< out[i] = in[0] + ... + in[i - 1]; otherwise out[i] includes in[i]
    weir_operator op;              ///< operator
    const weir_monoid* monoid;     ///< operator of the application; null: `op`
    const void* initial;           ///< an element before the first one; null: none
    weir_buffer_ref output;        ///< output, may be the input; none: a new transient
    weir_buffer_ref output_other;  ///< output of the scan of the other kind; none: not computed
    weir_buffer_ref output_total;  ///< output of one element, the total; none: not written
    const weir_segments* segments; ///< segments where the scan restarts; null: none
    weir_layout input_layout;      ///< layout of the input
    weir_layout output_layout;     ///< layout of the outputs
} weir_scan_options;

/// Adds a scan. Elements are numbers of 32 or 64 bits, vectors or structs. Returns the output, with the count of the
/// input.
WEIR_C_API weir_buffer_ref weir_scan(weir_graph* graph, weir_buffer_ref input, const weir_scan_options* options);

/// Options of weir_scan_columns.
typedef struct weir_column_scan_options {
    size_t size;               ///< size of this struct
    VkBool32 exclusive;        ///< excludes each element from its own sum; otherwise included
    weir_operator op;          ///< operator
    const weir_monoid* monoid; ///< operator of the application; null: `op`
    const void* initial;       ///< an element before the first one of each column; null: none
    weir_buffer_ref output;    ///< output, may be the input; none: a new transient
    uint32_t input_offset;     ///< elements before the matrix in the input
    uint32_t input_pitch;      ///< elements from one row to the next; 0: `columns`
    uint32_t output_offset;    ///< elements before the matrix in the output
    uint32_t output_pitch;     ///< elements from one row to the next; 0: `columns`
} weir_column_scan_options;

/// Adds a scan along each column of a row-major matrix. Returns the output.
WEIR_C_API weir_buffer_ref weir_scan_columns(weir_graph* graph, weir_buffer_ref input, uint32_t rows, uint32_t columns,
                                             const weir_column_scan_options* options);

/// A scan whose elements are produced and consumed by the application's GLSL. Elements are structs of the monoid.
typedef struct weir_fused_scan {
    size_t size;                      ///< size of this struct
    const weir_monoid* monoid;        ///< operator
    weir_count count;                 ///< number of elements
    const weir_named_buffer* buffers; ///< buffers that `load` and `store` use
    uint32_t buffer_count;            ///< number of `buffers`
    const weir_named_value* values;   ///< values that `load` and `store` use
    uint32_t value_count;             ///< number of `values`
    const char* load;                 ///< body of T load(uint i), which returns element i
    /// Body of void store(uint i, T element, T exclusive, T inclusive, uint n, bool is_last). Called once per element.
    const char* store;
    const void* initial;           ///< an element before the first one; null: the identity
    uint32_t words;                ///< words of an element; required if `initial` is set
    weir_buffer_ref output_total;  ///< output of the words of the total, of type WEIR_U32; none: not written
    const weir_segments* segments; ///< segments where the scan restarts; null: none
} weir_fused_scan;

/// Adds a scan with the application's loads and stores. It is compiled with the graph, which needs shaderc.
WEIR_C_API void weir_add_fused_scan(weir_graph* graph, const weir_fused_scan* scan);

/// Options of weir_reduce and weir_reduce_by_segment.
typedef struct weir_reduce_options {
    size_t size;               ///< size of this struct
    weir_operator op;          ///< operator
    const weir_monoid* monoid; ///< operator of the application; null: `op`
    const void* initial;       ///< an element before the first one; null: none
    weir_buffer_ref output;    ///< output of one element, or one per segment; none: a new transient
    weir_layout input_layout;  ///< layout of the input
} weir_reduce_options;

/// Adds a reduction of all elements to one, in order. Returns the output, one element.
WEIR_C_API weir_buffer_ref weir_reduce(weir_graph* graph, weir_buffer_ref input, const weir_reduce_options* options);
/// Adds a reduction of each segment to one element. Segments must be given by length, offsets or ranges. Returns the
/// output, one element per segment.
WEIR_C_API weir_buffer_ref weir_reduce_by_segment(weir_graph* graph, weir_buffer_ref input,
                                                  const weir_segments* segments, const weir_reduce_options* options);

/// A reduction whose elements are computed by the application's GLSL.
typedef struct weir_fused_reduce {
    size_t size;                      ///< size of this struct
    weir_type type;                   ///< type of the elements
    weir_operator op;                 ///< operator
    const weir_monoid* monoid;        ///< operator of the application; null: `op`
    weir_count count;                 ///< number of elements
    const weir_named_buffer* buffers; ///< buffers that `load` reads
    uint32_t buffer_count;            ///< number of `buffers`
    const weir_named_value* values;   ///< values that `load` uses
    uint32_t value_count;             ///< number of `values`
    const char* functions;            ///< GLSL declarations that `load` may use; null: none
    const char* load;                 ///< body of a function of `uint i` that returns element i
    const void* initial;              ///< an element before the first one; null: none
    weir_buffer_ref output;           ///< output, one element; none: a new transient
    const char* name;                 ///< name of the pass, and file name in compile errors; null: "fused reduce"
} weir_fused_reduce;

/// Adds a reduction with the application's loads. It is compiled with the graph, which needs shaderc. Returns the
/// output, one element.
WEIR_C_API weir_buffer_ref weir_add_fused_reduce(weir_graph* graph, const weir_fused_reduce* reduction);

/// Options of weir_reduce_by_key.
typedef struct weir_reduce_by_key_options {
    size_t size;                   ///< size of this struct
    weir_operator op;              ///< operator
    const weir_monoid* monoid;     ///< operator of the application; null: `op`
    const void* initial;           ///< a value before the first one of each run; null: none
    weir_buffer_ref output_keys;   ///< output; none: a new transient for one run per element
    weir_buffer_ref output_values; ///< output; none: a new transient for one run per element
    weir_buffer_ref output_count;  ///< output, a word; none: a new transient
} weir_reduce_by_key_options;

/// Result of weir_reduce_by_key: a key and a value for each run of equal keys.
typedef struct weir_reduce_by_key_result {
    weir_buffer_ref keys;   ///< key of each run; the count is on the GPU
    weir_buffer_ref values; ///< value of each run; the same count
    weir_buffer_ref count;  ///< a word: number of runs, including those that did not fit
} weir_reduce_by_key_result;

/// Adds a reduction of the values of each run of equal neighboring keys. Keys have 1 or 2 words and are equal if their
/// bits are.
WEIR_C_API weir_reduce_by_key_result weir_reduce_by_key(weir_graph* graph, weir_buffer_ref keys, weir_buffer_ref values,
                                                        const weir_reduce_by_key_options* options);

/// Options of weir_min_element and weir_max_element.
typedef struct weir_extremum_options {
    size_t size;                     ///< size of this struct
    weir_buffer_ref output_value;    ///< output, one element; none: a new transient
    weir_buffer_ref output_position; ///< output, a word; none: a new transient
    weir_layout input_layout;        ///< layout of the input
} weir_extremum_options;

/// Result of weir_min_element and weir_max_element.
typedef struct weir_extremum_result {
    weir_buffer_ref value;    ///< smallest or largest element
    weir_buffer_ref position; ///< a word: index of the first element equal to it
} weir_extremum_result;

/// Adds a search for the smallest number. Floats compare in IEEE 754 total order.
WEIR_C_API weir_extremum_result weir_min_element(weir_graph* graph, weir_buffer_ref input,
                                                 const weir_extremum_options* options);
/// Adds a search for the largest number. Floats compare in IEEE 754 total order.
WEIR_C_API weir_extremum_result weir_max_element(weir_graph* graph, weir_buffer_ref input,
                                                 const weir_extremum_options* options);

/// Options of weir_minmax_element_by_segment.
typedef struct weir_segmented_extremum_options {
    size_t size;                         ///< size of this struct
    VkBool32 positions_in_segments;      ///< positions count from the first element of the segment
    weir_buffer_ref output_min;          ///< output, one element per segment; none: a new transient
    weir_buffer_ref output_min_position; ///< output, a word per segment; none: a new transient
    weir_buffer_ref output_max;          ///< output, one element per segment; none: a new transient
    weir_buffer_ref output_max_position; ///< output, a word per segment; none: a new transient
    weir_layout input_layout;            ///< layout of the input
} weir_segmented_extremum_options;

/// Result of weir_minmax_element_by_segment.
typedef struct weir_minmax_result {
    weir_extremum_result min; ///< first minimum of each segment
    weir_extremum_result max; ///< first maximum of each segment
} weir_minmax_result;

/// Adds a search for the first minimum and the first maximum of each segment, and their positions. Segments must be
/// given by length, offsets or ranges. An empty segment has the positions 0xFFFFFFFF, and its values are not written.
/// Floats compare in IEEE 754 total order.
WEIR_C_API weir_minmax_result weir_minmax_element_by_segment(weir_graph* graph, weir_buffer_ref input,
                                                             const weir_segments* segments,
                                                             const weir_segmented_extremum_options* options);

#ifdef __cplusplus
}
#endif

#endif
