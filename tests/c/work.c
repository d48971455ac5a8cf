#include "trial.h"

#include <stdlib.h>
#include <string.h>

enum { count = 1000 };

static uint32_t random_word(uint32_t* state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

typedef struct keyed {
    uint32_t key, index;
} keyed;

static int greatest_first(const void* left, const void* right) {
    const keyed *a = left, *b = right;
    if (a->key != b->key) {
        return a->key > b->key ? -1 : 1;
    }
    return a->index < b->index ? -1 : 1;
}

/// Checks the results for the first `used` numbers.
static void check_selection(trial* t, const uint32_t* numbers, uint32_t used, uint32_t limit, const uint32_t* sums,
                            const uint32_t* keys, const uint32_t* indices, uint32_t chosen) {
    keyed expected[count];
    uint32_t sum = 7, n = 0, i;
    for (i = 0; i < used; ++i) {
        REQUIRE(sums[i] == sum);
        sum += numbers[i];
        if (numbers[i] < limit) {
            expected[n].key = numbers[i];
            expected[n++].index = i;
        }
    }
    qsort(expected, n, sizeof expected[0], greatest_first);
    REQUIRE(chosen == n && n > 0);
    for (i = 0; i < n; ++i) {
        REQUIRE(keys[i] == expected[i].key);
        REQUIRE(indices[i] == expected[i].index);
    }
}

/// A count that the host sets, a count that stays on the GPU, and four primitives.
void sorts_scans_and_selects(trial* t) {
    uint32_t numbers[count], sums[count], keys[count], indices[count], chosen_count, total, state = 1, i, run;
    const uint32_t limit = 600, initial = 7;
    weir_graph* graph;
    weir_program* program;
    for (i = 0; i < count; ++i) {
        numbers[i] = random_word(&state) % 1000;
    }
    DONE(weir_graph_create(t->context, &graph, &t->error));
    const weir_buffer_ref input = weir_import(graph, "numbers", WEIR_U32, count, WEIR_ACCESS_ANY);
    weir_allow_smaller(graph, input);
    const weir_count how_many = weir_parameter(graph, "how many", count);
    const weir_buffer_ref some = weir_with_count(input, how_many);
    const weir_scan_options exclusive = {.size = sizeof exclusive, .exclusive = VK_TRUE, .initial = &initial};
    const weir_buffer_ref scanned = weir_scan(graph, some, &exclusive);
    const weir_predicate below = {.size = sizeof below, .comparison = WEIR_LESS, .number = &limit};
    const weir_select_options with_indices = {.size = sizeof with_indices, .want_indices = VK_TRUE};
    const weir_select_result chosen = weir_select_if(graph, some, &below, &with_indices);
    const weir_sort_options by_key = {.size = sizeof by_key, .values = chosen.indices, .descending = VK_TRUE};
    const weir_sort_result sorted = weir_radix_sort(graph, chosen.items, &by_key);
    const weir_reduce_options largest = {.size = sizeof largest, .op = WEIR_MAX};
    const weir_buffer_ref reduced = weir_reduce(graph, some, &largest);
    weir_export(graph, scanned, WEIR_ACCESS_ANY);
    weir_export(graph, sorted.keys, WEIR_ACCESS_ANY);
    weir_export(graph, sorted.values, WEIR_ACCESS_ANY);
    weir_export(graph, chosen.count, WEIR_ACCESS_ANY);
    weir_export(graph, reduced, WEIR_ACCESS_ANY);
    DONE(weir_compile(t->context, graph, NULL, &program, &t->error));
    weir_graph_destroy(graph);
    DONE(weir_program_bind_buffer(program, input, uploaded(t, numbers, sizeof numbers), &t->error));
    for (run = 0; run < 2; ++run) {
        const uint32_t used = run == 0 ? count : 383;
        uint32_t max = 0;
        DONE(weir_program_set(program, how_many, used, &t->error));
        DONE(weir_program_run(program, NULL, &t->error));
        REQUIRE(downloaded(t, program, scanned, sums, sizeof sums));
        REQUIRE(downloaded(t, program, sorted.keys, keys, sizeof keys));
        REQUIRE(downloaded(t, program, sorted.values, indices, sizeof indices));
        REQUIRE(downloaded(t, program, chosen.count, &chosen_count, sizeof chosen_count));
        REQUIRE(downloaded(t, program, reduced, &total, sizeof total));
        check_selection(t, numbers, used, limit, sums, keys, indices, chosen_count);
        for (i = 0; i < used; ++i) {
            max = numbers[i] > max ? numbers[i] : max;
        }
        REQUIRE(total == max);
    }
    // The application binds less than the capacity.
    DONE(weir_program_set(program, how_many, 100, &t->error));
    DONE(weir_program_bind_buffer(program, input, uploaded(t, numbers, 400), &t->error));
    DONE(weir_program_run(program, NULL, &t->error));
    REQUIRE(downloaded(t, program, scanned, sums, 400));
    REQUIRE(sums[0] == 7 && sums[99] == sums[98] + numbers[98]);
    weir_program_destroy(program);
}

/// A pass of the host with bindings, push constants, a specialization constant and a dispatch by a count on the GPU.
void runs_a_pass_in_spirv(trial* t) {
    uint32_t numbers[count], products[count], i;
    const uint32_t offset = 5, used = 700;
    weir_graph* graph;
    weir_program* program;
    for (i = 0; i < count; ++i) {
        numbers[i] = i;
    }
    DONE(weir_graph_create(t->context, &graph, &t->error));
    const weir_buffer_ref input = weir_import(graph, "numbers", WEIR_U32, count, WEIR_ACCESS_TRANSFER_WRITE);
    const weir_buffer_ref size = weir_import(graph, "size", WEIR_U32, 1, WEIR_ACCESS_ANY);
    const weir_buffer_ref output = weir_transient(graph, "products", WEIR_U32, count);
    const weir_count factor = weir_parameter(graph, "factor", 1000);
    const weir_binding bindings[2] = {{.buffer = input, .access = WEIR_ACCESS_SHADER_READ},
                                      {.buffer = output, .access = WEIR_ACCESS_SHADER_WRITE}};
    const weir_count push[2] = {weir_constant(used), factor};
    weir_add_fill(graph, "zeros", output, 0);
    const weir_pass pass = {
        .size = sizeof pass,
        .name = "multiply",
        .spirv = t->spirv,
        .spirv_bytes = t->spirv_bytes,
        .bindings = bindings,
        .binding_count = 2,
        .push = push,
        .push_count = 2,
        .constants = &offset,
        .constant_count = 1,
        .dispatch = {.kind = WEIR_DISPATCH_ELEMENTS, .count = weir_count_in(graph, size, 0, count), .per_group = 64}};
    weir_add_pass(graph, &pass);
    weir_export(graph, output, WEIR_ACCESS_TRANSFER_READ);
    DONE(weir_compile(t->context, graph, NULL, &program, &t->error));
    weir_graph_destroy(graph);
    DONE(weir_program_bind_buffer(program, input, uploaded(t, numbers, sizeof numbers), &t->error));
    DONE(weir_program_bind_buffer(program, size, uploaded(t, &used, sizeof used), &t->error));
    DONE(weir_program_set(program, factor, 3, &t->error));
    DONE(weir_program_run(program, NULL, &t->error));
    REQUIRE(downloaded(t, program, output, products, sizeof products));
    for (i = 0; i < count; ++i) {
        REQUIRE(products[i] == (i < used ? i * 3 + offset : 0));
    }
    weir_program_destroy(program);
}

/// Submissions of frames, waits, mapped memory, and queries of devices, contexts and programs.
void runs_frames(trial* t) {
    uint32_t sum = 0, devices = 0, frame, state[4];
    double gpu_ms = -2;
    weir_graph* graph;
    weir_program* program;
    weir_buffer* numbers;
    weir_device_properties device = {.size = sizeof device};
    weir_device_info info;
    weir_memory_heap heaps[16];
    uint32_t heap_count = 16;
    DONE(weir_memory_budget(t->context, heaps, &heap_count, &t->error));
    REQUIRE(heap_count > 0 && heaps[0].size >= heaps[0].weir && heaps[0].budget > 0);
    DONE(weir_context_properties(t->context, &device, &t->error));
    REQUIRE(device.device != NULL && device.queue != NULL && device.name[0] != '\0' && device.subgroup_size >= 1);
    DONE(weir_list_devices(NULL, &devices, &t->error));
    REQUIRE(devices >= 1);
    devices = 1;
    DONE(weir_list_devices(&info, &devices, &t->error));
    REQUIRE(devices == 1 && info.index == 0 && info.name[0] != '\0');

    DONE(weir_graph_create(t->context, &graph, &t->error));
    const weir_buffer_ref input = weir_import(graph, "numbers", WEIR_U32, 100, WEIR_ACCESS_HOST_WRITE);
    const weir_buffer_ref kept = weir_state(graph, "kept", WEIR_U32, 4);
    const weir_scan_options in_place = {.size = sizeof in_place, .output = input};
    const weir_buffer_ref before = weir_transient(graph, "before", WEIR_U32, 4);
    weir_add_copy(graph, "what was kept", kept, before, 16);
    weir_add_copy(graph, "keep", weir_scan(graph, input, &in_place), kept, 16);
    weir_export_per_frame(graph, before, WEIR_ACCESS_ANY);
    weir_export(graph, input, WEIR_ACCESS_HOST_READ);
    const weir_compile_options two_frames = {.size = sizeof two_frames, .frames_in_flight = 2};
    DONE(weir_compile(t->context, graph, &two_frames, &program, &t->error));
    weir_graph_destroy(graph);
    REQUIRE(strstr(weir_program_plan(program, WEIR_PLAN_TEXT), "scan") != NULL);
    REQUIRE(strncmp(weir_program_plan(program, WEIR_PLAN_DOT), "digraph", 7) == 0);
    REQUIRE(weir_program_plan(program, WEIR_PLAN_JSON)[0] == '{');
    const char* commands = NULL;
    DONE(weir_program_commands_json(program, &commands, &t->error));
    REQUIRE(commands[0] == '{' && strstr(commands, "\"dispatch\"") != NULL);

    DONE(weir_buffer_create(t->context, 400, WEIR_MEMORY_UPLOAD, &numbers, &t->error));
    t->kept[t->kept_count++] = numbers;
    uint32_t* mapped = weir_buffer_mapped(numbers);
    REQUIRE(mapped != NULL);
    for (frame = 0; frame < 100; ++frame) {
        mapped[frame] = 1;
    }
    DONE(weir_program_bind_buffer(program, input, numbers, &t->error));
    for (frame = 0; frame < 3; ++frame) { // scans of scans
        DONE(weir_program_next_frame(program, &t->error));
        DONE(weir_program_submit(program, NULL, &t->error));
    }
    DONE(weir_program_wait(program, &t->error));
    for (frame = 1; frame <= 100; ++frame) {
        sum += frame * (frame + 1) / 2; // result of three scans of ones
        REQUIRE(mapped[frame - 1] == sum);
    }
    REQUIRE(downloaded(t, program, before, state, sizeof state)); // state of the second frame
    REQUIRE(state[0] == 1 && state[1] == 3 && state[2] == 6 && state[3] == 10);
    DONE(weir_program_run(program, &gpu_ms, &t->error));
    REQUIRE(gpu_ms >= 0 || gpu_ms == -1);
    REQUIRE(weir_program_memory(program) > 0 && weir_context_memory(t->context) >= weir_program_memory(program));
    weir_program_destroy(program);
}

/// Header before each block that Vulkan receives.
typedef struct block {
    size_t size;
    void* start; ///< address that malloc returned
} block;

static void* VKAPI_CALL allocate(void* counters, size_t size, size_t alignment, VkSystemAllocationScope scope) {
    char* start = malloc(size + alignment + sizeof(block));
    (void)scope;
    if (start == NULL) {
        return NULL;
    }
    uintptr_t at = (uintptr_t)(start + sizeof(block));
    at += (alignment - at % alignment) % alignment;
    const block before = {size, start};
    memcpy((char*)at - sizeof before, &before, sizeof before);
    ++((uint32_t*)counters)[0];
    return (void*)at;
}

static void VKAPI_CALL release(void* counters, void* memory) {
    if (memory != NULL) {
        block before;
        memcpy(&before, (char*)memory - sizeof before, sizeof before);
        free(before.start);
        ++((uint32_t*)counters)[1];
    }
}

static void* VKAPI_CALL reallocate(void* counters, void* memory, size_t size, size_t alignment,
                                   VkSystemAllocationScope scope) {
    void* moved = size == 0 ? NULL : allocate(counters, size, alignment, scope);
    if (moved != NULL && memory != NULL) {
        block before;
        memcpy(&before, (char*)memory - sizeof before, sizeof before);
        memcpy(moved, memory, before.size < size ? before.size : size);
    }
    if (moved != NULL || size == 0) {
        release(counters, memory);
    }
    return moved;
}

/// Creates a context with allocation callbacks. All blocks must be freed when it is destroyed.
void takes_allocation_callbacks(trial* t) {
    static uint32_t counters[2]; // allocations, frees; static, because a driver may keep a block until the process ends
    const VkAllocationCallbacks callbacks = {
        .pUserData = counters, .pfnAllocation = allocate, .pfnReallocation = reallocate, .pfnFree = release};
    const weir_context_options options = {
        .size = sizeof options, .cache_directory = "none", .allocation_callbacks = &callbacks};
    weir_context* context = NULL;
    weir_buffer* buffer = NULL;
    DONE(weir_context_create(&options, &context, &t->error));
    const uint32_t before = counters[0];
    REQUIRE(before > 0);
    DONE(weir_buffer_create(context, 64, WEIR_MEMORY_DEVICE, &buffer, &t->error));
    REQUIRE(counters[0] > before);
    weir_buffer_destroy(buffer);
    weir_context_destroy(context);
    REQUIRE(counters[1] == counters[0]);
}
