#include <weir/graph/arguments.hpp>

#include "c/convert.hpp"

using namespace weir::c;
using weir::Graph;

namespace {

weir::Argument argument_of(const weir_argument& argument) {
    const auto at_least_one = [](std::uint32_t n) { return n == 0 ? 1 : n; };
    return {count_of(argument.count), at_least_one(argument.factor), at_least_one(argument.per)};
}

weir::IndirectCommand command_of(const Graph& graph, const weir_indirect_command& command) {
    const auto number = [&](std::size_t i) { return argument_of(command.numbers[i]); };
    switch (command.kind) {
    case WEIR_INDIRECT_DISPATCH: return dispatch_of(graph, command.dispatch);
    case WEIR_INDIRECT_DRAW:
        return weir::DrawArguments{
            .vertices = number(0), .instances = number(1), .first_vertex = number(2), .first_instance = number(3)};
    case WEIR_INDIRECT_DRAW_INDEXED:
        return weir::DrawIndexedArguments{.indices = number(0),
                                          .instances = number(1),
                                          .first_index = number(2),
                                          .vertex_offset = command.vertex_offset,
                                          .first_instance = number(3)};
    case WEIR_INDIRECT_MESH_TASKS: return weir::DrawMeshTasksArguments{.x = number(0), .y = number(1), .z = number(2)};
    default: refuse("indirect command kind " + std::to_string(static_cast<unsigned>(command.kind)) + " does not exist");
    }
}

} // namespace

weir_buffer_ref weir_write_arguments(weir_graph* graph, const weir_indirect_command* commands,
                                     std::uint32_t command_count, weir_buffer_ref output, std::uint32_t word) {
    return add(graph, __func__, [&](Graph& to) {
        items(commands, command_count, "the list of commands");
        std::vector<weir::IndirectCommand> all;
        for (std::uint32_t i = 0; i < command_count; ++i) {
            all.push_back(command_of(to, commands[i]));
        }
        return to_c(weir::write_arguments(to, all, {.output = words(to, output, "the output"), .word = word}));
    });
}
