#ifndef WEIR_C_CALL_H
#define WEIR_C_CALL_H

/// @file
/// Operations that are recorded with the buffers and the number of elements of the moment, in C. See docs/calls.md.

#include <weir/c/graph.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A compiled operation. A call must be used by one thread at a time.
typedef struct weir_call weir_call;
/// Declares the buffers of a call. It exists during weir_call_create.
typedef struct weir_call_builder weir_call_builder;

/// Options of weir_call_create.
typedef struct weir_call_options {
    size_t size;                   ///< size of this struct
    uint32_t max_count;            ///< maximum number of elements of a recording, at least 1
    uint32_t max_pending;          ///< maximum number of recordings that may be pending on the GPU; 0: 16
    VkBool32 count_on_gpu;         ///< the number of elements is a word of a buffer
    VkBool32 application_barriers; ///< the application adds the barriers for the bound buffers
    const char* name;              ///< name in errors and debuggers; null: "call"
} weir_call_options;

/// Declares the buffers of a call and adds its passes to weir_call_graph. It must return. `data` is that of
/// weir_call_create.
typedef void (*weir_build_call)(weir_call_builder* builder, void* data);

/// Returns the graph of a call, to which primitives and passes are added. It is valid until the function that builds
/// the call returns, and must not be destroyed. Null for null.
WEIR_C_API weir_graph* weir_call_graph(weir_call_builder* builder);
/// Adds a buffer of the application with one element of `type` per element of a recording. Its count is that of the
/// recording.
WEIR_C_API weir_buffer_ref weir_call_per_element(weir_call_builder* builder, const char* name, weir_type type);
/// Adds a buffer of the application with `capacity` elements of `type`.
WEIR_C_API weir_buffer_ref weir_call_fixed(weir_call_builder* builder, const char* name, weir_type type,
                                           uint32_t capacity);

/// Returns the number of elements of a recording, for example the rows of WEIR_SEGMENTS_ROWS. Zeros for null.
WEIR_C_API weir_count weir_call_count(const weir_call_builder* builder);

/// Calls `build` and compiles its graph. Errors: those of weir_compile; `invalid_argument` for a max_count of 0.
WEIR_C_API weir_result weir_call_create(weir_context* context, const weir_call_options* options, weir_build_call build,
                                        void* data, weir_call** call, weir_error* error);
/// Frees a call. No recording may be pending. Null does nothing.
WEIR_C_API void weir_call_destroy(weir_call* call);

/// Records the operation for `count` elements into a command buffer, outside a render pass. `buffers` are the
/// `buffer_count` buffers that the call has declared, in the same order. They must have room for `count` elements, in
/// whole 32-bit words, and for at least one element. Does not allocate, submit or wait. Errors: `invalid_argument`,
/// with the name of the buffer; those of weir_program_record.
WEIR_C_API weir_result weir_call_record(weir_call* call, VkCommandBuffer commands, uint32_t count,
                                        const weir_buffer_view* buffers, uint32_t buffer_count, weir_error* error);
/// Records the operation for the number of elements in the first word of `count`, for a call with count_on_gpu. All
/// buffers must have room for max_count elements. Errors: those of weir_call_record.
WEIR_C_API weir_result weir_call_record_counted(weir_call* call, VkCommandBuffer commands, weir_buffer_view count,
                                                const weir_buffer_view* buffers, uint32_t buffer_count,
                                                weir_error* error);

#ifdef __cplusplus
}
#endif

#endif
