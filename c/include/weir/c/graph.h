#ifndef WEIR_C_GRAPH_H
#define WEIR_C_GRAPH_H

/// @file
/// Graphs: buffers, counts, passes, in C.

#include <weir/c/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A graph of passes over buffers: a description. Used by one thread at a time.
///
/// Building never fails: the first mistake is kept, and weir_compile returns it. A function that makes a mistake
/// returns a struct of zeros.
typedef struct weir_graph weir_graph;

/// An empty graph for the device of a context.
WEIR_C_API weir_result weir_graph_create(weir_context* context, weir_graph** graph, weir_error* error);
/// Frees the graph; null does nothing. Programs do not need their graph.
WEIR_C_API void weir_graph_destroy(weir_graph* graph);
/// The first mistake, which weir_compile will return; WEIR_SUCCESS if there is none.
WEIR_C_API weir_result weir_graph_mistake(const weir_graph* graph, weir_error* error);
/// The place in the application's source to which what follows belongs, for messages; `file` has to stay where it is,
/// as __FILE__ does. Null: nowhere.
WEIR_C_API void weir_graph_at(weir_graph* graph, const char* file, uint32_t line);

/// Where a count comes from.
typedef enum weir_count_kind {
    WEIR_COUNT_CONSTANT = 0,              ///< it is `max`
    WEIR_COUNT_PARAMETER = 1,             ///< weir_program_set
    WEIR_COUNT_GPU = 2,                   ///< a word of a buffer, when the passes that use it run
    WEIR_COUNT_KIND_MAX_ENUM = 0x7FFFFFFF ///< no count
} weir_count_kind;

/// A number of elements. A constant may be written as a struct: {WEIR_COUNT_CONSTANT, 100}.
typedef struct weir_count {
    weir_count_kind kind; ///< where the number comes from
    uint32_t max;         ///< the constant, or the greatest possible number
    uint32_t id;          ///< of the parameter or the buffer, from 1 on
    uint32_t word;        ///< of the buffer
    VkBool32
        is_direct;     ///< of a count on the GPU: workgroups are launched for `max`; those that are too many do nothing
    const void* graph; ///< the graph to which it belongs
} weir_count;

/// A typed buffer of a graph, by value. A struct of zeros is none.
typedef struct weir_buffer_ref {
    uint32_t id;       ///< from 1 on; 0: no buffer
    weir_type type;    ///< of the elements
    uint32_t capacity; ///< elements that fit
    const void* graph; ///< the graph to which it belongs
    weir_count count;  ///< elements that are meant
} weir_buffer_ref;

/// A constant.
WEIR_C_API weir_count weir_constant(uint32_t value);
/// A count that the application sets for each recording with weir_program_set; `max` until then.
WEIR_C_API weir_count weir_parameter(weir_graph* graph, const char* name, uint32_t max);
/// A count that is word `word` of a buffer of WEIR_U32; values greater than `max` count as `max`.
WEIR_C_API weir_count weir_count_in(weir_graph* graph, weir_buffer_ref buffer, uint32_t word, uint32_t max);
/// The buffer with another count, at most the capacity.
WEIR_C_API weir_buffer_ref weir_with_count(weir_buffer_ref buffer, weir_count count);
/// The buffer with elements of another type of the same size, such as floats as their bits. Zeros for other sizes.
WEIR_C_API weir_buffer_ref weir_as(weir_buffer_ref buffer, weir_type type);

/// How a pass, or the application before and after an execution, accesses a buffer. The values are those of
/// weir::Access in C++. An access "of an image" is refused for buffers: WEIR_ERROR_INVALID_GRAPH.
typedef enum weir_access {
    WEIR_ACCESS_ANY = 0,                         ///< any access of the device; not the CPU's
    WEIR_ACCESS_NONE = 1,                        ///< no access: nothing to wait for
    WEIR_ACCESS_SHADER_READ = 2,                 ///< by compute shaders
    WEIR_ACCESS_SHADER_WRITE = 3,                ///< by compute shaders
    WEIR_ACCESS_SHADER_READ_WRITE = 4,           ///< by compute shaders
    WEIR_ACCESS_INDIRECT_READ = 5,               ///< arguments of indirect dispatches and draws
    WEIR_ACCESS_TRANSFER_READ = 6,               ///< by copies
    WEIR_ACCESS_TRANSFER_WRITE = 7,              ///< by copies and fills
    WEIR_ACCESS_UNIFORM_READ = 8,                ///< uniform buffer
    WEIR_ACCESS_VERTEX_READ = 9,                 ///< vertex attributes
    WEIR_ACCESS_INDEX_READ = 10,                 ///< indices
    WEIR_ACCESS_VERTEX_SHADER_READ = 11,         ///< by shaders before rasterization
    WEIR_ACCESS_FRAGMENT_SHADER_READ = 12,       ///< by fragment shaders
    WEIR_ACCESS_HOST_READ = 13,                  ///< by the CPU, of mapped memory
    WEIR_ACCESS_HOST_WRITE = 14,                 ///< by the CPU, of mapped memory
    WEIR_ACCESS_SAMPLED_READ = 15,               ///< image read by a sampler or a fetch in compute shaders
    WEIR_ACCESS_FRAGMENT_SHADER_WRITE = 16,      ///< by fragment shaders
    WEIR_ACCESS_FRAGMENT_SHADER_READ_WRITE = 17, ///< by fragment shaders
    WEIR_ACCESS_COLOR_WRITE = 18,                ///< color attachment, without loading or blending
    WEIR_ACCESS_COLOR_READ_WRITE = 19,           ///< color attachment
    WEIR_ACCESS_DEPTH_READ = 20,                 ///< depth or stencil attachment, for tests
    WEIR_ACCESS_DEPTH_WRITE = 21,                ///< depth or stencil attachment, without loading
    WEIR_ACCESS_DEPTH_READ_WRITE = 22,           ///< depth or stencil attachment
    WEIR_ACCESS_PRESENT = 23,                    ///< swapchain image
    WEIR_ACCESS_MAX_ENUM = 0x7FFFFFFF            ///< no access
} weir_access;

/// A buffer of the application, bound with weir_program_bind before recording. Its elements are all meant, unless
/// weir_with_count says otherwise. `arrives` is the application's last access before an execution.
WEIR_C_API weir_buffer_ref weir_import(weir_graph* graph, const char* name, weir_type type, uint32_t capacity,
                                       weir_access arrives);
/// A buffer that exists within one execution. Its contents are undefined before the first write.
WEIR_C_API weir_buffer_ref weir_transient(weir_graph* graph, const char* name, weir_type type, uint32_t capacity);
/// A buffer of the program that is zero at first and keeps its contents from one execution to the next.
WEIR_C_API weir_buffer_ref weir_state(weir_graph* graph, const char* name, weir_type type, uint32_t capacity);
/// Keeps a buffer and the passes that it needs. `leaves` is the application's next access. Read a transient that is
/// exported through weir_program_view.
WEIR_C_API void weir_export(weir_graph* graph, weir_buffer_ref buffer, weir_access leaves);

/// The same for a transient that has a copy of its own for each recording that may be pending, so that the next frame
/// does not wait for the application's reads. weir_program_view gives the copy of the latest recording.
WEIR_C_API void weir_export_per_frame(weir_graph* graph, weir_buffer_ref buffer, weir_access leaves);

/// Opens a scope: passes that are added before weir_end_only_if run only where `count` is not 0. A parameter makes it a
/// switch; a count on the GPU makes the dispatches indirect. In nested scopes all conditions have to hold.
WEIR_C_API void weir_begin_only_if(weir_graph* graph, weir_count count);
/// Ends the latest scope that has not ended. Without one, it is a mistake.
WEIR_C_API void weir_end_only_if(weir_graph* graph);

/// A buffer of a pass: entry i is binding i of set 0. The access is one of shaders; WEIR_ACCESS_NONE where the shader
/// does not use the binding.
typedef struct weir_binding {
    weir_buffer_ref buffer; ///< the buffer
    weir_access access;     ///< what the shader does with it
    VkBool32 reads_back;    ///< a WEIR_ACCESS_SHADER_WRITE that also reads what the same pass wrote
} weir_binding;

/// How the number of workgroups is given.
typedef enum weir_dispatch_kind {
    WEIR_DISPATCH_GROUPS = 0,                ///< x * y * z
    WEIR_DISPATCH_ELEMENTS = 1,              ///< one for `per_group` elements of `count`
    WEIR_DISPATCH_INDIRECT = 2,              ///< a VkDispatchIndirectCommand in a buffer
    WEIR_DISPATCH_KIND_MAX_ENUM = 0x7FFFFFFF ///< no dispatch
} weir_dispatch_kind;

/// The number of workgroups of a pass. A struct of zeros is no dispatch, which is an error. Where a number by elements
/// exceeds the limit of the device in x, workgroups are spread over y as well, and a few more than needed may run.
/// weir_compile refuses a shader that then reads x of its place but not y.
typedef struct weir_dispatch {
    weir_dispatch_kind kind;   ///< how the number is given
    uint32_t x;                ///< workgroups; must be at least 1 for groups
    uint32_t y;                ///< workgroups; 0: 1
    uint32_t z;                ///< workgroups; 0: 1
    weir_count count;          ///< of elements
    uint32_t per_group;        ///< elements of a workgroup; 0: 1
    uint32_t at_least;         ///< fewest workgroups
    weir_buffer_ref arguments; ///< where it is indirect
    uint32_t word;             ///< of the arguments, where they begin
} weir_dispatch;

/// A compute pass. Its shader is SPIR-V, or GLSL, which is compiled with the graph and needs shaderc.
typedef struct weir_pass {
    size_t size;                     ///< of this struct
    const char* name;                ///< for messages and debuggers
    const uint32_t* spirv;           ///< words of SPIR-V, with the entry point "main"; null: GLSL
    size_t spirv_bytes;              ///< a multiple of 4
    const char* glsl;                ///< text of GLSL; null: SPIR-V
    const weir_binding* bindings;    ///< entry i is binding i of set 0
    uint32_t binding_count;          ///< how many
    const weir_count* push;          ///< words of the push constants: counts, or constants of any 32 bits
    uint32_t push_count;             ///< how many; counts on the GPU are not possible
    const uint32_t* constants;       ///< entry i is specialization constant i
    uint32_t constant_count;         ///< how many
    weir_dispatch dispatch;          ///< the number of workgroups
    uint32_t required_subgroup_size; ///< 0: the driver's choice
    VkBool32 full_subgroups;         ///< requires full subgroups
} weir_pass;

/// Adds a pass of the application. weir_compile checks it against its shader.
WEIR_C_API void weir_add_pass(weir_graph* graph, const weir_pass* pass);
/// Fills a whole buffer with a 32-bit value.
WEIR_C_API void weir_add_fill(weir_graph* graph, const char* name, weir_buffer_ref buffer, uint32_t value);
/// Copies the first `bytes` bytes, a multiple of 4.
WEIR_C_API void weir_add_copy(weir_graph* graph, const char* name, weir_buffer_ref source, weir_buffer_ref destination,
                              uint64_t bytes);

/// A number in the arguments of an indirect command: count * factor / per, rounded up.
typedef struct weir_argument {
    weir_count count; ///< what is counted, or a constant
    uint32_t factor;  ///< 0: 1
    uint32_t per;     ///< 0: 1
} weir_argument;

/// Kinds of indirect commands.
typedef enum weir_indirect_kind {
    WEIR_INDIRECT_DISPATCH = 0,              ///< a VkDispatchIndirectCommand of workgroups for `dispatch`: 3 words
    WEIR_INDIRECT_DRAW = 1,                  ///< a VkDrawIndirectCommand: 4 words
    WEIR_INDIRECT_DRAW_INDEXED = 2,          ///< a VkDrawIndexedIndirectCommand: 5 words
    WEIR_INDIRECT_MESH_TASKS = 3,            ///< a VkDrawMeshTasksIndirectCommandEXT: 3 words
    WEIR_INDIRECT_KIND_MAX_ENUM = 0x7FFFFFFF ///< no command
} weir_indirect_kind;

/// An indirect command. Numbers are in the order of Vulkan's struct, without the offset of vertices. A draw of no
/// instances draws none: set that number.
typedef struct weir_indirect_command {
    weir_indirect_kind kind;  ///< kind of the command
    weir_argument numbers[4]; ///< vertices, instances, first vertex, first instance; or x, y, z
    int32_t vertex_offset;    ///< of an indexed draw
    weir_dispatch dispatch;   ///< of a dispatch, which is not indirect itself
} weir_indirect_command;

/// Adds a pass that writes the arguments of indirect commands, one after another without gaps, from word `word` of the
/// output on. An output of zeros: a new transient. Returns the output, for weir_export with WEIR_ACCESS_INDIRECT_READ.
WEIR_C_API weir_buffer_ref weir_write_arguments(weir_graph* graph, const weir_indirect_command* commands,
                                                uint32_t command_count, weir_buffer_ref output, uint32_t word);

/// A buffer that GLSL of the application uses.
typedef struct weir_named_buffer {
    const char* declaration; ///< GLSL: type and name, such as "float x[]"
    weir_binding binding;    ///< the buffer and the access to it
} weir_named_buffer;

/// A value that GLSL of the application uses by its name.
typedef struct weir_named_value {
    const char* name; ///< in GLSL
    weir_type type;   ///< WEIR_U32, WEIR_I32 or WEIR_F32
    weir_count value; ///< a constant of these 32 bits, or a parameter
} weir_named_value;

/// A GLSL expression of `x`, an element, and `uint i`, its index. `x` is a uint, int or float; of a vector a uvec, ivec
/// or vec; of a 64-bit number a uvec2 of its bits; of a struct an array of uint. It is compiled with the graph, which
/// needs shaderc.
typedef struct weir_expression {
    size_t size;                      ///< of this struct
    const char* text;                 ///< the expression
    const char* functions;            ///< GLSL declarations that it may use; null: none
    const weir_named_buffer* buffers; ///< buffers that it reads
    uint32_t buffer_count;            ///< how many
    const weir_named_value* values;   ///< values that it uses
    uint32_t value_count;             ///< how many
    const char* name;                 ///< stands for the file in messages of the compiler; null: "expression"
} weir_expression;

/// Comparisons of numbers, of floats as in IEEE 754.
typedef enum weir_comparison {
    WEIR_COMPARISON_NONE = 0,             ///< the predicate is an expression
    WEIR_EQUAL = 1,                       ///< ==
    WEIR_NOT_EQUAL = 2,                   ///< !=
    WEIR_LESS = 3,                        ///< <
    WEIR_LESS_EQUAL = 4,                  ///< <=
    WEIR_GREATER = 5,                     ///< >
    WEIR_GREATER_EQUAL = 6,               ///< >=
    WEIR_COMPARISON_MAX_ENUM = 0x7FFFFFFF ///< no comparison
} weir_comparison;

/// A condition on an element: a comparison with a number, which needs no compiler, or an expression of type bool.
typedef struct weir_predicate {
    size_t size;                       ///< of this struct
    const weir_expression* expression; ///< null: the comparison
    weir_comparison comparison;        ///< of the element with `number`
    const void* number;                ///< a number of the type of the elements
} weir_predicate;

#ifdef __cplusplus
}
#endif

#endif
