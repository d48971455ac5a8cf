#include "primitives/sort/rank_sort.hpp"

#include <algorithm>
#include <bit>

#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel.hpp"
#include "primitives/kernel/key_numbers.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

struct RankSortInterface {
#include "shaders/sort/rank_sort_interface.h"
};

constexpr std::uint32_t workgroup = 256;

/// Returns a mask of the bits [first, end) of word `word` of a key.
std::uint32_t mask_of_bits(std::uint32_t first, std::uint32_t end, std::uint32_t word) {
    const std::uint64_t bits = end == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << end) - 1;
    return static_cast<std::uint32_t>((first < 64 ? bits >> first << first : 0) >> 32 * word);
}

/// Returns the number of invocations that share the comparisons of a key. Few keys get many, to fill the device.
std::uint32_t invocations_per_key(std::uint32_t capacity, std::uint32_t longest) {
    constexpr std::uint32_t least_comparisons = 64, few_keys = 4096;
    return std::clamp(std::bit_floor(longest / least_comparisons), 1U, capacity <= few_keys ? 16U : 8U);
}

} // namespace

std::uint64_t most_comparisons(const Capabilities& device, std::uint64_t wanted, bool is_default,
                               std::uint32_t sweeps) {
    if (device.max_workgroup_invocations < workgroup) {
        return 0;
    }
    if (wanted != 0 || !is_default) {
        return std::max<std::uint64_t>(wanted, 1);
    }
    if (device.kind == DeviceKind::cpu) {
        return 1;
    }
    const bool is_fast = device.vendor_id == vendors::nvidia && device.kind == DeviceKind::discrete;
    const std::uint64_t most = std::uint64_t{1} << (is_fast ? 24 : 20);
    return sweeps == 1 ? most / 4 : most;
}

void add_rank_sort(Graph& graph, const char* name, const detail::SortRequest& request, const KeyForm& form,
                   const RankSort& sort) {
    using Interface = RankSortInterface;
    const Segments& segments = sort.segments;
    const bool at_offsets = segments.kind == Segments::Kind::offsets, by_rows = segments.kind == Segments::Kind::rows;
    const std::uint32_t group_keys = at_offsets ? 32 : workgroup / invocations_per_key(request.capacity, sort.longest);
    const BufferId written = sort.to.keys.valid() ? sort.to.keys : sort.to.values;
    const auto or_unused = [](BufferId buffer, Access access, BufferId stand_in) {
        return buffer.valid() ? Binding{buffer, access} : unused(stand_in);
    };
    Pass pass = kernel_pass(name, form.packed ? shaders::rank_sort_narrow : shaders::rank_sort);
    set_bindings(pass, {{Interface::KEYS_BINDING, read(sort.from.keys)},
                        {Interface::SORTED_KEYS_BINDING, or_unused(sort.to.keys, sort.key_store, written)},
                        {Interface::VALUES_BINDING, or_unused(sort.from.values, Access::shader_read, sort.from.keys)},
                        {Interface::SORTED_VALUES_BINDING, or_unused(sort.to.values, Access::shader_write, written)},
                        {Interface::OFFSETS_BINDING, at_offsets ? read(segments.buffer) : unused(sort.from.keys)}});
    set_constants(pass, Interface{.WORKGROUP = workgroup,
                                  .GROUP_KEYS = group_keys,
                                  .KEY_WORDS = form.words,
                                  .NUMBERS = form.packed ? form.numbers : key_numbers(request.key),
                                  .KEY_BITS = form.packed ? form.bits : 32,
                                  .WRITES_KEYS = sort.to.keys.valid(),
                                  .VALUE_WORDS = request.value_words,
                                  .INDICES = request.indices,
                                  .LOCAL_INDICES = sort.has_local_indices,
                                  .SEGMENTS = at_offsets                                ? Interface::RANK_AT_OFFSETS
                                              : by_rows                                 ? Interface::RANK_ROWS
                                              : segments.kind == Segments::Kind::length ? Interface::RANK_OF_LENGTH
                                                                                        : Interface::RANK_ALL,
                                  .END_GIVEN = segments.end_given});
    add_count(pass, by_rows ? segments.count : request.count, sort.from.keys, Interface::COUNTS_BINDING,
              &Interface::COUNT_ON_GPU);
    const std::uint32_t flip = request.descending ? ~0U : 0U;
    push_words(pass, {mask_of_bits(request.first_bit, request.end_bit, 0),
                      mask_of_bits(request.first_bit, request.end_bit, 1), flip, flip});
    add_count(pass,
              at_offsets ? segments.count
              : by_rows  ? segments.variable_length
                         : Count(sort.longest),
              sort.from.keys, Interface::SEGMENT_COUNT_BINDING, &Interface::SEGMENT_COUNT_ON_GPU);
    // Up to some capacity, launching all workgroups takes less time than counting them on the GPU.
    constexpr std::uint32_t small_capacity = 1U << 14;
    const bool counts = !by_rows && request.capacity > small_capacity;
    pass.dispatch = Dispatch::elements(counts ? request.count : Count(request.capacity), group_keys);
    graph.add_pass(std::move(pass));
}

} // namespace weir
