#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <weir/graph/graph.hpp>

namespace weir {

/// What a Graph holds, as plain data: the input of the compiler's stages.
struct GraphDescription {
    enum class Lifetime : std::uint8_t { import, transient, state };

    struct Resource {
        std::string name;
        Lifetime lifetime = Lifetime::transient;
        std::uint64_t bytes = 0;        ///< of an image without a device an estimate: its texels, in whole 64 KiB
        std::uint64_t alignment = 1;    ///< of its place in memory, in bytes: a power of two
        std::optional<ImageInfo> image; ///< none: a buffer
        bool alone = false;             ///< cannot share memory with others
        Access arrives = Access::none;
        bool exported = false;
        Access leaves = Access::none;
        ImportQueues queues; ///< of what arrives or leaves
        /// Of a history, whose two buffers are states: on the current one the previous one, and the other way round.
        std::uint32_t previous = ResourceId::none;
        std::uint32_t current = ResourceId::none;
        SourceLocation where; ///< that added it
    };

    struct Fill {
        std::uint32_t value = 0;
        std::uint64_t bytes = 0;
    };
    struct Copy {
        std::uint64_t bytes = 0;
    };
    struct Update {
        HostData data;
    };
    /// What a pass does to a resource.
    struct PassUse {
        std::uint32_t resource = 0;
        Access access = Access::none; ///< none: it is bound, but the shader does not access it
    };
    /// What must hold for a pass to run: a switch that is on, or a count that is not 0.
    using Condition = std::variant<Switch, Count>;
    struct PassNode {
        std::string name;
        std::variant<Pass, Fill, Copy, HostPass, Update> work;
        /// All resources of the pass: bindings, addresses and indirect arguments, in this order, then those that are
        /// bound but not accessed; of a copy the source, then the destination.
        std::vector<PassUse> uses;
        /// All must hold. The GPU's are in the arguments of the dispatch already.
        std::vector<Condition> conditions;
        bool computes_arguments = false;   ///< for dispatches of other passes; the graph's own
        QueueKind queue = QueueKind::main; ///< for which it was added
        SourceLocation where;              ///< that added it

        /// The uses that access their resource.
        [[nodiscard]] std::span<const PassUse> accesses() const {
            std::size_t count = uses.size();
            while (count > 0 && uses[count - 1].access == Access::none) {
                --count;
            }
            return {uses.data(), count};
        }
    };
    struct Parameter {
        std::string name;
        std::uint32_t max = 0;
    };
    struct HostBytes {
        std::string name;
        std::uint32_t bytes = 0;
    };
    struct HostSwitch {
        std::string name;
        bool on = true; ///< until it is set
    };
    /// An `only_if` that has not ended.
    struct OpenCondition {
        Condition condition;
        std::optional<Count> gate; ///< a count on the GPU that is 0 where this one, or one outside it, is
    };
    /// Indirect arguments that a pass of the graph computes, so that equal ones are computed once, and others from the
    /// same buffers by the same pass; only those of which no later pass has written what they come from.
    struct IndirectArguments {
        Dispatch dispatch;                 ///< what they are for,
        std::optional<Count> gate;         ///< where this is not 0
        std::vector<Condition> conditions; ///< of the pass that computes them,
        std::uint32_t pass = 0;            ///< which it is,
        BufferId arguments;                ///< and where it writes them:
        std::uint32_t word = 0;            ///< from this 32-bit word on
    };

    /// What BufferId::graph of its buffers points to. Copies share it, so no other graph can get the address while a
    /// program of this one lives.
    std::shared_ptr<const void> identity = std::make_shared<char>();
    Capabilities capabilities;
    std::vector<Resource> resources;
    std::vector<PassNode> passes;
    std::vector<Parameter> parameters;
    std::vector<HostSwitch> switches;
    std::vector<HostBytes> data;
    std::vector<OpenCondition> open;
    QueueKind queue = QueueKind::main; ///< for which passes are added
    std::vector<IndirectArguments> indirect_arguments;
    std::optional<Error> error;
    SourceLocation caller; ///< of the function that is adding to the graph; nowhere if there is none
};

} // namespace weir
