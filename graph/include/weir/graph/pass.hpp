#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <vulkan/vulkan_core.h>

#include <weir/engine/bytes.hpp>
#include <weir/engine/export.hpp>
#include <weir/engine/shader.hpp>
#include <weir/graph/access.hpp>
#include <weir/graph/resource.hpp>

namespace weir {

class CommandPassContext;

/// A use of one buffer or image by a pass. Entry i of `Pass::bindings` is binding i of set 0: a storage buffer, a
/// uniform buffer, a storage image, a sampled image, a combined image sampler (if the entry has a sampler), or a
/// sampler alone. `compile` checks it against the shader, with its specialization constants.
struct Binding {
    ResourceId resource;                 ///< the buffer or image
    Access access = Access::shader_read; ///< access of the shader
    bool reads_back = false;             ///< a shader_write that also reads, but only what the same pass has written
    VkSampler sampler = VK_NULL_HANDLE;  ///< sampler of the application; only for `sampled_read`, or alone
    bool is_sampler = false;             ///< true: a sampler without a buffer or an image
    bool concurrent = false;             ///< see `concurrent`; accesses that write only
};
/// Declares that the shader reads the resource.
inline Binding read(ResourceId resource) {
    return {resource, Access::shader_read};
}
/// Declares that the shader writes the resource. Elements that it does not write keep their value.
inline Binding write(ResourceId resource) {
    return {resource, Access::shader_write};
}
/// Declares that the shader reads the earlier contents of the resource, and writes it.
inline Binding read_write(ResourceId resource) {
    return {resource, Access::shader_read_write};
}
/// Declares that the shader writes the resource and reads only what the same pass has written. Earlier contents are not
/// used.
inline Binding write_first(ResourceId resource) {
    return {resource, Access::shader_write, true};
}
/// Declares that the pass writes the resource at the same time as other passes that declare this, too, for example
/// because all of them count with atomics, or because they write different texels. Consecutive such passes need no
/// order and no barrier between them. Other passes before or after them are ordered against all of them.
///
///     pass.bindings = {read(samples), weir::concurrent(read_write(bins))};
inline Binding concurrent(Binding binding) {
    binding.concurrent = true;
    return binding;
}
/// Declares that the shader samples the image. Without `sampler`, the shader fetches texels or uses other samplers.
inline Binding sampled(ImageId image, VkSampler sampler = VK_NULL_HANDLE) {
    return {image, Access::sampled_read, false, sampler};
}
/// Declares that the shader reads the buffer as a uniform buffer, of at most Capabilities::max_uniform_range bytes. If
/// the buffer is an import, the bound buffer needs VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT.
inline Binding uniform(BufferId buffer) {
    return {buffer, Access::uniform_read};
}
/// Declares a sampler of the application without an image, for any sampled images. It must exist as long as programs of
/// the graph exist.
inline Binding sampler(VkSampler of) {
    return {{}, Access::none, false, of, true};
}
/// Declares a binding that this variant of the shader does not access.
inline Binding unused(ResourceId resource) {
    return {resource, Access::none};
}

/// Number of workgroups of a pass. A pass without a dispatch is an error.
struct WEIR_API Dispatch {
    /// Source of the number of workgroups.
    enum class Kind : std::uint8_t {
        none,     ///< not set, an error
        groups,   ///< x * y * z workgroups
        elements, ///< computed from a number of elements
        indirect, ///< read from a buffer
    };

    /// Returns a dispatch of exactly x * y * z workgroups.
    static Dispatch groups(std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1);
    /// Returns a dispatch of one workgroup per `per_group` elements, rounded up, and of at least `at_least` workgroups.
    ///
    /// If this exceeds the limit of the device in x, workgroups are spread over y as well, and a few more than needed
    /// may run. Therefore the kernel must take its number from `weir_workgroup_index()` of <weir/dispatch.glsl> and
    /// check it. `compile` refuses a pass that may be spread if its shader reads x of gl_WorkGroupID or
    /// gl_GlobalInvocationID but not y.
    ///
    /// With a count on the GPU, the dispatch is indirect and the graph computes its arguments, unless the count is
    /// `direct`.
    static Dispatch elements(Count count, std::uint32_t per_group, std::uint32_t at_least = 0);
    /// Returns an indirect dispatch. Its VkDispatchIndirectCommand is in `arguments`, `word` 32-bit words from the
    /// start.
    static Dispatch indirect(BufferId arguments, std::uint32_t word = 0);

    Kind kind = Kind::none;      ///< source of the number
    std::uint32_t x = 1,         ///< workgroups in x; `groups` only
        y = 1,                   ///< workgroups in y; `groups` only
        z = 1;                   ///< workgroups in z; `groups` only
    Count count;                 ///< number of elements; `elements` only
    std::uint32_t per_group = 1; ///< elements per workgroup; `elements` only
    std::uint32_t at_least = 0;  ///< minimum number of workgroups; `elements` only
    BufferId arguments;          ///< buffer with the arguments; `indirect` only
    std::uint32_t word = 0;      ///< first word of the arguments; `indirect` only
    /// Compares all members.
    friend bool operator==(const Dispatch&, const Dispatch&) = default;
};

namespace detail {

template <class T>
concept Word = sizeof(T) == 4 && std::is_trivially_copyable_v<T>;
template <class T>
concept NumberOfOtherSize = sizeof(T) != 4 && std::is_arithmetic_v<T>;

} // namespace detail

/// An entry of the push constants: a value of any 32-bit type, a count that is a constant or a parameter, or data of
/// the application, which take one word per 4 bytes.
struct PushWord : std::variant<std::uint32_t, Count, HostData> {
    // NOLINTBEGIN(google-explicit-constructor): what is pushed stands for itself
    /// A word with the value 0.
    PushWord() = default;
    /// A count.
    constexpr PushWord(const Count& count) : variant(count) {}
    /// Data of the application.
    constexpr PushWord(const HostData& data) : variant(data) {}
    /// The bits of a value of 32 bits.
    template <detail::Word T>
    constexpr PushWord(T value) : variant(std::bit_cast<std::uint32_t>(value)) {}
    /// Arithmetic types of other sizes do not compile, because they would convert to counts.
    template <detail::NumberOfOtherSize T>
    PushWord(T value) = delete;
    // NOLINTEND(google-explicit-constructor)
};

/// Returns the words of a value of any type, or of contiguous items, for `Pass::push`. If the size is not a multiple of
/// 4, the rest of the last word is 0.
///
///     pass.push = weir::push_words(settings); // a struct with the layout of the shader's
template <class T>
std::vector<PushWord> push_words(const T& value) {
    const std::span<const std::byte> bytes = bytes_of(value);
    std::vector<PushWord> words;
    for (std::size_t at = 0; at < bytes.size(); at += 4) {
        std::uint32_t word = 0; // the rest of an incomplete last word is 0
        const std::size_t left = bytes.size() - at;
        std::memcpy(&word, bytes.data() + at, left < 4 ? left : 4);
        words.emplace_back(word);
    }
    return words;
}

/// A use of a buffer or an image that the pass does not bind.
struct Use {
    ResourceId resource;         ///< the buffer or image
    Access access = Access::any; ///< access of the pass
    /// Stages, accesses and layout of a use that has no name in Access. It replaces `access`. A resource that is used
    /// this way only to read is read: two such passes need no order, and a pass that only reads can be culled.
    std::optional<UseScope> raw = {};
    bool concurrent = false; ///< see `concurrent`; uses that write only
};
/// Declares that the pass writes the resource at the same time as other passes that declare this, too: see the function
/// for bindings.
inline Use concurrent(ResourceId resource, Access access) {
    return {resource, access, {}, true};
}

/// A compute pass. The primitives of Weir consist of such passes.
struct Pass {
    std::string name = {};              ///< for messages and debuggers
    ShaderSource shader = {};           ///< the compute shader
    std::vector<Binding> bindings = {}; ///< entry i is binding i of set 0
    /// Buffers whose addresses are push constants, for GL_EXT_buffer_reference: 8 bytes each, in order, from offset 0.
    /// They may be larger than Capabilities::max_storage_range. Requires Capabilities::buffer_address. If the buffer is
    /// an import, the bound buffer needs VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT.
    std::vector<Binding> addressed = {};
    /// Descriptor sets of the application: entry i is set 1 + i. Including set 0, at most Capabilities::max_bound_sets.
    /// Pipelines of passes with such sets are not shared with other programs.
    std::vector<DescriptorSetId> sets = {};
    /// Uses of buffers and images through these sets, or through addresses stored in buffers. Everything that the
    /// shader writes this way must be listed. A resource that is only read may be left out if no pass of the graph
    /// writes it and it is visible to compute shaders before the execution.
    ///
    /// During the pass, an image is in the layout of its access (`layout_of`), or of all its accesses if the pass also
    /// binds it. Its descriptor must have this layout.
    std::vector<Use> uses = {};
    std::vector<PushWord> push = {};           ///< push constants, after the addresses
    std::vector<std::uint32_t> constants = {}; ///< entry i is specialization constant i
    Dispatch dispatch = {};                    ///< number of workgroups; must be set
    std::uint32_t subgroup_size = 0;           ///< required subgroup size; 0: the driver's choice
    /// Requires full subgroups: the x size of the workgroup must be a multiple of the subgroup size. Always in effect
    /// for shaders that use `<weir/weir_*.glsl>`. Needed for shaders with arithmetic subgroup operations on devices
    /// without such operations (Capabilities::subgroup_arithmetic).
    bool full_subgroups = false;
};

/// A pass whose commands the application records, such as draws or its own dispatches.
///
/// The function is called once per recording, by the thread that records the pass, outside a render pass. In a
/// recording in parts, functions of several passes may be called at the same time. It may begin and end render passes.
/// It must use only the declared resources with the declared accesses, must record the barriers that are needed within
/// the pass, and must leave images in the layout in which it found them. State that it binds stays bound in the command
/// buffer.
struct CommandPass {
    std::string name = {};      ///< for messages and debuggers
    std::vector<Use> uses = {}; ///< all buffers and images that the commands use
    std::function<void(VkCommandBuffer, const CommandPassContext&)> record = {}; ///< see <weir/graph/command_pass.hpp>
    bool keep = false; ///< true: not culled even if its results are not used
};

} // namespace weir
