#include <weir/primitives/segmented_top_k.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "engine/base/strings.hpp"
#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel.hpp"
#include "primitives/kernel/key_numbers.hpp"
#include "primitives/scan/scan_pass.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

struct SegmentedTopKInterface {
#include "shaders/sort/segmented_top_k_interface.h"
};

struct FirstKeysInterface {
#include "shaders/sort/first_keys_interface.h"
};

using detail::SegmentedTopKRequest;

constexpr const char* primitive = "segmented top k";
constexpr std::uint32_t max_keys = 1U << 30; // so that indices one row of keys beyond the end fit 32 bits

bool refuse(Graph& graph, ErrorCode code, const std::string& why) {
    graph.fail({code, concat(primitive, ": ", why)});
    return false;
}

bool are_at_offsets(const SegmentedTopKRequest& request) {
    return request.segments.kind == Segments::Kind::offsets;
}

bool are_rows(const Segments& segments) {
    return segments.kind == Segments::Kind::rows;
}

/// Returns the count on which the number of segments depends.
const Count& number_of(const Segments& segments, const Count& elements) {
    return segments.kind == Segments::Kind::length ? elements : segments.count;
}

bool is_constant(const Count& count) {
    return count.kind == Count::Kind::constant;
}

bool check(Graph& graph, const SegmentedTopKRequest& request) {
    const std::uint32_t most = request.count.max, words = ElementType{request.key}.words();
    const Segments& segments = request.segments;
    const auto capacity = static_cast<std::uint32_t>(std::min<std::uint64_t>(request.key_capacity, max_keys));
    if (!check_input(graph, primitive, request.keys) ||
        !(are_rows(segments) ? check_rows(graph, primitive, segments, capacity)
                             : check_segments(graph, primitive, segments, most))) {
        return false;
    }
    if (!are_at_offsets(request) && !are_rows(segments) && segments.kind != Segments::Kind::length) {
        return refuse(graph, ErrorCode::invalid_argument, "segments must be of one length or at offsets");
    }
    if (request.wanted.max == 0) {
        return refuse(graph, ErrorCode::invalid_argument, "k must be at least 1");
    }
    if (request.local_indices && !request.output_indices.valid()) {
        return refuse(graph, ErrorCode::invalid_argument, ".local_indices requires .want_indices");
    }
    const std::uint64_t chosen = std::uint64_t{segments.max_segments(most)} * request.wanted.max;
    if (most >= max_keys || chosen >= max_keys) {
        return refuse(graph, ErrorCode::limit_exceeded,
                      concat(most >= max_keys ? most : chosen, most >= max_keys ? "" : " chosen", " keys; less than ",
                             max_keys, " are supported"));
    }
    const BufferId written[] = {request.output_keys, request.output_indices};
    const BufferId seen[] = {request.keys,
                             buffer_of(request.count),
                             are_at_offsets(request) ? segments.buffer : BufferId{},
                             buffer_of(segments.count),
                             buffer_of(segments.variable_length),
                             buffer_of(request.wanted)};
    return check_room(graph, primitive, {"the input", request.keys, request.key_capacity}, most, words) &&
           check_room(graph, primitive, {"the output's keys' buffer", request.output_keys, request.output_key_capacity},
                      chosen, words) &&
           (!request.output_indices.valid() ||
            check_room(graph, primitive,
                       {"the output's indices' buffer", request.output_indices, request.output_index_capacity}, chosen,
                       1)) &&
           check_apart(graph, primitive, written, seen);
}

/// A choice in one dispatch, among the keys of each segment or of each part of a segment.
struct Choice {
    BufferId keys, indices; ///< `indices` is optional; without it, the indices are the places of the keys
    Count count;
    Segments segments;
    Count wanted;
    std::uint32_t parts = 1;
    BufferId chosen_keys, chosen_indices; ///< `chosen_indices` is optional
    BufferId total;                       ///< optional: receives the numbers of keys in the output and of segments
    bool sorted = false; ///< the kernel sorts the chosen keys; otherwise they are in the order of the input
};

/// Returns the mean number of keys per segment, as far as known when the graph is built.
std::uint32_t usual_length(const Count& count, const Segments& segments) {
    return segments.kind == Segments::Kind::offsets
               ? divide_up(count.max, std::max(1U, segments.max_segments(count.max)))
           : are_rows(segments) ? segments.variable_length.max
                                : std::min(segments.length, count.max);
}

/// Returns the number of workgroups of 1024 invocations that fill the device.
std::uint32_t enough_workgroups(const Capabilities& device) {
    return device.kind == DeviceKind::cpu ? 16 : 264;
}

/// Returns the number of parts per segment. The choice among the keys of each part and the choice among the keys chosen
/// from all parts take the least time together if both have the same number of keys. Segments are split only if there
/// are too few to fill the device.
std::uint32_t usual_parts(const Capabilities& device, const SegmentedTopKRequest& request) {
    constexpr std::uint32_t least_keys = 4096; // per part
    constexpr std::uint32_t least_parts = 3;   // two parts gain less than the second choice costs
    const std::uint32_t segments = std::max(1U, request.segments.max_segments(request.count.max));
    const std::uint32_t length = usual_length(request.count, request.segments);
    const auto balanced = static_cast<std::uint32_t>(std::sqrt(length / request.wanted.max));
    const std::uint32_t parts =
        std::min({balanced, enough_workgroups(device) / segments, length / least_keys, SegmentedTopKTuning::max_parts});
    return parts >= least_parts ? parts : 1;
}

/// Returns whether the whole device sorts all keys. If few long segments have too large a k for several parts, one
/// workgroup per segment would choose.
bool sorts_all(const Capabilities& device, const SegmentedTopKRequest& request) {
    constexpr std::uint32_t long_length = 1U << 16, least_part = 9; // a ninth of the length
    const std::uint32_t most_segments = device.kind == DeviceKind::cpu ? 2 : 64;
    const std::uint32_t segments = request.segments.max_segments(request.count.max);
    const std::uint32_t length = usual_length(request.count, request.segments);
    return request.sorted && request.segments.kind == Segments::Kind::length && is_constant(request.wanted) &&
           request.tuning.parts == 0 && length >= long_length && length / request.wanted.max < least_part &&
           segments <= most_segments;
}

/// The teams that choose: workgroups, or their subgroups.
struct Teams {
    std::uint32_t workgroup = 0; ///< invocations per workgroup
    std::uint32_t number = 1;    ///< teams per workgroup
    std::uint32_t held_keys = 0; ///< keys per lane if teams are subgroups, otherwise 0
};

/// Returns whether subgroups can choose: they hold all keys of a segment in registers and need no barriers. A subgroup
/// takes longer than a workgroup if it has many keys per lane. That matters only if there are few segments.
bool choose_by_subgroups(const Capabilities& device, const SegmentedTopKRequest& request,
                         const SubgroupChoice& subgroup, const Choice& choice) {
    constexpr std::uint32_t few_segments = 1024, most_of_few = 16, most_of_many = 32; // words of keys per lane
    const bool are_few = choice.segments.max_segments(choice.count.max) < few_segments;
    const std::uint32_t most = (are_few ? most_of_few : most_of_many) / ElementType{request.key}.words();
    return request.tuning.workgroup == 0 && choice.parts == 1 && choice.segments.kind != Segments::Kind::offsets &&
           subgroup.known != 0 && !device.shuffles_need_barriers() &&
           usual_length(choice.count, choice.segments) <= std::uint64_t{subgroup.known} * most;
}

/// Returns the teams for a choice. Short segments get few invocations, so that many workgroups run at the same time.
Teams usual_teams(const Capabilities& device, const SegmentedTopKRequest& request, const SubgroupChoice& subgroup,
                  const Choice& choice) {
    constexpr std::uint32_t least = 64, most = 1024, subgroups = 4;
    const std::uint32_t length = divide_up(usual_length(choice.count, choice.segments), choice.parts);
    const std::uint32_t max = max_workgroup(device, subgroup);
    if (choose_by_subgroups(device, request, subgroup, choice)) {
        const std::uint32_t workgroup = std::min(subgroups * subgroup.known, max);
        return {workgroup, workgroup / subgroup.known, std::max(1U, divide_up(length, subgroup.known))};
    }
    const std::uint32_t rows = divide_up(length, SegmentedTopKInterface::LOADS);
    const std::uint32_t usual =
        std::min({std::bit_ceil(std::clamp(rows, std::max(least, subgroup.least), most)), most, max});
    return {.workgroup = request.tuning.workgroup != 0 ? request.tuning.workgroup : usual};
}

/// Returns the bits per digit. Short segments use fewer, because reading them again is faster than clearing and summing
/// many counters.
std::uint32_t digit_bits(std::uint32_t length) {
    return length <= 1024 ? 8 : 11;
}

/// Returns whether a workgroup lists the first keys of `length` keys. This reads them twice, however many digits they
/// have, but takes longer if they are few.
bool lists_keys(const Capabilities& device, const Teams& teams, std::uint32_t length) {
    constexpr std::uint32_t least_rows = 4, most_other_words = 4096; // counters, and keys that are sorted
    const std::uint32_t listed = teams.workgroup * SegmentedTopKInterface::LISTED_KEYS;
    return teams.held_keys == 0 && length >= least_rows * listed &&
           (listed + most_other_words) * sizeof(std::uint32_t) <= device.max_workgroup_memory;
}

/// Maximum k for which the kernel sorts the chosen keys, by comparing each with all others.
constexpr std::uint32_t most_sorted = 64;

void add_choice(Graph& graph, const SegmentedTopKRequest& request, const SubgroupChoice& subgroup,
                const Choice& choice) {
    using Interface = SegmentedTopKInterface;
    const bool at_offsets = choice.segments.kind == Segments::Kind::offsets;
    const std::uint32_t length = divide_up(usual_length(choice.count, choice.segments), choice.parts);
    const Teams teams = usual_teams(graph.capabilities(), request, subgroup, choice);
    const auto or_unused = [](BufferId buffer, Binding (*access)(ResourceId), BufferId stand_in) {
        return buffer.valid() ? access(buffer) : unused(stand_in);
    };
    Pass pass = kernel_pass(primitive, shaders::segmented_top_k, subgroup);
    if (choice.parts > 1) {
        pass.name += " of parts";
    }
    set_bindings(pass,
                 {{Interface::KEYS_BINDING, read(choice.keys)},
                  {Interface::CHOSEN_KEYS_BINDING, write(choice.chosen_keys)},
                  {Interface::CHOSEN_INDICES_BINDING, or_unused(choice.chosen_indices, write, choice.chosen_keys)},
                  {Interface::TOTAL_BINDING, or_unused(choice.total, write, choice.chosen_keys)},
                  {Interface::OFFSETS_BINDING, at_offsets ? read(choice.segments.buffer) : unused(choice.keys)},
                  {Interface::GIVEN_INDICES_BINDING, or_unused(choice.indices, read, choice.keys)}});
    const bool by_rows = are_rows(choice.segments);
    set_constants(pass, Interface{.WORKGROUP = teams.workgroup,
                                  .SUBGROUP = subgroup.known,
                                  .KEY_WORDS = ElementType{request.key}.words(),
                                  .NUMBERS = key_numbers(request.key),
                                  .DESCENDING = request.descending,
                                  .AT_OFFSETS = at_offsets,
                                  .INDICES = choice.chosen_indices.valid(),
                                  .WRITES_TOTAL = choice.total.valid(),
                                  .DIGIT_BITS = digit_bits(length),
                                  .PARTS = choice.parts,
                                  .INDICES_GIVEN = choice.indices.valid(),
                                  .END_GIVEN = choice.segments.end_given,
                                  .BY_ROWS = by_rows,
                                  .LOCAL_INDICES = request.local_indices,
                                  .BY_SUBGROUPS = teams.held_keys != 0,
                                  .HELD_KEYS = std::max(1U, teams.held_keys),
                                  .SORTED_KEYS = choice.sorted ? choice.wanted.max : 0,
                                  .LISTS = lists_keys(graph.capabilities(), teams, length),
                                  .SHUFFLE_BARRIERS = graph.capabilities().shuffles_need_barriers()});
    add_count(pass, by_rows ? choice.segments.count : choice.count, choice.keys, Interface::COUNTS_BINDING,
              &Interface::COUNT_ON_GPU);
    add_count(pass,
              at_offsets ? choice.segments.count
              : by_rows  ? choice.segments.variable_length
                         : Count(choice.segments.length),
              choice.keys, Interface::SEGMENT_COUNT_BINDING, &Interface::SEGMENT_COUNT_ON_GPU);
    add_count(pass, choice.wanted, choice.keys, Interface::WANTED_COUNT_BINDING, &Interface::WANTED_ON_GPU);
    // Segments with several parts are few. Launching workgroups for the maximum number of segments costs less than
    // counting them.
    pass.dispatch =
        choice.parts > 1 ? Dispatch::groups(choice.segments.max_segments(choice.count.max) * choice.parts)
        : at_offsets || by_rows
            ? Dispatch::elements(choice.segments.count, teams.number, 1)
            : Dispatch::elements(choice.count,
                                 std::min(choice.segments.length, std::max(1U, choice.count.max)) * teams.number, 1);
    graph.add_pass(std::move(pass));
}

/// Adds the choice among the keys of each part. Returns the remaining choice: among the keys and indices that were
/// chosen from all parts of each segment.
Choice add_parts(Graph& graph, const SegmentedTopKRequest& request, const SubgroupChoice& subgroup, Choice whole) {
    const std::uint32_t of_segment = whole.parts * request.wanted.max;
    const std::uint32_t most = std::max(1U, whole.segments.max_segments(whole.count.max)) * of_segment;
    const bool is_known = is_constant(number_of(whole.segments, whole.count));
    const auto total = is_known ? BufferRef<std::uint32_t>{}
                                : graph.transient_buffer<std::uint32_t>("segmented top k: total of parts", 2);
    Choice parts = whole;
    parts.sorted = false;
    parts.wanted = Count(request.wanted.max); // a smaller k is a matter of the second choice
    parts.total = total;
    parts.chosen_keys = graph.transient_buffer<std::uint32_t>("segmented top k: keys of parts",
                                                              most * ElementType{request.key}.words());
    if (whole.chosen_indices.valid()) {
        parts.chosen_indices = graph.transient_buffer<std::uint32_t>("segmented top k: indices of parts", most);
    }
    add_choice(graph, request, subgroup, parts);
    whole.keys = parts.chosen_keys;
    whole.indices = parts.chosen_indices;
    whole.count = is_known ? Count(most) : graph.count_in(total, 0, most);
    whole.segments = Segments::of_length(of_segment);
    whole.parts = 1;
    return whole;
}

/// Returns the request of a sort of these keys and indices.
detail::SegmentedSortRequest sort_of(const SegmentedTopKRequest& request, BufferId keys, const Count& count,
                                     std::uint32_t capacity, const Segments& segments) {
    detail::SegmentedSortRequest sort;
    sort.key = request.key;
    sort.key_bits = sort.end_bit = ElementType{request.key}.words() * 32;
    sort.count = count;
    sort.keys = keys;
    sort.capacity = capacity;
    sort.value_words = request.output_indices.valid() ? 1 : 0;
    sort.descending = request.descending;
    sort.segments = segments;
    sort.tuning = request.tuning.sort;
    return sort;
}

/// Sets the outputs of a sort.
void set_outputs(detail::SegmentedSortRequest& sort, BufferId keys, BufferId values, std::uint32_t capacity) {
    sort.output_keys = keys;
    sort.output_values = values;
    sort.output_key_capacity = sort.output_value_capacity = capacity;
}

/// Adds a sort of all keys and a pass that copies the first ones of each segment.
void add_first_of_all(Graph& graph, const SegmentedTopKRequest& request, BufferId total) {
    const std::uint32_t capacity = request.count.max, words = ElementType{request.key}.words();
    const bool has_indices = request.output_indices.valid();
    const auto keys = graph.transient_buffer<std::uint32_t>("segmented top k: sorted keys", capacity * words);
    const BufferId indices =
        has_indices ? graph.transient_buffer<std::uint32_t>("segmented top k: sorted indices", capacity) : BufferId{};
    detail::SegmentedSortRequest sort = sort_of(request, request.keys, request.count, capacity, request.segments);
    sort.indices = has_indices;
    sort.local_indices = request.local_indices;
    set_outputs(sort, keys, indices, capacity);
    detail::add_segmented_sort(graph, sort);

    using Interface = FirstKeysInterface;
    constexpr std::uint32_t workgroup = 256;
    Pass pass = kernel_pass(concat(primitive, " of sorted keys"), shaders::first_keys);
    set_bindings(pass, {{Interface::KEYS_BINDING, read(keys)},
                        {Interface::INDICES_BINDING, has_indices ? read(indices) : unused(keys)},
                        {Interface::FIRST_KEYS_BINDING, write(request.output_keys)},
                        {Interface::FIRST_INDICES_BINDING,
                         has_indices ? write(request.output_indices) : unused(request.output_keys)},
                        {Interface::TOTAL_BINDING, total.valid() ? write(total) : unused(request.output_keys)}});
    set_constants(pass, Interface{.WORKGROUP = workgroup,
                                  .KEY_WORDS = words,
                                  .NUMBERS = key_numbers(request.key),
                                  .DESCENDING = request.descending,
                                  .INDICES = has_indices,
                                  .WRITES_TOTAL = total.valid()});
    add_count(pass, request.count, keys, Interface::COUNTS_BINDING, &Interface::COUNT_ON_GPU);
    push_words(pass, {request.segments.length, request.wanted.max});
    pass.dispatch =
        Dispatch::elements(Count(request.segments.max_segments(capacity) * request.wanted.max), workgroup, 1);
    graph.add_pass(std::move(pass));
}

/// Checks the workgroup and the parts.
bool check_shape(Graph& graph, const SegmentedTopKRequest& request, const SubgroupChoice& subgroup,
                 std::uint32_t parts) {
    const std::uint32_t workgroup = request.tuning.workgroup;
    const std::uint32_t most = std::min(max_workgroup(graph.capabilities(), subgroup), 1024U);
    if (workgroup != 0 && (!std::has_single_bit(workgroup) || workgroup < subgroup.least || workgroup > most)) {
        return refuse(graph, ErrorCode::invalid_argument,
                      concat("a workgroup of ", workgroup, " invocations; powers of two from ", subgroup.least, " to ",
                             most, " are supported"));
    }
    const std::uint64_t chosen =
        std::uint64_t{request.segments.max_segments(request.count.max)} * request.wanted.max * parts;
    if (parts > SegmentedTopKTuning::max_parts || chosen >= max_keys) {
        return refuse(
            graph, ErrorCode::limit_exceeded,
            parts > SegmentedTopKTuning::max_parts
                ? concat(parts, " parts per segment; at most ", SegmentedTopKTuning::max_parts, " are supported")
                : concat(parts, " parts per segment with ", chosen, " chosen keys; less than ", max_keys,
                         " are supported"));
    }
    return true;
}

/// Adds the choice of the keys of each segment, and the sort of the chosen keys.
void add_choices(Graph& graph, const SegmentedTopKRequest& request, const SubgroupChoice& subgroup, std::uint32_t parts,
                 BufferRef<std::uint32_t> total) {
    const std::uint32_t segments = request.segments.max_segments(request.count.max);
    const std::uint32_t most = segments * request.wanted.max, words = ElementType{request.key}.words();
    Choice choice{.keys = request.keys,
                  .count = request.count,
                  .segments = request.segments,
                  .wanted = request.wanted,
                  .parts = parts,
                  .chosen_keys = request.output_keys,
                  .chosen_indices = request.output_indices,
                  .total = total,
                  .sorted = request.sorted && request.wanted.max <= most_sorted};
    const bool needs_sort = request.sorted && !choice.sorted;
    if (needs_sort) {
        choice.chosen_keys =
            graph.transient_buffer<std::uint32_t>("segmented top k: chosen keys", std::max(1U, most) * words);
        if (request.output_indices.valid()) {
            choice.chosen_indices =
                graph.transient_buffer<std::uint32_t>("segmented top k: chosen indices", std::max(1U, most));
        }
    }
    const BufferId chosen_keys = choice.chosen_keys, chosen_indices = choice.chosen_indices;
    if (parts > 1) {
        choice = add_parts(graph, request, subgroup, choice);
    }
    add_choice(graph, request, subgroup, choice);
    if (!needs_sort) {
        return;
    }
    const Segments rows =
        is_constant(request.wanted)
            ? Segments::of_length(request.wanted.max)
            : Segments::of_rows(request.segments.kind == Segments::Kind::length && !is_constant(request.count)
                                    ? graph.count_in(total, 1, segments)
                                    : number_of(request.segments, Count(segments)),
                                request.wanted);
    detail::SegmentedSortRequest sort = sort_of(
        request, chosen_keys, total.valid() ? graph.count_in(total, 0, most) : Count(most), std::max(1U, most), rows);
    sort.values = chosen_indices;
    sort.value_capacity = sort.capacity;
    set_outputs(sort, request.output_keys, request.output_indices, sort.capacity);
    detail::add_segmented_sort(graph, sort);
}

} // namespace

Count detail::add_segmented_top_k(Graph& graph, const SegmentedTopKRequest& request) {
    if (!check(graph, request)) {
        return {};
    }
    const Capabilities& device = graph.capabilities();
    const SubgroupChoice subgroup = choose_subgroup(graph, primitive, request.tuning.subgroup_size);
    const std::uint32_t parts = request.tuning.parts != 0 ? request.tuning.parts : usual_parts(device, request);
    if (!check_shape(graph, request, subgroup, parts)) {
        return {};
    }
    const std::uint32_t most = request.segments.max_segments(request.count.max) * request.wanted.max;
    const bool is_known = is_constant(number_of(request.segments, request.count)) && is_constant(request.wanted);
    const auto total =
        is_known ? BufferRef<std::uint32_t>{} : graph.transient_buffer<std::uint32_t>("segmented top k: total", 2);
    if (sorts_all(device, request)) {
        add_first_of_all(graph, request, total);
    } else {
        add_choices(graph, request, subgroup, parts, total);
    }
    return is_known ? Count(most) : graph.count_in(total, 0, most);
}

} // namespace weir
