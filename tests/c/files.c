#include "trial.h"

#include <string.h>

enum { size = 100 };

/// Creates a context that uses only the files `shaders` and `pipelines`. Both may be null.
static weir_context* of_files(trial* t, const char* shaders, const char* pipelines) {
    weir_context* context = NULL;
    const weir_context_options options = {.size = sizeof options,
                                          .validation = t->loads_layers ? VK_TRUE : VK_FALSE,
                                          .on_validation = t->on_validation,
                                          .cache_directory = "none",
                                          .shader_file = shaders,
                                          .pipeline_file = pipelines,
                                          .no_glsl = VK_TRUE};
    weir_context_create(&options, &context, &t->error);
    return context;
}

static weir_graph* squares(trial* t, weir_context* context, weir_buffer_ref* out) {
    weir_graph* graph = NULL;
    if (weir_graph_create(context, &graph, &t->error) == WEIR_SUCCESS) {
        const weir_expression square = {.size = sizeof square, .text = "x * x"};
        const weir_buffer_ref numbers = weir_transient(graph, "numbers", WEIR_U32, size);
        *out = weir_transform(graph, weir_iota(graph, numbers, NULL, NULL), WEIR_U32, &square, (weir_buffer_ref){0});
        weir_export(graph, *out, WEIR_ACCESS_ANY);
    }
    return graph;
}

/// Runs a program with files of shaders and pipelines. Without them, compiling is an error.
void runs_with_files_alone(trial* t) {
    weir_buffer_ref out;
    weir_program* program = NULL;
    weir_context* context;
    weir_graph* graph = squares(t, t->context, &out);
    // `name` was appended to the options later. Older applications have a smaller struct.
    weir_compile_options options = {.size = offsetof(weir_compile_options, name), .name = "not read"};
    uint32_t got[size], i;
    REQUIRE(graph != NULL);
    DONE(weir_compile_ahead(graph, t->shaders, &t->error));
    DONE(weir_compile(t->context, graph, &options, &program, &t->error));
    DONE(weir_context_write_pipelines(t->context, t->pipelines, &t->error));
    weir_program_destroy(program);
    weir_graph_destroy(graph);

    context = of_files(t, t->shaders, t->pipelines);
    REQUIRE(context != NULL);
    graph = squares(t, context, &out);
    REQUIRE(graph != NULL);
    options = (weir_compile_options){.size = sizeof options, .name = "squares"};
    DONE(weir_compile(context, graph, &options, &program, &t->error));
    DONE(weir_program_run(program, NULL, &t->error));
    {
        weir_buffer_view range;
        DONE(weir_program_view(program, out, &range, &t->error));
        DONE(weir_download(context, got, sizeof got, range, &t->error));
    }
    for (i = 0; i < size; ++i) {
        REQUIRE(got[i] == i * i);
    }
    weir_program_destroy(program);
    weir_graph_destroy(graph);
    weir_context_destroy(context);

    context = of_files(t, NULL, NULL);
    REQUIRE(context != NULL);
    graph = squares(t, context, &out);
    REQUIRE(weir_compile(context, graph, NULL, &program, &t->error) == WEIR_ERROR_UNSUPPORTED);
    REQUIRE(strstr(t->error.message, "transform") != NULL);
    weir_graph_destroy(graph);
    weir_context_destroy(context);
}
