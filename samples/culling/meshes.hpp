#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "culling/shaders/records.h"

namespace samples::culling {

struct Vertex {
    float position[3];
    /// Signed bytes: the normal, and the share of the instance's color. The rest of the color is brown.
    std::uint32_t normal;
};

/// All meshes of a scene in one vertex and one index buffer. Each has four levels of detail and is centered on its
/// bounding box.
struct Meshes {
    std::vector<Vertex> vertices;
    std::vector<std::uint32_t> indices;
    std::array<Mesh, mesh_kinds> meshes{};
};

/// First mesh of each kind.
enum MeshKind : std::uint32_t {
    storeys = 0,
    roofs = 16,
    columns = 24,
    trees = 32,
    rocks = 40,
    orbs = 48,
    slabs = 56,
    glass = 60, ///< plain storeys
};

/// Generates 64 meshes from a fixed seed.
Meshes make_meshes();

} // namespace samples::culling
