#include <weir/primitives/set_operations.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include "engine/base/strings.hpp"
#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/instrument.hpp"
#include "primitives/kernel/kernel.hpp"
#include "primitives/kernel/kernel_text.hpp"
#include "primitives/search/merge_path.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

struct SetInterface {
#include "shaders/search/set_operation_interface.h"
};

using detail::SetRequest;

std::uint32_t number_of(SetRequest::Operation operation) {
    switch (operation) {
    case SetRequest::Operation::intersect: return SetInterface::SET_INTERSECTION;
    case SetRequest::Operation::subtract: return SetInterface::SET_DIFFERENCE;
    case SetRequest::Operation::subtract_both: return SetInterface::SET_SYMMETRIC_DIFFERENCE;
    default: return SetInterface::SET_UNION;
    }
}

bool check(Graph& graph, const SetRequest& request) {
    const std::uint64_t most = std::uint64_t{request.first.count.max} + request.second.count.max;
    if (most >= too_many_merged_keys) {
        graph.fail({ErrorCode::limit_exceeded,
                    concat(request.name, ": ", most, " keys; less than ", too_many_merged_keys, " are supported")});
        return false;
    }
    const std::uint32_t words = request.element.words();
    const auto has_room = [&](const char* what, const detail::MergeRequest::Array& array) {
        return check_room(graph, request.name, {what, array.keys, array.key_capacity}, array.count.max, words);
    };
    const BufferId written[] = {request.output.keys, request.count};
    const BufferId seen[] = {request.first.keys, buffer_of(request.first.count), request.second.keys,
                             buffer_of(request.second.count)};
    return has_room("the first keys' buffer", request.first) && has_room("the second keys' buffer", request.second) &&
           has_room("the output's keys' buffer", request.output) &&
           check_room(graph, request.name, {"the count's buffer", request.count, request.count.capacity}, 1, 1) &&
           check_apart(graph, request.name, written, seen);
}

ShaderSource instrumented_kernel(const char* name) {
    return ShaderSource::glsl(concat(glsl_version(), "#define INSTRUMENTED\n#include <weir/set_operation.glsl>\n"),
                              name);
}

/// Adds the passes of a checked request.
void add(Graph& graph, const SetRequest& request) {
    constexpr std::uint32_t workgroup = 256, max_spins = 8;
    // An odd number of keys per invocation avoids bank conflicts.
    MergePath path(graph, request.name, request.element, request.first, request.second, workgroup,
                   request.element.words() == 1 ? 9 : 5);
    if (path.tiles > max_tiles) {
        graph.fail(
            {ErrorCode::limit_exceeded, concat(request.name, ": ", path.most, " keys are ", path.tiles, " tiles of ",
                                               path.tile, "; at most ", max_tiles, " can be chained")});
        return;
    }
    const bool has_splits = path.tiles > 1;
    path.constants.SPLITS_KNOWN = has_splits;
    const BufferId splits = has_splits ? path.add_splits().id : BufferId{};
    const auto states = graph.state_buffer<std::uint32_t>(concat(request.name, " tile states").c_str(),
                                                          tile_state_words(path.tiles, 2));
    Pass pass = path.pass(shaders::set_operation, request.name);
    const bool is_instrumented = instrumented(graph);
    if (is_instrumented) {
        pass.shader = instrumented_kernel(request.name);
    }
    set_bindings(pass, {{MergePathInterface::SPLITS_BINDING, has_splits ? read(splits) : unused(request.first.keys)},
                        {MergePathInterface::OUTPUT_BINDING, write(request.output.keys)},
                        {SetInterface::TILE_STATE_BINDING, read_write(states)},
                        {SetInterface::SET_COUNT_BINDING, write(request.count)}});
    set_constants(pass, SetInterface{.SET_OPERATION = number_of(request.operation),
                                     .MAX_SPINS = max_spins,
                                     .IN_DISPATCH_ORDER = graph.capabilities().workgroups_start_in_order});
    if (is_instrumented) {
        add_instrument(graph, pass);
    }
    pass.dispatch = Dispatch::elements(path.most, path.tile, 1);
    graph.add_pass(std::move(pass));
}

} // namespace

std::uint32_t detail::max_kept(SetRequest::Operation operation, const Count& first, const Count& second) {
    using Operation = SetRequest::Operation;
    if (operation == Operation::subtract) {
        return first.max;
    }
    return operation == Operation::intersect ? std::min(first.max, second.max) : max_merged(first, second);
}

void detail::add_set_operation(Graph& graph, const SetRequest& request) {
    if (check(graph, request)) {
        add(graph, request);
    }
}

} // namespace weir
