#include <weir/primitives/expand.hpp>

#include <algorithm>
#include <bit>
#include <vector>

#include <weir/primitives/compaction.hpp>

#include "engine/base/strings.hpp"
#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel.hpp"
#include "primitives/kernel/shapes.hpp"
#include "primitives/scan/scan_pass.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

struct ExpandInterface {
#include "shaders/compact/expand_interface.h"
};

using detail::ExpandRequest;

constexpr std::uint32_t max_rows = 32;

bool refuse(Graph& graph, const char* name, ErrorCode code, const std::string& why) {
    graph.fail({code, concat(name, ": ", why)});
    return false;
}

std::uint32_t stride_of(WordLayout layout, std::uint32_t words) {
    return layout.stride != 0 ? layout.stride : words;
}

/// Checks that at least one output of the slots is requested.
bool writes_slots(const ExpandRequest& request) {
    return request.sources.valid() || request.ranks.valid() || request.items.valid();
}

/// Returns the number of slots that fit in all outputs.
std::uint32_t room_of(const ExpandRequest& request) {
    std::uint64_t room = ~0U;
    for (const BufferRef<std::uint32_t>& output : {request.sources, request.ranks}) {
        if (output.valid()) {
            room = std::min<std::uint64_t>(room, output.capacity);
        }
    }
    if (request.items.valid()) {
        room = std::min(room, elements_in(request.item_words, request.element_words, request.item_layout));
    }
    return static_cast<std::uint32_t>(room);
}

bool check_values(Graph& graph, const ExpandRequest& request) {
    const std::uint32_t words = request.element_words;
    if (!request.values.valid()) {
        return refuse(graph, request.name, ErrorCode::invalid_argument, "the buffer of values is null");
    }
    if (stride_of(request.item_layout, words) < words) {
        return refuse(graph, request.name, ErrorCode::invalid_argument,
                      concat("elements have ", words, " words, which exceeds their stride"));
    }
    return check_layout(graph, request.name, {"the buffer of values", request.value_words, words, request.value_layout},
                        request.offsets.count.max);
}

/// Checks the request; fails the graph if it is invalid. `items` holds the counts or the offsets of the items; `what`
/// names it in errors.
bool check(Graph& graph, const ExpandRequest& request, const BufferRef<std::uint32_t>& items, const char* what) {
    const std::uint32_t n = items.count.max;
    if (!check_room(graph, request.name, {what, items, items.capacity}, n, 1) ||
        !check_room(graph, request.name, {"the offsets' buffer", request.offsets, request.offsets.capacity}, n, 1)) {
        return false;
    }
    if (request.element_words != 0 && !check_values(graph, request)) {
        return false;
    }
    std::vector<BufferId> written{request.sources, request.ranks, request.items, request.total};
    if (request.counts.valid()) {
        written.push_back(request.offsets);
    }
    const BufferId only_read[] = {items, request.values, buffer_of(items.count), buffer_of(request.slot_count)};
    if (!check_apart(graph, request.name, written, only_read)) {
        return false;
    }
    const bool is_told = request.counts.valid() || request.slot_count.kind == Count::Kind::gpu;
    return is_told || !writes_slots(request) || request.slot_count.max <= room_of(request) ||
           refuse(graph, request.name, ErrorCode::invalid_argument,
                  concat("the outputs have a capacity of ", room_of(request), " slots; ", request.slot_count.max,
                         " are required"));
}

/// Returns the kernel shape for the device and the maximum number of slots: that of a selection from the same number of
/// words. Tiles are small enough to leave workgroup memory for several workgroups per multiprocessor.
ExpandTuning choose_shape(const Capabilities& device, const ExpandRequest& request, std::uint32_t slots) {
    ExpandTuning shape = request.tuning;
    if (shape.workgroup > device.max_workgroup_invocations) {
        return shape; // refused by the caller
    }
    const std::uint32_t words = std::max(request.element_words, 1U);
    const KernelShape& best = kernel_shape(device, ShapeKernel::select, std::uint64_t{slots} * words);
    if (shape.workgroup == 0) {
        shape.workgroup = std::min(best.workgroup, std::bit_floor(device.max_workgroup_invocations));
    }
    if (shape.rows == 0) {
        const std::uint32_t most_slots = device.max_workgroup_memory < 32768 ? 2048 : 4096;
        shape.rows = std::clamp(most_slots / shape.workgroup, 1U, std::max(best.items / words, 1U));
        if (device.kind != DeviceKind::cpu) { // few slots in large tiles would leave multiprocessors idle
            constexpr std::uint32_t fewest_tiles = 256;
            shape.rows = std::clamp(slots / (shape.workgroup * fewest_tiles), 1U, shape.rows);
        }
    }
    return shape;
}

void add_slots(Graph& graph, const ExpandRequest& request, const Count& slots) {
    const Capabilities& device = graph.capabilities();
    const ExpandTuning shape = choose_shape(device, request, slots.max);
    if (!std::has_single_bit(shape.workgroup) || shape.workgroup < 2 ||
        shape.workgroup > device.max_workgroup_invocations || shape.rows > max_rows) {
        refuse(graph, request.name, ErrorCode::invalid_argument,
               shape.rows > max_rows
                   ? concat(shape.rows, " rows; at most ", max_rows, " are supported")
                   : concat("a workgroup of ", shape.workgroup, " invocations; powers of two from 2 to ",
                            device.max_workgroup_invocations, " are supported"));
        return;
    }
    const std::uint32_t tile = shape.workgroup * shape.rows;
    if (!check_workgroup_memory(graph, request.name, shape.workgroup, {}, 0, 4 * tile + 8)) {
        return;
    }
    const BufferId output = request.sources.valid() ? request.sources
                            : request.ranks.valid() ? request.ranks
                                                    : request.items; // stand-in for outputs that are not written
    const auto written = [&](BufferId buffer) { return buffer.valid() ? write(buffer) : unused(output); };
    Pass pass = kernel_pass(request.name, shaders::expand);
    using Interface = ExpandInterface;
    set_bindings(pass,
                 {{Interface::OFFSETS_BINDING, read(request.offsets)},
                  {Interface::SOURCES_BINDING, written(request.sources)},
                  {Interface::RANKS_BINDING, written(request.ranks)},
                  {Interface::VALUES_BINDING, request.values.valid() ? read(request.values) : unused(request.offsets)},
                  {Interface::OUTPUT_BINDING, written(request.items)}});
    set_constants(pass, Interface{.WORKGROUP = shape.workgroup,
                                  .ROWS = shape.rows,
                                  .WRITES_SOURCES = request.sources.valid(),
                                  .WRITES_RANKS = request.ranks.valid(),
                                  .VALUE_WORDS = request.element_words});
    add_count(pass, request.offsets.count, request.offsets, Interface::ITEM_COUNT_BINDING,
              &Interface::ITEM_COUNT_ON_GPU);
    add_count(pass, slots, request.offsets, Interface::SLOT_COUNT_BINDING, &Interface::SLOT_COUNT_ON_GPU);
    push_layouts(pass, request.element_words, request.value_layout, request.item_layout);
    pass.dispatch = Dispatch::elements(slots, tile);
    graph.add_pass(std::move(pass));
}

/// Returns `given` if it is valid or not wanted, otherwise a new transient. A `capacity` of 0 then fails the graph.
BufferRef<std::uint32_t> output_of(Graph& graph, BufferRef<std::uint32_t> given, bool wanted, const char* name,
                                   std::uint32_t capacity) {
    if (given.valid() || !wanted) {
        return given;
    }
    if (capacity == 0) {
        refuse(graph, "expand", ErrorCode::invalid_argument,
               concat("capacity must be set if output_", name, " is null"));
    }
    return detail::given_or_transient(graph, given, name, capacity);
}

ExpandResult add_with_outputs(Graph& graph, ExpandRequest request, const ExpandOptions& options,
                              std::uint32_t capacity) {
    request.name = "expand";
    request.sources = output_of(graph, options.output_sources, options.want_sources, "sources", capacity);
    request.ranks = output_of(graph, options.output_ranks, options.want_ranks, "ranks", capacity);
    request.tuning = options.tuning;
    return detail::add_expand(graph, request);
}

} // namespace

ExpandResult detail::add_expand(Graph& graph, ExpandRequest request) {
    Count slots = request.slot_count;
    const bool are_counted = request.counts.valid();
    if (are_counted) {
        const Count& items = request.counts.count;
        request.offsets = given_or_transient(graph, request.offsets, "offsets of slots", items.max).with_count(items);
        request.total = given_or_transient(graph, request.total, "slot count", 1);
        slots = graph.count_in(request.total, 0, ~0U);
    }
    if (!check(graph, request, are_counted ? request.counts : request.offsets,
               are_counted ? "the counts' buffer" : "the offsets' buffer")) {
        return {};
    }
    if (are_counted) {
        add_count_scan(graph, {.counts = request.counts, .offsets = request.offsets, .total = request.total});
    }
    slots.max = std::min(slots.max, room_of(request));
    if (writes_slots(request)) {
        add_slots(graph, request, slots);
    }
    return {request.sources.with_count(slots), request.ranks.with_count(slots), request.offsets, request.total};
}

ExpandResult expand(const GraphCall& graph, BufferRef<std::uint32_t> counts, const ExpandOptions& options) {
    if (!check_input(graph, "expand", counts)) {
        return {};
    }
    ExpandRequest request;
    request.counts = counts;
    request.offsets = options.output_offsets;
    request.total = options.output_count;
    return add_with_outputs(graph, request, options, options.capacity);
}

ExpandResult expand_offsets(const GraphCall& graph, BufferRef<std::uint32_t> offsets, const Count& slot_count,
                            const ExpandOptions& options) {
    if (!check_input(graph, "expand", offsets)) {
        return {};
    }
    const char* const unsupported = options.output_offsets.valid() ? "output_offsets"
                                    : options.output_count.valid() ? "output_count"
                                                                   : nullptr;
    if (unsupported != nullptr) {
        refuse(graph, "expand", ErrorCode::invalid_argument,
               concat("the option ", unsupported, " is not supported by expand_offsets"));
        return {};
    }
    ExpandRequest request;
    request.offsets = offsets;
    request.slot_count = slot_count;
    return add_with_outputs(graph, request, options,
                            options.capacity != 0 ? options.capacity : std::max(slot_count.max, 1U));
}

} // namespace weir
