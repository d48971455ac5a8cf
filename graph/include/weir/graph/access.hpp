#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include <weir/engine/export.hpp>

namespace weir {

/// How a pass, or the application before and after an execution, accesses a buffer or an image. `shader_...` and
/// `sampled_read` are accesses of compute shaders. Use `any` for accesses without a name here. For images an access
/// also determines the layout (`layout_of`). A read sees what earlier passes wrote; an access that only writes may
/// leave parts unwritten, which keep their value.
enum class Access : std::uint8_t {
    none,               ///< no access: nothing to wait for. An image that arrives with it has no contents and no layout
    shader_read,        ///< of a storage buffer or storage image
    shader_write,       ///< of a storage buffer or storage image
    shader_read_write,  ///< of a storage buffer or storage image
    sampled_read,       ///< of an image, by a sampler or a fetch
    indirect_read,      ///< of arguments of indirect dispatches and draws
    transfer_read,      ///< by copies, blits and resolves
    transfer_write,     ///< by copies, blits, resolves, fills and clears
    uniform_read,       ///< of a uniform buffer, by compute and graphics shaders
    vertex_read,        ///< of vertex attributes
    index_read,         ///< of indices
    vertex_shader_read, ///< of a buffer or a sampled image, by shaders before rasterization
    fragment_shader_read,       ///< of a buffer or a sampled image
    fragment_shader_write,      ///< of a storage buffer or storage image
    fragment_shader_read_write, ///< of a storage buffer or storage image
    color_write,                ///< of a color attachment, without loading or blending
    color_read_write,           ///< of a color attachment
    depth_read,                 ///< of a depth or stencil attachment for tests; shaders may sample it at the same time
    depth_write,                ///< of a depth or stencil attachment, without loading
    depth_read_write,           ///< of a depth or stencil attachment
    present,    ///< of a swapchain image. A semaphore orders it: see Graph::import_image and Graph::export_image
    host_read,  ///< by the CPU, of mapped memory
    host_write, ///< by the CPU, of mapped memory
    any,        ///< any access of the device, in any stage; not the CPU's accesses to mapped memory
};

/// The name of the enumerator.
WEIR_API const char* to_string(Access access);

/// What the application does with a buffer or an image before or after an execution: one access, or several that need
/// no order among each other, such as `{Access::indirect_read, Access::vertex_shader_read}`. Each access is in it once.
/// Access::none adds nothing.
class WEIR_API Accesses {
public:
    /// No access.
    Accesses() = default;
    /// One access.
    Accesses(Access one) // NOLINT(google-explicit-constructor): an access is one of them
        : Accesses({one}) {}
    /// Several.
    Accesses(std::initializer_list<Access> several);
    /// Whether there are none.
    [[nodiscard]] bool empty() const { return all_.empty(); }
    /// Whether this access is one of them.
    [[nodiscard]] bool contains(Access access) const;
    /// The first one, in the order of the enumerators.
    [[nodiscard]] auto begin() const { return all_.begin(); }
    /// Past the last one.
    [[nodiscard]] auto end() const { return all_.end(); }
    /// Whether both are the same.
    friend bool operator==(const Accesses&, const Accesses&) = default;

private:
    std::vector<Access> all_; ///< in order
};
/// The names of the enumerators: "indirect read and index read".
WEIR_API std::string to_string(const Accesses& accesses);

} // namespace weir
