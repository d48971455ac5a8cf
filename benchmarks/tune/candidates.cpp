#include "tune/candidates.hpp"

#include <algorithm>
#include <string_view>

#include "engine/text.hpp"
#include "operations.hpp"

namespace weir::bench {

namespace {

using Numbers = std::vector<std::uint32_t>;

constexpr std::uint32_t words_per_vector = 4;

/// The operations that a kernel's shapes are judged by: those that differ in what holds them up.
struct Judge {
    ShapeKernel kernel;
    std::string_view op, type;
};
constexpr Judge judges[] = {
    {ShapeKernel::scan_light, "inclusive_scan", "u32"},
    {ShapeKernel::scan_shuffled, "inclusive_scan", "f32"},
    {ShapeKernel::scan_shuffled, "inclusive_scan", "u64"},
    {ShapeKernel::scan_shuffled, "inclusive_scan", "affine"},
    {ShapeKernel::scan_segmented, "inclusive_scan_by_key", "u32"},
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

/// Rounds that leave a tile of so many words between 12 and 32 KiB of workgroup memory, or one if it needs no more.
Numbers rounds_for(std::uint32_t tile) {
    constexpr std::uint32_t least_words = 3072, most_words = 8192;
    Numbers rounds;
    for (std::uint32_t count = 1; count == 1 || tile / count >= least_words; ++count) {
        if (tile / count <= most_words) {
            rounds.push_back(count);
        }
    }
    return rounds;
}

void add_sorts(std::vector<KernelShape>& shapes, const KernelShape& shape) {
    for (const std::uint32_t rounds :
         rounds_for(shape.workgroup * shape.items * (shape.kernel == ShapeKernel::sort_wide_keys ? 2 : 1))) {
        shapes.push_back(shape);
        shapes.back().rounds = rounds;
    }
}

std::vector<KernelShape> candidates_for(ShapeKernel kernel, const Capabilities& device, bool quick) {
    const bool sorts = is_sort(kernel), reduces = kernel == ShapeKernel::reduce, compacts = is_compaction(kernel);
    const Numbers workgroups = quick ? Numbers{128, 512} : Numbers{64, 128, 256, 512, 1024};
    const Numbers items = quick      ? Numbers{4, 8}
                          : sorts    ? Numbers{4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 27}
                          : reduces  ? Numbers{1, 2, 4, 8, 16}
                          : compacts ? Numbers{4, 8, 12, 16, 20, 24, 32}
                                     : Numbers{1, 2, 3, 4, 6, 8, 10, 11, 12, 14, 16};
    const Numbers groups = quick ? Numbers{1, 256} : Numbers{1, 64, 128, 256, 512, 1024, 2048};
    std::vector<KernelShape> shapes;
    for (const std::uint32_t workgroup : workgroups) {
        if (workgroup > device.max_workgroup_invocations) {
            continue;
        }
        KernelShape shape{.kernel = kernel, .workgroup = workgroup};
        if (sorts) {
            shape.items = 16;
            shape.groups = 1;
            shapes.push_back(shape);
            shape.groups = 0;
        }
        for (const std::uint32_t count : items) {
            shape.items = count;
            if (sorts) {
                add_sorts(shapes, shape);
                continue;
            }
            if (!reduces) {
                shapes.push_back(shape);
                if (has_packed_states(device) && !compacts && kernel != ShapeKernel::scan_segmented) {
                    shapes.push_back(shape);
                    shapes.back().packed = 1;
                }
                continue;
            }
            for (const std::uint32_t at_once : groups) {
                shapes.push_back(shape);
                shapes.back().groups = at_once;
            }
        }
    }
    return shapes;
}

/// What the benchmarks take.
Shape asked_for(const KernelShape& shape) {
    Shape asked{.text = describe(shape)};
    asked.numbers = {shape.workgroup, shape.items, is_sort(shape.kernel) ? shape.rounds : shape.groups};
    asked.states = shape.packed != 0 ? TileStates::packed : TileStates::split;
    if (is_sort(shape.kernel)) {
        asked.single_workgroup_keys = shape.sorts_alone() ? shape.workgroup * shape.items : 1;
    }
    return asked;
}

} // namespace

TunedKernel tuned_kernel(ShapeKernel kernel, const Capabilities& device, bool quick) {
    TunedKernel tuned{.kernel = kernel, .candidates = candidates_for(kernel, device, quick), .operations = {}};
    std::vector<Shape> shapes;
    for (const KernelShape& candidate : tuned.candidates) {
        shapes.push_back(asked_for(candidate));
    }
    const auto operations = is_sort(kernel)                 ? radix_sort_operations(shapes)
                            : kernel == ShapeKernel::reduce ? reduce_operations(shapes)
                            : is_compaction(kernel)         ? compaction_operations(shapes)
                                                            : scan_operations(shapes);
    for (const Judge& judge : judges) {
        if (judge.kernel != kernel || (quick && !tuned.operations.empty())) {
            continue;
        }
        tuned.operations.push_back(*std::ranges::find_if(operations, [&](const Operation& operation) {
            return operation.op == judge.op && operation.type == judge.type;
        }));
    }
    return tuned;
}

bool can_run(const KernelShape& shape, std::uint32_t words) {
    return !shape.sorts_alone() || words <= shape.workgroup * shape.items;
}

bool is_worth_trying(const KernelShape& shape, std::uint32_t words) {
    constexpr std::uint64_t most_tiles = 1U << 15, most_for_one = 1U << 17;
    if (shape.sorts_alone()) {
        return can_run(shape, words);
    }
    const bool has_vectors = !is_sort(shape.kernel) && !is_compaction(shape.kernel);
    const std::uint64_t tile = std::uint64_t{shape.workgroup} * shape.items * (has_vectors ? words_per_vector : 1);
    if (shape.kernel == ShapeKernel::reduce) {
        return shape.groups == 1 ? words <= most_for_one : tile * shape.groups < 2 * std::uint64_t{words};
    }
    // Of a tile that is larger than the input, a part stays idle.
    return words / tile <= most_tiles && (tile < 2 * std::uint64_t{words} || shape.items <= (has_vectors ? 1U : 4U));
}

std::string describe(const KernelShape& shape) {
    std::string text = concat(shape.workgroup, " x ", shape.items);
    if (shape.kernel == ShapeKernel::reduce) {
        return concat(text, " x ", shape.groups);
    }
    if (shape.sorts_alone()) {
        return concat(text, " alone");
    }
    if (shape.packed != 0) {
        return concat(text, ", packed");
    }
    return shape.rounds == 0 ? text : concat(text, ", ", shape.rounds, shape.rounds == 1 ? " round" : " rounds");
}

} // namespace weir::bench
