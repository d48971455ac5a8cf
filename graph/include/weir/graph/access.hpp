#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include <vulkan/vulkan_core.h>

#include <weir/engine/export.hpp>

namespace weir {

/// An access to a buffer or an image by a pass, or by the application before or after an execution. `shader_...` and
/// `sampled_read` are accesses of compute shaders. `any` is for accesses without a name here. For images, the access
/// also determines the layout (`layout_of`). A read sees what earlier passes wrote. An access that only writes may
/// leave parts unwritten; these keep their value.
enum class Access : std::uint8_t {
    none,               ///< no access, nothing to wait for; an image that arrives with it has no contents and no layout
    shader_read,        ///< storage buffer or storage image
    shader_write,       ///< storage buffer or storage image
    shader_read_write,  ///< storage buffer or storage image
    sampled_read,       ///< image, through a sampler or a texel fetch
    indirect_read,      ///< arguments of indirect dispatches and draws
    transfer_read,      ///< source of copies, blits and resolves
    transfer_write,     ///< destination of copies, blits, resolves, fills and clears
    uniform_read,       ///< uniform buffer in compute and graphics shaders
    vertex_read,        ///< vertex attributes
    index_read,         ///< indices
    vertex_shader_read, ///< buffer or sampled image, in shaders before rasterization
    fragment_shader_read,       ///< buffer or sampled image
    fragment_shader_write,      ///< storage buffer or storage image
    fragment_shader_read_write, ///< storage buffer or storage image
    color_write,                ///< color attachment, without loading or blending
    color_read_write,           ///< color attachment
    depth_read,                 ///< depth or stencil attachment, for tests; shaders may sample it at the same time
    depth_write,                ///< depth or stencil attachment, without loading
    depth_read_write,           ///< depth or stencil attachment
    present,    ///< swapchain image, ordered by a semaphore: see Graph::import_image and Graph::export_image
    host_read,  ///< mapped memory, by the CPU
    host_write, ///< mapped memory, by the CPU
    any,        ///< any access of the device, in any stage; excludes accesses of the CPU to mapped memory
};

/// Returns the name of the access in words, such as "shader read".
WEIR_API const char* to_string(Access access);

/// A synchronization scope: pipeline stages and accesses.
struct Scope {
    VkPipelineStageFlags2 stages = 0; ///< stages
    VkAccessFlags2 access = 0;        ///< accesses in these stages
    /// Compares all members.
    friend bool operator==(const Scope&, const Scope&) = default;
};

/// A use in terms of Vulkan: its stages and accesses, the layout that it needs of an image, and the direction of the
/// data. Each Access has one (`use_scope`). For uses without a name in Access, such as builds of acceleration
/// structures, give one yourself: see Use::raw.
///
/// `scope` must have stages. HOST, TOP_OF_PIPE and BOTTOM_OF_PIPE are not stages of a use. `reads`, `writes` or both
/// must be set, and `scope` must have an access that does each. Accesses that write require `writes`. An access that
/// reads without `reads` is one that sees only what the same pass has written. The layout must be set for images, and
/// must be undefined for buffers. An image is in exactly this layout.
///
/// Plans distinguish the stages of graphics, compute, transfers, ray tracing, acceleration structures, shading rate and
/// fragment density attachments, command preprocessing, transform feedback and conditional rendering. Task, mesh,
/// tessellation, geometry and vertex shaders count as one stage, as do the kinds of transfers and of vertex input. A
/// use with other stages counts as one in all commands.
struct UseScope {
    Scope scope;                                      ///< stages and accesses
    VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED; ///< layout of an image; undefined for buffers
    bool reads = false;                               ///< true: needs the contents of the resource
    bool writes = false;                              ///< true: changes the contents of the resource
    /// Compares all members.
    friend bool operator==(const UseScope&, const UseScope&) = default;
};

/// Returns the stages and accesses that an Access stands for.
WEIR_API Scope scope_of(Access access);
/// Returns the layout of an image for an access; undefined for `none` and for accesses of buffers only.
///
/// Passes that could run together but need different layouts run one after the other. Two combinations share a layout
/// instead: sampling a depth image and testing against it, and sampling an image and loading from it as a storage
/// image. If a pass uses an image twice, the image is in a layout that serves both uses.
WEIR_API VkImageLayout layout_of(Access access);
/// Returns true if an image can have this access.
WEIR_API bool is_for_images(Access access);
/// Returns true if a buffer can have this access.
WEIR_API bool is_for_buffers(Access access);
/// Returns true if this access writes.
WEIR_API bool writes(Access access);
/// Returns true if this access reads.
WEIR_API bool reads(Access access);
/// Returns the scope, the layout and the direction of an access.
WEIR_API const UseScope& use_scope(Access access);
/// Returns the name of a raw use: "raw read", "raw write" or "raw read and write".
WEIR_API const char* to_string(const UseScope& raw);

/// Accesses of the application to a buffer or an image before or after an execution: one, or several that need no order
/// among each other, such as `{Access::indirect_read, Access::vertex_shader_read}`. Each access is contained once.
/// Access::none adds nothing.
class WEIR_API Accesses {
public:
    /// No access.
    Accesses() = default;
    /// One access.
    Accesses(Access one) // NOLINT(google-explicit-constructor): an access is one of them
        : Accesses({one}) {}
    /// Several accesses, and uses without a name in Access.
    Accesses(std::initializer_list<Access> several, const std::vector<UseScope>& raw = {});
    /// One use without a name in Access.
    Accesses(const UseScope& raw) // NOLINT(google-explicit-constructor): a use is one of them
        : Accesses({}, {raw}) {}
    /// Returns true if there is no access.
    [[nodiscard]] bool empty() const { return scopes_.empty(); }
    /// Returns true if `access` is one of them.
    [[nodiscard]] bool contains(Access access) const;
    /// Iterator to the first access with a name, in the order of the enumerators.
    [[nodiscard]] auto begin() const { return all_.begin(); }
    /// Iterator past the last access with a name.
    [[nodiscard]] auto end() const { return all_.end(); }
    /// Returns the uses without a name in Access.
    [[nodiscard]] std::span<const UseScope> raw() const { return std::span(scopes_).subspan(all_.size()); }
    /// Returns the scope, the layout and the direction of each access, first of those with a name.
    [[nodiscard]] const std::vector<UseScope>& scopes() const { return scopes_; }
    /// Compares all accesses.
    friend bool operator==(const Accesses&, const Accesses&) = default;

private:
    std::vector<Access> all_;      ///< sorted, each once
    std::vector<UseScope> scopes_; ///< per access; then raw uses
};
/// Returns the layout of an image that serves several accesses. If all need the same layout, returns that layout. For
/// sampling and testing against a depth image, returns VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL. For sampling
/// together with storage accesses or Access::any, returns VK_IMAGE_LAYOUT_GENERAL. Otherwise the layout is undefined.
WEIR_API VkImageLayout layout_of(const Accesses& accesses);
/// Returns the names of all accesses, such as "indirect read and index read".
WEIR_API std::string to_string(const Accesses& accesses);

} // namespace weir
