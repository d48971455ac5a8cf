#ifndef WEIR_C_GRAPH_H
#define WEIR_C_GRAPH_H

/// @file
/// Graphs, buffers, counts and passes, in C.

#include <weir/c/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A graph of passes over buffers: a description without Vulkan objects. Not thread-safe.
///
/// Functions that build a graph do not return errors. The graph keeps the first mistake, and weir_compile returns it. A
/// function that finds a mistake returns a struct of zeros.
typedef struct weir_graph weir_graph;

/// Creates an empty graph for the device of a context.
WEIR_C_API weir_result weir_graph_create(weir_context* context, weir_graph** graph, weir_error* error);
/// Frees the graph. Null does nothing. Programs do not need their graph any more.
WEIR_C_API void weir_graph_destroy(weir_graph* graph);
/// Returns the first mistake, which weir_compile will return; WEIR_SUCCESS if the graph has none.
WEIR_C_API weir_result weir_graph_mistake(const weir_graph* graph, weir_error* error);
/// Sets the source location that error messages name for everything added from now on. The graph keeps the pointer
/// `file`, which must stay valid, as __FILE__ does. A null `file` or line 0: messages name no location.
WEIR_C_API void weir_graph_at(weir_graph* graph, const char* file, uint32_t line);

/// Source of a count.
typedef enum weir_count_kind {
    WEIR_COUNT_CONSTANT = 0,              ///< the constant `max`
    WEIR_COUNT_PARAMETER = 1,             ///< set for each recording with weir_program_set
    WEIR_COUNT_GPU = 2,                   ///< a word of a buffer, read when the passes that use it run
    WEIR_COUNT_KIND_MAX_ENUM = 0x7FFFFFFF ///< not a kind
} weir_count_kind;

/// A number of elements. A constant may be written as a struct: {WEIR_COUNT_CONSTANT, 100}.
typedef struct weir_count {
    weir_count_kind kind; ///< source of the number
    uint32_t max;         ///< the constant, or the maximum
    uint32_t id;          ///< number of the parameter or the buffer, from 1 on
    uint32_t word;        ///< index of the 32-bit word in the buffer
    /// Counts on the GPU only: dispatches launch workgroups for `max` elements instead of being indirect. Surplus
    /// workgroups must do nothing: a kernel of the application must check the count, as Weir's kernels do.
    VkBool32 is_direct;
    const void* graph; ///< graph to which it belongs
} weir_count;

/// Reference to a typed buffer of a graph. A struct of zeros refers to no buffer ("none" below).
typedef struct weir_buffer_ref {
    uint32_t id;       ///< number of the buffer, from 1 on; 0: no buffer
    weir_type type;    ///< type of the elements
    uint32_t capacity; ///< maximum number of elements
    const void* graph; ///< graph to which it belongs
    weir_count count;  ///< number of elements in use
} weir_buffer_ref;

/// Returns a constant count.
WEIR_C_API weir_count weir_constant(uint32_t value);
/// Adds a count that the application sets for each recording with weir_program_set. Its initial value is `max`.
WEIR_C_API weir_count weir_parameter(weir_graph* graph, const char* name, uint32_t max);
/// Returns the count in word `word` of a buffer of WEIR_U32. Values greater than `max` count as `max`.
WEIR_C_API weir_count weir_count_in(weir_graph* graph, weir_buffer_ref buffer, uint32_t word, uint32_t max);
/// Returns the buffer with another count, which must not exceed the capacity.
WEIR_C_API weir_buffer_ref weir_with_count(weir_buffer_ref buffer, weir_count count);
/// Returns the buffer with another element type of the same size, for example to read the bits of floats. Returns zeros
/// if the sizes differ.
WEIR_C_API weir_buffer_ref weir_as(weir_buffer_ref buffer, weir_type type);

/// Access to a buffer by a pass, or by the application before or after an execution. The names are those of
/// weir::Access in C++. Image accesses are errors for buffers: WEIR_ERROR_INVALID_GRAPH.
typedef enum weir_access {
    WEIR_ACCESS_ANY = 0,                         ///< any access by the device, in any stage; not by the host
    WEIR_ACCESS_NONE = 1,                        ///< no access: nothing to wait for
    WEIR_ACCESS_SHADER_READ = 2,                 ///< storage buffer read by compute shaders
    WEIR_ACCESS_SHADER_WRITE = 3,                ///< storage buffer written by compute shaders
    WEIR_ACCESS_SHADER_READ_WRITE = 4,           ///< storage buffer read and written by compute shaders
    WEIR_ACCESS_INDIRECT_READ = 5,               ///< arguments of indirect dispatches and draws
    WEIR_ACCESS_TRANSFER_READ = 6,               ///< source of copies
    WEIR_ACCESS_TRANSFER_WRITE = 7,              ///< destination of copies and fills
    WEIR_ACCESS_UNIFORM_READ = 8,                ///< uniform buffer
    WEIR_ACCESS_VERTEX_READ = 9,                 ///< vertex attributes
    WEIR_ACCESS_INDEX_READ = 10,                 ///< indices
    WEIR_ACCESS_VERTEX_SHADER_READ = 11,         ///< read by shaders before rasterization
    WEIR_ACCESS_FRAGMENT_SHADER_READ = 12,       ///< read by fragment shaders
    WEIR_ACCESS_HOST_READ = 13,                  ///< read of mapped memory by the host
    WEIR_ACCESS_HOST_WRITE = 14,                 ///< write to mapped memory by the host
    WEIR_ACCESS_SAMPLED_READ = 15,               ///< image read by a sampler or a fetch in compute shaders
    WEIR_ACCESS_FRAGMENT_SHADER_WRITE = 16,      ///< written by fragment shaders
    WEIR_ACCESS_FRAGMENT_SHADER_READ_WRITE = 17, ///< read and written by fragment shaders
    WEIR_ACCESS_COLOR_WRITE = 18,                ///< color attachment, without loading or blending
    WEIR_ACCESS_COLOR_READ_WRITE = 19,           ///< color attachment
    WEIR_ACCESS_DEPTH_READ = 20,                 ///< depth or stencil attachment, for tests
    WEIR_ACCESS_DEPTH_WRITE = 21,                ///< depth or stencil attachment, without loading
    WEIR_ACCESS_DEPTH_READ_WRITE = 22,           ///< depth or stencil attachment
    WEIR_ACCESS_PRESENT = 23,                    ///< swapchain image
    WEIR_ACCESS_MAX_ENUM = 0x7FFFFFFF            ///< not an access
} weir_access;

/// Adds a buffer of the application, to be bound with weir_program_bind before recording. Its count is the capacity;
/// see weir_with_count. `arrives` is the application's last access before an execution.
WEIR_C_API weir_buffer_ref weir_import(weir_graph* graph, const char* name, weir_type type, uint32_t capacity,
                                       weir_access arrives);
/// Allows the application to bind a smaller range to an import than its capacity. The application must set counts
/// for which the range suffices, because passes access what their counts state.
WEIR_C_API void weir_allow_smaller(weir_graph* graph, weir_buffer_ref import);
/// Adds a buffer that exists within one execution. Its contents are undefined before the first write.
WEIR_C_API weir_buffer_ref weir_transient(weir_graph* graph, const char* name, weir_type type, uint32_t capacity);
/// Adds a buffer of the program that is initially zero and keeps its contents from one execution to the next.
WEIR_C_API weir_buffer_ref weir_state(weir_graph* graph, const char* name, weir_type type, uint32_t capacity);
/// Exports a buffer: keeps it and the passes that it needs. `leaves` is the application's next access. The application
/// reads an exported transient through weir_program_view.
WEIR_C_API void weir_export(weir_graph* graph, weir_buffer_ref buffer, weir_access leaves);

/// Exports a transient with a separate copy for each recording that may be pending. The next frame therefore need not
/// wait for the application's reads of this one. weir_program_view returns the copy of the latest recording.
WEIR_C_API void weir_export_per_frame(weir_graph* graph, weir_buffer_ref buffer, weir_access leaves);

/// Opens a scope. Passes added before the matching weir_end_only_if run only if `count` is not 0. A parameter acts as a
/// switch. A count on the GPU makes the dispatches indirect. In nested scopes, passes run only if all conditions hold.
WEIR_C_API void weir_begin_only_if(weir_graph* graph, weir_count count);
/// Ends the innermost open scope. If no scope is open, that is a mistake of the graph.
WEIR_C_API void weir_end_only_if(weir_graph* graph);

/// A buffer of a pass. Entry i of weir_pass::bindings is binding i of set 0. The access must be by compute shaders, or
/// WEIR_ACCESS_NONE if the shader does not use the binding.
typedef struct weir_binding {
    weir_buffer_ref buffer; ///< buffer
    weir_access access;     ///< access by the shader
    VkBool32 reads_back;    ///< WEIR_ACCESS_SHADER_WRITE only: also reads what the same pass wrote
} weir_binding;

/// Source of the number of workgroups.
typedef enum weir_dispatch_kind {
    WEIR_DISPATCH_GROUPS = 0,                ///< x * y * z workgroups
    WEIR_DISPATCH_ELEMENTS = 1,              ///< one workgroup per `per_group` elements of `count`, rounded up
    WEIR_DISPATCH_INDIRECT = 2,              ///< a VkDispatchIndirectCommand in a buffer
    WEIR_DISPATCH_KIND_MAX_ENUM = 0x7FFFFFFF ///< not a kind
} weir_dispatch_kind;

/// Number of workgroups of a pass. A struct of zeros is not set, which is an error for a pass. If the number of
/// workgroups for WEIR_DISPATCH_ELEMENTS exceeds the device's limit in x, workgroups are also spread over y, and a few
/// more than needed may run. weir_compile rejects such a pass if its shader reads x of gl_WorkGroupID or
/// gl_GlobalInvocationID but not y.
typedef struct weir_dispatch {
    weir_dispatch_kind kind;   ///< source of the number
    uint32_t x;                ///< workgroups in x, at least 1; WEIR_DISPATCH_GROUPS only
    uint32_t y;                ///< workgroups in y; 0: 1; WEIR_DISPATCH_GROUPS only
    uint32_t z;                ///< workgroups in z; 0: 1; WEIR_DISPATCH_GROUPS only
    weir_count count;          ///< number of elements
    uint32_t per_group;        ///< elements per workgroup; 0: 1
    uint32_t at_least;         ///< minimum number of workgroups; WEIR_DISPATCH_ELEMENTS only
    weir_buffer_ref arguments; ///< buffer with the command; WEIR_DISPATCH_INDIRECT only
    uint32_t word;             ///< index of the command's first word in `arguments`
} weir_dispatch;

/// A compute pass. Its shader is either SPIR-V or GLSL. GLSL is compiled with the graph and needs shaderc.
typedef struct weir_pass {
    size_t size;                     ///< size of this struct
    const char* name;                ///< name in messages and debuggers
    const uint32_t* spirv;           ///< SPIR-V with the entry point "main"; null: GLSL
    size_t spirv_bytes;              ///< size of `spirv` in bytes, a multiple of 4
    const char* glsl;                ///< GLSL text; null: SPIR-V
    const weir_binding* bindings;    ///< entry i is binding i of set 0
    uint32_t binding_count;          ///< number of `bindings`
    const weir_count* push;          ///< words of the push constants: parameters, or constants with any 32 bits
    uint32_t push_count;             ///< number of `push`; counts on the GPU are not supported
    const uint32_t* constants;       ///< entry i is specialization constant i
    uint32_t constant_count;         ///< number of `constants`
    weir_dispatch dispatch;          ///< number of workgroups
    uint32_t required_subgroup_size; ///< 0: the driver's choice
    VkBool32 full_subgroups;         ///< requires full subgroups
} weir_pass;

/// Adds a compute pass of the application. weir_compile checks it against its shader.
WEIR_C_API void weir_add_pass(weir_graph* graph, const weir_pass* pass);
/// Adds a pass that fills the whole buffer with a 32-bit value.
WEIR_C_API void weir_add_fill(weir_graph* graph, const char* name, weir_buffer_ref buffer, uint32_t value);
/// Adds a pass that copies the first `bytes` bytes. `bytes` must be a multiple of 4.
WEIR_C_API void weir_add_copy(weir_graph* graph, const char* name, weir_buffer_ref source, weir_buffer_ref destination,
                              uint64_t bytes);

/// A number in the arguments of an indirect command: count * factor / per, rounded up.
typedef struct weir_argument {
    weir_count count; ///< constant, parameter or count on the GPU
    uint32_t factor;  ///< multiplier; 0: 1
    uint32_t per;     ///< divisor; 0: 1
} weir_argument;

/// Kind of an indirect command.
typedef enum weir_indirect_kind {
    WEIR_INDIRECT_DISPATCH = 0,              ///< a VkDispatchIndirectCommand with the workgroups of `dispatch`: 3 words
    WEIR_INDIRECT_DRAW = 1,                  ///< a VkDrawIndirectCommand: 4 words
    WEIR_INDIRECT_DRAW_INDEXED = 2,          ///< a VkDrawIndexedIndirectCommand: 5 words
    WEIR_INDIRECT_MESH_TASKS = 3,            ///< a VkDrawMeshTasksIndirectCommandEXT: 3 words
    WEIR_INDIRECT_KIND_MAX_ENUM = 0x7FFFFFFF ///< not a kind
} weir_indirect_kind;

/// An indirect command. `numbers` are in the order of Vulkan's struct, without the vertex offset. A zero number of
/// instances draws nothing, therefore draws must set it.
typedef struct weir_indirect_command {
    weir_indirect_kind kind;  ///< kind of the command
    weir_argument numbers[4]; ///< vertices or indices, instances, first vertex or index, first instance; or x, y, z
    int32_t vertex_offset;    ///< indexed draws only
    weir_dispatch dispatch;   ///< dispatches only; must not be indirect itself
} weir_indirect_command;

/// Adds a pass that writes the arguments of indirect commands, one after another without gaps, from word `word` of the
/// output on. If `output` is zeros, a new transient is created. Returns the output. The application exports it with
/// WEIR_ACCESS_INDIRECT_READ.
WEIR_C_API weir_buffer_ref weir_write_arguments(weir_graph* graph, const weir_indirect_command* commands,
                                                uint32_t command_count, weir_buffer_ref output, uint32_t word);

/// A buffer that the application's GLSL uses.
typedef struct weir_named_buffer {
    const char* declaration; ///< GLSL: type and name, such as "float x[]"
    weir_binding binding;    ///< buffer and the access to it
} weir_named_buffer;

/// A value that the application's GLSL uses by name.
typedef struct weir_named_value {
    const char* name; ///< name in GLSL
    weir_type type;   ///< WEIR_U32, WEIR_I32 or WEIR_F32
    weir_count value; ///< a constant with these 32 bits, or a parameter
} weir_named_value;

/// A GLSL expression of an element `x` and its index `uint i`. The type of `x` is uint, int or float for a 32-bit
/// number; uvec, ivec or vec for a vector; a uvec2 of the bits, low word first, for a 64-bit number; uint for a struct
/// of one word; an array of uint for a larger struct. The expression is compiled with the graph, which needs shaderc.
typedef struct weir_expression {
    size_t size;                      ///< size of this struct
    const char* text;                 ///< the expression
    const char* functions;            ///< GLSL declarations that the expression may use; null: none
    const weir_named_buffer* buffers; ///< buffers that the expression reads
    uint32_t buffer_count;            ///< number of `buffers`
    const weir_named_value* values;   ///< values that the expression uses
    uint32_t value_count;             ///< number of `values`
    const char* name;                 ///< file name in compile errors; null: "expression"
} weir_expression;

/// Comparison of two numbers. Floats compare as in IEEE 754.
typedef enum weir_comparison {
    WEIR_COMPARISON_NONE = 0,             ///< none; the predicate is an expression
    WEIR_EQUAL = 1,                       ///< ==
    WEIR_NOT_EQUAL = 2,                   ///< !=
    WEIR_LESS = 3,                        ///< <
    WEIR_LESS_EQUAL = 4,                  ///< <=
    WEIR_GREATER = 5,                     ///< >
    WEIR_GREATER_EQUAL = 6,               ///< >=
    WEIR_COMPARISON_MAX_ENUM = 0x7FFFFFFF ///< not a comparison
} weir_comparison;

/// A condition on an element: a comparison with a number, which needs no compiler, or a GLSL expression of type bool.
typedef struct weir_predicate {
    size_t size;                       ///< size of this struct
    const weir_expression* expression; ///< expression; null: the comparison
    weir_comparison comparison;        ///< comparison of the element with `number`
    const void* number;                ///< a number of the elements' type
} weir_predicate;

#ifdef __cplusplus
}
#endif

#endif
