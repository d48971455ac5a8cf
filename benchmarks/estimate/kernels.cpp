#include "estimate/kernels.hpp"

#include <array>
#include <utility>

#include <weir/testing/instrument.hpp>

namespace weir::bench {

namespace {

using Words = BufferRef<std::uint32_t>;
using Affine = std::array<float, 2>;

Words words(Graph& graph, const char* name, std::uint32_t n) {
    return graph.import_buffer<std::uint32_t>(name, n);
}

/// Returns segments of 64 elements on average.
Segments segments_of(Graph& graph, std::uint32_t n) {
    return Segments::at_offsets(words(graph, "offsets", n / 64));
}

Predicate is_low() {
    return Predicate::compare(Comparison::less, 1U << 31U);
}

ScanTuning scan_tuning(const KernelShape& shape) {
    return {.workgroup = shape.workgroup, .chunks = shape.items, .max_spins = shape.max_spins};
}
testing::Instrument tile_states(const KernelShape& shape) {
    return {.tile_states = shape.packed != 0 ? testing::TileStates::packed : testing::TileStates::split};
}
CompactionTuning compaction_tuning(const KernelShape& shape) {
    return {.workgroup = shape.workgroup, .rows = shape.items, .max_spins = shape.max_spins};
}

template <class T>
KernelGraph scan_of(ShapeKernel kernel, const char* type, const std::variant<Operator, Monoid>& op = Operator::add) {
    return {"scan", type, sizeof(T) / 4, kernel, [op](Graph& graph, std::uint32_t n, const KernelShape& shape) {
                const auto output = graph.import_buffer<T>("output", n);
                const auto scope = testing::instrument(graph, tile_states(shape));
                scan(graph, graph.import_buffer<T>("input", n),
                     {.op = op, .output = output, .tuning = scan_tuning(shape)});
            }};
}

template <class T>
KernelGraph reduce_of(const char* type) {
    return {"reduce", type, sizeof(T) / 4, ShapeKernel::reduce,
            [](Graph& graph, std::uint32_t n, const KernelShape& shape) {
                const auto output = graph.import_buffer<T>("output", 1);
                reduce(graph, graph.import_buffer<T>("input", n),
                       {.output = output,
                        .tuning = {.workgroup = shape.workgroup, .chunks = shape.items, .workgroups = shape.groups}});
            }};
}

/// `checked`: returns the variant for devices with Capabilities::atomics_in_lane_order.
template <class K>
KernelGraph sort_of(ShapeKernel kernel, const char* type, bool checked = false) {
    return {checked ? "radix_sort, ranks checked" : "radix_sort", type, 1, kernel,
            [kernel, checked](Graph& graph, std::uint32_t n, const KernelShape& shape) {
                const bool pairs = kernel == ShapeKernel::sort_pairs;
                // An invocation holds half as many pairs if a key has two words, as in radix_sort.cpp.
                const std::uint32_t row_words = pairs ? sizeof(K) / 4 : 1;
                RadixSortOptions<K> options{.output_keys = graph.import_buffer<K>("sorted keys", n)};
                options.tuning = {.workgroup = shape.workgroup,
                                  .keys_per_invocation = (shape.items + row_words - 1) / row_words,
                                  .rounds = shape.rounds,
                                  .single_workgroup_keys = shape.sorts_alone() ? shape.workgroup * shape.items : 1,
                                  .max_spins = shape.max_spins,
                                  .ranks = checked ? RadixRanks::checked : RadixRanks::automatic};
                if (pairs) {
                    options.values = words(graph, "values", n);
                    options.output_values = words(graph, "sorted values", n);
                }
                radix_sort(graph, graph.import_buffer<K>("keys", n), options);
            }};
}

template <class Add>
KernelGraph compaction_of(ShapeKernel kernel, const char* op, const Add& add) {
    return {op, "u32", 1, kernel, [add](Graph& graph, std::uint32_t n, const KernelShape& shape) {
                add(graph, words(graph, "input", n), words(graph, "output", n), words(graph, "other output", n),
                    compaction_tuning(shape));
            }};
}

std::vector<KernelGraph> with_shapes() {
    const Monoid affine{.name = "affine",
                        .fields = {"float a", "float b"},
                        .identity = "T(1.0, 0.0)",
                        .combine = "return T(right.a * left.a, right.a * left.b + right.b);"};
    return {
        scan_of<std::uint32_t>(ShapeKernel::scan_light, "u32"),
        scan_of<std::uint64_t>(ShapeKernel::scan_shuffled, "u64"),
        scan_of<float>(ShapeKernel::scan_rounding, "f32"),
        scan_of<Affine>(ShapeKernel::scan_rounding, "affine", affine),
        {"scan of segments", "u32", 1, ShapeKernel::scan_segmented,
         [](Graph& graph, std::uint32_t n, const KernelShape& shape) {
             const auto scope = testing::instrument(graph, tile_states(shape));
             scan(graph, words(graph, "input", n),
                  {.output = words(graph, "output", n),
                   .segments = Segments::of_keys(words(graph, "keys", n)),
                   .tuning = scan_tuning(shape)});
         }},
        {"reduce_by_key", "u32", 1, ShapeKernel::reduce_by_key,
         [](Graph& graph, std::uint32_t n, const KernelShape& shape) {
             const auto scope = testing::instrument(graph, tile_states(shape));
             reduce_by_key(graph, words(graph, "keys", n), words(graph, "values", n),
                           {.output_keys = words(graph, "keys of runs", n),
                            .output_values = words(graph, "reduced values", n),
                            .tuning = scan_tuning(shape)});
         }},
        compaction_of(ShapeKernel::select, "select_if",
                      [](Graph& graph, Words in, Words out, Words, const CompactionTuning& tuning) {
                          select_if(graph, in, is_low(), {.output = out, .tuning = tuning});
                      }),
        compaction_of(ShapeKernel::partition, "partition",
                      [](Graph& graph, Words in, Words out, Words other, const CompactionTuning& tuning) {
                          partition(graph, in, {is_low()}, {.outputs = {out, other}, .tuning = tuning});
                      }),
        compaction_of(ShapeKernel::runs, "unique",
                      [](Graph& graph, Words in, Words out, Words, const CompactionTuning& tuning) {
                          unique(graph, in, {.output = out, .tuning = tuning});
                      }),
        compaction_of(ShapeKernel::runs, "run_length_encode",
                      [](Graph& graph, Words in, Words out, Words other, const CompactionTuning& tuning) {
                          run_length_encode(graph, in,
                                            {.output_values = out, .output_lengths = other, .tuning = tuning});
                      }),
        reduce_of<std::uint32_t>("u32"),
        reduce_of<float>("f32"),
        sort_of<std::uint32_t>(ShapeKernel::sort_keys, "u32"),
        sort_of<std::uint32_t>(ShapeKernel::sort_keys, "u32", true),
        sort_of<std::uint64_t>(ShapeKernel::sort_wide_keys, "u64"),
        sort_of<std::uint64_t>(ShapeKernel::sort_wide_keys, "u64", true),
        sort_of<std::uint32_t>(ShapeKernel::sort_pairs, "u32"),
        sort_of<std::uint64_t>(ShapeKernel::sort_pairs, "u64"),
    };
}

KernelGraph other(const char* op, const char* type, void (*build)(Graph& graph, std::uint32_t n)) {
    return {op, type, 1, {}, [build](Graph& graph, std::uint32_t n, const KernelShape&) { build(graph, n); }};
}

std::vector<KernelGraph> without_shapes() {
    return {
        other("scan_columns", "u32",
              [](Graph& graph, std::uint32_t n) {
                  scan_columns(graph, words(graph, "input", n), {.rows = n / 64, .columns = 64},
                               {.output = words(graph, "output", n)});
              }),
        other("scan of segments at offsets", "u32",
              [](Graph& graph, std::uint32_t n) {
                  scan(graph, words(graph, "input", n),
                       {.output = words(graph, "output", n), .segments = segments_of(graph, n)});
              }),
        other("reduce_by_segment", "f32",
              [](Graph& graph, std::uint32_t n) {
                  reduce_by_segment(graph, graph.import_buffer<float>("input", n), segments_of(graph, n),
                                    {.output = graph.import_buffer<float>("output", n / 64)});
              }),
        other("max_element", "f32",
              [](Graph& graph, std::uint32_t n) {
                  const auto found = max_element(graph, graph.import_buffer<float>("input", n));
                  graph.export_buffer(found.position);
              }),
        other("max_element_by_segment", "f32",
              [](Graph& graph, std::uint32_t n) {
                  const auto found = max_element_by_segment(graph, graph.import_buffer<float>("input", n),
                                                            Segments::of_length(n / 64));
                  graph.export_buffer(found.position);
              }),
        other("find_if", "u32",
              [](Graph& graph, std::uint32_t n) {
                  find_if(graph, words(graph, "input", n), is_low(), {.output = words(graph, "output", 1)});
              }),
        other("expand", "u32",
              [](Graph& graph, std::uint32_t n) {
                  expand(graph, words(graph, "counts", n / 8), {.output_sources = words(graph, "sources", n)});
              }),
        other("copy_ranges", "u32",
              [](Graph& graph, std::uint32_t n) {
                  copy_ranges(graph, words(graph, "source", n), words(graph, "destination", n),
                              {.sizes = words(graph, "sizes", n / 64),
                               .source_offsets = words(graph, "from", n / 64),
                               .destination_offsets = words(graph, "to", n / 64)});
              }),
        other("histogram", "u32",
              [](Graph& graph, std::uint32_t n) {
                  histogram(graph, words(graph, "input", n), Bins::digit(24), {.output = words(graph, "counts", 256)});
              }),
        other("merge", "u32",
              [](Graph& graph, std::uint32_t n) {
                  merge(graph, words(graph, "first", n / 2), words(graph, "second", n / 2),
                        {.output_keys = words(graph, "keys", n)});
              }),
        other("merge", "u64",
              [](Graph& graph, std::uint32_t n) {
                  merge(graph, graph.import_buffer<std::uint64_t>("first", n / 2),
                        graph.import_buffer<std::uint64_t>("second", n / 2),
                        {.output_keys = graph.import_buffer<std::uint64_t>("keys", n)});
              }),
        other("set_union", "u32",
              [](Graph& graph, std::uint32_t n) {
                  set_union(graph, words(graph, "first", n / 2), words(graph, "second", n / 2),
                            {.output_keys = words(graph, "keys", n)});
              }),
        other("lower_bound", "u32",
              [](Graph& graph, std::uint32_t n) {
                  lower_bound(graph, words(graph, "sorted", n), words(graph, "keys", n),
                              {.output = words(graph, "output", n)});
              }),
        other("merge_sort", "u32",
              [](Graph& graph, std::uint32_t n) {
                  merge_sort(graph, words(graph, "keys", n), "a < b", {.output_keys = words(graph, "sorted", n)});
              }),
        other("radix_sort", "u16",
              [](Graph& graph, std::uint32_t n) {
                  radix_sort(graph, graph.import_buffer<std::uint16_t>("keys", n),
                             {.output_keys = graph.import_buffer<std::uint16_t>("sorted", n)});
              }),
        other("radix_sort by ranks", "u32",
              [](Graph& graph, std::uint32_t) {
                  const std::uint32_t few = 1024;
                  radix_sort(graph, words(graph, "keys", few),
                             {.output_keys = words(graph, "sorted", few), .tuning = {.max_comparisons = few * few}});
              }),
        other("segmented_sort", "u32",
              [](Graph& graph, std::uint32_t n) {
                  segmented_sort(graph, words(graph, "keys", n), segments_of(graph, n),
                                 {.output_keys = words(graph, "sorted", n)});
              }),
        other("segmented_sort of long rows", "u32",
              [](Graph& graph, std::uint32_t n) {
                  segmented_sort(graph, words(graph, "keys", n), Segments::of_length(n / 4),
                                 {.output_keys = words(graph, "sorted", n)});
              }),
        other("top_k", "u32",
              [](Graph& graph, std::uint32_t n) {
                  top_k(graph, words(graph, "keys", n), 40, {.output_keys = words(graph, "chosen", 40)});
              }),
        other("segmented_top_k", "u32",
              [](Graph& graph, std::uint32_t n) {
                  segmented_top_k(graph, words(graph, "keys", n), Segments::of_length(n / 64), 40,
                                  {.output_keys = words(graph, "chosen", 64 * 40)});
              }),
        other("shuffle", "u32",
              [](Graph& graph, std::uint32_t n) {
                  shuffle(graph, words(graph, "items", n), 1U, {.output = words(graph, "output", n)});
              }),
        other("gather", "u32",
              [](Graph& graph, std::uint32_t n) {
                  gather(graph, words(graph, "items", n), words(graph, "indices", n),
                         {.output = words(graph, "output", n)});
              }),
        other("adjacent_difference", "u32",
              [](Graph& graph, std::uint32_t n) {
                  adjacent_difference(graph, words(graph, "input", n), {.output = words(graph, "output", n)});
              }),
        other("transform", "u32",
              [](Graph& graph, std::uint32_t n) {
                  transform<std::uint32_t>(graph, words(graph, "input", n), "x + 1u",
                                           {.output = words(graph, "output", n)});
              }),
        other("iota", "u32", [](Graph& graph, std::uint32_t n) { iota(graph, words(graph, "output", n)); }),
    };
}

} // namespace

const std::vector<KernelGraph>& kernel_graphs() {
    static const std::vector<KernelGraph> graphs = [] {
        auto all = with_shapes();
        for (KernelGraph& graph : without_shapes()) {
            all.push_back(std::move(graph));
        }
        return all;
    }();
    return graphs;
}

} // namespace weir::bench
