#ifndef WEIR_C_PROGRAM_H
#define WEIR_C_PROGRAM_H

/// @file
/// Compiled graphs, in C.

#include <weir/c/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A compiled graph, which can be recorded any number of times. Used by one thread at a time; different programs may be
/// used by different threads at once.
typedef struct weir_program weir_program;

/// Options of weir_compile.
typedef struct weir_compile_options {
    size_t size;                   ///< of this struct
    uint32_t frames_in_flight;     ///< how many frames may be pending at once; 0: 3
    uint32_t recordings_per_frame; ///< how often a frame records the program; 0: 1
    VkBool32 separate_memory;      ///< each transient has memory of its own, for debugging
    const char* name;              ///< of the program, in debuggers; null: none
} weir_compile_options;

/// Compiles a graph, which is copied. `options` may be null. May be called from several threads at once. Errors: the
/// mistake that the graph has kept; `invalid_graph`, `shader_compilation`, `out_of_memory`, `limit_exceeded`.
WEIR_C_API weir_result weir_compile(weir_context* context, const weir_graph* graph, const weir_compile_options* options,
                                    weir_program** program, weir_error* error);
/// Compiles all GLSL of a graph into a file for weir_context_options::shader_file. Errors: those of weir_compile; `io`,
/// and `unsupported` without a shader compiler.
WEIR_C_API weir_result weir_compile_ahead(const weir_graph* graph, const char* file, weir_error* error);
/// Waits for the executions that the program submitted itself, and frees it; null does nothing.
WEIR_C_API void weir_program_destroy(weir_program* program);

/// Binds an import for the following recordings to a range of a VkBuffer of at least its capacity. Errors:
/// `invalid_argument`.
WEIR_C_API weir_result weir_program_bind(weir_program* program, weir_buffer_ref import, weir_buffer_view range,
                                         weir_error* error);
/// Binds an import for the following recordings to a whole buffer. Errors: `invalid_argument`.
WEIR_C_API weir_result weir_program_bind_buffer(weir_program* program, weir_buffer_ref import,
                                                const weir_buffer* buffer, weir_error* error);
/// Sets a parameter for the following recordings. Errors: `invalid_argument` for a value greater than its maximum.
WEIR_C_API weir_result weir_program_set(weir_program* program, weir_count parameter, uint32_t value, weir_error* error);

/// Records one execution into a command buffer, outside of a render pass. Allocates nothing, submits nothing, waits for
/// nothing. Changes the bound compute pipeline, compute descriptor set 0 and push constants. Errors:
/// `invalid_argument` names an import that is not bound; then the command buffer must not be submitted.
WEIR_C_API weir_result weir_program_record(weir_program* program, VkCommandBuffer commands, weir_error* error);
/// The next recording begins a frame, of which the application has made sure that the one frames_in_flight before it is
/// complete. Without recordings_per_frame, it does nothing.
WEIR_C_API weir_result weir_program_next_frame(weir_program* program, weir_error* error);
/// Undoes the latest recording, which was not submitted and will not be. Errors: `invalid_argument` if there is none.
WEIR_C_API weir_result weir_program_discard(weir_program* program, weir_error* error);

/// Options of weir_program_submit.
typedef struct weir_submit_options {
    size_t size;                           ///< of this struct
    const VkSemaphoreSubmitInfo* waits;    ///< what the execution waits for
    uint32_t wait_count;                   ///< how many
    const VkSemaphoreSubmitInfo* signaled; ///< what is signaled after it
    uint32_t signaled_count;               ///< how many
    VkFence fence;                         ///< signaled after it; may be null
} weir_submit_options;

/// Records and submits to the context's queue. Waits only if frames_in_flight executions are pending. `options` may be
/// null. Errors: those of weir_program_record, `device_lost`.
WEIR_C_API weir_result weir_program_submit(weir_program* program, const weir_submit_options* options,
                                           weir_error* error);
/// Waits until all submitted executions are complete. Errors: `device_lost`.
WEIR_C_API weir_result weir_program_wait(weir_program* program, weir_error* error);
/// Records, submits and waits. `gpu_ms` may be null; it gets the GPU time in milliseconds, or -1 where the queue has no
/// timestamps. Errors: those of weir_program_submit.
WEIR_C_API weir_result weir_program_run(weir_program* program, double* gpu_ms, weir_error* error);

/// The memory of an exported buffer: the program's for a transient, the bound range for an import. Errors:
/// `invalid_argument` for other buffers.
WEIR_C_API weir_result weir_program_view(const weir_program* program, weir_buffer_ref buffer, weir_buffer_view* range,
                                         weir_error* error);
/// Bytes of device memory that the program holds; 0 for null.
WEIR_C_API uint64_t weir_program_memory(const weir_program* program);

/// Forms of a plan.
typedef enum weir_plan_form {
    WEIR_PLAN_TEXT = 0,                  ///< a listing of passes, and of barriers with their reasons
    WEIR_PLAN_DOT = 1,                   ///< a picture, for Graphviz
    WEIR_PLAN_JSON = 2,                  ///< for programs
    WEIR_PLAN_FORM_MAX_ENUM = 0x7FFFFFFF ///< no form
} weir_plan_form;

/// What the program does. The text belongs to the program: valid until the next call with it, or its end. Null where
/// there is no text.
WEIR_C_API const char* weir_program_plan(weir_program* program, weir_plan_form form);

#ifdef __cplusplus
}
#endif

#endif
