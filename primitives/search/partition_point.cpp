#include <weir/primitives/search.hpp>

#include <utility>
#include <vector>

#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel.hpp"
#include "primitives/kernel/key_numbers.hpp"
#include "primitives/kernel/predicate.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

struct PartitionPointInterface {
#include "shaders/search/partition_point_interface.h"
};

using detail::PartitionPointRequest;

constexpr const char* name = "partition point";

bool check(Graph& graph, const PartitionPointRequest& request) {
    std::vector<BufferId> seen{request.input, buffer_of(request.count)};
    for (const FusedBuffer& buffer : request.predicate->buffers) {
        seen.push_back(BufferId{buffer.binding.resource});
    }
    return check_input(graph, name, request.input) &&
           check_layout(graph, name, {"the input", request.input_words, request.element.words(), request.input_layout},
                        request.count.max) &&
           check_room(graph, name, {"the output", request.output, request.output.capacity}, 1, 1) &&
           check_apart(graph, name, {&request.output.id, 1}, seen) &&
           check_predicate(graph, name, *request.predicate, request.element);
}

} // namespace

void detail::add_partition_point(Graph& graph, const PartitionPointRequest& request) {
    if (!check(graph, request)) {
        return;
    }
    using Interface = PartitionPointInterface;
    const Predicate& predicate = *request.predicate;
    const std::uint32_t words = request.element.words();
    Pass pass =
        kernel_pass(name, predicate.comparison
                              ? ShaderSource::packed(shaders::partition_point, name)
                              : ShaderSource::glsl(predicate_kernel(predicate, request.element, "partition_point.glsl",
                                                                    Interface::SEEN_BINDING),
                                                   name));
    set_bindings(pass,
                 {{Interface::INPUT_BINDING, read(request.input)}, {Interface::OUTPUT_BINDING, write(request.output)}});
    set_constants(pass, Interface{.WORKGROUP = plain_workgroup(graph.capabilities()),
                                  .NUMBERS = key_numbers(request.element.scalar),
                                  .COMPARISON = predicate.comparison.value_or(Comparison::equal),
                                  .ITEM_WORDS = words});
    add_count(pass, request.count, request.input, Interface::COUNTS_BINDING, &Interface::COUNT_ON_GPU);
    push_words(pass,
               {request.input_layout.offset, request.input_layout.stride != 0 ? request.input_layout.stride : words});
    push_predicate(pass, &predicate);
    pass.dispatch = Dispatch::groups(1);
    graph.add_pass(std::move(pass));
}

} // namespace weir
