#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "culling/shaders/records.h"

namespace samples::culling {

struct Vertex {
    float position[3];
    std::uint32_t normal; ///< signed bytes; the last one: how much of the color of the instance, the rest is brown
};

/// All meshes of a scene in one pair of buffers, each in four levels of detail, each around the middle of its box.
struct Meshes {
    std::vector<Vertex> vertices;
    std::vector<std::uint32_t> indices;
    std::array<Mesh, mesh_kinds> meshes{};
};

/// Where the kinds of meshes begin.
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

/// 64 meshes from a fixed seed.
Meshes make_meshes();

} // namespace samples::culling
