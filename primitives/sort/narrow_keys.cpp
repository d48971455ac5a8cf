#include "primitives/sort/narrow_keys.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/key_numbers.hpp"

#include <utility>

#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/kernel.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

struct NarrowKeysInterface {
#include "shaders/sort/narrow_keys_interface.h"
};

using detail::RadixSortRequest;

/// Returns a transient for one word per key. Its capacity is a whole number of vectors, which the kernels load and
/// store.
BufferId transient_words(Graph& graph, const char* name, const RadixSortRequest& request) {
    return graph.transient_buffer<std::uint32_t>(name, divide_up(request.capacity, 4) * 4);
}

Pass make_pass(Graph& graph, const char* name, const Packed& shader, const RadixSortRequest& request,
               const Binding& from, const Binding& to, bool merges) {
    Pass pass =
        elementwise_pass(graph, name, ShaderSource::packed(shader, name), request.count, 1, BufferId{from.resource});
    set_bindings(pass, {{NarrowKeysInterface::INPUT_BINDING, from}, {NarrowKeysInterface::OUTPUT_BINDING, to}});
    set_constants(
        pass, NarrowKeysInterface{.NUMBERS = key_numbers(request.key), .KEY_BITS = request.key_bits, .MERGES = merges});
    return pass;
}

} // namespace

RadixSortRequest add_widened(Graph& graph, const RadixSortRequest& request, bool in_place) {
    RadixSortRequest words = request;
    words.key = Scalar::u32;
    words.key_bits = 32;
    words.keys = transient_words(graph, "radix sort wide keys", request);
    if (request.output_keys.valid()) {
        words.output_keys = in_place ? words.keys : transient_words(graph, "radix sort sorted wide keys", request);
    }
    graph.add_pass(make_pass(graph, "radix sort widens keys", shaders::widen_keys, request, read(request.keys),
                             write(words.keys), false));
    return words;
}

void add_narrowed(Graph& graph, const RadixSortRequest& words, const RadixSortRequest& request) {
    if (!request.output_keys.valid()) {
        return;
    }
    const bool merges = is_written(graph, request.output_keys);
    graph.add_pass(make_pass(graph, "radix sort narrows keys", shaders::narrow_keys, request, read(words.output_keys),
                             merges ? read_write(request.output_keys) : write(request.output_keys), merges));
}

} // namespace weir
