#include <weir/primitives/find.hpp>

#include <utility>
#include <vector>

#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/kernel.hpp"
#include "primitives/kernel/key_numbers.hpp"
#include "primitives/kernel/predicate.hpp"
#include "primitives/reduce/reduce_pass.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

struct FindInterface {
#include "shaders/reduce/find_interface.h"
};

using detail::FindRequest;

ShaderSource kernel(const FindRequest& request) {
    const Predicate* predicate = request.predicate;
    if (predicate == nullptr || predicate->comparison) {
        return ShaderSource::packed(shaders::find, request.name);
    }
    return ShaderSource::glsl(predicate_kernel(*predicate, request.element, "find.glsl", ReduceInterface::MORE_BINDING),
                              request.name);
}

bool check(Graph& graph, const FindRequest& request) {
    std::vector<BufferId> seen{request.input, buffer_of(request.count)};
    if (request.predicate != nullptr) {
        for (const FusedBuffer& buffer : request.predicate->buffers) {
            seen.push_back(BufferId{buffer.binding.resource});
        }
    }
    return check_input(graph, request.name, request.input) &&
           check_layout(graph, request.name,
                        {"the input", request.input_words, request.element.words(), request.input_layout},
                        request.count.max) &&
           check_room(graph, request.name, {"the output", request.output, request.output.capacity}, 1, 1) &&
           check_apart(graph, request.name, {&request.output.id, 1}, seen) &&
           (request.predicate == nullptr || check_predicate(graph, request.name, *request.predicate, request.element));
}

} // namespace

void detail::add_find(Graph& graph, const FindRequest& request) {
    if (!check(graph, request)) {
        return;
    }
    const std::uint32_t words = request.element.words();
    const std::uint32_t stride = request.input_layout.stride != 0 ? request.input_layout.stride : words;
    const bool counts = request.result == FindRequest::Result::count;
    auto pass = reduce_pass(
        graph, {.name = request.name,
                .shader = kernel(request),
                .count = request.count,
                .input = request.input,
                .layout = {.offset = request.input_layout.offset, .stride = stride},
                .output = request.output,
                .op = {.op = counts ? KernelOperators::WEIR_OPERATOR_ADD : KernelOperators::WEIR_OPERATOR_MIN},
                .tuning = request.tuning});
    if (!pass) {
        return;
    }
    const Comparison comparison =
        request.predicate != nullptr ? request.predicate->comparison.value_or(Comparison::equal) : Comparison::equal;
    set_constants(*pass, FindInterface{.NUMBERS = key_numbers(request.element.scalar),
                                       .COMPARISON = comparison,
                                       .OUT_OF_ORDER = request.predicate == nullptr,
                                       .DESCENDING = request.descending,
                                       .WHETHER_NONE = request.result == FindRequest::Result::whether_none,
                                       .ITEM_WORDS = words});
    push_predicate(*pass, request.predicate);
    graph.add_pass(*std::move(pass));
}

} // namespace weir
