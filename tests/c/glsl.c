#include "trial.h"

#include <string.h>

enum { size = 6 };

/// Expressions, a monoid, a comparator and fused passes in GLSL, with values and buffers of the application.
void compiles_glsl(trial* t) {
    static const uint32_t numbers[size] = {13, 2, 27, 4, 35, 6}, more[size] = {100, 200, 300, 400, 500, 600};
    uint32_t got[2 * size], i, value;
    weir_graph* graph;
    weir_program* program;
    DONE(weir_graph_create(t->context, &graph, &t->error));
    const weir_buffer_ref x = weir_import(graph, "x", WEIR_U32, size, WEIR_ACCESS_ANY);
    const weir_buffer_ref y = weir_import(graph, "y", WEIR_U32, size, WEIR_ACCESS_ANY);
    const weir_count limit = weir_parameter(graph, "limit", 1000);

    const weir_named_buffer others = {.declaration = "uint others[]",
                                      .binding = {.buffer = y, .access = WEIR_ACCESS_SHADER_READ}};
    const weir_named_value values[2] = {{.name = "half_step", .type = WEIR_F32, .value = {.max = 0x3F000000}},
                                        {.name = "limit", .type = WEIR_U32, .value = limit}};
    const weir_expression sum = {.size = sizeof sum,
                                 .text = "twice(x) * half_step + float(others[i])",
                                 .functions = "float twice(uint x) { return float(2u * x); }",
                                 .buffers = &others,
                                 .buffer_count = 1,
                                 .values = values,
                                 .value_count = 1};
    const weir_buffer_ref sums = weir_transform(graph, x, WEIR_F32, &sum, (weir_buffer_ref){0});
    const weir_expression is_odd = {
        .size = sizeof is_odd, .text = "x % 2u == 1u && x < limit", .values = &values[1], .value_count = 1};
    const weir_predicate predicate = {.size = sizeof predicate, .expression = &is_odd};
    const weir_select_result odd = weir_select_if(graph, x, &predicate, NULL);
    const weir_comparator by_digit = {.size = sizeof by_digit, .expression = "a % 10u < b % 10u"};
    const weir_merge_sort_options with_indices = {.size = sizeof with_indices, .want_indices = VK_TRUE};
    const weir_sort_result sorted = weir_merge_sort(graph, x, &by_digit, &with_indices);
    // Affine maps 1 x + a, then 2 x + b and so on.
    static const char* const fields[2] = {"uint a", "uint b"};
    const weir_monoid affine = {.size = sizeof affine,
                                .name = "affine",
                                .fields = fields,
                                .field_count = 2,
                                .identity = "T(1u, 0u)",
                                .combine = "return T(right.a * left.a, right.a * left.b + right.b);",
                                .exact = VK_TRUE};
    const weir_reduce_options composition = {.size = sizeof composition, .monoid = &affine};
    const weir_buffer_ref maps = weir_import(graph, "maps", WEIR_WORDS_2, size / 2, WEIR_ACCESS_ANY);
    const weir_buffer_ref composed = weir_reduce(graph, maps, &composition);
    // The dot product, and running sums of values that are computed as they are loaded.
    const weir_named_buffer both[2] = {
        {.declaration = "uint a[]", .binding = {.buffer = x, .access = WEIR_ACCESS_SHADER_READ}},
        {.declaration = "uint b[]", .binding = {.buffer = y, .access = WEIR_ACCESS_SHADER_READ}}};
    const weir_fused_reduce dot = {.size = sizeof dot,
                                   .type = WEIR_U32,
                                   .count = {.max = size},
                                   .buffers = both,
                                   .buffer_count = 2,
                                   .load = "return a[i] * b[i];"};
    const weir_buffer_ref product = weir_add_fused_reduce(graph, &dot);
    const weir_buffer_ref running = weir_transient(graph, "running", WEIR_U32, size);
    static const char* const one_field[1] = {"uint value"};
    const uint32_t thousand = 1000;
    const weir_monoid add = {.size = sizeof add,
                             .name = "add",
                             .fields = one_field,
                             .field_count = 1,
                             .identity = "T(0u)",
                             .combine = "return T(left.value + right.value);",
                             .exact = VK_TRUE};
    const weir_named_buffer in_and_out[2] = {
        {.declaration = "uint a[]", .binding = {.buffer = x, .access = WEIR_ACCESS_SHADER_READ}},
        {.declaration = "uint result[]", .binding = {.buffer = running, .access = WEIR_ACCESS_SHADER_WRITE}}};
    const weir_fused_scan running_sums = {.size = sizeof running_sums,
                                          .monoid = &add,
                                          .count = {.max = size},
                                          .buffers = in_and_out,
                                          .buffer_count = 2,
                                          .load = "return T(2u * a[i]);",
                                          .store = "result[i] = exclusive.value;",
                                          .initial = &thousand,
                                          .words = 1};
    weir_add_fused_scan(graph, &running_sums);
    weir_export(graph, product, WEIR_ACCESS_ANY);
    weir_export(graph, running, WEIR_ACCESS_ANY);
    weir_export(graph, sums, WEIR_ACCESS_ANY);
    weir_export(graph, odd.items, WEIR_ACCESS_ANY);
    weir_export(graph, sorted.values, WEIR_ACCESS_ANY);
    weir_export(graph, composed, WEIR_ACCESS_ANY);
    DONE(weir_compile(t->context, graph, NULL, &program, &t->error));
    weir_graph_destroy(graph);

    DONE(weir_program_bind_buffer(program, x, uploaded(t, numbers, sizeof numbers), &t->error));
    DONE(weir_program_bind_buffer(program, y, uploaded(t, more, sizeof more), &t->error));
    DONE(weir_program_bind_buffer(program, maps, uploaded(t, numbers, sizeof numbers), &t->error));
    DONE(weir_program_set(program, limit, 30, &t->error));
    DONE(weir_program_run(program, NULL, &t->error));
    REQUIRE(downloaded(t, program, sums, got, size * 4));
    for (i = 0; i < size; ++i) {
        float found;
        memcpy(&found, &got[i], 4);
        REQUIRE(found == (float)(numbers[i] + more[i]));
    }
    REQUIRE(downloaded(t, program, odd.items, got, 8));
    REQUIRE(got[0] == 13 && got[1] == 27); // 35 is above the limit
    REQUIRE(downloaded(t, program, sorted.values, got, size * 4));
    static const uint32_t order[size] = {1, 0, 3, 4, 5, 2};
    REQUIRE(memcmp(got, order, sizeof order) == 0);
    REQUIRE(downloaded(t, program, composed, got, 8));
    REQUIRE(got[0] == 13 * 27 * 35 && got[1] == (2 * 27 + 4) * 35 + 6);
    REQUIRE(downloaded(t, program, product, got, 4));
    REQUIRE(got[0] == 1300 + 400 + 8100 + 1600 + 17500 + 3600);
    REQUIRE(downloaded(t, program, running, got, size * 4));
    for (i = 0, value = thousand; i < size; ++i) {
        REQUIRE(got[i] == value);
        value += 2 * numbers[i];
    }
    weir_program_destroy(program);
}

/// Messages of the compiler name the expression and its line.
void reports_errors_in_glsl(trial* t) {
    weir_graph* graph;
    weir_program* program = NULL;
    DONE(weir_graph_create(t->context, &graph, &t->error));
    const weir_expression expression = {.size = sizeof expression, .text = "x +\nnobody", .name = "mine"};
    const weir_buffer_ref x = weir_import(graph, "x", WEIR_U32, size, WEIR_ACCESS_ANY);
    weir_export(graph, weir_transform(graph, x, WEIR_U32, &expression, (weir_buffer_ref){0}), WEIR_ACCESS_ANY);
    REQUIRE(weir_compile(t->context, graph, NULL, &program, &t->error) == WEIR_ERROR_SHADER_COMPILATION);
    REQUIRE(strstr(t->error.message, "mine:2") != NULL && program == NULL);
    weir_graph_destroy(graph);
}
