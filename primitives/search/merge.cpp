#include <weir/primitives/merge.hpp>

#include <string>
#include <utility>

#include "engine/text.hpp"
#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel.hpp"
#include "primitives/kernel/key_numbers.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

struct MergeInterface {
#include "shaders/search/merge_interface.h"
};

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

/// With so many keys, the searches of all tiles are a dispatch of their own.
constexpr std::uint64_t enough_for_splits = 1U << 18;

/// Keys of an invocation. An odd number avoids bank conflicts; every device has enough workgroup memory for it.
std::uint32_t items_for(std::uint32_t words) {
    return words == 1 ? 9 : 5;
}

} // namespace

void detail::add_merge(Graph& graph, const MergeRequest& request) {
    if (!check(graph, request)) {
        return;
    }
    const MergeRequest::Array &first = request.first, &second = request.second;
    const std::uint32_t words = request.element.words(), most = first.count.max + second.count.max;
    const std::uint32_t workgroup = plain_workgroup(graph.capabilities()), tile = workgroup * items_for(words);
    const std::uint32_t most_tiles = divide_up(most, tile);
    const bool has_splits = most >= enough_for_splits, has_values = request.value_words != 0;
    const CountInputs firsts = count_inputs(first.count, first.keys);
    const CountInputs seconds = count_inputs(second.count, first.keys);

    MergeInterface constants{.WORKGROUP = workgroup,
                             .ITEMS = tile / workgroup,
                             .WORDS = words,
                             .NUMBERS = key_numbers(request.element.scalar),
                             .FIRST_ON_GPU = firsts.on_gpu,
                             .SECOND_ON_GPU = seconds.on_gpu};
    // What both passes have.
    const auto merge_pass = [&](const Packed& shader, std::string name) {
        Pass pass;
        pass.shader = ShaderSource::packed(shader, name);
        pass.name = std::move(name);
        pass.push = {firsts.max_count, firsts.word, seconds.max_count, seconds.word};
        set_bindings(pass, {{MergeInterface::FIRST_COUNT_BINDING, firsts.binding},
                            {MergeInterface::SECOND_COUNT_BINDING, seconds.binding},
                            {MergeInterface::FIRST_BINDING, read(first.keys)},
                            {MergeInterface::SECOND_BINDING, read(second.keys)}});
        set_constants(pass, constants);
        return pass;
    };
    BufferRef<std::uint32_t> splits;
    if (has_splits) {
        splits = graph.transient_buffer<std::uint32_t>(concat(request.name, " splits"), most_tiles + 1);
        Pass pass = merge_pass(shaders::merge_splits, concat(request.name, ": splits"));
        set_bindings(pass, {{MergeInterface::SPLITS_BINDING, write(splits)}});
        pass.dispatch = Dispatch::elements(most_tiles + 1, workgroup, 1);
        graph.add_pass(std::move(pass));
    }
    constants.VALUE_WORDS = request.value_words;
    constants.SPLITS_KNOWN = has_splits;
    Pass pass = merge_pass(shaders::merge, request.name);
    set_bindings(pass, {{MergeInterface::SPLITS_BINDING, has_splits ? read(splits) : unused(first.keys)},
                        {MergeInterface::OUTPUT_BINDING, write(request.output.keys)},
                        {MergeInterface::FIRST_VALUES_BINDING, has_values ? read(first.values) : unused(first.keys)},
                        {MergeInterface::SECOND_VALUES_BINDING, has_values ? read(second.values) : unused(first.keys)},
                        {MergeInterface::OUTPUT_VALUES_BINDING,
                         has_values ? write(request.output.values) : unused(request.output.keys)},
                        {MergeInterface::OUTPUT_COUNT_BINDING, write(request.count)}});
    pass.dispatch = Dispatch::elements(most, tile, 1);
    graph.add_pass(std::move(pass));
}

} // namespace weir
