#include "culling/scene.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "culling/random.hpp"

namespace samples::culling {

namespace {

using Color = std::array<float, 3>;

std::uint32_t packed(Color color, float alpha) {
    const auto byte = [](float x) { return static_cast<std::uint32_t>(std::lround(255 * std::clamp(x, 0.0F, 1.0F))); };
    return byte(color[0]) | byte(color[1]) << 8 | byte(color[2]) << 16 | byte(alpha) << 24;
}

Color varied(Color color, float amount, Random& random) {
    const float light = 1 + random.between(-amount, amount);
    for (float& component : color) {
        component = component * light + random.between(-amount, amount) * 0.1F;
    }
    return color;
}

constexpr std::array<Color, 8> walls = {{{0.86F, 0.80F, 0.70F},
                                         {0.75F, 0.45F, 0.34F},
                                         {0.62F, 0.66F, 0.70F},
                                         {0.90F, 0.88F, 0.84F},
                                         {0.48F, 0.55F, 0.62F},
                                         {0.80F, 0.68F, 0.48F},
                                         {0.58F, 0.48F, 0.44F},
                                         {0.70F, 0.74F, 0.66F}}};

/// Adds instances of a city. Heights are measured from the ground.
class CityBuilder {
public:
    CityBuilder(const Meshes& meshes, std::vector<Instance>& instances, Random& random)
        : meshes_(meshes), instances_(instances), random_(random) {}

    /// Adds an instance and returns the height of its top.
    float add(std::uint32_t kind, float x, float bottom, float z, float scale, float turn, std::uint32_t color,
              bool is_transparent = false) {
        const float half = meshes_.meshes[kind].half_size[1] * scale;
        instances_.push_back({{x, bottom + half, z},
                              scale,
                              std::cos(turn),
                              std::sin(turn),
                              kind | (is_transparent ? transparent_bit : 0),
                              color});
        return bottom + 2 * half;
    }

    void add_tower(float x, float z, std::uint32_t floors) {
        const std::uint32_t kind = random_.below(16);
        const Color color = varied(walls[random_.below(8)], 0.12F, random_);
        const bool has_glass = random_.chance(0.15F);
        const std::uint32_t glass_kind = glass + kind / 4;
        float scale = random_.between(1.2F, 1.5F), top = 0;
        const std::uint32_t narrower = random_.chance(0.4F) ? floors * 2 / 3 : floors;
        const float turn = kind >= 8 ? random_.between(0, 1) : 0;
        for (std::uint32_t i = 0; i < floors; ++i) {
            if (i == narrower) {
                scale *= 0.75F;
            }
            if (has_glass && i >= floors / 2 && i % 3 != 0) {
                top = add(glass_kind, x, top, z, scale, turn, packed({0.45F, 0.75F, 0.8F}, 0.35F), true);
            } else {
                const float lit = random_.chance(0.01F) ? 0.3F : 0;
                top = add(kind, x, top, z, scale, turn, packed(varied(color, 0.04F, random_), lit));
            }
        }
        const std::uint32_t variant = random_.below(2) + (kind < 8 ? random_.below(2) * 2 : 4 + random_.below(2) * 2);
        add(roofs + variant, x, top, z, scale, turn, packed(varied({0.42F, 0.30F, 0.26F}, 0.2F, random_), 0));
    }

    void add_park(float x, float z) {
        const std::uint32_t plants = 4 + random_.below(5);
        for (std::uint32_t i = 0; i < plants; ++i) {
            const float at_x = x + random_.between(-1.4F, 1.4F), at_z = z + random_.between(-1.4F, 1.4F);
            const float turn = random_.between(0, 6);
            if (random_.chance(0.75F)) {
                add(trees + random_.below(8), at_x, 0, at_z, random_.between(0.5F, 1.2F), turn,
                    packed(varied({0.35F, 0.55F, 0.22F}, 0.25F, random_), 0));
            } else {
                add(rocks + random_.below(8), at_x, -0.1F, at_z, random_.between(0.15F, 0.5F), turn,
                    packed(varied({0.5F, 0.48F, 0.45F}, 0.2F, random_), 0));
            }
        }
        if (random_.chance(0.3F)) {
            add(orbs + random_.below(8), x, 2.2F, z, random_.between(0.4F, 0.9F), 0,
                packed({random_.between(0.4F, 1), random_.between(0.4F, 1), random_.between(0.4F, 1)}, 0.25F), true);
        }
    }

    /// Adds columns with lamps along the streets.
    void add_lamps(float x, float z) {
        constexpr float edge = (block_size - street_width) / 2 + 0.4F;
        for (int side = 0; side < 4; ++side) {
            const float along = random_.between(-4, 4);
            const float across = side % 2 == 0 ? edge : -edge;
            const float at_x = x + (side < 2 ? across : along), at_z = z + (side < 2 ? along : across);
            const float top = add(columns + random_.below(8), at_x, 0, at_z, 0.5F, 0, packed({0.5F, 0.5F, 0.52F}, 0));
            add(orbs, at_x, top, at_z, 0.16F, 0, packed({1, 0.85F, 0.55F}, 0.9F));
        }
    }

    void add_block(int column, int row) {
        const float x = block_size * static_cast<float>(column), z = block_size * static_cast<float>(row);
        const float distance = std::sqrt(static_cast<float>(column * column + row * row));
        add(slabs + 3, x, -0.24F - random_.between(0, 0.01F), z, 0.875F, 0,
            packed(varied({0.36F, 0.36F, 0.37F}, 0.04F, random_), 0));
        add(slabs + 2, x, -0.28F, z, (block_size - street_width) / 8 + 0.15F, 0,
            packed(varied({0.55F, 0.54F, 0.5F}, 0.04F, random_), 0));
        add_lamps(x, z);
        const float hill = 0.5F + 0.5F * std::sin(0.37F * x / block_size + 1) * std::cos(0.29F * z / block_size);
        const float tallest = 5 + 16 * hill + 14 * std::exp(-0.02F * distance * distance);
        for (int lot = 0; lot < 9; ++lot) {
            const int column = lot % 3 - 1, row = lot / 3 - 1;
            const float at_x = x + 3.3F * static_cast<float>(column), at_z = z + 3.3F * static_cast<float>(row);
            if (random_.chance(0.2F)) {
                add_park(at_x, at_z);
            } else {
                add_tower(at_x, at_z, 2 + static_cast<std::uint32_t>(tallest * random_.between(0.25F, 1)));
            }
        }
    }

private:
    const Meshes& meshes_;
    std::vector<Instance>& instances_;
    Random& random_;
};

} // namespace

Scene make_scene(std::uint32_t instances) {
    Scene scene;
    scene.meshes = make_meshes();
    scene.instances.reserve(instances + 1024);
    Random random(64);
    CityBuilder builder(scene.meshes, scene.instances, random);
    for (int ring = 0; scene.instances.size() < instances; ++ring) { // rings of blocks around the center
        for (int i = -ring; i <= ring && scene.instances.size() < instances; ++i) {
            for (int j = -ring; j <= ring && scene.instances.size() < instances; ++j) {
                if (std::max(std::abs(i), std::abs(j)) == ring) {
                    builder.add_block(i, j);
                }
            }
        }
    }
    scene.instances.resize(instances);
    const auto first = std::stable_partition(scene.instances.begin(), scene.instances.end(),
                                             [](const Instance& i) { return (i.mesh & transparent_bit) == 0; });
    scene.transparent = static_cast<std::uint32_t>(scene.instances.end() - first);
    return scene;
}

} // namespace samples::culling
