#include <weir/primitives/copy_ranges.hpp>

#include <algorithm>
#include <utility>

#include "engine/base/strings.hpp"
#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel.hpp"
#include "primitives/scan/scan_pass.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

struct CopyRangesInterface {
#include "shaders/elementwise/copy_ranges_interface.h"
};

using detail::CopyRangesRequest;

constexpr const char* name = "copy ranges";
constexpr std::uint32_t elements_limit = 0U - (1U << 20); // positions a little past the end must fit in 32 bits

bool check(Graph& graph, const CopyRangesRequest& request) {
    if (request.max_elements >= elements_limit) {
        graph.fail({ErrorCode::limit_exceeded, concat(name, ": ", request.max_elements, " elements; less than ",
                                                      elements_limit, " are supported")});
        return false;
    }
    const CopiedRanges& ranges = request.ranges;
    const std::uint32_t most = ranges.sizes.count.max;
    const auto has_room = [&](const char* what, const BufferRef<std::uint32_t>& words) {
        return check_room(graph, name, {what, words, words.capacity}, most, 1);
    };
    const BufferId seen[] = {request.source, ranges.sizes, ranges.source_offsets, ranges.destination_offsets,
                             buffer_of(ranges.sizes.count)};
    return check_room(graph, name, {"the source", request.source, request.source_capacity}, request.source_capacity,
                      request.words) &&
           check_room(graph, name, {"the destination", request.destination, request.destination_capacity},
                      request.destination_capacity, request.words) &&
           has_room("the sizes' buffer", ranges.sizes) &&
           has_room("the source offsets' buffer", ranges.source_offsets) &&
           has_room("the destination offsets' buffer", ranges.destination_offsets) &&
           check_apart(graph, name, {&request.destination, 1}, seen);
}

} // namespace

void detail::add_copy_ranges(Graph& graph, const CopyRangesRequest& request) {
    if (!check(graph, request)) {
        return;
    }
    using Interface = CopyRangesInterface;
    const CopiedRanges& ranges = request.ranges;
    const auto total = graph.transient_buffer<std::uint32_t>("copy ranges total", 1);
    const auto begins = graph.transient_buffer<std::uint32_t>("begins of copied ranges",
                                                              std::max(1U, ranges.sizes.count.max), ranges.sizes.count);
    add_count_scan(graph, {.counts = ranges.sizes, .offsets = begins, .total = total});
    const std::uint32_t workgroup = plain_workgroup(graph.capabilities());
    Pass pass = kernel_pass(name, shaders::copy_ranges);
    set_bindings(pass, {{Interface::SOURCE_BINDING, read(request.source)},
                        {Interface::DESTINATION_BINDING, write(request.destination)},
                        {Interface::SOURCE_OFFSETS_BINDING, read(ranges.source_offsets)},
                        {Interface::DESTINATION_OFFSETS_BINDING, read(ranges.destination_offsets)},
                        {Interface::BEGINS_BINDING, read(begins)},
                        {Interface::TOTAL_BINDING, read(total)}});
    set_constants(pass, Interface{.WORKGROUP = workgroup, .WORDS = request.words});
    add_count(pass, ranges.sizes.count, begins, Interface::COUNTS_BINDING, &Interface::COUNT_ON_GPU);
    push_words(pass, {request.max_elements, request.source_capacity, request.destination_capacity});
    pass.dispatch = Dispatch::elements(request.max_elements, workgroup * Interface::ROWS, 1);
    graph.add_pass(std::move(pass));
}

} // namespace weir
