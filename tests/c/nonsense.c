#include "trial.h"

#include <string.h>

/// Checks that the call fails with this code, and with a message that contains this text.
#define REFUSES(call, expected, text)                                                                                  \
    do {                                                                                                               \
        memset(&t->error, 0, sizeof t->error);                                                                         \
        REQUIRE((call) == (expected));                                                                                 \
        REQUIRE(t->error.code == (expected) && strstr(t->error.message, (text)) != NULL);                              \
    } while (0)
#define INVALID WEIR_ERROR_INVALID_ARGUMENT

static const weir_buffer_ref nothing;

/// Null arguments, and structs of wrong sizes.
void refuses_nonsense(trial* t) {
    uint32_t word = 0, devices = 1;
    weir_context* context = NULL;
    weir_graph* graph = NULL;
    weir_program* program = NULL;
    weir_buffer* buffer = NULL;
    weir_buffer_view range = {.buffer = VK_NULL_HANDLE};
    weir_device_properties device = {.size = sizeof device + 8};
    weir_context_options options = {.size = 3};
    weir_adopted_device adopted = {.size = sizeof adopted};
    weir_error* error = &t->error;
    REQUIRE(weir_abi_version() == WEIR_ABI_VERSION && weir_version()[0] == '0');
    REQUIRE(strcmp(weir_result_name(WEIR_ERROR_DEVICE_LOST), "device lost") == 0);
    REQUIRE(strcmp(weir_result_name((weir_result)99), "no result") == 0);
    REQUIRE(weir_type_size((weir_type)77) == 0 && weir_type_size((weir_type)0x203) == 0);

    REFUSES(weir_list_devices(NULL, NULL, error), INVALID, "weir_list_devices: the count is null");
    REFUSES(weir_context_create(NULL, NULL, error), INVALID, "null");
    REFUSES(weir_context_create(&options, &context, error), INVALID, "has size 3; its first member must be");
    options.size = sizeof options;
    options.log_level = (weir_log_level)9;
    REFUSES(weir_context_create(&options, &context, error), INVALID, "log level 9 does not exist");
    options.log_level = WEIR_LOG_ERROR;
    options.device = "a device that does not exist";
    REFUSES(weir_context_create(&options, &context, error), WEIR_ERROR_NO_DEVICE, "a device that does not exist");
    REFUSES(weir_context_adopt(NULL, &context, error), INVALID, "null");
    REFUSES(weir_context_adopt(&adopted, &context, error), INVALID, "get_instance_proc_addr");
    adopted.enabled_extension_count = 2;
    REFUSES(weir_context_adopt(&adopted, &context, error), INVALID, "null, but its count is 2");
    REFUSES(weir_enable_features(NULL, NULL, 0, NULL, NULL, error), INVALID, "null");
    REFUSES(weir_recommended_extensions(NULL, NULL, 0, NULL, NULL, &devices, error), INVALID, "null");
    REFUSES(weir_context_properties(t->context, &device, error), INVALID, "size");
    REFUSES(weir_context_properties(NULL, NULL, error), INVALID, "the context is null");
    REFUSES(weir_memory_budget(NULL, NULL, &devices, error), INVALID, "the context is null");
    REFUSES(weir_memory_budget(t->context, NULL, NULL, error), INVALID, "the count is null");
    REFUSES(weir_context_write_pipelines(NULL, t->pipelines, error), INVALID, "the context is null");
    REFUSES(weir_context_write_pipelines(t->context, NULL, error), INVALID, "the file is null");
    REFUSES(weir_compile_ahead(NULL, t->shaders, error), INVALID, "the graph is null");
    REQUIRE(context == NULL && weir_context_memory(NULL) == 0);

    REFUSES(weir_buffer_create(NULL, 4, WEIR_MEMORY_DEVICE, &buffer, error), INVALID, "the context is null");
    REFUSES(weir_buffer_create(t->context, 4, WEIR_MEMORY_DEVICE, NULL, error), INVALID, "null");
    REFUSES(weir_buffer_create(t->context, 0, WEIR_MEMORY_DEVICE, &buffer, error), INVALID, "at least 1 byte");
    REFUSES(weir_buffer_create(t->context, 4, (weir_memory_kind)7, &buffer, error), INVALID, "kind 7");
    REQUIRE(buffer == NULL && weir_buffer_mapped(NULL) == NULL && weir_buffer_range(NULL).size == 0);
    buffer = uploaded(t, &word, sizeof word);
    REFUSES(weir_upload(t->context, weir_buffer_range(buffer), &word, 8, error), INVALID, "only 4 bytes");
    REFUSES(weir_upload(t->context, weir_buffer_range(buffer), NULL, 4, error), INVALID, "the data is null");
    REFUSES(weir_upload(NULL, range, &word, 4, error), INVALID, "null");
    REFUSES(weir_download(t->context, &word, 4, range, error), INVALID, "null");
    REFUSES(weir_download(t->context, NULL, 4, weir_buffer_range(buffer), error), INVALID, "null");

    REFUSES(weir_graph_create(NULL, &graph, error), INVALID, "null");
    REFUSES(weir_graph_create(t->context, NULL, error), INVALID, "null");
    REFUSES(weir_graph_mistake(NULL, error), INVALID, "null");
    REFUSES(weir_compile(t->context, NULL, NULL, &program, error), INVALID, "the graph is null");
    REFUSES(weir_program_bind(NULL, nothing, range, error), INVALID, "the program is null");
    REFUSES(weir_program_bind_buffer(NULL, nothing, buffer, error), INVALID, "null");
    REFUSES(weir_program_set(NULL, weir_constant(1), 1, error), INVALID, "null");
    REFUSES(weir_program_record(NULL, NULL, error), INVALID, "null");
    REFUSES(weir_program_next_frame(NULL, error), INVALID, "null");
    REFUSES(weir_program_discard(NULL, error), INVALID, "null");
    REFUSES(weir_program_submit(NULL, NULL, error), INVALID, "null");
    REFUSES(weir_program_wait(NULL, error), INVALID, "null");
    REFUSES(weir_program_run(NULL, NULL, error), INVALID, "null");
    REFUSES(weir_program_view(NULL, nothing, &range, error), INVALID, "null");
    REQUIRE(weir_program_plan(NULL, WEIR_PLAN_TEXT) == NULL && weir_program_memory(NULL) == 0);
    REQUIRE(weir_program_commands_json(NULL, NULL, NULL) == WEIR_ERROR_INVALID_ARGUMENT);
    REQUIRE(weir_program_run(NULL, NULL, NULL) == INVALID); // the error may be null

    REQUIRE(weir_import(NULL, "x", WEIR_U32, 4, WEIR_ACCESS_ANY).id == 0);
    REQUIRE(weir_scan(NULL, nothing, NULL).id == 0 && weir_radix_sort(NULL, nothing, NULL).keys.id == 0);
    REQUIRE(weir_parameter(NULL, "n", 4).max == 0);
    weir_export(NULL, nothing, WEIR_ACCESS_ANY);
    weir_add_pass(NULL, NULL);
    weir_graph_at(NULL, NULL, 0);
    weir_graph_destroy(NULL);
    weir_program_destroy(NULL);
    weir_buffer_destroy(NULL);
    weir_context_destroy(NULL);
}

/// Arguments of functions that make a mistake.
typedef struct mistake {
    trial* t;
    weir_graph *graph, *other;
    weir_buffer_ref x, bytes, floats, foreign;
} mistake;

/// A struct with its size and other members.
#define SIZED(type, ...)                                                                                               \
    (type) {                                                                                                           \
        .size = sizeof(type), __VA_ARGS__                                                                              \
    }
/// Defines a function that makes one mistake by a call.
#define MISTAKE(name, ...)                                                                                             \
    static void name(mistake* m) {                                                                                     \
        __VA_ARGS__;                                                                                                   \
    }

MISTAKE(a_null_pass, weir_add_pass(m->graph, NULL))
MISTAKE(a_pass_of_another_size, weir_add_pass(m->graph, &(weir_pass){.size = 8}))
MISTAKE(a_pass_without_shader, weir_add_pass(m->graph, &(weir_pass){.size = sizeof(weir_pass)}))
MISTAKE(a_pass_of_5_bytes, weir_add_pass(m->graph, &SIZED(weir_pass, .spirv = m->t->spirv, .spirv_bytes = 5)))
MISTAKE(a_pass_without_its_bindings,
        weir_add_pass(m->graph, &(weir_pass){.size = sizeof(weir_pass), .glsl = "void main() {}", .binding_count = 3}))
MISTAKE(a_pass_without_dispatch,
        weir_add_pass(m->graph, &(weir_pass){.size = sizeof(weir_pass), .name = "idle", .glsl = "void main() {}"}))
MISTAKE(an_unknown_access, weir_export(m->graph, m->x, (weir_access)99))
MISTAKE(an_unknown_type, weir_import(m->graph, "y", (weir_type)77, 4, WEIR_ACCESS_ANY))
MISTAKE(no_capacity, weir_import(m->graph, NULL, WEIR_U32, 0, WEIR_ACCESS_ANY))
MISTAKE(an_unknown_count,
        weir_scan(m->graph, weir_with_count(m->x, (weir_count){(weir_count_kind)5, 1, 0, 0, 0, NULL}), NULL))
MISTAKE(a_foreign_buffer, weir_scan(m->graph, m->foreign, NULL))
static void a_forged_buffer(mistake* m) {
    weir_buffer_ref forged = m->x;
    forged.id = 1000;
    weir_scan(m->graph, forged, NULL);
}
static void a_forged_capacity(mistake* m) {
    weir_buffer_ref forged = m->x;
    forged.capacity = 1000;
    weir_scan(m->graph, forged, NULL);
}
MISTAKE(no_buffer, weir_scan(m->graph, nothing, NULL))
MISTAKE(bytes_in_a_scan, weir_scan(m->graph, m->bytes, NULL))
MISTAKE(an_unknown_operator, weir_scan(m->graph, m->x, &SIZED(weir_scan_options, .op = (weir_operator)42)))
MISTAKE(options_of_another_size, weir_scan(m->graph, m->x, &(weir_scan_options){.size = 1}))
MISTAKE(options_without_size, weir_reduce(m->graph, m->x, &(weir_reduce_options){.op = WEIR_MAX}))
MISTAKE(an_output_of_floats, weir_scan(m->graph, m->x, &SIZED(weir_scan_options, .output = m->floats)))
MISTAKE(flags_that_are_floats, weir_select_flagged(m->graph, m->x, m->floats, NULL))
MISTAKE(a_null_predicate, weir_select_if(m->graph, m->x, NULL, NULL))
MISTAKE(an_unknown_comparison,
        weir_select_if(m->graph, m->x, &SIZED(weir_predicate, .comparison = (weir_comparison)70), NULL))
MISTAKE(a_comparison_with_null, weir_select_if(m->graph, m->x, &SIZED(weir_predicate, .comparison = WEIR_LESS), NULL))
MISTAKE(null_segments, weir_segmented_sort(m->graph, m->x, NULL, NULL))
MISTAKE(unknown_segments,
        weir_segmented_sort(m->graph, m->x, &SIZED(weir_segments, .kind = (weir_segments_kind)11), NULL))
MISTAKE(local_indices_of_all, weir_radix_sort(m->graph, m->x, &SIZED(weir_sort_options, .local_indices = VK_TRUE)))
MISTAKE(a_top_k_with_local_indices,
        weir_top_k(m->graph, m->x, weir_constant(1), &SIZED(weir_top_k_options, .local_indices = VK_TRUE)))
MISTAKE(more_rows_than_fit,
        weir_segmented_sort(m->graph, m->x,
                            &SIZED(weir_segments, .kind = WEIR_SEGMENTS_ROWS, .rows = {.max = 3}, .length = 4), NULL))
MISTAKE(a_smaller_transient, weir_allow_smaller(m->graph, weir_transient(m->graph, "scratch", WEIR_U32, 4)))
MISTAKE(constant_variable_length,
        weir_segmented_sort(m->graph, m->x,
                            &SIZED(weir_segments, .kind = WEIR_SEGMENTS_ROWS, .variable_length = {.max = 5}), NULL))
MISTAKE(segments_without_size,
        weir_segmented_sort(m->graph, m->x, &(weir_segments){.kind = WEIR_SEGMENTS_LENGTH, .length = 4}, NULL))
MISTAKE(segments_of_another_size,
        weir_scan(m->graph, m->x,
                  &SIZED(weir_scan_options, .segments = &(weir_segments){.size = sizeof(weir_segments) + 8})))
MISTAKE(a_null_value, weir_fill(m->graph, m->x, NULL))
MISTAKE(a_null_expression, weir_transform(m->graph, m->x, WEIR_F32, NULL, nothing))
MISTAKE(an_unknown_operation, weir_set_operation(m->graph, (weir_set_operation_kind)4, m->x, m->x, NULL))
MISTAKE(a_null_order, weir_merge_sort(m->graph, m->x, NULL, NULL))
MISTAKE(fields_that_are_null,
        weir_scan(m->graph, m->x, &SIZED(weir_scan_options, .monoid = &SIZED(weir_monoid, .field_count = 2))))
MISTAKE(an_end_without_beginning, weir_end_only_if(m->graph))
MISTAKE(an_unknown_command,
        weir_write_arguments(m->graph, &(weir_indirect_command){.kind = (weir_indirect_kind)6}, 1, nothing, 0))
MISTAKE(unknown_bins, weir_histogram(m->graph, m->x, &SIZED(weir_bins, .kind = (weir_bins_kind)8), nothing))

/// A graph keeps its first mistake, and weir_compile reports it.
void refuses_mistakes_in_graphs(trial* t) {
    static const struct {
        void (*make)(mistake*);
        weir_result code;
        const char* text;
    } cases[] = {
        {a_null_pass, INVALID, "weir_add_pass: the pass is null"},
        {a_pass_of_another_size, INVALID, "size"},
        {a_pass_without_shader, INVALID, "either SPIR-V or GLSL"},
        {a_pass_of_5_bytes, INVALID, "5 bytes"},
        {a_pass_without_its_bindings, INVALID, "bindings is null, but its count is 3"},
        {a_pass_without_dispatch, WEIR_ERROR_INVALID_GRAPH, "pass 'idle' has no dispatch"},
        {an_unknown_access, INVALID, "weir_export: access 99 does not exist"},
        {an_unknown_type, INVALID, "a buffer cannot be of type 77, which does not exist"},
        {no_capacity, WEIR_ERROR_INVALID_GRAPH, "capacity of 0"},
        {an_unknown_count, INVALID, "kind 5"},
        {a_foreign_buffer, WEIR_ERROR_INVALID_GRAPH, "another graph"},
        {a_forged_buffer, WEIR_ERROR_INVALID_GRAPH, "another graph"},
        {a_forged_capacity, INVALID, "1000 elements of type u32; buffer 'x' has a capacity of 32 bytes"},
        {no_buffer, INVALID, "weir_scan: the input is null"},
        {bytes_in_a_scan, INVALID, "the input cannot be of type u8"},
        {an_unknown_operator, INVALID, "operator 42"},
        {options_of_another_size, INVALID, "has size 1"},
        {options_without_size, INVALID, "has size 0"},
        {an_output_of_floats, INVALID, "the output must have elements of type u32, not f32"},
        {flags_that_are_floats, INVALID, "the buffer of flags must have elements of type u32, not f32"},
        {a_null_predicate, INVALID, "the predicate is null"},
        {an_unknown_comparison, INVALID, "comparison 70"},
        {a_comparison_with_null, INVALID, "the number of the predicate is null"},
        {null_segments, INVALID, "segments is null"},
        {unknown_segments, INVALID, "kind 11"},
        {local_indices_of_all, INVALID, "the option local_indices is supported by weir_segmented_sort only"},
        {a_top_k_with_local_indices, INVALID, "the option local_indices is supported by weir_segmented_top_k only"},
        {more_rows_than_fit, INVALID, "rows"},
        {a_smaller_transient, WEIR_ERROR_INVALID_GRAPH, "allow_smaller: buffer 'scratch' is not an import"},
        {constant_variable_length, INVALID, "weir_segments::variable_length is the constant 5"},
        {segments_without_size, INVALID, "weir_segmented_sort: a struct has size 0"},
        {segments_of_another_size, INVALID, "weir_scan: a struct has size"},
        {a_null_value, INVALID, "the value is null"},
        {a_null_expression, INVALID, "the expression is null"},
        {an_unknown_operation, INVALID, "set operation 4"},
        {a_null_order, INVALID, "the order is null"},
        {fields_that_are_null, INVALID, "its count is 2"},
        {unknown_bins, INVALID, "kind 8"},
        {an_end_without_beginning, INVALID, "weir_end_only_if: no only_if scope is open"},
        {an_unknown_command, INVALID, "kind 6"},
    };
    weir_program* program = NULL;
    mistake m = {.t = t};
    size_t i;
    DONE(weir_graph_create(t->context, &m.other, &t->error));
    m.foreign = weir_import(m.other, "foreign", WEIR_U32, 8, WEIR_ACCESS_ANY);
    for (i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        DONE(weir_graph_create(t->context, &m.graph, &t->error));
        m.x = weir_import(m.graph, "x", WEIR_U32, 8, WEIR_ACCESS_ANY);
        m.bytes = weir_import(m.graph, "bytes", WEIR_U8, 8, WEIR_ACCESS_ANY);
        m.floats = weir_import(m.graph, "floats", WEIR_F32, 8, WEIR_ACCESS_ANY);
        weir_export(m.graph, weir_scan(m.graph, m.x, NULL), WEIR_ACCESS_ANY);
        DONE(weir_graph_mistake(m.graph, &t->error));
        weir_graph_at(m.graph, "folder/there.c", 12);
        cases[i].make(&m);
        weir_graph_at(m.graph, NULL, 0);
        no_buffer(&m); // a second mistake is not reported
        REFUSES(weir_compile(t->context, m.graph, NULL, &program, &t->error), cases[i].code, cases[i].text);
        REQUIRE(strstr(t->error.message, " (there.c:12)") != NULL && strstr(t->error.message, ".hpp") == NULL);
        REFUSES(weir_graph_mistake(m.graph, &t->error), cases[i].code, cases[i].text);
        REQUIRE(program == NULL);
        weir_graph_destroy(m.graph);
    }
    // Without weir_graph_at, messages name no source location, not even one in Weir.
    DONE(weir_graph_create(t->context, &m.graph, &t->error));
    m.x = weir_import(m.graph, "x", WEIR_U32, 8, WEIR_ACCESS_ANY);
    weir_scan(m.graph, weir_transient(m.graph, "y", WEIR_U32, 0), NULL);
    REFUSES(weir_graph_mistake(m.graph, &t->error), WEIR_ERROR_INVALID_GRAPH, "capacity of 0");
    REQUIRE(strchr(t->error.message, '(') == NULL);
    weir_graph_destroy(m.graph);
    weir_graph_destroy(m.other);
}

/// A message that does not fit into weir_error is cut between two characters.
void cuts_long_messages(trial* t) {
    static char name[5002];
    size_t i, begin;
    for (begin = 0; begin < 2; ++begin) {
        weir_graph* graph;
        memset(name, 'a', begin);
        for (i = begin; i + 1 < sizeof name - 1; i += 2) {
            memcpy(name + i, "\xC3\xA9", 2); // e with an accent
        }
        name[i] = '\0';
        DONE(weir_graph_create(t->context, &graph, &t->error));
        weir_import(graph, name, WEIR_U32, 0, WEIR_ACCESS_ANY);
        REFUSES(weir_graph_mistake(graph, &t->error), WEIR_ERROR_INVALID_GRAPH, "buffer '");
        const size_t length = strlen(t->error.message);
        REQUIRE(length + 2 >= sizeof t->error.message - 1 && length < sizeof t->error.message);
        REQUIRE(strcmp(t->error.message + length - 5, "\xC3\xA9...") == 0);
        weir_graph_destroy(graph);
    }
}

/// Without host memory, no exception leaves the C interface, and weir_compile returns the error.
void runs_out_of_memory(trial* t) {
    const size_t sizes[2] = {(size_t)1 << 62, ~(size_t)3};
    weir_program* program = NULL;
    size_t i;
    for (i = 0; t->can_run_out && i < 2; ++i) {
        weir_graph* graph;
        DONE(weir_graph_create(t->context, &graph, &t->error));
        weir_add_pass(graph, &(weir_pass){.size = sizeof(weir_pass), .spirv = t->spirv, .spirv_bytes = sizes[i]});
        REFUSES(weir_compile(t->context, graph, NULL, &program, &t->error), WEIR_ERROR_OUT_OF_MEMORY,
                "out of host memory");
        weir_graph_destroy(graph);
    }
}
