#ifndef WEIR_TESTS_C_TRIAL_H
#define WEIR_TESTS_C_TRIAL_H

#include <weir.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Arguments and result of a test in C.
typedef struct trial {
    weir_context* context;
    const uint32_t* spirv; ///< SPIR-V of multiply.comp
    size_t spirv_bytes;
    weir_validation_function on_validation;
    int loads_layers;      ///< instances load the validation layer
    int can_run_out;       ///< operator new throws if memory is short
    const char* shaders;   ///< name of a file of shaders that does not exist yet
    const char* pipelines; ///< name of a file of pipelines that does not exist yet
    weir_error error;      ///< error of the last call that failed
    char failure[5000];    ///< empty: the test has passed
    weir_buffer* kept[16]; ///< freed at the end of the test
    uint32_t kept_count;
} trial;

void fail(trial* t, const char* file, int line, const char* what);

/// Ends the test with a failure if the condition is false.
#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fail(t, __FILE__, __LINE__, #condition);                                                                   \
            return;                                                                                                    \
        }                                                                                                              \
    } while (0)
/// Ends the test with a failure if the call returns an error. Its last argument must be &t->error.
#define DONE(call) REQUIRE((call) == WEIR_SUCCESS)

/// Returns a new buffer with these bytes, which is freed at the end of the test. Records a failure if a call fails.
weir_buffer* uploaded(trial* t, const void* data, size_t bytes);
/// Downloads the contents of an export. Returns 0 and records a failure if a call fails.
int downloaded(trial* t, const weir_program* program, weir_buffer_ref buffer, void* data, size_t bytes);
void free_kept(trial* t);

void sorts_scans_and_selects(trial* t);
void runs_a_pass_in_spirv(trial* t);
void runs_frames(trial* t);
void takes_allocation_callbacks(trial* t);
void compacts(trial* t);
void sorts(trial* t);
void searches(trial* t);
void combines(trial* t);
void moves(trial* t);
void compiles_glsl(trial* t);
void reports_errors_in_glsl(trial* t);
void runs_with_files_alone(trial* t);
void takes_all_types(trial* t);
void takes_all_accesses(trial* t);
void adopts_a_device(trial* t);
void refuses_nonsense(trial* t);
void refuses_mistakes_in_graphs(trial* t);
void cuts_long_messages(trial* t);
void runs_out_of_memory(trial* t);

#ifdef __cplusplus
}
#endif

#endif
