#include <weir/primitives/segmented_top_k.hpp>

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "engine/text.hpp"
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
constexpr std::uint32_t max_keys = 1U << 30; // keys of a row past the end have places of 32 bits

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
        return refuse(graph, ErrorCode::invalid_argument, "segments are of one length or at offsets");
    }
    if (request.wanted == 0) {
        return refuse(graph, ErrorCode::invalid_argument, "k is 0");
    }
    const std::uint64_t chosen = std::uint64_t{request.segments.most(most)} * request.wanted;
    if (most >= max_keys || chosen >= max_keys) {
        return refuse(graph, ErrorCode::limit_exceeded,
                      concat(most, " keys, of which ", chosen, " are chosen; less than ", max_keys, " are possible"));
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

/// Keys of a segment on average, as far as is known.
std::uint32_t usual_length(const SegmentedTopKRequest& request) {
    const std::uint32_t segments = std::max(1U, request.segments.most(request.count.max));
    return are_at_offsets(request) ? divide_up(request.count.max, segments)
                                   : std::min(request.segments.length, request.count.max);
}

/// Few invocations for short segments, so that many of them are under way at a time.
std::uint32_t usual_workgroup(const Capabilities& device, const SubgroupChoice& subgroup,
                              const SegmentedTopKRequest& request) {
    constexpr std::uint32_t least = 64, most = 1024;
    const std::uint32_t rows = divide_up(usual_length(request), SegmentedTopKInterface::ROW_KEYS);
    return std::min({std::bit_ceil(std::clamp(rows, std::max(least, subgroup.least), most)), most,
                     max_workgroup(device, subgroup)});
}

/// Short segments are read faster than many counters are cleared and summed up.
std::uint32_t digit_bits(const SegmentedTopKRequest& request) {
    return usual_length(request) <= 4096 ? 8 : 11;
}

} // namespace

bool detail::add_segmented_top_k(Graph& graph, const SegmentedTopKRequest& request) {
    if (!check(graph, request)) {
        return false;
    }
    const Capabilities& device = graph.capabilities();
    const SubgroupChoice subgroup = choose_subgroup(graph, primitive, request.tuning.subgroup_size);
    const std::uint32_t workgroup =
        request.tuning.workgroup != 0 ? request.tuning.workgroup : usual_workgroup(device, subgroup, request);
    const std::uint32_t most = std::min(max_workgroup(device, subgroup), 1024U);
    if (!std::has_single_bit(workgroup) || workgroup < subgroup.least || workgroup > most) {
        return refuse(graph, ErrorCode::invalid_argument,
                      concat("workgroups of ", workgroup, " invocations; the device runs powers of two from ",
                             subgroup.least, " to ", most));
    }
    using Interface = SegmentedTopKInterface;
    const bool at_offsets = are_at_offsets(request);
    const CountInputs count = count_inputs(request.count, request.keys);
    const CountInputs segments =
        count_inputs(at_offsets ? request.segments.count : Count(request.segments.length), request.keys);
    Pass pass = kernel_pass(primitive, shaders::segmented_top_k, subgroup);
    set_bindings(
        pass, {{Interface::KEYS_BINDING, read(request.keys)},
               {Interface::CHOSEN_KEYS_BINDING, write(request.chosen_keys)},
               {Interface::CHOSEN_INDICES_BINDING,
                request.chosen_indices.valid() ? write(request.chosen_indices) : unused(request.chosen_keys)},
               {Interface::TOTAL_BINDING, request.total.valid() ? write(request.total) : unused(request.chosen_keys)},
               {Interface::COUNTS_BINDING, count.binding},
               {Interface::OFFSETS_BINDING, at_offsets ? read(request.segments.buffer) : unused(request.keys)},
               {Interface::SEGMENT_COUNT_BINDING, segments.binding}});
    pass.push = {count.max_count, count.word, segments.max_count, segments.word, request.wanted};
    set_constants(pass, Interface{.WORKGROUP = workgroup,
                                  .SUBGROUP = subgroup.known,
                                  .KEY_WORDS = ElementType{request.key}.words(),
                                  .NUMBERS = key_numbers(request.key),
                                  .DESCENDING = request.descending,
                                  .COUNT_ON_GPU = count.on_gpu,
                                  .AT_OFFSETS = at_offsets,
                                  .SEGMENT_COUNT_ON_GPU = segments.on_gpu,
                                  .INDICES = request.chosen_indices.valid(),
                                  .WRITES_TOTAL = request.total.valid(),
                                  .DIGIT_BITS = digit_bits(request)});
    pass.dispatch = at_offsets ? Dispatch::elements(request.segments.count, 1, 1)
                               : Dispatch::elements(request.count, request.segments.length, 1);
    graph.add_pass(std::move(pass));
    return true;
}

} // namespace weir
