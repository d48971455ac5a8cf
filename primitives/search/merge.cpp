#include <weir/primitives/merge.hpp>

#include <string>
#include <utility>

#include "engine/base/strings.hpp"
#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/search/merge_path.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

using detail::MergeRequest;

bool check_array(Graph& graph, const MergeRequest& request, const std::string& whose, const MergeRequest::Array& array,
                 std::uint64_t keys) {
    const std::string keys_buffer = whose + " keys' buffer", values_buffer = whose + " values' buffer";
    return check_room(graph, request.name, {keys_buffer.c_str(), array.keys, array.key_capacity}, keys,
                      request.element.words()) &&
           (request.value_words == 0 ||
            check_room(graph, request.name, {values_buffer.c_str(), array.values, array.value_capacity}, keys,
                       request.value_words));
}

bool check(Graph& graph, const MergeRequest& request) {
    const MergeRequest::Array &first = request.first, &second = request.second, &output = request.output;
    const std::uint64_t most = std::uint64_t{first.count.max} + second.count.max;
    if (most >= too_many_merged_keys) {
        graph.fail({ErrorCode::limit_exceeded,
                    concat(request.name, ": ", most, " keys; less than ", too_many_merged_keys, " are supported")});
        return false;
    }
    const BufferId written[] = {output.keys, output.values, request.count};
    const BufferId seen[] = {first.keys,  first.values,  buffer_of(first.count),
                             second.keys, second.values, buffer_of(second.count)};
    return check_array(graph, request, "the first", first, first.count.max) &&
           check_array(graph, request, "the second", second, second.count.max) &&
           check_array(graph, request, "the output's", output, most) &&
           check_room(graph, request.name, {"the count's buffer", request.count, request.count.capacity}, 1, 1) &&
           check_apart(graph, request.name, written, seen);
}

/// Minimum number of keys for which a separate dispatch runs the searches of all tiles.
constexpr std::uint64_t enough_for_splits = 1U << 18;

/// Returns true if keys are merged in registers: keys of one word without values. Others are merged in workgroup
/// memory.
bool is_in_registers(const MergeRequest& request) {
    return request.element.words() == 1 && request.value_words == 0;
}

/// Returns the maximum number of invocations per workgroup.
std::uint32_t workgroup_for(const MergeRequest& request) {
    return is_in_registers(request) ? 128 : 256;
}

/// Returns the number of keys per invocation: in registers a power of two; in workgroup memory an odd number, which
/// avoids bank conflicts.
std::uint32_t items_for(const MergeRequest& request) {
    if (is_in_registers(request)) {
        return std::uint64_t{request.first.count.max} + request.second.count.max < enough_for_splits ? 8 : 16;
    }
    return request.element.words() == 1 ? 9 : 5;
}

} // namespace

void detail::add_merge(Graph& graph, const MergeRequest& request) {
    if (!check(graph, request)) {
        return;
    }
    MergePath path(graph, request.name, request.element, request.first, request.second, workgroup_for(request),
                   items_for(request));
    const bool has_splits = path.most >= enough_for_splits, has_values = request.value_words != 0;
    const BufferRef<std::uint32_t> splits = has_splits ? path.add_splits() : BufferRef<std::uint32_t>{};
    path.constants.VALUE_WORDS = request.value_words;
    path.constants.SPLITS_KNOWN = has_splits;
    const BufferId stand_in = request.first.keys;
    Pass pass = path.pass(is_in_registers(request) ? shaders::merge_words : shaders::merge, request.name);
    set_bindings(
        pass, {{MergePathInterface::SPLITS_BINDING, has_splits ? read(splits) : unused(stand_in)},
               {MergePathInterface::OUTPUT_BINDING, write(request.output.keys)},
               {MergePathInterface::FIRST_VALUES_BINDING, has_values ? read(request.first.values) : unused(stand_in)},
               {MergePathInterface::SECOND_VALUES_BINDING, has_values ? read(request.second.values) : unused(stand_in)},
               {MergePathInterface::OUTPUT_VALUES_BINDING,
                has_values ? write(request.output.values) : unused(request.output.keys)},
               {MergePathInterface::OUTPUT_COUNT_BINDING, write(request.count)}});
    pass.dispatch = Dispatch::elements(path.most, path.tile, 1);
    graph.add_pass(std::move(pass));
}

} // namespace weir
