#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <vulkan/vulkan_core.h>

#include <weir/engine/buffer.hpp>
#include <weir/engine/export.hpp>
#include <weir/engine/image.hpp>
#include <weir/graph/description.hpp>

namespace weir {

/// The commands of one execution of a program as plain data, for applications that record with a layer of their own.
/// Created by Program::commands. It holds no object of the program, except handles of the application.
///
/// Before the first execution, the application must:
///
/// - create the memory of `allocations`, and in it the buffers and images of `resources`;
/// - fill each buffer with Resource::starts_zero with zeros, clear each such image to zeros and leave it in
///   Resource::initial_layout, and make this visible to all later commands. Do not repeat this;
/// - create `pipelines` and the descriptors of each Dispatch.
///
/// For each execution, the application records `commands` in order, outside a render pass, on one queue of the kind
/// `queue`:
///
/// - A Barrier is one vkCmdPipelineBarrier2. It must be recorded even if passes around it are off.
/// - A command whose `is_on` is false must be left out.
/// - The barrier of a group comes before its other commands, which need no order among each other.
/// - At a CommandPassWork, the application records its own commands, as CommandPass::record does.
///
/// Recording the same data again is correct, also while earlier executions are pending: the barriers order executions
/// of a program as those of Program::record do. Kernels keep what they need from one execution to the next (such as
/// tile states and their epochs) in buffers with `starts_zero`; no push constant counts executions. The following
/// changes from one execution to the next:
///
/// - Histories: exchange the memory of the two resources of each of `histories` after each execution, in descriptors,
///   addresses and barriers.
/// - Exports with Resource::per_frame: barriers do not wait for the application's uses of the previous execution. Use
///   another copy of the resource for each pending execution, or wait for these uses.
/// - Values: parameters, switches and data of the application that are set. Program::commands returns the current
///   values, and Dispatch::fields, Dispatch::elements and Command::conditions say where they are used.
///
/// Imports must be synchronized as for Program::record: they arrive as Resource::arrives says and leave as
/// Resource::leaves says. Access that Program::bind declares for one recording is not included.
struct CommandList {
    static constexpr std::uint32_t none = ~0U; ///< no index

    /// Device memory of the program.
    struct Allocation {
        std::string name;             ///< for messages and debuggers
        std::uint64_t bytes = 0;      ///< size
        std::uint64_t alignment = 1;  ///< alignment in bytes, a power of two; buffers may need more
        VkBufferUsageFlags usage = 0; ///< usage flags of one buffer of `bytes` bytes; 0: no resource in it is a buffer
        bool has_images = false; ///< true: resources in it are images, and the memory must be of one of their types
        /// Compares all members.
        friend bool operator==(const Allocation&, const Allocation&) = default;
    };

    /// A buffer or an image. Commands refer to resources that are not parts, except in CommandPassWork.
    struct Resource {
        std::string name;                                                            ///< for messages and debuggers
        GraphDescription::Lifetime lifetime = GraphDescription::Lifetime::transient; ///< owner
        bool is_used = false;            ///< false: no command uses it; it needs no memory and may be left unbound
        std::uint64_t bytes = 0;         ///< size; of an import, the size that is bound, or else the declared one
        std::optional<ImageInfo> image;  ///< no value: a buffer
        VkFlags usage = 0;               ///< usage flags that the commands need
        VkImageCreateFlags flags = 0;    ///< flags for vkCreateImage; images only
        std::uint32_t allocation = none; ///< index into `allocations`; none: an import, a part, or not used
        std::uint64_t offset = 0;        ///< first byte in the allocation; of a part of a buffer, in the buffer
        std::uint32_t part_of = none;    ///< index of the buffer or image of which it is a part; none: it is no part
        ImagePart part;                  ///< mips and layers of a part of an image
        bool is_exported = false;        ///< true: the application uses it after an execution
        bool per_frame = false;          ///< true: each pending execution needs a copy of it
        bool starts_zero = false;        ///< true: it must be zero before the first execution
        /// Layout of the image before the first execution, and of an import before each. Undefined: any layout.
        VkImageLayout initial_layout = VK_IMAGE_LAYOUT_UNDEFINED;
        /// Layout of the image after an execution. Undefined for images whose mips and layers are in several layouts.
        VkImageLayout final_layout = VK_IMAGE_LAYOUT_UNDEFINED;
        Accesses arrives;      ///< last accesses of the application before an execution
        Accesses leaves;       ///< next accesses of the application after an execution
        BufferView bound;      ///< buffer that is bound to the import; empty: none
        ImageView bound_image; ///< image that is bound to the import; empty: none
    };

    /// A specialization constant of 32 bits.
    struct Constant {
        std::uint32_t id = 0;    ///< `constant_id`
        std::uint32_t value = 0; ///< its bits
        /// Compares all members.
        friend bool operator==(const Constant&, const Constant&) = default;
    };
    /// A compute pipeline. Its shader is adapted to the device of the program's context, with the features that are
    /// enabled there.
    struct Pipeline {
        std::string name;                       ///< name of the first pass that uses it
        std::uint32_t shader = 0;               ///< index into `shaders`; its entry point is "main"
        std::vector<Constant> constants;        ///< specialization constants
        std::uint32_t subgroup_size = 0;        ///< required subgroup size; 0: none is required
        bool full_subgroups = false;            ///< VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT
        std::vector<VkDescriptorType> bindings; ///< type of binding i of set 0; each is one descriptor
        std::vector<std::uint32_t> sets;        ///< index into `sets` of set 1 + i
        std::uint32_t push_bytes = 0;           ///< size of the push constants, from offset 0
    };

    /// Bytes of a buffer.
    struct BufferRange {
        std::uint32_t resource = none; ///< index of the buffer
        std::uint64_t offset = 0;      ///< first byte in the buffer
        std::uint64_t bytes = 0;       ///< size
        /// Compares all members.
        friend bool operator==(const BufferRange&, const BufferRange&) = default;
    };
    /// Layers of one mip of an image.
    struct ImageTarget {
        std::uint32_t resource = none;                    ///< index of the image
        VkImageSubresourceLayers layers{};                ///< mip and layers
        VkExtent3D extent{};                              ///< size of the mip
        VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED; ///< layout of the image
    };
    /// The descriptor of one binding of set 0: a buffer, an image view, a sampler, or the last two.
    struct Descriptor {
        VkDescriptorType type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER; ///< its type
        BufferRange buffer;                                        ///< buffers only
        std::uint32_t image = none;                                ///< index of the image; images only
        VkImageViewType view_type = VK_IMAGE_VIEW_TYPE_2D;         ///< type of the view; images only
        VkImageSubresourceRange range{};                           ///< mips and layers of the view; images only
        VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;          ///< layout of the image; images only
        VkSampler sampler = VK_NULL_HANDLE;                        ///< sampler of the application; may be null
    };
    /// Push constants that are not constant.
    struct PushField {
        /// Source of the words.
        enum class Source : std::uint8_t {
            address,   ///< the 64-bit device address of `buffer`, low word first; 0 in Dispatch::push
            parameter, ///< parameter `index`
            host_data, ///< data `index`
        };
        Source source = Source::parameter; ///< source of the words
        std::uint32_t word = 0;            ///< index of the first word in Dispatch::push
        std::uint32_t words = 1;           ///< number of words
        std::uint32_t index = 0;           ///< index into `parameters` or `data`
        BufferRange buffer;                ///< the buffer of an address
        /// Compares all members.
        friend bool operator==(const PushField&, const PushField&) = default;
    };
    /// Workgroups for a number of elements that is a parameter: max(ceil(value / per_group), at_least) in all. If these
    /// are more than `max_x`, y is ceil(all / max_x) and x is ceil(all / y); otherwise x is all, and y is 1.
    struct Elements {
        std::uint32_t parameter = 0; ///< index into `parameters`
        std::uint32_t per_group = 1; ///< elements per workgroup
        std::uint32_t at_least = 0;  ///< minimum number of workgroups
        std::uint32_t max_x = 1;     ///< maximum number of workgroups in x
        /// Compares all members.
        friend bool operator==(const Elements&, const Elements&) = default;
    };
    /// An image barrier, with or without a layout change.
    struct ImageTransition {
        std::uint32_t resource = none;                        ///< index of the image
        VkImageSubresourceRange range{};                      ///< mips and layers
        Scope source;                                         ///< stages and accesses that are waited for
        Scope destination;                                    ///< stages and accesses that wait
        VkImageLayout old_layout = VK_IMAGE_LAYOUT_UNDEFINED; ///< VK_IMAGE_LAYOUT_UNDEFINED: the contents are lost
        VkImageLayout new_layout = VK_IMAGE_LAYOUT_UNDEFINED; ///< layout after it
    };

    /// vkCmdPipelineBarrier2.
    struct Barrier {
        std::vector<VkMemoryBarrier2> memory;     ///< global memory barriers
        std::vector<ImageTransition> transitions; ///< image barriers
    };
    /// vkCmdDispatch, or vkCmdDispatchIndirect.
    struct Dispatch {
        std::uint32_t pipeline = 0;            ///< index into `pipelines`
        std::vector<Descriptor> descriptors;   ///< set 0: entry i is binding i
        std::vector<std::uint32_t> push;       ///< push constants, with the current values
        std::vector<PushField> fields;         ///< push constants that can change
        std::array<std::uint32_t, 3> groups{}; ///< workgroups; a dispatch with a 0 may be left out. 0 if indirect
        std::optional<Elements> elements;      ///< if `groups` depend on a parameter
        std::optional<BufferRange> indirect;   ///< VkDispatchIndirectCommand of an indirect dispatch
    };
    /// vkCmdFillBuffer.
    struct Fill {
        BufferRange range;       ///< bytes to fill
        std::uint32_t value = 0; ///< the 32-bit value
    };
    /// vkCmdUpdateBuffer.
    struct Update {
        BufferRange range;      ///< bytes to write
        std::uint32_t data = 0; ///< index into `data`
    };
    /// vkCmdCopyBuffer.
    struct CopyBuffer {
        BufferRange source;      ///< bytes to read
        BufferRange destination; ///< bytes to write; of the same size
    };
    /// vkCmdCopyImageToBuffer, without gaps between rows.
    struct CopyImageToBuffer {
        ImageTarget source;      ///< texels to read
        BufferRange destination; ///< from the first byte to write to the end of the buffer
    };
    /// vkCmdCopyBufferToImage, without gaps between rows.
    struct CopyBufferToImage {
        BufferRange source;      ///< from the first byte to read to the end of the buffer
        ImageTarget destination; ///< texels to write
    };
    /// vkCmdCopyImage. The extent is that of the source.
    struct CopyImage {
        ImageTarget source;      ///< texels to read
        ImageTarget destination; ///< texels to write
    };
    /// vkCmdBlitImage.
    struct BlitImage {
        ImageTarget source;                  ///< texels to read
        ImageTarget destination;             ///< texels to write
        VkFilter filter = VK_FILTER_NEAREST; ///< the filter
    };
    /// vkCmdClearColorImage, or vkCmdClearDepthStencilImage if the aspects are not those of a color.
    struct ClearImage {
        ImageTarget target;   ///< mip and layers to clear
        VkClearValue value{}; ///< the value
    };
    /// Use of a resource by a command pass.
    struct CommandPassUse {
        std::uint32_t resource = none;                    ///< index of the resource; may be a part
        Scope scope;                                      ///< stages and accesses
        bool reads = false;                               ///< true: it reads
        bool writes = false;                              ///< true: it writes
        VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED; ///< layout of the image; images only
    };
    /// Commands of the application: see CommandPass.
    struct CommandPassWork {
        std::vector<CommandPassUse> uses; ///< the declared uses
    };

    /// A condition of a command. All conditions of a command must hold.
    struct Condition {
        /// Kind of the condition.
        enum class Kind : std::uint8_t {
            switch_on,  ///< switch `index` is on
            switch_off, ///< switch `index` is off
            parameter   ///< parameter `index` is not 0
        };
        Kind kind = Kind::switch_on; ///< its kind
        std::uint32_t index = 0;     ///< index into `switches` or `parameters`
        /// Compares all members.
        friend bool operator==(const Condition&, const Condition&) = default;
    };
    /// A command.
    struct Command {
        /// Kinds of commands.
        using Work = std::variant<Barrier, Dispatch, Fill, Update, CopyBuffer, CopyImageToBuffer, CopyBufferToImage,
                                  CopyImage, BlitImage, ClearImage, CommandPassWork>;
        std::string name;                  ///< name of the pass; empty: a barrier
        std::uint32_t pass = none;         ///< index into GraphDescription::passes; none: a barrier
        std::uint32_t group = 0;           ///< index into Plan::groups
        bool is_on = true;                 ///< false: `conditions` do not hold for the current values
        std::vector<Condition> conditions; ///< conditions that the host decides
        Work work;                         ///< the kind, with its parameters
    };

    /// A parameter: see Program::set.
    struct Parameter {
        std::string name;        ///< for messages
        std::uint32_t max = 0;   ///< maximum value
        std::uint32_t value = 0; ///< current value
    };
    /// A switch: see Program::set.
    struct Switch {
        std::string name;  ///< for messages
        bool is_on = true; ///< current value
    };
    /// Data of the application: see Program::set.
    struct HostData {
        std::string name;                 ///< for messages
        std::vector<std::uint32_t> words; ///< current value
    };
    /// A descriptor set of the application.
    struct DescriptorSet {
        std::string name;                              ///< for messages
        VkDescriptorSetLayout layout = VK_NULL_HANDLE; ///< its layout
        VkDescriptorSet bound = VK_NULL_HANDLE;        ///< set that is bound; null: none
    };
    /// Two resources whose memory is exchanged after each execution.
    struct History {
        std::uint32_t current = 0;  ///< written by an execution
        std::uint32_t previous = 0; ///< written by the previous execution
    };

    QueueKind queue = QueueKind::main;               ///< queue of all commands
    std::vector<Allocation> allocations;             ///< memory of the program
    std::vector<Resource> resources;                 ///< by BufferId::index and ImageId::index
    std::vector<std::vector<std::uint32_t>> shaders; ///< words of SPIR-V
    std::vector<Pipeline> pipelines;                 ///< compute pipelines
    std::vector<Command> commands;                   ///< in the order of execution
    std::vector<Parameter> parameters;               ///< by Count::parameter
    std::vector<Switch> switches;                    ///< by weir::Switch::index
    std::vector<HostData> data;                      ///< by weir::HostData::index
    std::vector<DescriptorSet> sets;                 ///< by DescriptorSetId::index
    std::vector<History> histories;                  ///< histories that commands use

    /// Returns all of it as a JSON object, for other programs. Flags of stages, accesses and layouts are names without
    /// VK_ prefixes; other enums of Vulkan are numbers. The words of a shader are one string of hexadecimal digits, in
    /// the order of the bytes of a SPIR-V file. Handles are left out.
    [[nodiscard]] WEIR_API std::string json() const;
};

} // namespace weir
