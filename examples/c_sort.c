#include <stdio.h>
#include <string.h>

#include <weir.h>

// Finds the indices of the depths below 100, nearest first.
int main(void) {
    static const uint32_t depths[6] = {7, 400, 3, 9, 100, 1}, expected[4] = {5, 2, 0, 3}, limit = 100;
    uint32_t order[4];
    weir_context* gpu = NULL;
    weir_graph* graph = NULL;
    weir_program* program = NULL;
    weir_buffer* memory = NULL;
    weir_buffer_view sorted;
    weir_error error;
    if (weir_context_create(NULL, &gpu, &error) || weir_graph_create(gpu, &graph, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    // [graph]
    // Building never fails: weir_compile returns the first mistake.
    weir_buffer_ref input = weir_import(graph, "depths", WEIR_U32, 6, WEIR_ACCESS_ANY);
    weir_predicate is_near = {.size = sizeof is_near, .comparison = WEIR_LESS, .number = &limit};
    weir_select_options select = {.size = sizeof select, .want_indices = VK_TRUE};
    weir_select_result visible = weir_select_if(graph, input, &is_near, &select);
    weir_sort_options sort = {.size = sizeof sort, .values = visible.indices};
    weir_buffer_ref nearest = weir_radix_sort(graph, visible.items, &sort).values; // visible.count elements
    weir_export(graph, nearest, WEIR_ACCESS_ANY);
    // [/graph]
    // [run]
    if (weir_compile(gpu, graph, NULL, &program, &error) || // once
        weir_buffer_create(gpu, sizeof depths, WEIR_MEMORY_DEVICE, &memory, &error) ||
        weir_upload(gpu, weir_buffer_range(memory), depths, sizeof depths, &error) ||
        weir_program_bind_buffer(program, input, memory, &error) || // each frame
        weir_program_run(program, NULL, &error) ||                  // or weir_program_record(program, commands, &error)
        weir_program_view(program, nearest, &sorted, &error) ||
        weir_download(gpu, order, sizeof order, sorted, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    // [/run]
    weir_buffer_destroy(memory);
    weir_program_destroy(program);
    weir_graph_destroy(graph);
    weir_context_destroy(gpu);
    return memcmp(order, expected, sizeof order) == 0 ? 0 : 1;
}
