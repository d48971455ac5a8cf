#include "tune/space.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/strings.hpp"
#include "primitives/sort/radix_tile.hpp"

namespace weir::bench {

namespace {

using Values = Columns::Values;

constexpr std::uint32_t words_per_vector = 4;
constexpr std::uint32_t keys_alone = 16; // keys per invocation if a single workgroup sorts

constexpr std::array workgroups{64U, 128U, 256U, 512U, 1024U};
constexpr std::array scan_items{1U, 2U, 3U, 4U, 6U, 8U, 10U, 11U, 12U, 14U, 16U, 20U, 24U};
constexpr std::array compaction_items{1U, 2U, 4U, 8U, 12U, 16U, 20U, 24U, 32U};
constexpr std::array reduction_items{1U, 2U, 4U, 8U, 16U};
constexpr std::array sort_items{4U, 6U, 8U, 10U, 12U, 14U, 16U, 18U, 20U, 22U, 24U, 27U, 28U};
constexpr std::array reduction_groups{1U, 64U, 128U, 256U, 264U, 512U, 1024U, 2048U, 4096U}; // 264: 2 per SM of an H200
constexpr std::array sort_groups{0U, 1U};
constexpr std::array sort_rounds{0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U};
constexpr std::array spins{2U, 4U, 8U, 16U, 32U, 64U, 128U};
constexpr std::array either{0U, 1U};
constexpr std::array none{0U};

bool has_packed(ShapeKernel kernel) {
    return kernel == ShapeKernel::scan_light || kernel == ShapeKernel::scan_shuffled ||
           kernel == ShapeKernel::scan_rounding;
}

bool contains(Values values, std::uint32_t value) {
    return std::ranges::find(values, value) != values.end();
}

/// Returns the key words of a tile of a sort.
std::uint32_t tile_words(const KernelShape& shape) {
    return shape.workgroup * shape.items * (shape.kernel == ShapeKernel::sort_wide_keys ? 2 : 1);
}

/// Returns whether a round exchanges 12 to 32 KiB of workgroup memory. A single round may exchange less.
bool are_useful_rounds(const KernelShape& shape) {
    constexpr std::uint32_t least_words = 3072, most_words = 8192;
    const std::uint32_t words = shape.rounds == 0 ? 0 : tile_words(shape) / shape.rounds;
    return words <= most_words && (shape.rounds <= 1 || words >= least_words);
}

/// Returns whether the device can run the shape unchanged.
bool is_possible(const KernelShape& shape, const Capabilities& device) {
    KernelShape row = shape;
    row.device = device_classes[0].name;
    row.up_to = shape.sorts_alone() ? 1 : KernelShape::any;
    return mistake_of(row).empty() && as_run(shape, device).workgroup == shape.workgroup && are_useful_rounds(shape) &&
           (shape.packed == 0 || has_packed_states(device));
}

/// Returns the values with powers of two first.
std::vector<std::uint32_t> rough_first(Values values) {
    std::vector<std::uint32_t> sorted(values.begin(), values.end());
    std::stable_partition(sorted.begin(), sorted.end(), [](std::uint32_t value) { return std::has_single_bit(value); });
    return sorted;
}

} // namespace

Columns columns_of(ShapeKernel kernel) {
    if (is_sort(kernel)) {
        return {workgroups, sort_items, sort_groups, sort_rounds, spins, none};
    }
    if (kernel == ShapeKernel::reduce) {
        return {workgroups, reduction_items, reduction_groups, none, none, none};
    }
    if (is_compaction(kernel)) {
        return {workgroups, compaction_items, none, none, spins, none};
    }
    return {workgroups, scan_items, none, none, spins, has_packed(kernel) ? Values(either) : Values(none)};
}

std::uint32_t spins_for(std::uint32_t failed_polls) {
    const auto enough = std::ranges::upper_bound(spins, failed_polls);
    return enough != spins.end() ? *enough : spins.back();
}

bool can_be_found(const KernelShape& row) {
    const Columns columns = columns_of(row.kernel);
    return contains(columns.workgroup, row.workgroup) && contains(columns.items, row.items) &&
           contains(columns.groups, row.groups) && contains(columns.rounds, row.rounds) &&
           contains(columns.max_spins, row.max_spins) && contains(columns.packed, row.packed) &&
           are_useful_rounds(row) && (!row.sorts_alone() || row.items == keys_alone);
}

bool same_shape(const KernelShape& a, const KernelShape& b) {
    return std::ranges::all_of(shape_columns,
                               [&](const ShapeColumn& column) { return a.*column.number == b.*column.number; });
}

KernelShape as_run(KernelShape shape, const Capabilities& device) {
    const std::uint32_t subgroup = std::max(1U, device.subgroup_size);
    shape.workgroup = std::min(shape.workgroup, std::bit_floor(device.max_workgroup_invocations));
    if (is_sort(shape.kernel)) {
        shape.workgroup = std::min(shape.workgroup, most_counter_rows(device) * subgroup);
        if (shape.rounds == 0 && !shape.sorts_alone()) {
            shape.rounds = rounds_for(tile_words(shape), pool_words(device, std::max(1U, shape.workgroup / subgroup)));
        }
    }
    if (!has_packed_states(device)) {
        shape.packed = 0;
    }
    return shape;
}

std::vector<KernelShape> grid_of(ShapeKernel kernel, const Capabilities& device, std::uint32_t max_spins, bool quick) {
    constexpr std::array usual_first{256U, 512U, 128U, 1024U, 64U};
    constexpr std::array few_workgroups{64U, 256U};
    constexpr std::array few_items{4U, 8U};
    constexpr std::array few_groups{1U, 256U};
    const Columns columns = columns_of(kernel);
    const bool reduces = kernel == ShapeKernel::reduce;
    const auto items = quick ? rough_first(few_items) : rough_first(columns.items);
    const Values groups = !reduces ? Values(none) : quick ? Values(few_groups) : columns.groups;
    std::vector<KernelShape> shapes;
    const auto add = [&](const KernelShape& shape) {
        if (is_possible(shape, device)) {
            shapes.push_back(shape);
        }
    };
    const Values workgroups_first = quick ? Values(few_workgroups) : Values(usual_first);
    for (const std::uint32_t workgroup : workgroups_first) {
        if (is_sort(kernel)) {
            add({.kernel = kernel, .workgroup = workgroup, .items = keys_alone, .groups = 1, .max_spins = max_spins});
        }
    }
    for (const std::uint32_t count : items) {
        for (const std::uint32_t workgroup : workgroups_first) {
            for (const std::uint32_t at_once : groups) {
                add({.kernel = kernel,
                     .workgroup = workgroup,
                     .items = count,
                     .groups = at_once,
                     .max_spins = reduces ? 0 : max_spins});
            }
        }
    }
    return shapes;
}

std::vector<KernelShape> neighbours_of(const KernelShape& shape, const Capabilities& device) {
    const Columns columns = columns_of(shape.kernel);
    std::vector<KernelShape> shapes;
    const auto add = [&](KernelShape other) {
        if (other.sorts_alone()) {
            other.items = keys_alone;
            other.rounds = 0;
        }
        if (is_possible(other, device) && !same_shape(other, shape)) {
            shapes.push_back(other);
        }
    };
    const auto next = [](Values values, std::uint32_t value, int step) {
        auto at = std::ranges::lower_bound(values, value);
        const bool is_there = at != values.end() && *at == value;
        if (step < 0) {
            return at == values.begin() ? value : *std::prev(at);
        }
        at += is_there ? 1 : 0;
        return at == values.end() ? value : *at;
    };
    // `packed` comes first: if time is short, no other step finds packed states.
    const std::pair<std::uint32_t KernelShape::*, Values> steps[] = {{&KernelShape::packed, columns.packed},
                                                                     {&KernelShape::workgroup, columns.workgroup},
                                                                     {&KernelShape::items, columns.items},
                                                                     {&KernelShape::max_spins, columns.max_spins},
                                                                     {&KernelShape::groups, columns.groups}};
    for (const auto& [column, values] : steps) {
        for (const int step : {1, -1}) {
            KernelShape other = shape;
            other.*column = next(values, shape.*column, step);
            add(other);
            other.rounds = 0; // the rounds of another tile may not suit this one
            add(other);
        }
    }
    for (const std::uint32_t count : columns.rounds) {
        KernelShape other = shape;
        other.rounds = count;
        add(other);
    }
    KernelShape wide = shape, narrow = shape;
    wide.workgroup *= 2;
    wide.items = std::max(1U, shape.items / 2);
    narrow.workgroup = std::max(1U, shape.workgroup / 2);
    narrow.items *= 2;
    for (const KernelShape& other : {wide, narrow}) {
        if (contains(columns.workgroup, other.workgroup) && contains(columns.items, other.items)) {
            add(other);
        }
    }
    return shapes;
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
    // If a tile is larger than the input, a part of it is idle.
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
        text += ", packed";
    }
    if (shape.rounds != 0) {
        text += concat(", ", shape.rounds, shape.rounds == 1 ? " round" : " rounds");
    }
    return concat(text, ", ", shape.max_spins, shape.max_spins == 1 ? " spin" : " spins");
}

} // namespace weir::bench
