#include "culling/visibility.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

// Same operations as shaders/visibility.glsl; compiled without contraction.

namespace samples::culling {

namespace {

struct Box {
    float center[3], extent[3];
};

Box box_of(const Instance& instance, const Mesh& mesh, const View& view) {
    const float c = std::abs(instance.cosine), s = std::abs(instance.sine);
    const float half_size[3] = {(c * mesh.half_size[0] + s * mesh.half_size[2]) * instance.scale,
                                mesh.half_size[1] * instance.scale,
                                (s * mesh.half_size[0] + c * mesh.half_size[2]) * instance.scale};
    float world[3];
    for (int k = 0; k < 3; ++k) {
        world[k] = instance.position[k] - view.eye[k];
    }
    Box box{};
    for (int k = 0; k < 3; ++k) {
        const float* axis = view.axes + 3 * k;
        box.center[k] = axis[0] * world[0] + axis[1] * world[1] + axis[2] * world[2];
        box.extent[k] =
            std::abs(axis[0]) * half_size[0] + std::abs(axis[1]) * half_size[1] + std::abs(axis[2]) * half_size[2];
    }
    return box;
}

constexpr float slack = 0.01F;

bool is_in_view(const Box& box, const View& view) {
    const float far = box.center[2] + box.extent[2];
    const float x = std::abs(box.center[0]) - box.extent[0], y = std::abs(box.center[1]) - box.extent[1];
    const float most_x = far * view.tangent_x + slack, most_y = far * view.tangent_y + slack;
    return far > view.near && x <= most_x && y <= most_y;
}

std::uint32_t level_of(const Box& box, const Instance& instance, const Mesh& mesh, const View& view) {
    if ((view.switches & use_levels) == 0) {
        return 0;
    }
    const float distance =
        box.center[0] * box.center[0] + box.center[1] * box.center[1] + box.center[2] * box.center[2];
    const float size = mesh.size_squared * (instance.scale * instance.scale);
    std::uint32_t level = 0;
    for (const float end : view.level_distance) {
        level += distance > size * end ? 1 : 0;
    }
    return level;
}

int pixel_of(float x, float z, float scale, float middle, std::uint32_t most) {
    const float top = x * scale + middle * z;
    float pixel = std::clamp(std::floor(top / z), -2.0F, static_cast<float>(most) + 2.0F);
    if (pixel * z > top) {
        pixel -= 1;
    } else if ((pixel + 1) * z <= top) {
        pixel += 1;
    }
    return static_cast<int>(pixel);
}

bool is_occluded(const Box& box, const View& view, std::span<const float> pyramid,
                 const std::vector<PyramidLevel>& levels) {
    const float near = box.center[2] - box.extent[2], far = box.center[2] + box.extent[2];
    if (near <= view.near) {
        return false;
    }
    const float left = box.center[0] - box.extent[0], right = box.center[0] + box.extent[0];
    const float top = -box.center[1] - box.extent[1], bottom = -box.center[1] + box.extent[1];
    const auto x_of = [&](float x, bool is_near, int pad) {
        return std::clamp(pixel_of(x, is_near ? near : far, view.scale_x, view.half_width, view.width) + pad, 0,
                          static_cast<int>(view.width) - 1);
    };
    const auto y_of = [&](float y, bool is_near, int pad) {
        return std::clamp(pixel_of(y, is_near ? near : far, view.scale_y, view.half_height, view.height) + pad, 0,
                          static_cast<int>(view.height) - 1);
    };
    const int x0 = x_of(left, left < 0, -1), x1 = x_of(right, right > 0, 1);
    const int y0 = y_of(top, top < 0, -1), y1 = y_of(bottom, bottom > 0, 1);
    int level = 1;
    while ((x1 >> level) - (x0 >> level) > 1 || (y1 >> level) - (y0 >> level) > 1) {
        ++level;
    }
    const PyramidLevel& texels = levels[static_cast<std::size_t>(level - 1)];
    float farthest = 1e30F;
    for (const int y : {y0, y1}) {
        for (const int x : {x0, x1}) {
            const auto row = static_cast<std::uint32_t>(y >> level), column = static_cast<std::uint32_t>(x >> level);
            farthest = std::min(farthest, pyramid[texels.first + row * texels.width + column]);
        }
    }
    return view.padded_near < farthest * near;
}

/// An instance with its bucket and its sort key.
struct Entry {
    std::uint32_t key, bucket, id;
};

DrawList list_of(const Scene& scene, std::vector<Entry> entries, bool is_descending) {
    std::stable_sort(entries.begin(), entries.end(),
                     [&](const Entry& a, const Entry& b) { return is_descending ? a.key > b.key : a.key < b.key; });
    DrawList list;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const std::uint32_t bucket = entries[i].bucket;
        if (i == 0 || bucket != entries[i - 1].bucket) {
            const MeshLevel& level = scene.meshes.meshes[bucket / lod_levels].levels[bucket % lod_levels];
            list.commands.push_back(
                {level.index_count, 0, level.first_index, level.vertex_offset, static_cast<std::uint32_t>(i)});
        }
        ++list.commands.back().instance_count;
        list.ids.push_back(entries[i].id);
    }
    return list;
}

} // namespace

std::vector<PyramidLevel> pyramid_levels_of(std::uint32_t width, std::uint32_t height) {
    std::vector<PyramidLevel> levels;
    std::uint32_t first = 0;
    do {
        width = (width + 1) / 2;
        height = (height + 1) / 2;
        levels.push_back({first, width, height});
        first += width * height;
    } while (width > 1 || height > 1);
    return levels;
}

Lists cull_on_cpu(const Scene& scene, const View& view, std::span<const float> pyramid,
                  std::vector<std::uint32_t>& visible) {
    const auto levels = pyramid_levels_of(view.width, view.height);
    std::vector<Entry> first, late, transparent;
    for (std::uint32_t i = 0; i < scene.instances.size(); ++i) {
        const Instance& instance = scene.instances[i];
        const std::uint32_t kind = instance.mesh & ~transparent_bit;
        const Mesh& mesh = scene.meshes.meshes[kind];
        const Box box = box_of(instance, mesh, view);
        const bool was_seen = visible[i] != 0;
        visible[i] = 0;
        if ((view.switches & cull_frustum) != 0 && !is_in_view(box, view)) {
            continue;
        }
        const std::uint32_t bucket = kind * lod_levels + level_of(box, instance, mesh, view);
        const bool culls = (view.switches & cull_occluded) != 0;
        const bool is_seen = !culls || !is_occluded(box, view, pyramid, levels);
        visible[i] = is_seen ? 1 : 0;
        if ((instance.mesh & transparent_bit) != 0) {
            if (is_seen) {
                transparent.push_back({std::bit_cast<std::uint32_t>(std::max(box.center[2], 0.0F)), bucket, i});
            }
        } else if (!culls || was_seen) {
            first.push_back({bucket, bucket, i});
        } else if (is_seen) {
            late.push_back({bucket, bucket, i});
        }
    }
    return {list_of(scene, std::move(first), false), list_of(scene, std::move(late), false),
            list_of(scene, std::move(transparent), true)};
}

} // namespace samples::culling
