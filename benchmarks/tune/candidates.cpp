#include "tune/candidates.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engine/base/strings.hpp"
#include "operations.hpp"
#include "tune/space.hpp"

namespace weir::bench {

namespace {

/// Operation whose measured speed rates the shapes of a kernel. The operations of one kernel have different
/// bottlenecks.
struct Judge {
    ShapeKernel kernel;
    std::string_view op, type;
};
constexpr Judge judges[] = {
    {ShapeKernel::scan_light, "inclusive_scan", "u32"},
    {ShapeKernel::scan_rounding, "inclusive_scan", "f32"},
    {ShapeKernel::scan_shuffled, "inclusive_scan", "u64"},
    {ShapeKernel::scan_rounding, "inclusive_scan", "affine"},
    {ShapeKernel::scan_segmented, "inclusive_scan_by_key", "u32"},
    {ShapeKernel::reduce_by_key, "reduce_by_key", "u32"},
    {ShapeKernel::select, "select_if", "u32"},
    {ShapeKernel::partition, "partition", "u32"},
    {ShapeKernel::runs, "unique", "u32"},
    {ShapeKernel::runs, "run_length_encode", "u32"},
    {ShapeKernel::reduce, "reduce", "u32"},
    {ShapeKernel::reduce, "reduce", "f32"},
    {ShapeKernel::sort_keys, "radix_sort_keys", "u32"},
    {ShapeKernel::sort_wide_keys, "radix_sort_keys", "u64"},
    {ShapeKernel::sort_pairs, "radix_sort_pairs", "u32"},
};

/// Converts a shape of the table to a shape of the benchmarks.
Shape asked_for(const KernelShape& shape) {
    Shape asked{.text = describe(shape)};
    asked.numbers = {shape.workgroup, shape.items, is_sort(shape.kernel) ? shape.rounds : shape.groups};
    asked.max_spins = shape.max_spins;
    asked.instrument.tile_states = shape.packed != 0 ? testing::TileStates::packed : testing::TileStates::split;
    if (is_sort(shape.kernel)) {
        asked.single_workgroup_keys = shape.sorts_alone() ? shape.workgroup * shape.items : 1;
    }
    return asked;
}

} // namespace

std::vector<Operation> judged_operations(ShapeKernel kernel, const KernelShape* shape, bool quick) {
    const std::vector<Shape> shapes = shape != nullptr ? std::vector{asked_for(*shape)} : std::vector<Shape>{};
    auto all = is_sort(kernel)                        ? radix_sort_operations(shapes)
               : kernel == ShapeKernel::reduce        ? reduce_operations(shapes)
               : kernel == ShapeKernel::reduce_by_key ? reduce_by_key_operations(shapes)
               : is_compaction(kernel)                ? compaction_operations(shapes)
                                                      : scan_operations(shapes);
    std::vector<Operation> judging;
    for (const Judge& judge : judges) {
        if (judge.kernel != kernel || (quick && !judging.empty())) {
            continue;
        }
        Operation& operation = *std::ranges::find_if(
            all, [&](const Operation& other) { return other.op == judge.op && other.type == judge.type; });
        operation.variants = {shape != nullptr ? operation.variants.back() : operation.variants.front()};
        judging.push_back(std::move(operation));
    }
    return judging;
}

} // namespace weir::bench
