#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>

namespace weir {

/// A number in the arguments of an indirect command: min(count, count.max) * factor / per, rounded up. The count may be
/// a constant, a parameter or a count on the GPU.
struct Argument {
    /// A constant.
    Argument(std::uint32_t constant) : count(constant) {} // NOLINT(google-explicit-constructor): a number is one
    /// A number computed from a count.
    Argument(const Count& the_count, // NOLINT(google-explicit-constructor): a count is one
             std::uint32_t the_factor = 1, std::uint32_t the_per = 1)
        : count(the_count), factor(the_factor), per(the_per) {}

    Count count;              ///< count, limited to count.max
    std::uint32_t factor = 1; ///< multiplier, such as the vertices per element
    std::uint32_t per = 1;    ///< divisor, such as the elements per workgroup; must not be 0
};

/// A VkDrawIndirectCommand: 4 words.
struct DrawArguments {
    Argument vertices;           ///< vertices per instance
    Argument instances = 1;      ///< number of instances
    Argument first_vertex = 0;   ///< index of the first vertex
    Argument first_instance = 0; ///< values other than 0 need the feature drawIndirectFirstInstance
};

/// A VkDrawIndexedIndirectCommand: 5 words.
struct DrawIndexedArguments {
    Argument indices;               ///< indices per instance
    Argument instances = 1;         ///< number of instances
    Argument first_index = 0;       ///< index of the first index in the index buffer
    std::int32_t vertex_offset = 0; ///< added to each index
    Argument first_instance = 0;    ///< values other than 0 need the feature drawIndirectFirstInstance
};

/// A VkDrawMeshTasksIndirectCommandEXT: 3 words. The limits of the device are not checked; the caller must respect
/// them.
struct DrawMeshTasksArguments {
    Argument x;     ///< workgroups in x
    Argument y = 1; ///< workgroups in y
    Argument z = 1; ///< workgroups in z
};

/// A command whose arguments `write_arguments` writes. A Dispatch becomes a VkDispatchIndirectCommand, 3 words, with
/// the number of workgroups that a pass with this dispatch runs.
using IndirectCommand = std::variant<Dispatch, DrawArguments, DrawIndexedArguments, DrawMeshTasksArguments>;

/// Options of write_arguments.
struct WriteArgumentsOptions {
    BufferRef<std::uint32_t> output = {}; ///< not valid: a new transient that ends with the last word written
    std::uint32_t word = 0;               ///< word of the output at which the first command begins
    std::string name = "write arguments"; ///< name of the pass and of a new transient
};

/// Adds a pass that writes the arguments of indirect commands, one after another without gaps, from constants,
/// parameters and counts on the GPU. Returns the output. Other words of the output keep their value.
///
/// The output can be used by a command pass, by `Dispatch::indirect`, or by commands of the application after the graph
/// (`Graph::export_buffer` with Access::indirect_read).
///
///     auto draw = weir::write_arguments(graph, {weir::DrawArguments{.vertices = 36, .instances = visible.count}});
///
/// The pass is one dispatch of one invocation. It writes about 3 commands, with counts from at most 3 buffers. Further
/// commands are written by further passes, one after another.
///
/// Errors, reported by `compile`: `invalid_argument` for an empty list of commands, an output that is too small or
/// holds one of the counts, and a dispatch that is not set or is itself indirect; `limit_exceeded` for numbers that may
/// exceed 32 bits, more workgroups than the device can dispatch, and counts from more than 3 buffers in one command.
WEIR_API BufferRef<std::uint32_t> write_arguments(const GraphCall& graph, const std::vector<IndirectCommand>& commands,
                                                  const WriteArgumentsOptions& options = {});

} // namespace weir
