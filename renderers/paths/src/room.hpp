#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <weir/paths/scene.hpp>
#include <weir/paths/strips.hpp>
#include <weir/paths/view.hpp>
#include <weir/weir.hpp>

// What `Renderer` and `FrameRenderer` share.

namespace weir::paths {

inline constexpr VkFormat picture_format = VK_FORMAT_R8G8B8A8_UNORM;

/// A stage, with the word that says how many elements it needs.
struct Stage {
    const char* elements = "";
    std::uint32_t Sizes::*size = nullptr;
    BufferRef<std::uint32_t> needed;
};

/// All stages, in the order of Sizes.
std::vector<Stage> stages_of(const StripBuffers& strips);

/// How many elements a buffer with such room holds.
inline std::uint32_t capacity_of(std::uint32_t room) {
    return room == 0 ? 1 : room;
}

/// Where a stage needs more than it has room for, it gets room for that and a few elements more. Returns whether there
/// was one.
bool grow(Sizes& room, const Sizes& needed);

/// Where a stage needs more than three quarters of its room, it gets twice what it needs: before a view that moves
/// needs more than there is, which is known some frames later only.
void grow_ahead(Sizes& room, const Sizes& needed);

/// Errors: `limit_exceeded` for a stage that needs 2^32 - 1 elements, where sums end, or more.
Result<> check_needed(const Sizes& needed);

/// Errors: `invalid_argument` for a size of 0 or past `most_pixels`.
Result<> check_size(const View& view);

/// Errors: `invalid_argument` where a scene cannot take the place of another one in a compiled graph.
Result<> check_update(const Scene& before, const Scene& after);

/// Uploads a scene into buffers, one for each of `contents_of`, which are made where there are none yet. Waits.
Result<> upload_scene(const Context& gpu, const Scene& scene, std::vector<Buffer>& buffers);

/// Binds such buffers.
Result<> bind_scene(Program& program, const SceneBuffers& imports, const Scene& scene,
                    std::span<const BufferView> buffers);

} // namespace weir::paths
