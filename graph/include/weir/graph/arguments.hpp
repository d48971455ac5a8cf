#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>

namespace weir {

/// A number in the arguments of an indirect command: min(count, count.max) * factor / per, rounded up. The count is a
/// constant, a parameter or on the GPU.
struct Argument {
    /// A constant.
    Argument(std::uint32_t constant) : count(constant) {} // NOLINT(google-explicit-constructor): a number is one
    /// By a count.
    Argument(const Count& the_count, // NOLINT(google-explicit-constructor): a count is one
             std::uint32_t the_factor = 1, std::uint32_t the_per = 1)
        : count(the_count), factor(the_factor), per(the_per) {}

    Count count;              ///< what is counted
    std::uint32_t factor = 1; ///< such as the vertices of each
    std::uint32_t per = 1;    ///< such as how many a workgroup takes; not 0
};

/// A VkDrawIndirectCommand: 4 words.
struct DrawArguments {
    Argument vertices;           ///< of each instance
    Argument instances = 1;      ///< how many
    Argument first_vertex = 0;   ///< index of the first vertex
    Argument first_instance = 0; ///< other than 0, the draw needs the feature drawIndirectFirstInstance
};

/// A VkDrawIndexedIndirectCommand: 5 words.
struct DrawIndexedArguments {
    Argument indices;               ///< of each instance
    Argument instances = 1;         ///< how many
    Argument first_index = 0;       ///< where in the index buffer
    std::int32_t vertex_offset = 0; ///< which is added to each index
    Argument first_instance = 0;    ///< other than 0, the draw needs the feature drawIndirectFirstInstance
};

/// A VkDrawMeshTasksIndirectCommandEXT: 3 words. What the device can run at once is for the caller to know.
struct DrawMeshTasksArguments {
    Argument x;     ///< workgroups
    Argument y = 1; ///< workgroups
    Argument z = 1; ///< workgroups
};

/// A command whose arguments `write_arguments` writes. A Dispatch becomes a VkDispatchIndirectCommand, 3 words, of as
/// many workgroups as a pass with that dispatch has.
using IndirectCommand = std::variant<Dispatch, DrawArguments, DrawIndexedArguments, DrawMeshTasksArguments>;

/// Options of write_arguments.
struct WriteArgumentsOptions {
    BufferRef<std::uint32_t> output = {}; ///< not valid: a new transient of as many words as are written
    std::uint32_t word = 0;               ///< of the output, where the first command begins
    std::string name = "write arguments"; ///< of the pass, and of a new transient
};

/// Adds a pass that writes the arguments of indirect commands, one after another without gaps: from constants,
/// parameters and counts on the GPU. Other words of the output keep their value. Returns the output, for commands of
/// the application after the graph (`Graph::export_buffer` with Access::indirect_read) or in a command pass, and for
/// `Dispatch::indirect`.
///
///     auto draw = weir::write_arguments(graph, {weir::DrawArguments{.vertices = 36, .instances = visible.count}});
///
/// One dispatch of one invocation for some 3 commands, of 3 buffers with counts; further commands take passes of their
/// own, which follow each other. Errors, reported by `compile`: `invalid_argument` for no commands, an output that is
/// too small or holds one of the counts, and a dispatch that is not given or is itself indirect; `limit_exceeded` for
/// numbers that may exceed 32 bits, workgroups past what the device can dispatch, and counts from more than 3 buffers
/// in one command.
WEIR_API BufferRef<std::uint32_t> write_arguments(const GraphCall& graph, const std::vector<IndirectCommand>& commands,
                                                  const WriteArgumentsOptions& options = {});

} // namespace weir
