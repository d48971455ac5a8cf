#include <weir/primitives/radix_sort.hpp>

#include <algorithm>
#include <bit>
#include <utility>

#include "engine/base/strings.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/key_numbers.hpp"
#include "primitives/kernel/shapes.hpp"
#include "primitives/kernel/windows.hpp"
#include "primitives/sort/narrow_keys.hpp"
#include "primitives/sort/radix_sweep.hpp"
#include "primitives/sort/radix_tile.hpp"
#include "primitives/sort/rank_sort.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

struct HistogramInterface {
#include "shaders/sort/radix_histogram_interface.h"
};

/// Constants of shaders/sort/radix_single.comp that are not in RadixTileInterface.
struct SingleInterface {
#include "shaders/sort/radix_single_interface.h"
};

struct BasesInterface {
#include "shaders/sort/radix_bases_interface.h"
};

struct PlanInterface {
#include "shaders/sort/radix_plan_interface.h"
};

using detail::RadixSortRequest;

struct Shape : SweepShape {
    bool by_ranks = false; ///< one dispatch compares each key with all others
    bool single = false;   ///< one workgroup sorts all keys
    std::uint32_t single_keys_per_invocation = 0;
    std::uint32_t single_rounds = 0;
    std::uint32_t histogram_workgroup = 0;
    std::uint32_t histogram_copies = 0;
    std::uint32_t histogram_keys = 0; ///< per workgroup
};

/// Chooses the kernel shapes by device and size.
Shape choose_shape(const Capabilities& device, const SubgroupChoice& subgroup, const RadixSortRequest& request,
                   const KeyForm& form) {
    const RadixSortTuning& tuning = request.tuning;
    const std::uint32_t capacity = request.capacity;
    const std::uint32_t most = max_workgroup(device, subgroup);
    const ShapeKernel kernel = sort_kernel(request, form);
    const KernelShape& best = row_for(kernel_shapes(device, kernel), capacity);
    Shape shape{choose_sweep_shape(device, subgroup, tuning, best, form)};
    if (shape.workgroup > most) { // refused by check_tile
        return shape;
    }
    shape.single_keys_per_invocation = 16;
    std::uint32_t single_keys = best.sorts_alone() ? shape.workgroup * best.items : 1;
    if (tuning.single_workgroup_keys != 0) {
        single_keys = tuning.single_workgroup_keys;
    }
    single_keys = std::min(single_keys, shape.workgroup * shape.single_keys_per_invocation);
    shape.single = capacity <= single_keys;
    const std::uint32_t sweeps =
        divide_up(request.end_bit - request.first_bit, radix_bits) + (request.value_words != 0 ? 1 : 0);
    shape.by_ranks = std::uint64_t{capacity} * capacity <=
                     most_comparisons(device, tuning.max_comparisons, tuning == RadixSortTuning{}, sweeps);
    if (!shape.single) {
        static_cast<SweepShape&>(shape) =
            choose_sweep_shape(device, subgroup, tuning, sweep_row(device, kernel, capacity), form);
    }

    // For a small input, use a kernel that holds no more keys than needed.
    while (shape.single_keys_per_invocation > 1 && shape.workgroup * shape.single_keys_per_invocation / 2 >= capacity) {
        shape.single_keys_per_invocation /= 2;
    }
    shape.single_rounds =
        rounds_for(shape.workgroup * shape.single_keys_per_invocation, pool_words(device, shape.rows));

    shape.histogram_workgroup = std::min(512U, most);
    shape.histogram_copies = device.max_workgroup_memory >= 32768 ? 4 : 1;
    const std::uint32_t per_group = device.kind == DeviceKind::cpu ? 16384 : std::bit_ceil(capacity / 1024);
    // Workgroups contend for the totals. If that takes longer than counting, fewer workgroups are better.
    const std::uint32_t least =
        std::clamp(std::bit_ceil(capacity / 32), shape.histogram_workgroup * 8, shape.histogram_workgroup * 16);
    shape.histogram_keys = std::clamp(per_group, least, 1U << 17);
    return shape;
}

/// Returns whether a buffer of the sort is too large for a binding.
bool is_large(const Graph& graph, const RadixSortRequest& request) {
    return exceeds_binding(graph, {request.keys, request.values, request.output_keys, request.output_values});
}

/// Checks what only sorts in windows require.
bool check_large(Graph& graph, const RadixSortRequest& request) {
    const std::uint64_t range = graph.capabilities().max_storage_range;
    const auto refuse = [&](ErrorCode code, const std::string& why) {
        graph.fail({code, concat("radix sort: ", why)});
        return false;
    };
    if (!graph.capabilities().buffer_address) {
        return refuse(ErrorCode::limit_exceeded,
                      concat("keys or values of more than ", range,
                             " bytes (maxStorageBufferRange) require buffer addresses (bufferDeviceAddress), which the "
                             "device does not support"));
    }
    if (request.key_bits < 32) {
        return refuse(ErrorCode::limit_exceeded, concat("keys or values of more than ", range,
                                                        " bytes (maxStorageBufferRange) are not supported for keys of ",
                                                        request.key_bits, " bits"));
    }
    return !request.indices || request.large_count <= ~0U ||
           refuse(ErrorCode::limit_exceeded,
                  concat(request.large_count, " keys; indices have 32 bits, which is enough for ", ~0U));
}

/// Checks a request whose dispatches sort up to `most` keys each.
bool check(Graph& graph, const RadixSortRequest& request, const Shape& shape, std::uint32_t most, bool in_windows) {
    return check_sort(graph, "radix sort", request, in_windows) &&
           check_sweeps(graph, "radix sort", shape, request.tuning, most, most / std::max(shape.tile(), 1U)) &&
           (!in_windows || check_large(graph, request));
}

/// Returns whether sorted keys or values replace those of the input.
bool is_in_place(const RadixSortRequest& request) {
    return (request.output_keys.valid() && request.output_keys == request.keys) ||
           (request.output_values.valid() && request.output_values == request.values);
}

/// Adds the passes of a request that was checked.
class RadixSort {
public:
    /// Sorts in windows if there are any.
    RadixSort(Graph& graph, const RadixSortRequest& request, const KeyForm& form, const Shape& shape,
              Windows windows = {})
        : graph_(graph), request_(request), form_(form), shape_(shape), by_(digits_of(request, form)),
          windows_(std::move(windows)) {
        if (by_.digits.empty() && request.indices) { // only a pass can make indices
            by_.add_empty();
        }
    }

    void add() {
        const Items source{request_.keys, request_.values}, target{request_.output_keys, request_.output_values};
        if (passes() == 0) {
            copy("radix sort of no bits", source, target);
            return;
        }
        // In place, an even number of passes ends in the input buffers. An odd number needs a copy at the end.
        const bool copies_back = is_in_place(request_) && (is_one_pass() || passes() % 2 == 1);
        const Items last =
            copies_back ? scratch("radix sort keys to copy", "radix sort values to copy", target) : target;
        if (!windows_.each.empty()) {
            add_windows(source, last);
        } else if (shape_.by_ranks) {
            add_rank_sort(
                graph_, "radix sort by ranks", request_, form_,
                {.from = source, .to = last, .key_store = key_store(last.keys), .longest = request_.capacity});
        } else if (shape_.single) {
            add_single(source, last);
        } else {
            add_passes(source, last);
        }
        copy("radix sort in place", last, target);
    }

private:
    using Items = SortItems;

    [[nodiscard]] std::uint32_t passes() const { return static_cast<std::uint32_t>(by_.digits.size()); }
    [[nodiscard]] bool is_one_pass() const { return shape_.by_ranks || shape_.single; }
    [[nodiscard]] bool has_values() const { return request_.value_words != 0; }
    [[nodiscard]] std::uint32_t packed_bits() const { return form_.packed ? form_.bits : 32; }

    /// Returns the number of keys for which buffers have capacity.
    [[nodiscard]] std::uint64_t capacity() const {
        return request_.large_count != 0 ? request_.large_count : request_.capacity;
    }

    BufferId transient(const char* name, std::uint32_t words) {
        return graph_.transient_large_buffer<std::uint32_t>(name, capacity() * words);
    }
    BufferId transient_keys(const char* name) {
        const std::uint32_t keys_per_word = form_.packed ? 32 / form_.bits : 1;
        return graph_.transient_large_buffer<std::uint32_t>(name, (capacity() + keys_per_word - 1) / keys_per_word *
                                                                      form_.words);
    }

    /// Returns new transients for the keys and values that `like` has.
    Items scratch(const char* keys, const char* values, const Items& like) {
        return {like.keys.valid() ? transient_keys(keys) : BufferId{},
                like.values.valid() ? transient(values, request_.value_words) : BufferId{}};
    }

    void copy(const char* name, const Items& from, const Items& to) {
        const auto copy_items = [&](const std::string& what, BufferId source, BufferId target, std::uint32_t words) {
            if (target.valid() && source != target) {
                graph_.add_copy(what, source, target, capacity() * words * 4);
            }
        };
        copy_items(name, from.keys, to.keys, form_.words);
        copy_items(concat(name, ": values"), from.values, to.values, request_.value_words);
    }

    /// Binds `buffer`, or `stand_in` as unused if `buffer` is not valid. The pass must have the same access to
    /// `stand_in`; otherwise the validation layer, which checks bindings and not their use, reports a false hazard.
    static Binding bound(BufferId buffer, Access access, BufferId stand_in) {
        return buffer.valid() ? Binding{buffer, access} : unused(stand_in);
    }
    /// Returns the access with which a pass writes sorted keys. The last word of packed keys may hold other data, which
    /// is kept.
    [[nodiscard]] Access key_store(BufferId keys) const {
        return form_.packed && keys.valid() && is_written(graph_, keys) ? Access::shader_read_write
                                                                        : Access::shader_write;
    }

    /// Returns whether the first pass converts keys to integers of the same order, and the last pass converts them
    /// back.
    [[nodiscard]] bool converts() const {
        return form_.packed ? form_.numbers != key_numbers(Scalar::u32) : form_.floating;
    }

    /// Returns a buffer that the pass writes.
    static BufferId any_of(const Items& to) { return to.keys.valid() ? to.keys : to.values; }

    void add_single(const Items& from, const Items& to) {
        Pass pass = kernel_pass("radix sort by one workgroup",
                                form_.packed ? shaders::radix_single_narrow : shaders::radix_single, shape_.subgroup);
        using Interface = RadixTileInterface;
        set_bindings(pass, {{Interface::KEYS_BINDING, read(from.keys)},
                            {Interface::SORTED_KEYS_BINDING, bound(to.keys, key_store(to.keys), any_of(to))},
                            {Interface::VALUES_BINDING, bound(from.values, Access::shader_read, from.keys)},
                            {Interface::SORTED_VALUES_BINDING, bound(to.values, Access::shader_write, any_of(to))}});
        set_constants(pass, Interface{.WORKGROUP = shape_.workgroup,
                                      .SUBGROUP = shape_.subgroup.known,
                                      .KEYS_PER_INVOCATION = shape_.single_keys_per_invocation,
                                      .ROUNDS = shape_.single_rounds,
                                      .ROWS = shape_.rows,
                                      .KEY_WORDS = form_.words,
                                      .FLOAT_KEYS = form_.floating,
                                      .WRITES_KEYS = to.keys.valid(),
                                      .VALUE_WORDS = request_.value_words,
                                      .INDICES = request_.indices,
                                      .RANKS = tile_ranks(graph_, request_.tuning.ranks, by_, form_, has_values()),
                                      .SHUFFLE_BARRIERS = graph_.capabilities().shuffles_need_barriers()});
        set_constants(pass, SingleInterface{.KEY_BITS = packed_bits(), .NUMBERS = form_.numbers});
        add_count(pass, request_.count, request_.keys, Interface::COUNTS_BINDING, &Interface::COUNT_ON_GPU);
        push_words(pass, {by_.first_bit, by_.end_bit, by_.flips[0], by_.flips[1], passes(), by_.low_passes});
        pass.dispatch = Dispatch::groups(1);
        graph_.add_pass(std::move(pass));
    }

    /// Adds one histogram of all digits, then a sweep per digit. Two consecutive sweeps are skipped on the GPU if each
    /// of their digits is equal in all keys.
    void add_passes(const Items& source, const Items& target) {
        const std::uint32_t tiles = divide_up(request_.capacity, shape_.tile());
        const auto plan = graph_.transient_buffer<std::uint32_t>(
            "radix sort plan", PlanInterface::PASS_WORDS * PlanInterface::MAX_PASSES + passes() * radix);
        // Each pass clears the tile states of the next one.
        BufferId states[2];
        for (std::uint32_t i = 0; i < std::min(passes(), 2U); ++i) {
            states[i] = graph_.transient_buffer<std::uint32_t>("radix sort tile states",
                                                               LibraryInterface::WEIR_FIRST_ENTRY + tiles * radix);
        }
        // The first pass also moves the input out of its buffers and makes indices. It can be skipped only if an even
        // number of passes ends in the input buffers.
        const bool returns = passes() % 2 == 0 && target.keys == source.keys && target.values == source.values;
        add_histogram({request_.keys, request_.count, plan, states[0], returns && !converts() ? 0U : 1U,
                       passes() - (converts() ? 1 : 0), shape_.tile()});

        add_sweeps(source, target, [&](std::uint32_t i, const Items& from, const Items& to) {
            const bool last = i + 1 == passes();
            Pass sweep = sweep_pass(graph_, shape_, request_, form_,
                                    form_.packed ? shaders::radix_sweep_narrow : shaders::radix_sweep,
                                    {.from = from,
                                     .to = to,
                                     .key_store = key_store(to.keys),
                                     .plan = plan,
                                     .states = states[i % 2],
                                     .next_states = last ? BufferId{} : states[(i + 1) % 2],
                                     .digit = by_.digits[i],
                                     .pass = i,
                                     .order = sweep_order(shape_, request_, form_, i),
                                     .reads_numbers = converts() && i == 0,
                                     .writes_numbers = converts() && last,
                                     .makes_indices = request_.indices && i == 0});
            sweep.dispatch = Dispatch::elements(request_.count, shape_.tile());
            graph_.add_pass(std::move(sweep));
        });
    }

    /// Calls `add` with the index, the input and the output of each pass. Passes alternate between two buffers. The
    /// last pass writes to the target.
    template <class Add>
    void add_sweeps(const Items& source, const Items& target, const Add& add) {
        Items between, turning = target;
        if (passes() > 1) {
            const Items all{request_.keys, target.values};
            between = scratch("radix sort keys between passes", "radix sort values between passes", all);
        }
        if (passes() > 2 && !target.keys.valid()) {
            turning.keys = transient_keys("radix sort keys between more passes");
        }
        Items from = source;
        for (std::uint32_t i = 0; i < passes(); ++i) {
            const Items to = i + 1 == passes() ? target : (passes() - 1 - i) % 2 == 0 ? turning : between;
            add(i, from, to);
            from = to;
        }
    }

    /// Counts the digits of each window, then sweeps over all windows once per digit.
    void add_windows(const Items& source, const Items& target) {
        constexpr std::uint32_t alignment = 64; // words: a binding can begin at each plan
        const auto windows = static_cast<std::uint32_t>(windows_.each.size());
        const std::uint32_t plan_words =
            divide_up(PlanInterface::PASS_WORDS * PlanInterface::MAX_PASSES + passes() * radix, alignment) * alignment;
        const auto plans = graph_.transient_buffer<std::uint32_t>("radix sort plans", windows * plan_words);
        const std::uint32_t tiles = divide_up(windows_.each.front().count.max, shape_.tile());
        const auto states = graph_.transient_buffer<std::uint32_t>("radix sort tile states",
                                                                   LibraryInterface::WEIR_FIRST_ENTRY + tiles * radix);
        const auto plan_of = [&](std::uint32_t window) { return graph_.part(plans, window * plan_words, plan_words); };
        for (std::uint32_t w = 0; w < windows; ++w) {
            const Window& window = windows_.each[w];
            add_histogram({part_of(graph_, source.keys, window, form_.words).buffer, window.count, plan_of(w), states,
                           passes(), passes(), ~0U});
        }
        const auto bases = graph_.transient_buffer<std::uint32_t>(
            "radix sort bases", 2 * (PlanInterface::FIRST_BASE + 2 * passes() * radix));
        Pass sum = kernel_pass("radix sort bases", shaders::radix_bases);
        set_bindings(sum,
                     {{BasesInterface::PLANS_BINDING, read(plans)}, {BasesInterface::BASES_BINDING, write(bases)}});
        set_constants(sum, BasesInterface{});
        push_words(sum, {windows, plan_words});
        sum.dispatch = Dispatch::groups(passes());
        graph_.add_pass(std::move(sum));

        add_sweeps(source, target, [&](std::uint32_t i, const Items& from, const Items& to) {
            for (std::uint32_t w = 0; w < windows; ++w) {
                const Window& window = windows_.each[w];
                graph_.add_fill("clear radix sort tile states", states, 0);
                Pass sweep = sweep_pass(graph_, shape_, request_, form_, shaders::radix_sweep_large,
                                        {.from = {part_of(graph_, from.keys, window, form_.words).buffer,
                                                  part_of(graph_, from.values, window, request_.value_words).buffer},
                                         .to = to,
                                         .plan = plan_of(w),
                                         .states = states,
                                         .digit = by_.digits[i],
                                         .pass = i,
                                         .order = sweep_order(shape_, request_, form_, i, false),
                                         .reads_numbers = converts() && i == 0,
                                         .writes_numbers = converts() && i + 1 == passes(),
                                         .makes_indices = request_.indices && i == 0,
                                         .bases = bases,
                                         .table = w % 2,
                                         .first_index = static_cast<std::uint32_t>(window.first)});
                sweep.dispatch = Dispatch::elements(window.count, shape_.tile());
                graph_.add_pass(std::move(sweep));
            }
        });
    }

    /// A histogram of all digits of the keys.
    struct DigitCounts {
        BufferId keys;
        Count count;
        BufferId plan, states;
        std::uint32_t first_skipped = 0, skipped_end = 0; ///< passes that may be skipped
        std::uint32_t tile = 0;                           ///< keys per tile whose states are cleared
    };

    void add_histogram(const DigitCounts& counted) {
        const auto totals = graph_.state_buffer<std::uint32_t>("radix sort digit totals",
                                                               HistogramInterface::FIRST_TOTAL + passes() * radix);
        Pass pass = kernel_pass("radix sort histogram", shaders::radix_histogram, shape_.subgroup);
        using Interface = HistogramInterface;
        set_bindings(pass, {{Interface::KEYS_BINDING, read(counted.keys)},
                            {Interface::TOTALS_BINDING, read_write(totals)},
                            {Interface::PLAN_BINDING, write(counted.plan)},
                            {Interface::TILE_STATE_BINDING, write(counted.states)}});
        // With twice the number of digits, half the number of copies fits.
        const std::uint32_t copies = passes() > 4 ? divide_up(shape_.histogram_copies, 2) : shape_.histogram_copies;
        set_constants(pass, Interface{.WORKGROUP = shape_.histogram_workgroup,
                                      .SUBGROUP = shape_.subgroup.known,
                                      .PASSES = passes(),
                                      .LOW_PASSES = by_.low_passes,
                                      .COPIES = copies,
                                      .KEY_WORDS = form_.words,
                                      .FLOAT_KEYS = form_.floating,
                                      .KEY_BITS = packed_bits(),
                                      .NUMBERS = form_.numbers});
        add_count(pass, counted.count, counted.keys, Interface::COUNTS_BINDING, &Interface::COUNT_ON_GPU);
        push_words(pass, {by_.first_bit, by_.end_bit, by_.flips[0], by_.flips[1], shape_.histogram_keys, counted.tile,
                          counted.first_skipped, counted.skipped_end});
        pass.dispatch = Dispatch::elements(counted.count, shape_.histogram_keys, 1);
        graph_.add_pass(std::move(pass));
    }

    Graph& graph_;
    const RadixSortRequest& request_;
    KeyForm form_;
    Shape shape_;
    SortDigits by_;
    Windows windows_;
};

/// Sorts keys that are more than a binding can access.
void add_large(Graph& graph, const RadixSortRequest& request, const SubgroupChoice& subgroup, const KeyForm& form) {
    const std::uint32_t words = std::max(form.words, request.value_words);
    const std::uint64_t window_keys = graph.capabilities().max_storage_range / 4 / words;
    RadixSortRequest of_window = request;
    of_window.capacity = static_cast<std::uint32_t>(std::min<std::uint64_t>(window_keys, (1U << 30) - 1));
    of_window.tuning.single_workgroup_keys = 1;
    of_window.tuning.max_comparisons = 1;
    const Shape shape = choose_shape(graph.capabilities(), subgroup, of_window, form);
    if (!check(graph, request, shape, of_window.capacity, true)) {
        return;
    }
    const Windows windows = divide_into_windows(graph, "radix sort", request.count, request.large_count, words);
    if (!windows.each.empty()) {
        RadixSort(graph, request, form, shape, windows).add();
    }
}

} // namespace

namespace detail {

void add_radix_sort(Graph& graph, const RadixSortRequest& request) {
    const SubgroupChoice subgroup = choose_subgroup(graph, "radix sort", request.tuning.subgroup_size);
    KeyForm form = key_form(request.key);
    if (is_large(graph, request)) {
        add_large(graph, request, subgroup, form);
        return;
    }
    const Shape shape = choose_shape(graph.capabilities(), subgroup, request, form);
    if (!check(graph, request, shape, request.capacity, false)) {
        return;
    }
    if (request.key_bits >= 32) {
        RadixSort(graph, request, form, shape).add();
        return;
    }
    const std::uint32_t passes = divide_up(request.end_bit - request.first_bit, radix_bits);
    // An even number of sweeps ends in the input buffers. A single workgroup would need a copy.
    const bool ends_in_place = !shape.by_ranks && !shape.single && passes % 2 == 0;
    form = key_form(Scalar::u32);
    form.bits = request.key_bits;
    const bool copies = passes == 0 || (is_in_place(request) && !ends_in_place); // copies are of whole words
    if (graph.capabilities().narrow_storage && !copies) {
        form.packed = true;
        form.numbers = key_numbers(request.key);
        RadixSort(graph, request, form, shape).add();
        return;
    }
    const RadixSortRequest words = add_widened(graph, request, ends_in_place);
    RadixSort(graph, words, form, shape).add();
    add_narrowed(graph, words, request);
}

} // namespace detail

} // namespace weir
