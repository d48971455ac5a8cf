#include "culling/meshes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "culling/random.hpp"

namespace samples::culling {

namespace {

constexpr float pi = std::numbers::pi_v<float>;

struct Vector {
    float x = 0, y = 0, z = 0;
};
Vector operator-(Vector a, Vector b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
Vector cross(Vector a, Vector b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
Vector unit(Vector v) {
    const float length = std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z);
    return length > 0 ? Vector{v.x / length, v.y / length, v.z / length} : Vector{0, 1, 0};
}

/// Point of an outline, which is revolved around the vertical axis.
struct Ring {
    float radius = 0, y = 0;
    float tint = 1; ///< tint between this ring and the next
};
using Outline = std::vector<Ring>;

class MeshBuilder {
public:
    explicit MeshBuilder(Meshes& meshes) : meshes_(meshes) {}

    void begin_level() {
        first_vertex_ = meshes_.vertices.size();
        first_index_ = meshes_.indices.size();
    }
    MeshLevel end_level() const {
        return {static_cast<uint>(first_index_), static_cast<uint>(meshes_.indices.size() - first_index_),
                static_cast<int>(first_vertex_)};
    }
    std::uint32_t add_vertex(Vector at, Vector normal, float tint) {
        const auto byte = [](float x) { return static_cast<std::uint32_t>(std::lround(127 * x)) & 0xFF; };
        meshes_.vertices.push_back(
            {{at.x, at.y, at.z}, byte(normal.x) | byte(normal.y) << 8 | byte(normal.z) << 16 | byte(tint) << 24});
        return static_cast<std::uint32_t>(meshes_.vertices.size() - 1 - first_vertex_);
    }
    void add_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        meshes_.indices.insert(meshes_.indices.end(), {a, b, c});
    }

private:
    Meshes& meshes_;
    std::size_t first_vertex_ = 0, first_index_ = 0;
};

/// Revolves an outline around the vertical axis. The outline must go upwards or inwards. The result is round, or has
/// `sides` flat sides.
void add_turned(MeshBuilder& builder, const Outline& outline, std::uint32_t sides, bool is_round) {
    // Distance of the corners, so that flat sides touch the radius.
    const float reach = is_round ? 1 : 1 / std::cos(pi / static_cast<float>(sides));
    for (std::size_t s = 0; s + 1 < outline.size(); ++s) {
        const Ring low = outline[s], high = outline[s + 1];
        const Vector slope = unit({high.y - low.y, low.radius - high.radius, 0});
        for (std::uint32_t side = 0; side < sides; ++side) {
            const float step = 2 * pi / static_cast<float>(sides);
            const float from = (static_cast<float>(side) + 0.5F) * step, to = from + step;
            const auto corner = [&](Ring ring, float angle) {
                const float normal_angle = is_round ? angle : from + step / 2;
                const Vector normal = {slope.x * std::cos(normal_angle), slope.y, slope.x * std::sin(normal_angle)};
                return builder.add_vertex({reach * ring.radius * std::cos(angle), ring.y, //
                                           reach * ring.radius * std::sin(angle)},
                                          normal, low.tint);
            };
            const std::uint32_t a = corner(low, from), b = corner(low, to), c = corner(high, to),
                                d = corner(high, from);
            if (low.radius > 0) {
                builder.add_triangle(a, c, b);
            }
            if (high.radius > 0) {
                builder.add_triangle(a, d, c);
            } else if (low.radius == 0) {
                continue;
            }
        }
    }
}

/// Adds a dented sphere with flat faces.
void add_rock(MeshBuilder& builder, std::uint32_t around, std::uint32_t rows, const std::array<float, 6>& waves) {
    const auto point = [&](std::uint32_t row, std::uint32_t column) {
        const float polar = pi * static_cast<float>(row) / static_cast<float>(rows);
        const float turn = 2 * pi * static_cast<float>(column % around) / static_cast<float>(around);
        const Vector d = {std::sin(polar) * std::cos(turn), std::cos(polar), std::sin(polar) * std::sin(turn)};
        const float radius = 1 + 0.18F * std::sin(waves[0] * d.x + waves[1] * d.y) +
                             0.15F * std::sin(waves[2] * d.z + waves[3]) +
                             0.1F * std::sin(waves[4] * d.y + waves[5] * d.x);
        return Vector{radius * d.x, 0.75F * radius * d.y, radius * d.z};
    };
    for (std::uint32_t row = 0; row < rows; ++row) {
        for (std::uint32_t column = 0; column < around; ++column) {
            const Vector corners[4] = {point(row, column), point(row, column + 1), point(row + 1, column + 1),
                                       point(row + 1, column)};
            const auto add = [&](Vector a, Vector b, Vector c) {
                const Vector normal = unit(cross(b - a, c - a));
                const std::uint32_t first = builder.add_vertex(a, normal, 1);
                builder.add_vertex(b, normal, 1);
                builder.add_vertex(c, normal, 1);
                builder.add_triangle(first, first + 1, first + 2);
            };
            if (row > 0) {
                add(corners[0], corners[1], corners[2]);
            }
            if (row + 1 < rows) {
                add(corners[0], corners[2], corners[3]);
            }
        }
    }
}

Outline storey(std::uint32_t variant, std::uint32_t level) {
    if (level >= 2) {
        return {{1, -0.5F}, {1, 0.5F}, {0, 0.5F}};
    }
    const float inset = 0.9F - 0.02F * static_cast<float>(variant % 4),
                sill = -0.28F + 0.06F * static_cast<float>(variant % 3);
    Outline outline = {{1, -0.5F}, {1, sill, 0.7F}, {inset, sill, 0.45F}, {inset, 0.28F, 0.7F}, {1, 0.28F},
                       {1, 0.5F},  {0, 0.5F}};
    if (level == 0 && variant % 2 == 1) { // a railing
        outline.insert(outline.begin() + 1, {{1.06F, -0.5F}, {1.06F, -0.42F}, {1, -0.42F}});
    }
    return outline;
}

Outline roof(std::uint32_t variant) {
    const float height = 0.5F + 0.3F * static_cast<float>(variant);
    switch (variant % 4) {
    case 0: return {{1.1F, 0}, {1.1F, 0.1F}, {0, height}};
    case 1: return {{1, 0}, {1, 0.25F}, {0.85F, 0.25F}, {0.85F, 0.1F}, {0, 0.1F}};
    case 2: return {{1, 0}, {0.96F, 0.3F}, {0.83F, 0.55F}, {0.6F, 0.8F}, {0.3F, 0.95F}, {0, 1}};
    default: return {{1, 0}, {0.6F, 0.3F}, {0.5F, 0.3F}, {0.2F, height}, {0.05F, 2 * height}, {0, 2 * height}};
    }
}

Outline column(std::uint32_t variant) {
    const float waist = 0.16F + 0.02F * static_cast<float>(variant % 4);
    return {{0, -1.5F},           {0.35F, -1.5F}, {0.35F, -1.35F}, {waist, -1.25F},
            {waist * 0.8F, 1.2F}, {0.3F, 1.35F},  {0.3F, 1.5F},    {0, 1.5F}};
}

Outline tree(std::uint32_t variant) {
    Outline outline = {{0.12F, -1, 0}, {0.09F, -0.4F, 0}};
    if (variant % 2 == 0) { // a crown in layers
        const auto layers = static_cast<int>(2 + variant / 2);
        for (int i = 0; i < layers; ++i) {
            const float part = static_cast<float>(i) / static_cast<float>(layers);
            outline.push_back({0.65F * (1 - 0.7F * part), -0.45F + 1.6F * part});
            outline.push_back(
                {i + 1 == layers ? 0 : 0.22F * (1 - part), -0.45F + 1.6F * (part + 1 / static_cast<float>(layers))});
        }
    } else {
        const float width = 0.5F + 0.05F * static_cast<float>(variant);
        for (const float angle : {-0.4F, -0.2F, 0.0F, 0.2F, 0.35F, 0.5F}) {
            outline.push_back({angle == 0.5F ? 0 : width * std::cos(angle * pi), 0.2F + 0.7F * std::sin(angle * pi)});
        }
    }
    return outline;
}

Outline orb(std::uint32_t variant, std::uint32_t level) {
    const int rows = level == 0 ? 14 : level == 1 ? 8 : level == 2 ? 5 : 3;
    Outline outline;
    for (int i = 0; i <= rows; ++i) {
        const float angle = pi * static_cast<float>(i) / static_cast<float>(rows);
        const float dent = 1 - 0.04F * static_cast<float>(variant) * std::sin(3 * angle) * std::sin(3 * angle);
        outline.push_back({i == 0 || i == rows ? 0 : dent * std::sin(angle), -std::cos(angle)});
    }
    return outline;
}

void add_level(MeshBuilder& builder, std::uint32_t kind, std::uint32_t level, const std::array<float, 6>& waves) {
    constexpr std::array<std::uint32_t, lod_levels> round = {24, 14, 8, 5};
    constexpr std::array<std::uint32_t, 4> flat = {4, 4, 6, 8};
    if (kind < roofs) {
        add_turned(builder, storey(kind, level), flat[kind / 4], false);
    } else if (kind < columns) {
        const std::uint32_t variant = kind - roofs;
        const bool is_dome = variant % 4 == 2;
        add_turned(builder, roof(variant), is_dome ? round[level] : flat[variant / 2], is_dome);
    } else if (kind < trees) {
        add_turned(builder, column(kind - columns), round[level], true);
    } else if (kind < rocks) {
        add_turned(builder, tree(kind - trees), round[level] / 2 + 2, true);
    } else if (kind < orbs) {
        constexpr std::array<std::uint32_t, lod_levels> around = {18, 11, 7, 5};
        add_rock(builder, around[level], around[level] / 2 + 1, waves);
    } else if (kind < slabs) {
        add_turned(builder, orb(kind - orbs, level), round[level], true);
    } else if (kind < glass) {
        const float width = static_cast<float>(1U << (kind - slabs));
        add_turned(builder, {{width, -0.1F}, {width, 0.1F}, {0, 0.1F}}, 4, false);
    } else {
        add_turned(builder, {{1, -0.5F}, {1, 0.5F}, {0, 0.5F}}, flat[kind - glass], false);
    }
}

} // namespace

Meshes make_meshes() {
    Meshes meshes;
    MeshBuilder builder(meshes);
    for (std::uint32_t kind = 0; kind < mesh_kinds; ++kind) {
        Random random(kind);
        std::array<float, 6> waves{};
        for (float& wave : waves) {
            wave = random.between(2, 5);
        }
        Mesh& mesh = meshes.meshes[kind];
        const std::size_t first = meshes.vertices.size();
        for (std::uint32_t level = 0; level < lod_levels; ++level) {
            builder.begin_level();
            add_level(builder, kind, level, waves);
            mesh.levels[level] = builder.end_level();
        }
        for (int k = 0; k < 3; ++k) { // center on the bounding box of all levels
            float low = meshes.vertices[first].position[k], high = low;
            for (std::size_t i = first; i < meshes.vertices.size(); ++i) {
                low = std::min(low, meshes.vertices[i].position[k]);
                high = std::max(high, meshes.vertices[i].position[k]);
            }
            const float middle = (low + high) / 2;
            for (std::size_t i = first; i < meshes.vertices.size(); ++i) {
                float& at = meshes.vertices[i].position[k];
                at -= middle;
                mesh.half_size[k] = std::max(mesh.half_size[k], std::abs(at));
            }
            mesh.size_squared += mesh.half_size[k] * mesh.half_size[k];
        }
    }
    return meshes;
}

} // namespace samples::culling
