#pragma once

#include <cstdint>
#include <vector>

#include "culling/meshes.hpp"

namespace samples::culling {

/// The most instances of a scene.
inline constexpr std::uint32_t most_instances = 1U << 24;

/// Width of a block of the city, and of the street beside it, in units.
inline constexpr float block_size = 14, street_width = 4;

/// A city of instances, the transparent ones last.
struct Scene {
    Meshes meshes;
    std::vector<Instance> instances;
    std::uint32_t transparent = 0; ///< how many of them
};

/// A city of exactly that many instances, from the middle outwards; always the same.
Scene make_scene(std::uint32_t instances);

} // namespace samples::culling
