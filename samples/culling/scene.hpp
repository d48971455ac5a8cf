#pragma once

#include <cstdint>
#include <vector>

#include "culling/meshes.hpp"

namespace samples::culling {

/// Maximum number of instances in a scene.
inline constexpr std::uint32_t most_instances = 1U << 24;

/// Widths of a block of the city and of the street next to it, in units.
inline constexpr float block_size = 14, street_width = 4;

/// Instances of a city; the transparent ones come last.
struct Scene {
    Meshes meshes;
    std::vector<Instance> instances;
    std::uint32_t transparent = 0; ///< number of transparent instances
};

/// Generates a city of exactly `instances` instances, from the center outwards. The result is always the same.
Scene make_scene(std::uint32_t instances);

} // namespace samples::culling
