#include <weir/primitives/find.hpp>

#include <utility>
#include <vector>

#include "engine/text.hpp"
#include "primitives/kernel/argument.hpp"
#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/kernel.hpp"
#include "primitives/kernel/kernel_text.hpp"
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

bool is_custom(const FindRequest& request) {
    return request.predicate != nullptr && !request.predicate->comparison;
}

ShaderSource kernel(const FindRequest& request) {
    if (!is_custom(request)) {
        return ShaderSource::packed(shaders::find, request.name);
    }
    const Argument x = argument_of(request.element);
    return ShaderSource::glsl(concat(glsl_version(), declare_values(request.predicate->values), "#define ITEM_WORDS ",
                                     request.element.words(), "\n#define CUSTOM_PREDICATE\n#include <weir/find.glsl>\n",
                                     predicate_glsl(*request.predicate, request.element, "custom_predicate", "Seen",
                                                    ReduceInterface::MORE_BINDING),
                                     "bool predicate(uint item[ITEM_WORDS], uint i) {\n    return custom_predicate(",
                                     x.type, "(", x.value, "), i);\n}\n"),
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
    auto pass =
        reduce_pass(graph, {.name = request.name,
                            .shader = kernel(request),
                            .count = request.count,
                            .input = request.input,
                            .layout = {.offset = request.input_layout.offset, .stride = stride},
                            .output = request.output,
                            .op = {.op = counts ? KernelOperators::OPERATOR_ADD : KernelOperators::OPERATOR_MIN},
                            .tuning = request.tuning});
    if (!pass) {
        return;
    }
    const Predicate none;
    const Predicate& predicate = request.predicate != nullptr ? *request.predicate : none;
    set_constants(*pass, FindInterface{.NUMBERS = key_numbers(request.element.scalar),
                                       .COMPARISON = predicate.comparison.value_or(Comparison::equal),
                                       .OUT_OF_ORDER = request.predicate == nullptr,
                                       .DESCENDING = request.descending,
                                       .WHETHER_NONE = request.result == FindRequest::Result::whether_none,
                                       .ITEM_WORDS = words});
    if (is_custom(request)) {
        for (const FusedBuffer& buffer : predicate.buffers) {
            pass->bindings.push_back(buffer.binding);
        }
        push_values(*pass, predicate.values);
    } else {
        pass->push.insert(pass->push.end(), {predicate.number[0], predicate.number[1]});
    }
    graph.add_pass(*std::move(pass));
}

} // namespace weir
