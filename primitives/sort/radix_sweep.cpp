#include "primitives/sort/radix_sweep.hpp"

#include <algorithm>

#include "engine/base/strings.hpp"
#include "primitives/kernel/instrument.hpp"
#include "primitives/kernel/kernel_text.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

struct SweepInterface {
#include "shaders/sort/radix_sweep_interface.h"
};

/// Bindings of kernels with IN_SEGMENTS.
struct SegmentSweepInterface {
#define IN_SEGMENTS
#include "shaders/sort/radix_sweep_interface.h"
#undef IN_SEGMENTS
};

constexpr std::uint32_t most_rounds = 64; // drivers unroll the loop over rounds

/// Pushes two addresses: of the keys and the values that the pass writes, or of those that exist and 0.
void add_addresses(Pass& pass, const SortItems& to) {
    for (const BufferId buffer : {to.keys, to.values}) {
        if (buffer.valid()) {
            pass.addressed.push_back(write(buffer));
        }
    }
    if (pass.addressed.size() == 1) {
        push_words(pass, {0U, 0U});
    }
}

} // namespace

ShapeKernel sort_kernel(const detail::SortRequest& request, const KeyForm& form) {
    return request.value_words != 0 ? ShapeKernel::sort_pairs
           : form.words > 1         ? ShapeKernel::sort_wide_keys
                                    : ShapeKernel::sort_keys;
}

const KernelShape& sweep_row(const Capabilities& device, ShapeKernel kernel, std::uint32_t capacity) {
    return *std::ranges::find_if(kernel_shapes(device, kernel),
                                 [&](const KernelShape& row) { return capacity <= row.up_to && !row.sorts_alone(); });
}

SweepShape choose_sweep_shape(const Capabilities& device, const SubgroupChoice& subgroup, const RadixSortTuning& tuning,
                              const KernelShape& row, const KeyForm& form) {
    const std::uint32_t most = max_workgroup(device, subgroup);
    SweepShape shape{
        .subgroup = subgroup, .workgroup = tuning.workgroup, .keys_per_invocation = tuning.keys_per_invocation};
    if (shape.workgroup > most) { // refused by check_tile
        return shape;
    }
    if (shape.workgroup == 0) {
        shape.workgroup = std::min({row.workgroup, most, most_counter_rows(device) * subgroup.least});
    }
    shape.rows = std::max(1U, shape.workgroup / std::max(1U, subgroup.least));
    if (shape.keys_per_invocation == 0) {
        // A row of the table counts words. An invocation holds all words of its keys, and later one word of each value.
        const std::uint32_t row_words = row.kernel == ShapeKernel::sort_pairs ? form.words : 1;
        shape.keys_per_invocation = divide_up(row.items, row_words);
    }
    const std::uint32_t wanted_rounds = tuning.rounds != 0 ? tuning.rounds : row.rounds;
    // By default, enough rounds that the keys exchanged in one round fit the memory of the counters.
    const std::uint32_t words =
        wanted_rounds != 0 ? spare_workgroup_memory(device) / 4 : pool_words(device, shape.rows);
    shape.rounds = std::max(wanted_rounds, rounds_for(shape.tile() * form.words, words));
    shape.max_spins = tuning.max_spins != 0 ? tuning.max_spins : row.max_spins;
    shape.ranks_are_checked =
        tuning.ranks == RadixRanks::checked || (tuning.ranks == RadixRanks::automatic && device.atomics_in_lane_order);
    return shape;
}

bool check_sweeps(Graph& graph, const char* primitive, const SweepShape& shape, const RadixSortTuning& tuning,
                  std::uint32_t keys, std::uint64_t tiles) {
    if (!check_tile(graph, primitive, shape.subgroup, shape.workgroup, shape.keys_per_invocation)) {
        return false;
    }
    if (tiles * radix >> 31 != 0) {
        graph.fail(
            {ErrorCode::limit_exceeded, concat(primitive, ": ", keys, " keys in tiles of ", shape.tile(),
                                               " need more than 2^31 words of digit counters; use larger tiles")});
        return false;
    }
    if (tuning.rounds > most_rounds) {
        graph.fail({ErrorCode::invalid_argument, concat(primitive, ": ", tuning.rounds, " exchange rounds; at most ",
                                                        most_rounds, " are supported")});
        return false;
    }
    return check_enum(graph, primitive, "RadixRanks", tuning.ranks, RadixRanks::checked);
}

std::uint32_t sweep_order(const SweepShape& shape, const detail::SortRequest& request, const KeyForm& form,
                          std::uint32_t pass, bool in_any_order) {
    // Ranks have 16 bits, and the ranks of padding keys are beyond the tile.
    constexpr std::uint32_t room_for_padding = 1U << 15;
    if (request.value_words != 0 || request.first_bit != 0 || request.end_bit != form.bits ||
        shape.tile() > room_for_padding) {
        return SweepInterface::ORDER_KEPT;
    }
    return pass == 0 && in_any_order ? SweepInterface::ORDER_ANY
           : shape.ranks_are_checked ? SweepInterface::ORDER_CHECKED
                                     : SweepInterface::ORDER_KEPT;
}

Pass sweep_pass(const Graph& graph, const SweepShape& shape, const detail::SortRequest& request, const KeyForm& form,
                const Packed& shader, const Sweep& sweep) {
    const bool in_segments = sweep.segment_tiles.valid(), is_large = sweep.bases.valid();
    const Digit& digit = sweep.digit;
    Pass pass = kernel_pass("radix sort sweep", shader, shape.subgroup);
    pass.name += concat(" of bit ", 32 * digit.word + digit.shift);
    // A buffer that stands in for an optional one must have the same access; otherwise the validation layer, which
    // checks bindings and not their use, reports a false hazard.
    const auto bound = [&](BufferId buffer, Access access) {
        return buffer.valid() ? Binding{buffer, access} : unused(sweep.states);
    };
    // A window stores by address, and its bases are bound instead of the sorted keys.
    set_bindings(pass, {{SweepInterface::KEYS_BINDING, read(sweep.from.keys)},
                        {SweepInterface::SORTED_KEYS_BINDING,
                         is_large ? read_write(sweep.bases) : bound(sweep.to.keys, sweep.key_store)},
                        {SweepInterface::VALUES_BINDING, bound(sweep.from.values, Access::shader_read)},
                        {SweepInterface::SORTED_VALUES_BINDING,
                         bound(is_large ? BufferId{} : sweep.to.values, Access::shader_write)},
                        {SweepInterface::PLAN_BINDING, read(sweep.plan)},
                        {SweepInterface::TILE_STATE_BINDING, read_write(sweep.states)},
                        {SweepInterface::NEXT_TILE_STATE_BINDING, bound(sweep.next_states, Access::shader_write)}});
    if (is_large) {
        add_addresses(pass, sweep.to);
    }
    push_words(pass, {digit.shift, digit.bits, digit.flip, ~digit.flip, digit.word, sweep.pass});
    if (is_large) {
        push_words(pass, {sweep.table, sweep.first_index});
    } else {
        push_words(pass, {sweep.next_states.valid() ? 1U : 0U});
    }
    if (in_segments) {
        set_bindings(pass, {{SegmentSweepInterface::SEGMENT_TILES_BINDING, read(sweep.segment_tiles)}});
        push_words(pass, {sweep.digit_tables, sweep.max_tiles});
    }
    set_constants(pass, SweepInterface{.WORKGROUP = shape.workgroup,
                                       .SUBGROUP = shape.subgroup.known,
                                       .KEYS_PER_INVOCATION = shape.keys_per_invocation,
                                       .ROUNDS = shape.rounds,
                                       .ROWS = shape.rows,
                                       .KEY_WORDS = form.words,
                                       .READS_NUMBERS = sweep.reads_numbers,
                                       .WRITES_NUMBERS = sweep.writes_numbers,
                                       .WRITES_KEYS = sweep.to.keys.valid(),
                                       .VALUE_WORDS = request.value_words,
                                       .INDICES = sweep.makes_indices,
                                       .MAX_SPINS = shape.max_spins,
                                       .ORDER = sweep.order,
                                       .KEY_BITS = form.packed ? form.bits : 32,
                                       .NUMBERS = form.numbers,
                                       .SHUFFLE_BARRIERS = graph.capabilities().shuffles_need_barriers(),
                                       .LOCAL_INDICES = sweep.has_local_indices});
    if (instrumented(graph) && sweep.order != SweepInterface::ORDER_ANY) { // with ORDER_ANY no tile waits
        pass.shader = ShaderSource::glsl(
            concat(glsl_version(), "#define INSTRUMENTED\n", form.packed ? "#define NARROW_KEYS\n" : "",
                   in_segments ? "#define IN_SEGMENTS\n" : "", is_large ? "#define LARGE\n" : "",
                   "#include <weir/radix_sweep.glsl>\n"),
            "radix sort");
        add_instrument(graph, pass);
    }
    return pass;
}

} // namespace weir
