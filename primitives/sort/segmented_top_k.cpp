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

bool check(Graph& graph, const SegmentedTopKRequest& request) {
    const std::uint32_t most = request.count.max, words = ElementType{request.key}.words();
    if (!check_input(graph, primitive, request.keys) ||
        !check_segments(graph, primitive, request.segments, request.count.max)) {
        return false;
    }
    if (!are_at_offsets(request) && request.segments.kind != Segments::Kind::length) {
        return refuse(graph, ErrorCode::invalid_argument, "segments must be of one length or at offsets");
    }
    if (request.wanted == 0) {
        return refuse(graph, ErrorCode::invalid_argument, "k must be at least 1");
    }
    const std::uint64_t chosen = std::uint64_t{request.segments.max_segments(most)} * request.wanted;
    if (most >= max_keys || chosen >= max_keys) {
        return refuse(graph, ErrorCode::limit_exceeded,
                      concat(most >= max_keys ? most : chosen, most >= max_keys ? "" : " chosen", " keys; less than ",
                             max_keys, " are supported"));
    }
    const BufferId written[] = {request.chosen_keys, request.chosen_indices, request.total};
    const BufferId seen[] = {request.keys, buffer_of(request.count),
                             are_at_offsets(request) ? request.segments.buffer : BufferId{},
                             are_at_offsets(request) ? buffer_of(request.segments.count) : BufferId{}};
    return check_room(graph, primitive, {"the input", request.keys, request.key_capacity}, most, words) &&
           check_room(graph, primitive, {"the output's keys' buffer", request.chosen_keys, request.chosen_key_capacity},
                      chosen, words) &&
           (!request.chosen_indices.valid() ||
            check_room(graph, primitive,
                       {"the output's indices' buffer", request.chosen_indices, request.chosen_index_capacity}, chosen,
                       1)) &&
           check_apart(graph, primitive, written, seen);
}

/// A choice in one dispatch, among the keys of each segment or of each part of a segment.
struct Choice {
    BufferId keys, indices; ///< `indices` is optional; without it, the indices are the places of the keys
    Count count;
    Segments segments;
    std::uint32_t parts = 1;
    BufferId chosen_keys, chosen_indices; ///< `chosen_indices` is optional
    BufferId total;                       ///< optional: receives the number of keys in the output
};

/// Returns the mean number of keys per segment, as far as known when the graph is built.
std::uint32_t usual_length(const Count& count, const Segments& segments) {
    return segments.kind == Segments::Kind::offsets
               ? divide_up(count.max, std::max(1U, segments.max_segments(count.max)))
               : std::min(segments.length, count.max);
}

/// Returns the number of parts per segment. The choice among the keys of each part and the choice among the keys chosen
/// from all parts take the least time together if both have the same number of keys. Segments are split only if there
/// are too few to fill the device.
std::uint32_t usual_parts(const Capabilities& device, const SegmentedTopKRequest& request) {
    constexpr std::uint32_t least_keys = 2048; // per part
    constexpr std::uint32_t least_parts = 3;   // two parts gain less than the second choice costs
    const std::uint32_t groups = device.kind == DeviceKind::cpu ? 16 : 512;
    const std::uint32_t segments = std::max(1U, request.segments.max_segments(request.count.max));
    const std::uint32_t length = usual_length(request.count, request.segments);
    const auto balanced = static_cast<std::uint32_t>(std::sqrt(length / request.wanted));
    const std::uint32_t parts =
        std::min({balanced, groups / segments, length / least_keys, SegmentedTopKTuning::max_parts});
    return parts >= least_parts ? parts : 1;
}

/// Returns the workgroup size. Short segments get few invocations, so that many workgroups run at the same time.
std::uint32_t usual_workgroup(const Capabilities& device, const SubgroupChoice& subgroup, std::uint32_t length) {
    constexpr std::uint32_t least = 64, most = 1024;
    const std::uint32_t rows = divide_up(length, SegmentedTopKInterface::ROW_KEYS);
    return std::min({std::bit_ceil(std::clamp(rows, std::max(least, subgroup.least), most)), most,
                     max_workgroup(device, subgroup)});
}

/// Returns the bits per digit. Short segments use fewer, because reading them again is faster than clearing and summing
/// many counters.
std::uint32_t digit_bits(std::uint32_t length) {
    return length <= 4096 ? 8 : 11;
}

void add_choice(Graph& graph, const SegmentedTopKRequest& request, const SubgroupChoice& subgroup,
                const Choice& choice) {
    using Interface = SegmentedTopKInterface;
    const bool at_offsets = choice.segments.kind == Segments::Kind::offsets;
    const std::uint32_t length = divide_up(usual_length(choice.count, choice.segments), choice.parts);
    const std::uint32_t workgroup = request.tuning.workgroup != 0
                                        ? request.tuning.workgroup
                                        : usual_workgroup(graph.capabilities(), subgroup, length);
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
    set_constants(pass, Interface{.WORKGROUP = workgroup,
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
                                  .END_GIVEN = choice.segments.end_given});
    add_count(pass, choice.count, choice.keys, Interface::COUNTS_BINDING, &Interface::COUNT_ON_GPU);
    add_count(pass, at_offsets ? choice.segments.count : Count(choice.segments.length), choice.keys,
              Interface::SEGMENT_COUNT_BINDING, &Interface::SEGMENT_COUNT_ON_GPU);
    push_words(pass, {request.wanted});
    // Segments with several parts are few. Launching workgroups for the maximum number of segments costs less than
    // counting them.
    pass.dispatch = choice.parts > 1 ? Dispatch::groups(choice.segments.max_segments(choice.count.max) * choice.parts)
                    : at_offsets     ? Dispatch::elements(choice.segments.count, 1, 1)
                                     : Dispatch::elements(choice.count, choice.segments.length, 1);
    graph.add_pass(std::move(pass));
}

/// Adds the choice among the keys of each part. Returns the remaining choice: among the keys and indices that were
/// chosen from all parts of each segment.
Choice add_parts(Graph& graph, const SegmentedTopKRequest& request, const SubgroupChoice& subgroup, Choice whole) {
    const std::uint32_t of_segment = whole.parts * request.wanted;
    const std::uint32_t most = std::max(1U, whole.segments.max_segments(whole.count.max)) * of_segment;
    const Count& number = whole.segments.kind == Segments::Kind::offsets ? whole.segments.count : whole.count;
    const bool is_known = number.kind == Count::Kind::constant;
    const auto total = is_known ? BufferRef<std::uint32_t>{}
                                : graph.transient_buffer<std::uint32_t>("segmented top k: total of parts", 1);
    Choice parts = whole;
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

} // namespace

bool detail::add_segmented_top_k(Graph& graph, const SegmentedTopKRequest& request) {
    if (!check(graph, request)) {
        return false;
    }
    const Capabilities& device = graph.capabilities();
    const SubgroupChoice subgroup = choose_subgroup(graph, primitive, request.tuning.subgroup_size);
    const std::uint32_t workgroup = request.tuning.workgroup, most = std::min(max_workgroup(device, subgroup), 1024U);
    if (workgroup != 0 && (!std::has_single_bit(workgroup) || workgroup < subgroup.least || workgroup > most)) {
        return refuse(graph, ErrorCode::invalid_argument,
                      concat("a workgroup of ", workgroup, " invocations; powers of two from ", subgroup.least, " to ",
                             most, " are supported"));
    }
    const std::uint32_t parts = request.tuning.parts != 0 ? request.tuning.parts : usual_parts(device, request);
    const std::uint64_t chosen = std::uint64_t{request.segments.max_segments(request.count.max)} * request.wanted;
    if (parts > SegmentedTopKTuning::max_parts || chosen * parts >= max_keys) {
        return refuse(
            graph, ErrorCode::limit_exceeded,
            parts > SegmentedTopKTuning::max_parts
                ? concat(parts, " parts per segment; at most ", SegmentedTopKTuning::max_parts, " are supported")
                : concat(parts, " parts per segment with ", chosen * parts, " chosen keys; less than ", max_keys,
                         " are supported"));
    }
    Choice choice{.keys = request.keys,
                  .count = request.count,
                  .segments = request.segments,
                  .parts = parts,
                  .chosen_keys = request.chosen_keys,
                  .chosen_indices = request.chosen_indices,
                  .total = request.total};
    if (parts > 1) {
        choice = add_parts(graph, request, subgroup, choice);
    }
    add_choice(graph, request, subgroup, choice);
    return true;
}

} // namespace weir
