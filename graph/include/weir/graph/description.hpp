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

/// The contents of a Graph as plain data: the input of the stages of the compiler.
struct GraphDescription {
    /// Who owns a resource, and for how long it keeps its contents.
    enum class Lifetime : std::uint8_t {
        import,    ///< the application
        transient, ///< the program, within an execution
        state,     ///< the program, from one execution to the next
    };

    /// A buffer or an image.
    struct Resource {
        std::string name;                        ///< for messages and debuggers
        Lifetime lifetime = Lifetime::transient; ///< who owns it
        std::uint64_t bytes = 0;        ///< of an image an estimate without a device: its texels, rounded up to 64 KiB
        std::uint64_t alignment = 1;    ///< of its offset in memory, in bytes: a power of two
        std::optional<ImageInfo> image; ///< none: a buffer
        bool alone = false;             ///< cannot share memory with others
        Accesses arrives;               ///< the last accesses of the application before an execution
        bool exported = false;          ///< whether the application uses it after an execution
        bool per_frame = false;         ///< an export of which each pending recording has a copy
        Accesses leaves;                ///< the next accesses of the application after an execution
        ImportQueues queues;            ///< of an import or an export
        /// Of a history, whose two buffers are states: on the current buffer the index of the previous one.
        std::uint32_t previous = ResourceId::none;
        std::uint32_t current = ResourceId::none; ///< on the previous buffer the index of the current one
        SourceLocation where;                     ///< the call that added it
        /// Of a part of an image: the index of the image, which is no part itself. Its lifetime, its arrival and its
        /// queues are those of the image; `image` is its own size.
        std::uint32_t part_of = ResourceId::none;
        ImagePart part; ///< its mips and layers in that image, each number told, and the type of its view
        /// In a plan, where passes use parts of an image: of that image and of each of its parts the disjoint pieces
        /// that stand for it, which are parts, too. Empty: it stands for itself.
        std::vector<std::uint32_t> pieces;
    };

    /// The work of Graph::add_fill.
    struct Fill {
        std::uint32_t value = 0; ///< the 32-bit value
        std::uint64_t bytes = 0; ///< bytes to fill
    };
    /// The work of Graph::add_copy.
    struct Copy {
        std::uint64_t bytes = 0; ///< bytes to copy
    };
    /// The work of Graph::add_update.
    struct Update {
        HostData data; ///< the data of the application
    };
    /// The work of Graph::add_copy with an image, Graph::add_blit and Graph::add_clear.
    struct ImageWork {
        /// The command that the work records.
        enum class Kind : std::uint8_t {
            to_buffer,   ///< copies a region of an image to a buffer
            from_buffer, ///< copies a buffer to a region of an image
            copy,        ///< copies a region of an image to a region of the same size
            blit,        ///< scales a region of an image to a region of any size
            clear        ///< clears a part of an image to a value
        };
        Kind kind = Kind::copy;              ///< what it does
        ImageRegion source;                  ///< of the image that is read
        ImageRegion destination;             ///< of the image that is written
        VkFilter filter = VK_FILTER_NEAREST; ///< of a blit
        VkClearValue value{};                ///< of a clear
    };
    /// A use of a resource by a pass.
    struct PassUse {
        std::uint32_t resource = 0; ///< index into `resources`
        Access access =
            Access::none; ///< what the pass does with it; none: it is bound, but the shader does not access it
        /// In a plan, where `resource` is a piece of an image: what the pass has declared.
        std::uint32_t declared = ResourceId::none;

        /// What the pass has declared: the resource, or that of which it is a piece.
        [[nodiscard]] std::uint32_t named() const { return declared != ResourceId::none ? declared : resource; }
    };
    /// How far the workgroups of a dispatch by elements may be spread over x and y.
    struct Spread {
        std::uint32_t x = 0; ///< maximum in x
        std::uint32_t y = 1; ///< maximum in y; more than 1: the shader must use y
    };
    /// A condition of a pass: a switch that is on, or a count that is not 0.
    using Condition = std::variant<Switch, Count>;
    /// A pass.
    struct PassNode {
        std::string name;                                                    ///< for messages and debuggers
        std::variant<Pass, Fill, Copy, CommandPass, Update, ImageWork> work; ///< what it does
        /// All uses of the pass: bindings, addresses, Pass::uses and indirect arguments, in this order, then those that
        /// are bound but not accessed; of a copy the source, then the destination.
        std::vector<PassUse> uses;
        /// All have to hold. Conditions on the GPU are already part of the arguments of the dispatch.
        std::vector<Condition> conditions;
        Spread spread;                     ///< of the dispatch by elements, or of the one that wrote its arguments
        bool computes_arguments = false;   ///< a pass that the graph added to compute arguments of indirect dispatches
        QueueKind queue = QueueKind::main; ///< the queue for which it was added
        SourceLocation where;              ///< the call that added it

        /// The uses that access their resource.
        [[nodiscard]] std::span<const PassUse> accesses() const {
            std::size_t count = uses.size();
            while (count > 0 && uses[count - 1].access == Access::none) {
                --count;
            }
            return {uses.data(), count};
        }
    };
    /// A parameter: Graph::parameter.
    struct Parameter {
        std::string name;      ///< for messages
        std::uint32_t max = 0; ///< greatest value
    };
    /// Data of the application: Graph::host_data.
    struct HostBytes {
        std::string name;        ///< for messages
        std::uint32_t bytes = 0; ///< a multiple of 4
    };
    /// A switch: Graph::add_switch.
    struct HostSwitch {
        std::string name; ///< for messages
        bool on = true;   ///< its value until it is set
    };
    /// A descriptor set of the application: Graph::import_set.
    struct DescriptorSet {
        std::string name;                              ///< for messages
        VkDescriptorSetLayout layout = VK_NULL_HANDLE; ///< the application's
    };
    /// A scope of `only_if` that has not ended.
    struct OpenCondition {
        Condition condition; ///< its condition
        /// a count on the GPU that is 0 where this condition or one of an outer scope is false
        std::optional<Count> gate;
    };
    /// Indirect arguments that a pass of the graph computes. Kept so that equal arguments are computed once, and others
    /// from the same buffers by the same pass, as long as no later pass has written the buffers that they come from.
    struct IndirectArguments {
        Dispatch dispatch;                 ///< the dispatch that they are for
        std::optional<Count> gate;         ///< no workgroups where it is 0
        std::vector<Condition> conditions; ///< of the pass that computes them
        std::uint32_t pass = 0;            ///< index of that pass
        BufferId arguments;                ///< the buffer of the arguments
        std::uint32_t word = 0;            ///< their first 32-bit word
    };

    /// Arguments of a dispatch by elements that `write_arguments` writes. Kept until another pass writes the buffer.
    struct SpreadArguments {
        BufferId arguments;     ///< the buffer of the arguments
        std::uint32_t word = 0; ///< their first 32-bit word
        Spread spread;          ///< of the dispatch
    };

    /// The object to which BufferId::graph of its buffers points. Copies share it, so no other graph gets the address
    /// while a program of this graph exists.
    std::shared_ptr<const void> identity = std::make_shared<char>();
    Capabilities capabilities;                         ///< of the device for which it is built
    std::vector<Resource> resources;                   ///< buffers and images
    std::vector<PassNode> passes;                      ///< in the order in which they were added
    std::vector<Parameter> parameters;                 ///< by index of Count::parameter
    std::vector<HostSwitch> switches;                  ///< by Switch::index
    std::vector<HostBytes> data;                       ///< by HostData::index
    std::vector<DescriptorSet> sets;                   ///< by DescriptorSetId::index
    std::vector<OpenCondition> open;                   ///< open scopes of `only_if`
    QueueKind queue = QueueKind::main;                 ///< the queue for which passes are added
    std::vector<IndirectArguments> indirect_arguments; ///< those that later passes may share
    std::vector<SpreadArguments> spread_arguments;     ///< for the passes that dispatch with them
    std::optional<Error> error;                        ///< the first mistake
    SourceLocation caller; ///< the call of the function that is adding to the graph; nowhere if there is none
};

} // namespace weir
