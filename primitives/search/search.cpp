#include <weir/primitives/search.hpp>

#include <utility>

#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel.hpp"
#include "primitives/kernel/key_numbers.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

struct SearchInterface {
#include "shaders/search/search_interface.h"
};

/// Minimum number of keys for which it pays to check whether the keys of a tile ascend.
constexpr std::uint32_t enough_to_narrow = 1U << 18;

/// Returns the number of keys per invocation. Few keys are spread over the device. With many keys larger tiles pay: if
/// the keys of a tile ascend, only the first and the last are searched for in the whole array.
std::uint32_t rows_for(std::uint32_t keys) {
    return keys <= 1U << 16 ? 1 : keys < enough_to_narrow ? 4 : 8;
}

} // namespace

void detail::add_search(Graph& graph, const SearchRequest& request) {
    const std::uint32_t words = request.element.words(), keys = request.key_count.max;
    const BufferId seen[] = {request.sorted, request.keys, buffer_of(request.sorted_count),
                             buffer_of(request.key_count)};
    if (!check_room(graph, request.name, {"the sorted array", request.sorted, request.sorted_capacity},
                    request.sorted_count.max, words) ||
        !check_room(graph, request.name, {"the keys' buffer", request.keys, request.key_capacity}, keys, words) ||
        !check_room(graph, request.name, {"the output", request.output, request.output.capacity}, keys, 1) ||
        !check_apart(graph, request.name, {&request.output.id, 1}, seen)) {
        return;
    }
    Pass pass = elementwise_pass(graph, request.name, ShaderSource::packed(shaders::search, request.name),
                                 request.key_count, words, request.keys, rows_for(keys));
    set_bindings(pass, {{SearchInterface::SORTED_BINDING, read(request.sorted)},
                        {SearchInterface::KEYS_BINDING, read(request.keys)},
                        {SearchInterface::OUTPUT_BINDING, write(request.output)}});
    set_constants(pass, SearchInterface{.NUMBERS = key_numbers(request.element.scalar),
                                        .UPPER = request.upper,
                                        .ROWS = rows_for(keys),
                                        .NARROWS = keys >= enough_to_narrow});
    add_count(pass, request.sorted_count, request.sorted, SearchInterface::SORTED_COUNT_BINDING,
              &SearchInterface::SORTED_ON_GPU);
    graph.add_pass(std::move(pass));
}

} // namespace weir
