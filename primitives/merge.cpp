#include <weir/primitives/merge.hpp>

#include <string>
#include <utility>

#include "engine/text.hpp"
#include "primitives/elementwise.hpp"
#include "primitives/kernel.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

using detail::MergeRequest;

constexpr std::uint64_t max_keys = (std::uint64_t{1} << 32) - (1U << 20); // places a little past the end fit 32 bits

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
    if (most >= max_keys) {
        graph.fail({ErrorCode::limit_exceeded,
                    concat(request.name, ": ", most, " keys; less than ", max_keys, " are possible")});
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

/// Keys of an invocation. An odd number keeps invocations out of each other's memory banks.
std::uint32_t items_for(const Capabilities& device, std::uint32_t workgroup, std::uint32_t words) {
    constexpr std::uint32_t usual = 7, few = 3, beside = 64;
    return workgroup * usual * (words + 1) * 4 + beside <= device.max_workgroup_memory ? usual : few;
}

} // namespace

void detail::add_merge(Graph& graph, const MergeRequest& request) {
    if (!check(graph, request)) {
        return;
    }
    const MergeRequest::Array &first = request.first, &second = request.second;
    const Capabilities& device = graph.capabilities();
    const std::uint32_t words = request.element.words();
    const std::uint32_t workgroup = plain_workgroup(device), items = items_for(device, workgroup, words);
    const CountInputs firsts = count_inputs(first.count, first.keys);
    const CountInputs seconds = count_inputs(second.count, first.keys);
    const auto spirv = shaders::merge;
    const bool has_values = request.value_words != 0;
    Pass pass;
    pass.name = request.name;
    pass.shader = ShaderSource::spirv({spirv.begin(), spirv.end()}, request.name);
    pass.bindings = {firsts.binding,
                     seconds.binding,
                     read(first.keys),
                     read(second.keys),
                     write(request.output.keys),
                     has_values ? read(first.values) : unused(first.keys),
                     has_values ? read(second.values) : unused(first.keys),
                     has_values ? write(request.output.values) : unused(request.output.keys),
                     write(request.count)};
    pass.push = {firsts.max_count, firsts.word, seconds.max_count, seconds.word};
    pass.constants = {workgroup,           items,         words,         key_numbers(request.element.scalar),
                      request.value_words, firsts.on_gpu, seconds.on_gpu};
    pass.dispatch = Dispatch::elements(first.count.max + second.count.max, workgroup * items, 1);
    graph.add_pass(std::move(pass));
}

} // namespace weir
