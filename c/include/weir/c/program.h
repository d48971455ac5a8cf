#ifndef WEIR_C_PROGRAM_H
#define WEIR_C_PROGRAM_H

/// @file
/// Compiled graphs, in C.

#include <weir/c/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A compiled graph, which can be recorded any number of times. A program must be used by one thread at a time.
/// Different programs may be used by different threads concurrently.
typedef struct weir_program weir_program;

/// Options of weir_compile.
typedef struct weir_compile_options {
    size_t size;                   ///< size of this struct
    uint32_t frames_in_flight;     ///< number of frames that may be pending at once; 0: 3
    uint32_t recordings_per_frame; ///< maximum number of recordings per frame; 0: 1
    VkBool32 separate_memory;      ///< gives each transient its own memory, for debugging
    const char* name;              ///< name of the program in debuggers; null: none
} weir_compile_options;

/// Compiles a graph. The graph is copied. `options` may be null. Thread-safe, as long as the graph is not changed
/// during the call. Errors: the first mistake of the graph; `invalid_argument`, `invalid_graph`, `unsupported`,
/// `shader_compilation`, `out_of_memory`, `limit_exceeded`.
WEIR_C_API weir_result weir_compile(weir_context* context, const weir_graph* graph, const weir_compile_options* options,
                                    weir_program** program, weir_error* error);
/// Compiles all GLSL of a graph into a file for weir_context_options::shader_file. Errors: those of weir_compile; `io`;
/// `unsupported` if no shader compiler is available.
WEIR_C_API weir_result weir_compile_ahead(const weir_graph* graph, const char* file, weir_error* error);
/// Waits for the executions that the program submitted itself, then frees it. Null does nothing.
WEIR_C_API void weir_program_destroy(weir_program* program);

/// Binds an import to a range of a VkBuffer for the following recordings. The range must be at least as large as the
/// import's capacity. Errors: `invalid_argument`.
WEIR_C_API weir_result weir_program_bind(weir_program* program, weir_buffer_ref import, weir_buffer_view range,
                                         weir_error* error);
/// Binds an import to a whole buffer for the following recordings. Errors: `invalid_argument`.
WEIR_C_API weir_result weir_program_bind_buffer(weir_program* program, weir_buffer_ref import,
                                                const weir_buffer* buffer, weir_error* error);
/// Sets a parameter for the following recordings. Errors: `invalid_argument` for a value greater than its maximum.
WEIR_C_API weir_result weir_program_set(weir_program* program, weir_count parameter, uint32_t value, weir_error* error);

/// Records one execution into a command buffer, outside a render pass. Does not allocate, submit or wait. Changes the
/// bound compute pipeline, compute descriptor set 0 and the push constants. Errors: `invalid_argument` for an import
/// that is not bound (the message names it), `limit_exceeded` for more recordings in a frame than recordings_per_frame.
/// After an error the command buffer must not be submitted.
WEIR_C_API weir_result weir_program_record(weir_program* program, VkCommandBuffer commands, weir_error* error);
/// Begins a new frame with the next recording. The frame that is frames_in_flight frames older must be complete by
/// then; weir_program_submit waits for it. Does nothing if recordings_per_frame is 1.
WEIR_C_API weir_result weir_program_next_frame(weir_program* program, weir_error* error);
/// Undoes the latest recording. It must not have been submitted and must not be submitted later. Errors:
/// `invalid_argument` if there is no such recording.
WEIR_C_API weir_result weir_program_discard(weir_program* program, weir_error* error);

/// Options of weir_program_submit.
typedef struct weir_submit_options {
    size_t size;                           ///< size of this struct
    const VkSemaphoreSubmitInfo* waits;    ///< semaphores that the execution waits for
    uint32_t wait_count;                   ///< number of `waits`
    const VkSemaphoreSubmitInfo* signaled; ///< semaphores to signal after the execution
    uint32_t signaled_count;               ///< number of `signaled`
    VkFence fence;                         ///< fence to signal after the execution; may be null
} weir_submit_options;

/// Records one execution and submits it to the context's queue. Waits only if frames_in_flight frames are pending.
/// `options` may be null. Errors: those of weir_program_record, `device_lost`.
WEIR_C_API weir_result weir_program_submit(weir_program* program, const weir_submit_options* options,
                                           weir_error* error);
/// Waits until all executions that the program submitted are complete. Errors: `device_lost`.
WEIR_C_API weir_result weir_program_wait(weir_program* program, weir_error* error);
/// Records one execution, submits it and waits. If `gpu_ms` is not null, sets it to the GPU time in milliseconds, or to
/// -1 if the queue has no timestamps. Errors: those of weir_program_submit.
WEIR_C_API weir_result weir_program_run(weir_program* program, double* gpu_ms, weir_error* error);

/// Sets `range` to the memory of an exported buffer: the program's memory for a transient, the bound range for an
/// import. Errors: `invalid_argument` for other buffers and for an import that is not bound.
WEIR_C_API weir_result weir_program_view(const weir_program* program, weir_buffer_ref buffer, weir_buffer_view* range,
                                         weir_error* error);
/// Returns the bytes of device memory that the program holds; 0 for null.
WEIR_C_API uint64_t weir_program_memory(const weir_program* program);

/// Format of a plan.
typedef enum weir_plan_form {
    WEIR_PLAN_TEXT = 0,                  ///< list of passes, and of barriers with their reasons
    WEIR_PLAN_DOT = 1,                   ///< drawing, for Graphviz
    WEIR_PLAN_JSON = 2,                  ///< JSON
    WEIR_PLAN_FORM_MAX_ENUM = 0x7FFFFFFF ///< not a format
} weir_plan_form;

/// Returns the plan of the program as text. The program owns the text; it is valid until the next call of this function
/// or the destruction of the program. Null on failure.
WEIR_C_API const char* weir_program_plan(weir_program* program, weir_plan_form form);

#ifdef __cplusplus
}
#endif

#endif
