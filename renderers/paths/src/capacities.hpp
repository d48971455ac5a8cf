#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <weir/paths/strips.hpp>
#include <weir/paths/view.hpp>
#include <weir/weir.hpp>

// Code shared by `Renderer` and `FrameRenderer`.

namespace weir::paths {

inline constexpr VkFormat picture_format = VK_FORMAT_R8G8B8A8_UNORM;

/// A stage, and the word with the number of elements that it needs.
struct Stage {
    const char* elements = "";
    std::uint32_t Sizes::*size = nullptr;
    BufferRef<std::uint32_t> needed;
};

/// Returns all stages, in the order of Sizes.
std::vector<Stage> stages_of(const StripBuffers& strips);

/// Returns the number of elements for which a stage has room.
std::uint32_t room_of(const Stage& stage, const Sizes& capacities);

/// Replaces capacities of 0 by estimates.
void estimate(Sizes& capacities, const Scene& scene, const View& view);

/// Increases the capacity of each stage that needs more, to the needed number and a reserve. Returns true if a
/// capacity has grown.
bool grow(Sizes& capacities, const Sizes& needed);

/// Reduces capacities that are much larger than needed, except those that are not 0 in `given`. Returns true if one has
/// changed.
bool fit(Sizes& capacities, const Sizes& needed, const Sizes& given);

/// Increases the capacity for effects to what a view needs. Other stages learn their needs from the GPU.
void reserve_effects(Sizes& capacities, std::span<const EffectRecord> effects, const View& view);

/// Sets the capacity to twice the needed number for each stage that needs more than three quarters of its capacity. The
/// host learns the needs of a moving view only some frames later.
void grow_ahead(Sizes& capacities, const Sizes& needed);

/// Checks the numbers of elements. Errors: `limit_exceeded` for a stage that needs 2^32 - 1 elements or more; sums
/// saturate there.
Result<> check_needed(const Sizes& needed);

/// Checks the size of a view. Errors: `invalid_argument` for a size of 0 or above `max_pixels`.
Result<> check_size(const View& view);

} // namespace weir::paths
