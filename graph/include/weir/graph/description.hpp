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

/// Contents of a Graph as plain data: the input of the stages of the compiler.
struct GraphDescription {
    /// Owner of a resource, and the time for which its contents are kept.
    enum class Lifetime : std::uint8_t {
        import,    ///< owned by the application
        transient, ///< owned by the program; contents are kept within an execution
        state,     ///< owned by the program; contents are kept from one execution to the next
    };

    /// A buffer or an image.
    struct Resource {
        std::string name;                        ///< for messages and debuggers
        Lifetime lifetime = Lifetime::transient; ///< owner
        std::uint64_t bytes = 0; ///< size; for an image an estimate without a device: its texels, rounded up to 64 KiB
        std::uint64_t alignment = 1;    ///< alignment of its offset in memory, in bytes: a power of two
        std::optional<ImageInfo> image; ///< no value: a buffer
        bool alone = false;             ///< true: cannot share memory with others
        Accesses arrives;               ///< last accesses of the application before an execution
        bool exported = false;          ///< true: the application uses it after an execution
        bool per_frame = false;         ///< true: an export with a copy for each pending recording
        Accesses leaves;                ///< next accesses of the application after an execution
        VkFlags usage = 0;              ///< usage flags in addition to those that passes and exports need
        bool can_be_undefined = false;  ///< true: passes may read what no pass has written; see Graph::allow_undefined
        bool can_be_smaller = false;    ///< true: a bound range may be smaller; see Graph::allow_smaller
        ImportQueues queues;            ///< queues on which it arrives and leaves; imports and exports only
        /// Index of the previous buffer or image of a history; set on the current one only. Both are states.
        std::uint32_t previous = ResourceId::none;
        std::uint32_t current = ResourceId::none; ///< index of the current one; set on the previous one only
        SourceLocation where;                     ///< call that added it
        /// Index of the image or buffer of which this is a part; that resource is not itself a part. Lifetime, arrival
        /// and queues are those of the whole. `image` is the size of the part.
        std::uint32_t part_of = ResourceId::none;
        ImagePart part; ///< mips and layers in that image, without VK_REMAINING_* values, and the type of the view
        std::uint64_t offset = 0; ///< first byte of a part of a buffer in that buffer
        /// Disjoint pieces that stand for a resource or a part of one. Set in a plan, if the graph uses parts of the
        /// resource. Pieces are parts, too. Empty: the resource stands for itself.
        std::vector<std::uint32_t> pieces;
    };

    /// Work of Graph::add_fill.
    struct Fill {
        std::uint32_t value = 0; ///< the 32-bit value
        std::uint64_t bytes = 0; ///< bytes to fill
    };
    /// Work of Graph::add_copy between buffers.
    struct Copy {
        std::uint64_t bytes = 0; ///< bytes to copy
    };
    /// Work of Graph::add_update.
    struct Update {
        HostData data; ///< the data of the application
    };
    /// Work of Graph::add_copy with an image, Graph::add_blit and Graph::add_clear.
    struct ImageWork {
        /// Command that the work records.
        enum class Kind : std::uint8_t {
            to_buffer,   ///< copies a region of an image to a buffer
            from_buffer, ///< copies a buffer to a region of an image
            copy,        ///< copies a region of an image to a region of the same size
            blit,        ///< scales a region of an image to a region of any size
            clear        ///< clears a region of an image to a value
        };
        Kind kind = Kind::copy;              ///< command that it records
        ImageRegion source;                  ///< region that is read
        ImageRegion destination;             ///< region that is written
        VkFilter filter = VK_FILTER_NEAREST; ///< filter; blits only
        VkClearValue value{};                ///< value; clears only
    };
    /// A use of a resource by a pass.
    struct PassUse {
        std::uint32_t resource = 0;   ///< index into `resources`
        Access access = Access::none; ///< access of the pass; none: it is bound, but the shader does not access it
        /// Resource that the pass has declared. Set in a plan, if `resource` is a piece of it.
        std::uint32_t declared = ResourceId::none;
        /// Use without a name in Access, with the stages and accesses that plans distinguish. `access` is then `any`.
        std::optional<UseScope> raw = {};
        /// True: needs no order with consecutive uses of the resource that are concurrent, too.
        bool concurrent = false;
        /// Latest earlier pass of an execution that writes the resource; none if no earlier pass does. Set in a plan.
        std::uint32_t written_by = ResourceId::none;
        /// False: no later pass of an execution reads the contents, and they do not last beyond it. Always true for
        /// accesses that only read, and for concurrent ones. Set in a plan.
        bool needed_after = true;

        /// Returns the resource that the pass has declared: `declared` if it is set, otherwise `resource`.
        [[nodiscard]] std::uint32_t named() const { return declared != ResourceId::none ? declared : resource; }
        /// Returns the scope, the layout and the direction of the use.
        [[nodiscard]] const UseScope& meaning() const { return raw ? *raw : use_scope(access); }
        /// Returns true if the use reads.
        [[nodiscard]] bool reads() const { return raw ? raw->reads : weir::reads(access); }
        /// Returns true if the use writes.
        [[nodiscard]] bool writes() const { return raw ? raw->writes : weir::writes(access); }
        /// Returns the name of the access in words, such as "shader read".
        [[nodiscard]] std::string access_name() const {
            return std::string(raw ? to_string(*raw) : to_string(access)) + (concurrent ? ", concurrent" : "");
        }
    };
    /// Maximum numbers of workgroups over which a dispatch by elements may be spread.
    struct Spread {
        std::uint32_t x = 0; ///< maximum in x
        std::uint32_t y = 1; ///< maximum in y; if it exceeds 1, the shader must use y
    };
    /// A switch that must be off.
    struct Off {
        Switch which; ///< the switch
        /// Compares the switch.
        friend bool operator==(const Off&, const Off&) = default;
    };
    /// A condition of a pass: a switch that is on, a count that is not 0, or a switch that is off.
    using Condition = std::variant<Switch, Count, Off>;
    /// A pass.
    struct PassNode {
        /// Work of the pass. Copies of a graph, and its programs, share passes of the application.
        using Work = std::variant<std::shared_ptr<const Pass>, Fill, Copy, std::shared_ptr<const CommandPass>, Update,
                                  ImageWork>;

        std::string name; ///< for messages and debuggers
        Work work;        ///< work of the pass
        /// All uses of the pass. Bindings, addresses, Pass::uses and indirect arguments come first, in this order.
        /// Bindings that the shader does not access come last. A copy has its source, then its destination.
        std::vector<PassUse> uses;
        /// Conditions that must all hold for the pass to run. Conditions on the GPU are already part of the arguments
        /// of the dispatch.
        std::vector<Condition> conditions;
        Spread spread;                   ///< spread of the dispatch by elements, or of the one that wrote its arguments
        bool computes_arguments = false; ///< true: added by the graph to compute arguments of indirect dispatches
        QueueKind queue = QueueKind::main; ///< queue for which it was added
        SourceLocation where;              ///< call that added it

        /// Returns the compute pass; null if the work is of another kind.
        [[nodiscard]] const Pass* compute_pass() const { return shared<Pass>(); }
        /// Returns the pass whose commands the application records; null if the work is of another kind. Empty in a
        /// plan.
        [[nodiscard]] const CommandPass* command_pass() const { return shared<CommandPass>(); }
        /// Returns the uses that access their resource.
        [[nodiscard]] std::span<const PassUse> accesses() const {
            std::size_t count = uses.size();
            while (count > 0 && uses[count - 1].access == Access::none) {
                --count;
            }
            return {uses.data(), count};
        }

    private:
        template <class T>
        [[nodiscard]] const T* shared() const {
            const auto* pass = std::get_if<std::shared_ptr<const T>>(&work);
            return pass != nullptr ? pass->get() : nullptr;
        }
    };
    /// A parameter; see Graph::parameter.
    struct Parameter {
        std::string name;      ///< for messages
        std::uint32_t max = 0; ///< maximum value
    };
    /// Data of the application; see Graph::host_data.
    struct HostBytes {
        std::string name;        ///< for messages
        std::uint32_t bytes = 0; ///< size, a multiple of 4
    };
    /// A switch; see Graph::add_switch.
    struct HostSwitch {
        std::string name; ///< for messages
        bool on = true;   ///< its value until it is set
    };
    /// A descriptor set of the application; see Graph::import_set.
    struct DescriptorSet {
        std::string name;                              ///< for messages
        VkDescriptorSetLayout layout = VK_NULL_HANDLE; ///< layout of the application
    };
    /// A scope of `only_if` or `unless` that has not ended.
    struct OpenCondition {
        Condition condition; ///< condition of the scope
        /// Count on the GPU that is 0 if this condition, or a condition on the GPU of an outer scope, is false. Set
        /// only for conditions on the GPU.
        std::optional<Count> gate;
    };
    /// Indirect arguments that a pass added by the graph computes. They are kept so that equal arguments are computed
    /// once, and so that other arguments from the same buffers are computed by the same pass. They are removed when a
    /// later pass writes the buffers from which they are computed.
    struct IndirectArguments {
        Dispatch dispatch;                 ///< dispatch for which they are computed
        std::optional<Count> gate;         ///< if it is 0, no workgroups run
        std::vector<Condition> conditions; ///< conditions of the pass that computes them
        std::uint32_t pass = 0;            ///< index of the pass that computes them
        BufferId arguments;                ///< buffer of the arguments
        std::uint32_t word = 0;            ///< their first 32-bit word
    };

    /// Arguments of a dispatch by elements that `write_arguments` writes. They are kept until another pass writes the
    /// buffer.
    struct SpreadArguments {
        BufferId arguments;     ///< buffer of the arguments
        std::uint32_t word = 0; ///< their first 32-bit word
        Spread spread;          ///< spread of the dispatch
    };

    /// Identity of the graph: BufferId::graph of its buffers points to this object. Copies share it. Therefore no other
    /// graph gets this address while a program of this graph exists.
    std::shared_ptr<const void> identity = std::make_shared<char>();
    Capabilities capabilities;                         ///< capabilities of the device for which it is built
    std::vector<Resource> resources;                   ///< buffers and images
    std::vector<PassNode> passes;                      ///< in the order in which they were added
    std::vector<Parameter> parameters;                 ///< by index of Count::parameter
    std::vector<HostSwitch> switches;                  ///< by Switch::index
    std::vector<HostBytes> data;                       ///< by HostData::index
    std::vector<DescriptorSet> sets;                   ///< by DescriptorSetId::index
    std::vector<OpenCondition> open;                   ///< open scopes of `only_if` and `unless`
    bool has_unless = false;                           ///< true: some scopes were opened by `unless`
    QueueKind queue = QueueKind::main;                 ///< queue for which passes are added
    std::vector<IndirectArguments> indirect_arguments; ///< arguments that later passes may share
    std::vector<SpreadArguments> spread_arguments;     ///< arguments that `write_arguments` writes
    std::optional<Error> error;                        ///< first mistake
    SourceLocation caller; ///< call of the function that is adding to the graph; line 0 between calls
};

} // namespace weir
