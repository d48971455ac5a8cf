#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
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

/// A declaration of a pass about one of its buffers or images. Entry i of `Pass::bindings` is binding i of set 0: a
/// storage buffer, a uniform buffer, a storage image, a sampled image, with a sampler a combined image sampler, or a
/// sampler alone. `compile` checks it against the shader, with its specialization constants.
struct Binding {
    ResourceId resource;                 ///< the buffer or image
    Access access = Access::shader_read; ///< what the shader does with it
    bool reads_back = false; ///< a shader_write that also reads, but only what the same pass wrote there before
    VkSampler sampler = VK_NULL_HANDLE; ///< the application's; only for `sampled_read`, or alone
    bool is_sampler = false;            ///< the sampler alone: no buffer and no image
};
/// The shader reads the resource.
inline Binding read(ResourceId resource) {
    return {resource, Access::shader_read};
}
/// The shader writes the resource. Elements that it does not write keep their value.
inline Binding write(ResourceId resource) {
    return {resource, Access::shader_write};
}
/// The shader reads what was there before, and writes.
inline Binding read_write(ResourceId resource) {
    return {resource, Access::shader_read_write};
}
/// The shader writes, then reads only what the same pass wrote. Earlier contents are not used.
inline Binding write_first(ResourceId resource) {
    return {resource, Access::shader_write, true};
}
/// The shader samples the image; without a sampler, it fetches texels or uses samplers of its own.
inline Binding sampled(ImageId image, VkSampler sampler = VK_NULL_HANDLE) {
    return {image, Access::sampled_read, false, sampler};
}
/// The shader reads the buffer as a uniform buffer, of at most Capabilities::max_uniform_range bytes. A buffer that is
/// bound to such an import needs VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT.
inline Binding uniform(BufferId buffer) {
    return {buffer, Access::uniform_read};
}
/// A sampler of the application alone, for any sampled images. It has to exist while programs of the graph do.
inline Binding sampler(VkSampler of) {
    return {{}, Access::none, false, of, true};
}
/// Fills a binding that this variant of the shader does not access.
inline Binding unused(ResourceId resource) {
    return {resource, Access::none};
}

/// The number of workgroups of a pass. A pass whose dispatch was not given is an error.
struct WEIR_API Dispatch {
    /// How the number is given.
    enum class Kind : std::uint8_t {
        none,     ///< not given
        groups,   ///< in three dimensions
        elements, ///< by a number of elements
        indirect, ///< in a buffer
    };

    /// Exactly x * y * z workgroups.
    static Dispatch groups(std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1);
    /// One workgroup per `per_group` elements, rounded up, and at least `at_least`. Where that exceeds the limit of the
    /// device in x, workgroups are spread over y as well, and a few more than needed may run: the kernel takes its
    /// number from `weir_workgroup_index()` of <weir/dispatch.glsl> and checks it. `compile` refuses a pass that may be
    /// spread and whose shader reads x of gl_WorkGroupID or gl_GlobalInvocationID but not y. With a count on the GPU
    /// the dispatch is indirect, and the graph computes its arguments, unless the count is `direct`.
    static Dispatch elements(Count count, std::uint32_t per_group, std::uint32_t at_least = 0);
    /// The VkDispatchIndirectCommand in `arguments`, `word` 32-bit words from its start.
    static Dispatch indirect(BufferId arguments, std::uint32_t word = 0);

    Kind kind = Kind::none;      ///< how the number is given
    std::uint32_t x = 1,         ///< of `groups`
        y = 1,                   ///< of `groups`
        z = 1;                   ///< of `groups`
    Count count;                 ///< of `elements`
    std::uint32_t per_group = 1; ///< of `elements`: elements of a workgroup
    std::uint32_t at_least = 0;  ///< of `elements`: fewest workgroups
    BufferId arguments;          ///< of `indirect`
    std::uint32_t word = 0;      ///< of `indirect`
    /// Whether both are the same.
    friend bool operator==(const Dispatch&, const Dispatch&) = default;
};

/// An entry of the push constants: the 32 bits of a value of any type; a count that is a constant or a parameter; or
/// data of the application, which take as many words as they have.
struct PushWord : std::variant<std::uint32_t, Count, HostData> {
    // NOLINTBEGIN(google-explicit-constructor): what is pushed stands for itself
    /// The word 0.
    PushWord() = default;
    /// A count.
    constexpr PushWord(const Count& count) : variant(count) {}
    /// Data of the application.
    constexpr PushWord(const HostData& data) : variant(data) {}
    /// The bits of a value of 32 bits.
    template <class T>
    requires(sizeof(T) == 4 && std::is_trivially_copyable_v<T>) constexpr PushWord(T value)
        : variant(std::bit_cast<std::uint32_t>(value)) {}
    /// Other arithmetic types are errors, as they would become counts.
    template <class T>
    requires(sizeof(T) != 4 && std::is_arithmetic_v<T>) PushWord(T value)
    = delete; // it would become a count
    // NOLINTEND(google-explicit-constructor)
};

/// The words of a value of any type, or of contiguous items, for `Pass::push`:
///
///     pass.push = weir::push_words(settings); // a struct with the layout of the shader's
template <class T>
std::vector<PushWord> push_words(const T& value) {
    const std::span<const std::byte> bytes = bytes_of(value);
    std::vector<PushWord> words;
    for (std::size_t at = 0; at < bytes.size(); at += 4) {
        std::uint32_t word = 0; // what the last one lacks is zero
        const std::size_t left = bytes.size() - at;
        std::memcpy(&word, bytes.data() + at, left < 4 ? left : 4);
        words.emplace_back(word);
    }
    return words;
}

/// A declaration of a pass about a buffer or an image that it does not bind.
struct Use {
    ResourceId resource;         ///< the buffer or image
    Access access = Access::any; ///< what the pass does with it
};

/// A compute pass. Weir's own passes are made of the same parts.
struct Pass {
    std::string name = {};              ///< for messages and debuggers
    ShaderSource shader = {};           ///< the compute shader
    std::vector<Binding> bindings = {}; ///< of set 0, in order
    /// Buffers whose addresses are push constants, in order, 8 bytes each, from offset 0: for GL_EXT_buffer_reference.
    /// They may be larger than Capabilities::max_storage_range. Where Capabilities::buffer_address; a buffer that is
    /// bound to such an import needs VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT.
    std::vector<Binding> addressed = {};
    /// Descriptor sets of the application: entry i is set 1 + i, at most Capabilities::max_bound_sets with set 0. The
    /// pipelines of passes with such sets are not shared with other programs.
    std::vector<DescriptorSetId> sets = {};
    /// What the shader does with buffers and images through these sets, or through addresses in buffers. What a shader
    /// writes there has to be among them. What is only read may be missing if nothing in the graph writes it and it is
    /// visible to compute shaders before. An image is in the layout of its access in this pass (`layout_of`; of all, if
    /// the pass binds it, too): its descriptor has to have that layout.
    std::vector<Use> uses = {};
    std::vector<PushWord> push = {};           ///< push constants, after the addresses
    std::vector<std::uint32_t> constants = {}; ///< entry i is specialization constant i
    Dispatch dispatch = {};                    ///< number of workgroups; must be given
    std::uint32_t subgroup_size = 0;           ///< required subgroup size; 0: the driver's choice
    /// Requires full subgroups; the x size of the workgroup has to be a multiple of the subgroup size. A shader that
    /// uses `<weir/weir_*.glsl>` requires them anyway. Shaders with arithmetic operations of subgroups need them on
    /// devices without such operations (Capabilities::subgroup_arithmetic).
    bool full_subgroups = false;
};

/// A pass of commands that the application records: draws, or dispatches of its own. They run outside a render pass,
/// which they may begin and end, and use only the declared resources with the declared accesses; barriers within the
/// pass are theirs. Images have to be left in the layout in which they were found. The function is called once per
/// recording, by the thread that records. What it binds stays bound in the command buffer.
struct CommandPass {
    std::string name = {};                                                       ///< for messages and debuggers
    std::vector<Use> uses = {};                                                  ///< all uses of buffers and images
    std::function<void(VkCommandBuffer, const CommandPassContext&)> record = {}; ///< see <weir/graph/command_pass.hpp>
    bool keep = false; ///< not culled, although nobody uses its results
};

} // namespace weir
