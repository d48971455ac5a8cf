#include <weir/primitives/radix_sort.hpp>

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "primitives/kernel.hpp"
#include "primitives/shapes.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

constexpr std::uint32_t radix_bits = 8;
constexpr std::uint32_t radix = 1U << radix_bits;
constexpr std::uint32_t max_keys = (1U << 30) - 1; // what a tile state without an epoch can count
constexpr std::uint32_t state_header = 32;         // words before the first tile's, as in tile_state.glsl
constexpr std::uint32_t totals_header = 32;        // words before the first counter of the histogram

struct Shape {
    SubgroupChoice subgroup;
    std::uint32_t workgroup = 0;
    std::uint32_t rows = 0; ///< subgroups at most, each with a row of counters in workgroup memory
    std::uint32_t keys_per_invocation = 0;
    std::uint32_t rounds = 0;
    bool single = false; ///< one workgroup sorts all keys
    std::uint32_t single_keys_per_invocation = 0;
    std::uint32_t single_rounds = 0;
    std::uint32_t max_spins = 0;
    std::uint32_t histogram_workgroup = 0;
    std::uint32_t histogram_copies = 0;
    std::uint32_t histogram_keys = 0; ///< per workgroup

    [[nodiscard]] std::uint32_t tile() const { return workgroup * keys_per_invocation; }
};

/// Rounds in which a tile of `keys` fits the words that the counters take anyway, or a little more.
std::uint32_t rounds_for(std::uint32_t keys, std::uint32_t words) {
    return (keys + words - 1) / words;
}

/// The kernels' shape by device and size.
Shape choose_shape(const Capabilities& device, const SubgroupChoice& subgroup, std::uint32_t capacity, bool has_values,
                   const RadixSortTuning& tuning) {
    const auto shapes = kernel_shapes(device, has_values ? ShapeKernel::sort_pairs : ShapeKernel::sort_keys);
    const KernelShape& best = row_for(shapes, capacity);
    const KernelShape& sweep = *std::ranges::find_if(
        shapes, [&](const KernelShape& row) { return capacity <= row.up_to && !row.sorts_alone(); });
    // With 4 KiB of workgroup memory for all else, a subgroup's row of counters takes 1 KiB.
    const std::uint32_t spare_memory = device.max_workgroup_memory - 4096;
    const std::uint32_t most_rows = std::bit_floor(std::clamp(spare_memory / 1024, 4U, 16U));
    const std::uint32_t most = max_workgroup(device, subgroup);
    const auto workgroup_of = [&](const KernelShape& row) {
        return tuning.workgroup != 0 ? tuning.workgroup : std::min({row.workgroup, most, most_rows * subgroup.least});
    };

    Shape shape;
    shape.subgroup = subgroup;
    shape.workgroup = workgroup_of(best);
    shape.single_keys_per_invocation = 16;
    std::uint32_t single_keys = best.sorts_alone() ? shape.workgroup * best.items : 1;
    if (tuning.single_workgroup_keys != 0) {
        single_keys = tuning.single_workgroup_keys;
    }
    single_keys = std::min(single_keys, shape.workgroup * shape.single_keys_per_invocation);
    shape.single = capacity <= single_keys;
    if (!shape.single) {
        shape.workgroup = workgroup_of(sweep);
    }
    shape.rows = std::max(1U, shape.workgroup / std::max(1U, subgroup.least));
    shape.keys_per_invocation = tuning.keys_per_invocation != 0 ? tuning.keys_per_invocation : sweep.items;
    const std::uint32_t pool = std::max(shape.rows * radix, 4608U * std::min(1U, device.max_workgroup_memory / 32768));
    shape.rounds = tuning.rounds != 0  ? tuning.rounds
                   : sweep.rounds != 0 ? std::max(sweep.rounds, rounds_for(shape.tile(), spare_memory / 4))
                                       : rounds_for(shape.tile(), pool);

    // A small input gets a kernel that holds no more keys than it needs.
    while (shape.single_keys_per_invocation > 1 && shape.workgroup * shape.single_keys_per_invocation / 2 >= capacity) {
        shape.single_keys_per_invocation /= 2;
    }
    shape.single_rounds = rounds_for(shape.workgroup * shape.single_keys_per_invocation, pool);

    shape.max_spins = tuning.max_spins != 0 ? tuning.max_spins : sweep.max_spins;
    shape.histogram_workgroup = std::min(512U, most);
    shape.histogram_copies = device.max_workgroup_memory >= 32768 ? 4 : 1;
    const std::uint32_t per_group = device.kind == DeviceKind::cpu ? 16384 : capacity / 1024;
    shape.histogram_keys = std::clamp(std::bit_ceil(per_group), shape.histogram_workgroup * 4, 1U << 18);
    return shape;
}

bool check(Graph& graph, BufferRef<std::uint32_t> keys, const RadixSortOptions& options, const Shape& shape) {
    const auto fail = [&](ErrorCode code, const std::string& why) {
        graph.fail({code, "radix sort: " + why});
        return false;
    };
    const auto invalid = ErrorCode::invalid_argument;
    if (options.first_bit > options.end_bit || options.end_bit > 32) {
        return fail(invalid, "bits " + std::to_string(options.first_bit) + " to " + std::to_string(options.end_bit) +
                                 "; keys have bits 0 to 32");
    }
    if (keys.capacity > max_keys) {
        return fail(ErrorCode::limit_exceeded,
                    std::to_string(keys.capacity) + " keys; at most " + std::to_string(max_keys) + " can be sorted");
    }
    const auto enough = [&](BufferRef<std::uint32_t> buffer, const char* what) {
        return !buffer.valid() || buffer.capacity >= keys.capacity ||
               fail(invalid, std::string(what) + " have room for " + std::to_string(buffer.capacity) +
                                 ", the keys for " + std::to_string(keys.capacity));
    };
    if (!enough(options.values, "the values") || !enough(options.output_keys, "the output's keys") ||
        !enough(options.output_values, "the output's values")) {
        return false;
    }
    if (options.output_values.valid() && !options.values.valid()) {
        return fail(invalid, "there is an output for values, but no values");
    }
    if (options.values.valid()) {
        const auto same = [](BufferId a, BufferId b) { return a.valid() && b.valid() && a.index == b.index; };
        if (same(options.values, keys) || same(options.output_values, options.output_keys) ||
            same(options.output_keys, options.values) || same(options.output_values, keys)) {
            return fail(invalid, "keys and values share a buffer");
        }
    }
    if (shape.keys_per_invocation > 64 || shape.tile() > 0xFFFF) {
        return fail(invalid, "tiles of " + std::to_string(shape.workgroup) + " times " +
                                 std::to_string(shape.keys_per_invocation) + " keys; ranks within a tile have 16 bits");
    }
    if (!std::has_single_bit(shape.workgroup) || shape.workgroup < shape.subgroup.least || shape.rows > 16 ||
        shape.workgroup > max_workgroup(graph.capabilities(), shape.subgroup)) {
        return fail(invalid, "a workgroup of " + std::to_string(shape.workgroup) +
                                 " invocations; the device runs powers of two of at most 16 subgroups and " +
                                 std::to_string(max_workgroup(graph.capabilities(), shape.subgroup)) + " invocations");
    }
    return check_faults(graph, "radix sort", options.faults);
}

struct Items {
    BufferRef<std::uint32_t> keys, values;
};

/// Keys and values, with stand-ins for those that are not there: bindings 0 to 3 of a kernel.
std::vector<Binding> item_bindings(const Items& from, const Items& to) {
    return {read(from.keys), write(to.keys), from.values.valid() ? read(from.values) : unused(from.keys),
            to.values.valid() ? write(to.values) : unused(to.keys)};
}

void add_single(Graph& graph, const Items& from, const Items& to, const RadixSortOptions& options, const Shape& shape) {
    const CountInputs count = count_inputs(from.keys.count, from.keys);
    Pass pass = kernel_pass("radix sort by one workgroup", shaders::radix_single, shape.subgroup);
    pass.bindings = item_bindings(from, to);
    pass.bindings.push_back(count.binding);
    pass.push = {count.max_count, count.word, options.first_bit, options.end_bit, options.descending ? ~0U : 0U};
    pass.constants = {shape.workgroup,     shape.subgroup.known, shape.single_keys_per_invocation,
                      shape.single_rounds, shape.rows,           from.values.valid() ? 1U : 0U,
                      count.on_gpu};
    pass.dispatch = Dispatch::groups(1);
    graph.add_pass(std::move(pass));
}

/// One histogram of all digits, then a sweep per digit, from `source` to `target` by way of `between`.
void add_passes(Graph& graph, const Items& source, const Items& between, const Items& target,
                const RadixSortOptions& options, const Shape& shape, std::uint32_t passes) {
    const Count& items = source.keys.count;
    const CountInputs count = count_inputs(items, source.keys);
    const std::uint32_t capacity = source.keys.capacity;
    const std::uint32_t tiles = capacity / shape.tile() + (capacity % shape.tile() != 0 ? 1 : 0);
    const std::uint32_t flip = options.descending ? ~0U : 0U;
    const auto starts = graph.transient_buffer<std::uint32_t>("radix sort digit starts", passes * radix);
    const auto totals = graph.state_buffer<std::uint32_t>("radix sort digit totals", totals_header + passes * radix);
    // Each pass clears the tile states of the next one.
    BufferRef<std::uint32_t> states[2];
    for (std::uint32_t i = 0; i < std::min(passes, 2U); ++i) {
        states[i] = graph.transient_buffer<std::uint32_t>("radix sort tile states", state_header + tiles * radix);
    }

    Pass histogram = kernel_pass("radix sort histogram", shaders::radix_histogram, shape.subgroup);
    histogram.bindings = {read(source.keys), read_write(totals), write(starts), write(states[0]), count.binding};
    histogram.push = {count.max_count,      count.word,  options.first_bit, options.end_bit, flip,
                      shape.histogram_keys, shape.tile()};
    histogram.constants = {shape.histogram_workgroup, shape.subgroup.known, passes, shape.histogram_copies,
                           count.on_gpu};
    histogram.dispatch = Dispatch::elements(items, shape.histogram_keys, 1);
    graph.add_pass(std::move(histogram));

    const bool instrumented_kernel = instrumented(options.faults, options.counters);
    const BufferId counters = instrumented_kernel ? zeroed_counters(graph, options.counters) : BufferId{};
    Items from = source;
    for (std::uint32_t i = 0; i < passes; ++i) {
        const Items& to = (passes - 1 - i) % 2 == 0 ? target : between;
        const bool last = i + 1 == passes;
        const std::uint32_t shift = options.first_bit + i * radix_bits;
        Pass sweep =
            kernel_pass("radix sort sweep",
                        instrumented_kernel ? shaders::radix_sweep_instrumented : shaders::radix_sweep, shape.subgroup);
        sweep.name += " of bit " + std::to_string(shift);
        sweep.bindings = item_bindings(from, to);
        sweep.bindings.insert(sweep.bindings.end(),
                              {read(starts), read_write(states[i % 2]),
                               last ? unused(states[i % 2]) : write(states[(i + 1) % 2]), count.binding});
        sweep.push = {count.max_count, count.word, shift, std::min(radix_bits, options.end_bit - shift), flip, i};
        sweep.constants = {shape.workgroup, shape.subgroup.known, shape.keys_per_invocation,
                           shape.rounds,    shape.rows,           from.values.valid() ? 1U : 0U,
                           last ? 1U : 0U,  count.on_gpu,         shape.max_spins};
        sweep.dispatch = Dispatch::elements(items, shape.tile());
        if (instrumented_kernel) {
            instrument(sweep, options.faults, counters);
        }
        graph.add_pass(std::move(sweep));
        from = to;
    }
}

} // namespace

RadixSortResult radix_sort(Graph& graph, BufferRef<std::uint32_t> keys, const RadixSortOptions& options) {
    if (!check_input(graph, "radix sort", keys)) {
        return {};
    }
    const SubgroupChoice subgroup = choose_subgroup(graph, "radix sort", options.tuning.subgroup_size);
    const bool has_values = options.values.valid();
    const Shape shape = choose_shape(graph.capabilities(), subgroup, keys.capacity, has_values, options.tuning);
    const auto output = [&](BufferRef<std::uint32_t> given, const char* name) {
        return given.valid() ? given.with_count(keys.count)
                             : graph.transient_buffer<std::uint32_t>(name, keys.capacity, keys.count);
    };
    RadixSortResult result;
    result.keys = output(options.output_keys, "sorted keys");
    if (has_values) {
        result.values = output(options.output_values, "sorted values");
    }
    if (!check(graph, keys, options, shape)) {
        return result;
    }

    const auto scratch = [&](const char* keys_name, const char* values_name) {
        Items items;
        items.keys = graph.transient_buffer<std::uint32_t>(keys_name, keys.capacity, keys.count);
        if (has_values) {
            items.values = graph.transient_buffer<std::uint32_t>(values_name, keys.capacity, keys.count);
        }
        return items;
    };
    const std::uint32_t passes = (options.end_bit - options.first_bit + radix_bits - 1) / radix_bits;
    const bool single = shape.single || passes == 0;
    const bool in_place =
        result.keys.id.index == keys.id.index || (has_values && result.values.id.index == options.values.id.index);
    const Items source{keys, options.values};
    const Items target{result.keys, result.values};
    // In place, two passes return to where they started; an odd number needs a copy at the end.
    const bool copies_back = in_place && (single || passes % 2 == 1);
    const Items last = copies_back ? scratch("radix sort keys to copy", "radix sort values to copy") : target;
    const auto copy = [&](const char* name, BufferId from, BufferId to) {
        if (from.index != to.index) {
            graph.add_copy(name, from, to, keys.capacity * 4ULL);
        }
    };
    if (single && options.counters.valid()) {
        zeroed_counters(graph, options.counters); // nobody looks back
    }
    if (passes == 0) {
        copy("radix sort of no bits", keys, result.keys);
        copy("radix sort of no bits: values", options.values, result.values);
        return result;
    }
    if (single) {
        add_single(graph, source, last, options, shape);
    } else {
        const Items between =
            passes > 1 ? scratch("radix sort keys between passes", "radix sort values between passes") : Items{};
        add_passes(graph, source, between, last, options, shape, passes);
    }
    copy("radix sort in place", last.keys, result.keys);
    copy("radix sort in place: values", last.values, result.values);
    return result;
}

} // namespace weir
