#include "trial.h"

#include <stdio.h>
#include <string.h>

enum { size = 8, most_outputs = 64 };

/// Exports and their expected contents.
typedef struct outputs {
    weir_buffer_ref buffers[most_outputs];
    const uint32_t* expected[most_outputs];
    uint32_t sizes[most_outputs];
    uint32_t count;
} outputs;

static void expect(outputs* all, weir_graph* graph, weir_buffer_ref buffer, const uint32_t* expected, uint32_t words) {
    weir_export(graph, buffer, WEIR_ACCESS_ANY);
    all->buffers[all->count] = buffer;
    all->expected[all->count] = expected;
    all->sizes[all->count++] = words;
}
#define EXPECT(buffer, ...)                                                                                            \
    do {                                                                                                               \
        static const uint32_t expected[] = {__VA_ARGS__};                                                              \
        expect(all, graph, (buffer), expected, sizeof expected / 4);                                                   \
    } while (0)

/// Inputs: elements, and flags of some of them.
static const uint32_t input_words[size] = {5, 5, 2, 9, 9, 9, 1, 4};
static const uint32_t flag_words[size] = {1, 1, 0, 1, 1, 1, 1, 0};

static void compact(weir_graph* graph, weir_buffer_ref x, weir_buffer_ref flags, outputs* all) {
    const uint32_t four = 4, five = 5;
    const weir_predicate small = {.size = sizeof small, .comparison = WEIR_LESS_EQUAL, .number = &four};
    const weir_predicate equal = {.size = sizeof equal, .comparison = WEIR_EQUAL, .number = &five};
    EXPECT(weir_select_flagged(graph, x, flags, NULL).items, 5, 5, 9, 9, 9, 1);
    EXPECT(weir_unique(graph, x, NULL).items, 5, 2, 9, 1, 4);
    const weir_partition_options with_indices = {.size = sizeof with_indices, .want_indices = VK_TRUE};
    const weir_partition_result parts = weir_partition(graph, x, &small, &equal, &with_indices);
    EXPECT(parts.parts[0].items, 2, 1, 4);
    EXPECT(parts.parts[1].indices, 0, 1);
    EXPECT(parts.parts[2].items, 9, 9, 9);
    EXPECT(parts.parts[0].count, 3, 2, 3);
    const weir_run_length_options with_offsets = {.size = sizeof with_offsets, .want_offsets = VK_TRUE};
    const weir_run_length_result runs = weir_run_length_encode(graph, x, &with_offsets);
    EXPECT(runs.values, 5, 2, 9, 1, 4);
    EXPECT(runs.lengths, 2, 1, 3, 1, 1);
    EXPECT(runs.offsets, 0, 2, 3, 6, 7);
    EXPECT(runs.count, 5);
    const weir_indirect_command commands[2] = {
        {.kind = WEIR_INDIRECT_DRAW, .numbers = {{.count = {.max = 36}}, {.count = runs.values.count}}},
        {.kind = WEIR_INDIRECT_DISPATCH,
         .dispatch = {.kind = WEIR_DISPATCH_ELEMENTS, .count = runs.values.count, .per_group = 2}}};
    EXPECT(weir_write_arguments(graph, commands, 2, (weir_buffer_ref){0}, 0), 36, 5, 0, 0, 3, 1, 1);
    const weir_unique_by_key_result kept = weir_unique_by_key(graph, x, flags, NULL);
    EXPECT(kept.keys, 5, 2, 9, 1, 4);
    EXPECT(kept.values, 1, 0, 1, 1, 0);
    const weir_run_length_decode_options room = {.size = sizeof room, .capacity = size};
    EXPECT(weir_run_length_decode(graph, runs.values, runs.lengths, &room).items, 5, 5, 2, 9, 9, 9, 1, 4);
    const weir_expand_options slots = {.size = sizeof slots, .capacity = size, .want_ranks = VK_TRUE};
    const weir_expand_result expanded = weir_expand(graph, runs.lengths, &slots);
    EXPECT(expanded.sources, 0, 0, 1, 2, 2, 2, 3, 4);
    EXPECT(expanded.ranks, 0, 1, 0, 0, 1, 2, 0, 0);
    EXPECT(weir_expand_offsets(graph, runs.offsets, weir_constant(size), NULL).sources, 0, 0, 1, 2, 2, 2, 3, 4);
    EXPECT(weir_count_if(graph, x, &small, NULL), 3);
    EXPECT(weir_find_if(graph, x, &small, NULL), 2);
}

static void sort(weir_graph* graph, weir_buffer_ref x, weir_buffer_ref flags, outputs* all) {
    (void)flags;
    const weir_segments halves = {.size = sizeof halves, .kind = WEIR_SEGMENTS_LENGTH, .length = 4};
    const weir_sort_options by_index = {.size = sizeof by_index, .want_indices = VK_TRUE, .omit_keys = VK_TRUE};
    EXPECT(weir_radix_sort(graph, x, &by_index).values, 6, 2, 7, 0, 1, 3, 4, 5);
    EXPECT(weir_segmented_sort(graph, x, &halves, NULL).keys, 2, 5, 5, 9, 1, 4, 9, 9);
    const weir_buffer_ref offsets = weir_transient(graph, "offsets", WEIR_U32, 3);
    const uint32_t first = 0, step = 3;
    weir_iota(graph, offsets, &first, &step); // 0, 3, 6
    const weir_segments threes = {.size = sizeof threes,
                                  .kind = WEIR_SEGMENTS_BETWEEN_OFFSETS,
                                  .buffer = weir_with_count(offsets, weir_constant(2))};
    EXPECT(weir_segmented_top_k(graph, x, &threes, weir_constant(1), NULL).keys, 2, 9);
    const weir_top_k_options greatest = {.size = sizeof greatest, .descending = VK_TRUE, .want_indices = VK_TRUE};
    const weir_top_k_result top = weir_top_k(graph, x, weir_constant(4), &greatest);
    EXPECT(top.keys, 9, 9, 9, 5);
    EXPECT(top.indices, 3, 4, 5, 0);
    EXPECT(weir_segmented_top_k(graph, x, &halves, weir_constant(1), NULL).keys, 2, 1);
    EXPECT(weir_kth_element(graph, x, weir_constant(2), NULL), 4);
    const weir_count rows = weir_parameter(graph, "rows", 2), length = weir_parameter(graph, "length", 4);
    const weir_segments matrix = {
        .size = sizeof matrix, .kind = WEIR_SEGMENTS_ROWS, .rows = rows, .variable_length = length};
    const weir_sort_options in_rows = {.size = sizeof in_rows, .want_indices = VK_TRUE, .local_indices = VK_TRUE};
    const weir_sort_result sorted = weir_segmented_sort(graph, x, &matrix, &in_rows);
    EXPECT(sorted.keys, 2, 5, 5, 9, 1, 4, 9, 9);
    EXPECT(sorted.values, 2, 0, 1, 3, 2, 3, 0, 1);
    const weir_segments two_of_3 = {.size = sizeof two_of_3, .kind = WEIR_SEGMENTS_ROWS, .rows = rows, .length = 3};
    const weir_top_k_options local = {
        .size = sizeof local, .descending = VK_TRUE, .want_indices = VK_TRUE, .local_indices = VK_TRUE};
    const weir_count k = weir_parameter(graph, "k", 2);
    EXPECT(weir_segmented_top_k(graph, x, &two_of_3, k, &local).indices, 0, 1, 0, 1);
}

static void search(weir_graph* graph, weir_buffer_ref x, weir_buffer_ref flags, outputs* all) {
    const uint32_t five = 5;
    const weir_predicate small = {.size = sizeof small, .comparison = WEIR_LESS, .number = &five};
    const weir_buffer_ref in_order = weir_radix_sort(graph, x, NULL).keys;
    (void)flags;
    EXPECT(weir_lower_bound(graph, in_order, x, (weir_buffer_ref){0}), 3, 3, 1, 5, 5, 5, 0, 2);
    EXPECT(weir_upper_bound(graph, in_order, x, (weir_buffer_ref){0}), 5, 5, 2, 8, 8, 8, 1, 3);
    EXPECT(weir_partition_point(graph, in_order, &small, NULL), 3);
    EXPECT(weir_is_sorted(graph, in_order, NULL), 1);
    EXPECT(weir_is_sorted(graph, x, NULL), 0);
    EXPECT(weir_is_sorted_until(graph, x, NULL), 2);
    EXPECT(weir_merge(graph, in_order, in_order, NULL).keys, 1, 1, 2, 2, 4, 4, 5, 5, 5, 5, 9, 9, 9, 9, 9, 9);
    const weir_buffer_ref few = weir_with_count(in_order, weir_constant(4));
    const weir_merge_result merged = weir_merge_by_key(graph, few, few, weir_as(few, WEIR_U32), x, NULL);
    EXPECT(merged.values, 1, 5, 2, 5, 4, 2, 5, 9);
    EXPECT(weir_set_operation(graph, WEIR_SET_INTERSECTION, in_order, few, NULL).keys, 1, 2, 4, 5);
    EXPECT(weir_set_operation(graph, WEIR_SET_DIFFERENCE, in_order, few, NULL).keys, 5, 9, 9, 9);
}

static void combine(weir_graph* graph, weir_buffer_ref x, weir_buffer_ref flags, outputs* all) {
    const weir_segments at_flags = {.size = sizeof at_flags, .kind = WEIR_SEGMENTS_FLAGS, .buffer = flags};
    const weir_segments halves = {.size = sizeof halves, .kind = WEIR_SEGMENTS_LENGTH, .length = 4};
    const weir_scan_options by_flags = {.size = sizeof by_flags, .segments = &at_flags};
    const weir_scan_options largest = {.size = sizeof largest, .op = WEIR_MAX};
    EXPECT(weir_scan(graph, x, &largest), 5, 5, 5, 9, 9, 9, 9, 9);
    EXPECT(weir_scan(graph, x, &by_flags), 5, 5, 7, 9, 9, 9, 1, 5);
    EXPECT(weir_reduce_by_segment(graph, x, &halves, NULL), 21, 23);
    const weir_buffer_ref begins = weir_transient(graph, "begins", WEIR_U32, 2);
    const weir_buffer_ref ends = weir_transient(graph, "ends", WEIR_U32, 2);
    const uint32_t zero = 0, three = 3, five = 5;
    weir_iota(graph, begins, &zero, &five); // 0, 5
    weir_iota(graph, ends, &three, &five);  // 3, 8
    const weir_segments ranges = {.size = sizeof ranges, .kind = WEIR_SEGMENTS_RANGES, .buffer = begins, .ends = ends};
    EXPECT(weir_reduce_by_segment(graph, x, &ranges, NULL), 12, 14);
    const weir_segmented_extremum_options places = {.size = sizeof places, .positions_in_segments = VK_TRUE};
    const weir_minmax_result extrema = weir_minmax_element_by_segment(graph, x, &ranges, &places);
    EXPECT(extrema.min.value, 2, 1);
    EXPECT(extrema.min.position, 2, 1);
    EXPECT(extrema.max.value, 5, 9);
    EXPECT(extrema.max.position, 0, 0);
    EXPECT(weir_scan_columns(graph, x, 4, 2, NULL), 5, 5, 7, 14, 16, 23, 17, 27);
    const weir_reduce_by_key_result by_key = weir_reduce_by_key(graph, x, flags, NULL);
    EXPECT(by_key.keys, 5, 2, 9, 1, 4);
    EXPECT(by_key.values, 2, 0, 3, 1, 0);
    const weir_extremum_result least = weir_min_element(graph, x, NULL), greatest = weir_max_element(graph, x, NULL);
    EXPECT(least.value, 1);
    EXPECT(least.position, 6);
    EXPECT(greatest.position, 3);
    const weir_bins digits = {.size = sizeof digits, .kind = WEIR_BINS_DIGIT, .bits = 2};
    EXPECT(weir_histogram(graph, x, &digits, (weir_buffer_ref){0}), 1, 6, 1, 0);
    const int32_t from = 0, to = 10;
    const weir_bins even = {.size = sizeof even, .kind = WEIR_BINS_EVEN, .count = 2, .lower = &from, .upper = &to};
    EXPECT(weir_histogram(graph, x, &even, (weir_buffer_ref){0}), 3, 5);
}

static void move(weir_graph* graph, weir_buffer_ref x, weir_buffer_ref flags, outputs* all) {
    const uint32_t two_words[2] = {3, 4}, start = 2, step = 3;
    const weir_buffer_ref pairs = weir_transient(graph, "pairs", WEIR_U32X2, 2);
    EXPECT(weir_fill(graph, pairs, two_words), 3, 4, 3, 4);
    const uint32_t from = 0, to = 8;
    const weir_bins even = {.size = sizeof even, .kind = WEIR_BINS_EVEN, .count = 2, .lower = &from, .upper = &to};
    const weir_bins* const channels[2] = {&even, &even};
    EXPECT(weir_multi_histogram(graph, pairs, channels, 2, (weir_buffer_ref){0}), 2, 0, 0, 2);
    const weir_buffer_ref bytes = weir_narrow(graph, x, WEIR_U8, (weir_buffer_ref){0});
    EXPECT(bytes, 0x09020505, 0x04010909);
    EXPECT(weir_widen(graph, bytes, (weir_buffer_ref){0}), 5, 5, 2, 9, 9, 9, 1, 4);
    const weir_buffer_ref sevens = weir_transient(graph, "sevens", WEIR_U32, 1);
    const weir_buffer_ref eights = weir_transient(graph, "eights", WEIR_U32, 1);
    weir_add_fill(graph, "7", sevens, 7);
    weir_add_fill(graph, "7", eights, 7);
    weir_begin_only_if(graph, weir_count_in(graph, flags, 0, 1)); // it is 1
    weir_add_fill(graph, "8", eights, 8);
    weir_begin_only_if(graph, weir_count_in(graph, flags, 2, 1)); // it is 0
    weir_add_fill(graph, "8", sevens, 8);
    weir_end_only_if(graph);
    weir_end_only_if(graph);
    EXPECT(sevens, 7);
    EXPECT(eights, 8);
    EXPECT(weir_iota(graph, weir_transient(graph, "numbers", WEIR_U32, 4), &start, &step), 2, 5, 8, 11);
    const weir_buffer_ref places = weir_iota(graph, weir_transient(graph, "places", WEIR_U32, size), NULL, NULL);
    EXPECT(weir_gather(graph, x, flags, (weir_buffer_ref){0}), 5, 5, 5, 5, 5, 5, 5, 5);
    EXPECT(weir_scatter(graph, x, places, weir_transient(graph, "scattered", WEIR_U32, size)), 5, 5, 2, 9, 9, 9, 1, 4);
    EXPECT(weir_adjacent_difference(graph, x, (weir_buffer_ref){0}), 5, 0, (uint32_t)-3, 7, 0, 0, (uint32_t)-8, 3);
    // With the same seed, shuffling gathers by the permutation.
    const weir_buffer_ref order =
        weir_random_permutation(graph, weir_constant(size), weir_constant(9), (weir_buffer_ref){0});
    const weir_buffer_ref shuffled = weir_shuffle(graph, x, weir_constant(9), (weir_buffer_ref){0});
    const weir_buffer_ref back = weir_transient(graph, "back", WEIR_U32, size);
    EXPECT(weir_scatter(graph, shuffled, order, back), 5, 5, 2, 9, 9, 9, 1, 4);
    const weir_buffer_ref copied = weir_transient(graph, "copied", WEIR_U32, 5);
    weir_add_fill(graph, "zeros", copied, 0);
    const weir_buffer_ref two = weir_with_count(places, weir_constant(2)); // ranges of 0 and 1 elements
    weir_copy_ranges(graph, x, copied, two, weir_as(two, WEIR_U32), two, 0);
    EXPECT(copied, 0, 5, 0, 0, 0);
}

/// Runs the graph that `build` builds, and compares its outputs.
static void compute(trial* t, void (*build)(weir_graph*, weir_buffer_ref, weir_buffer_ref, outputs*)) {
    outputs all_outputs = {.count = 0}, *all = &all_outputs;
    weir_graph* graph;
    weir_program* program;
    uint32_t i, got[most_outputs];
    DONE(weir_graph_create(t->context, &graph, &t->error));
    const weir_buffer_ref x = weir_import(graph, "x", WEIR_U32, size, WEIR_ACCESS_ANY);
    const weir_buffer_ref flags = weir_import(graph, "flags", WEIR_U32, size, WEIR_ACCESS_ANY);
    build(graph, x, flags, all);
    DONE(weir_graph_mistake(graph, &t->error));
    DONE(weir_compile(t->context, graph, NULL, &program, &t->error));
    weir_graph_destroy(graph);
    DONE(weir_program_bind_buffer(program, x, uploaded(t, input_words, sizeof input_words), &t->error));
    DONE(weir_program_bind_buffer(program, flags, uploaded(t, flag_words, sizeof flag_words), &t->error));
    DONE(weir_program_run(program, NULL, &t->error));
    for (i = 0; i < all->count; ++i) {
        REQUIRE(downloaded(t, program, all->buffers[i], got, all->sizes[i] * 4));
        if (memcmp(got, all->expected[i], all->sizes[i] * 4) != 0) {
            fail(t, __FILE__, (int)i, "the output differs from the expected words");
        }
    }
    weir_program_destroy(program);
}

void compacts(trial* t) {
    compute(t, compact);
}
void sorts(trial* t) {
    compute(t, sort);
}
void searches(trial* t) {
    compute(t, search);
}
void combines(trial* t) {
    compute(t, combine);
}
void moves(trial* t) {
    compute(t, move);
}

static const weir_type number_types[] = {WEIR_U32, WEIR_I32, WEIR_F32, WEIR_U64, WEIR_I64, WEIR_F64};
static const weir_type key_types[] = {WEIR_U8, WEIR_I8, WEIR_U16, WEIR_I16, WEIR_F16, WEIR_BF16};
static const weir_type vector_types[] = {WEIR_U32X2, WEIR_I32X2, WEIR_F32X2, WEIR_U32X3, WEIR_I32X3,
                                         WEIR_F32X3, WEIR_U32X4, WEIR_I32X4, WEIR_F32X4};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int same_type(weir_buffer_ref buffer, weir_type type) {
    return buffer.id != 0 && buffer.type == type && buffer.capacity != 0;
}

/// Builds graphs with each type, without compiling them.
void takes_all_types(trial* t) {
    const uint64_t zero = 0;
    const weir_predicate equal = {.size = sizeof equal, .comparison = WEIR_EQUAL, .number = &zero};
    weir_graph* graph;
    uint32_t i, words;
    DONE(weir_graph_create(t->context, &graph, &t->error));
    for (i = 0; i < COUNT(number_types); ++i) {
        const weir_type type = number_types[i];
        REQUIRE(weir_type_size(type) == (i < 3 ? 4u : 8u));
        const weir_buffer_ref in = weir_state(graph, "in", type, size);
        REQUIRE(type == WEIR_F64 || same_type(weir_scan(graph, in, NULL), type));
        REQUIRE(type == WEIR_F64 || same_type(weir_reduce(graph, in, NULL), type));
        REQUIRE(same_type(weir_select_if(graph, in, &equal, NULL).items, type));
        REQUIRE(same_type(weir_radix_sort(graph, in, NULL).keys, type));
        REQUIRE(same_type(weir_top_k(graph, in, weir_constant(2), NULL).keys, type));
        REQUIRE(same_type(weir_merge(graph, in, in, NULL).keys, type));
        REQUIRE(same_type(weir_set_operation(graph, WEIR_SET_UNION, in, in, NULL).keys, type));
        REQUIRE(same_type(weir_set_operation(graph, WEIR_SET_SYMMETRIC_DIFFERENCE, in, in, NULL).keys, type));
        REQUIRE(same_type(weir_min_element(graph, in, NULL).value, type));
        REQUIRE(same_type(weir_lower_bound(graph, in, in, (weir_buffer_ref){0}), WEIR_U32));
        DONE(weir_graph_mistake(graph, &t->error));
    }
    for (i = 0; i < COUNT(key_types); ++i) {
        REQUIRE(weir_type_size(key_types[i]) == (i < 2 ? 1u : 2u));
        const weir_buffer_ref in = weir_state(graph, "in", key_types[i], size);
        REQUIRE(same_type(weir_radix_sort(graph, in, NULL).keys, key_types[i]));
    }
    for (i = 0; i < COUNT(vector_types); ++i) {
        const weir_type type = vector_types[i];
        REQUIRE(weir_type_size(type) == (i / 3 + 2) * 4);
        const weir_buffer_ref in = weir_state(graph, "in", type, size);
        REQUIRE(same_type(weir_scan(graph, in, NULL), type));
        REQUIRE(same_type(weir_reduce(graph, in, NULL), type));
        REQUIRE(same_type(weir_unique(graph, in, NULL).items, type));
        REQUIRE(same_type(weir_radix_sort(graph, weir_state(graph, "keys", WEIR_U32, size),
                                          &(weir_sort_options){.size = sizeof(weir_sort_options), .values = in})
                              .values,
                          type));
    }
    for (words = 1; words <= 16; ++words) {
        const weir_type type = (weir_type)(WEIR_WORDS_1 + 0x100 * (words - 1));
        const char* fields[16];
        for (i = 0; i < words; ++i) {
            static const char* const names[16] = {"uint a", "uint b", "uint c", "uint d", "uint e", "uint f",
                                                  "uint g", "uint h", "uint k", "uint l", "uint m", "uint n",
                                                  "uint o", "uint p", "uint q", "uint r"};
            fields[i] = names[i];
        }
        const weir_monoid last = {
            .size = sizeof last, .fields = fields, .field_count = words, .identity = "T()", .combine = "return right;"};
        const weir_scan_options by_monoid = {.size = sizeof by_monoid, .monoid = &last};
        const weir_buffer_ref in = weir_state(graph, "in", type, size);
        REQUIRE(weir_type_size(type) == words * 4);
        REQUIRE(same_type(weir_scan(graph, in, &by_monoid), type));
        REQUIRE(same_type(weir_run_length_encode(graph, in, NULL).values, type));
        REQUIRE(same_type(weir_gather(graph, in, weir_state(graph, "at", WEIR_U32, 4), (weir_buffer_ref){0}), type));
    }
    DONE(weir_graph_mistake(graph, &t->error));
    weir_graph_destroy(graph);
}

/// Each access exists. Exporting a buffer with an access of images is an error, with the name of the access in C++.
void takes_all_accesses(trial* t) {
    static const struct {
        weir_access access;
        const char* of_images; ///< the name in C++; null for an access of buffers
    } cases[] = {{WEIR_ACCESS_ANY, NULL},
                 {WEIR_ACCESS_NONE, NULL},
                 {WEIR_ACCESS_SHADER_READ, NULL},
                 {WEIR_ACCESS_SHADER_WRITE, NULL},
                 {WEIR_ACCESS_SHADER_READ_WRITE, NULL},
                 {WEIR_ACCESS_INDIRECT_READ, NULL},
                 {WEIR_ACCESS_TRANSFER_READ, NULL},
                 {WEIR_ACCESS_TRANSFER_WRITE, NULL},
                 {WEIR_ACCESS_UNIFORM_READ, NULL},
                 {WEIR_ACCESS_VERTEX_READ, NULL},
                 {WEIR_ACCESS_INDEX_READ, NULL},
                 {WEIR_ACCESS_VERTEX_SHADER_READ, NULL},
                 {WEIR_ACCESS_FRAGMENT_SHADER_READ, NULL},
                 {WEIR_ACCESS_HOST_READ, NULL},
                 {WEIR_ACCESS_HOST_WRITE, NULL},
                 {WEIR_ACCESS_SAMPLED_READ, "sampled read"},
                 {WEIR_ACCESS_FRAGMENT_SHADER_WRITE, NULL},
                 {WEIR_ACCESS_FRAGMENT_SHADER_READ_WRITE, NULL},
                 {WEIR_ACCESS_COLOR_WRITE, "color write"},
                 {WEIR_ACCESS_COLOR_READ_WRITE, "color read and write"},
                 {WEIR_ACCESS_DEPTH_READ, "depth read"},
                 {WEIR_ACCESS_DEPTH_WRITE, "depth write"},
                 {WEIR_ACCESS_DEPTH_READ_WRITE, "depth read and write"},
                 {WEIR_ACCESS_PRESENT, "present"}};
    weir_graph* graph;
    char refusal[100];
    size_t i;
    for (i = 0; i < COUNT(cases); ++i) {
        REQUIRE(cases[i].access == (weir_access)i);
        DONE(weir_graph_create(t->context, &graph, &t->error));
        weir_export(graph, weir_import(graph, "x", WEIR_U32, size, WEIR_ACCESS_ANY), cases[i].access);
        if (cases[i].of_images == NULL) {
            DONE(weir_graph_mistake(graph, &t->error));
        } else {
            snprintf(refusal, sizeof refusal, "buffer 'x' leaves for %s, which requires an image", cases[i].of_images);
            REQUIRE(weir_graph_mistake(graph, &t->error) == WEIR_ERROR_INVALID_GRAPH);
            REQUIRE(strstr(t->error.message, refusal) != NULL);
        }
        weir_graph_destroy(graph);
    }
}
