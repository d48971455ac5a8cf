#include <weir/paths/strips.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "effects.hpp"

namespace weir::paths {

SceneShape shape_of(const Scene& scene) {
    SceneShape shape{.color_slots = scene.color_slots(),
                     .mask_slots = scene.mask_slots(),
                     .features = scene.features(),
                     .effect_passes = scene.effect_passes(),
                     .effect_depth = depth_of(scene.effects()),
                     .images = scene.external_images()};
    for (const SceneContents& contents : contents_of({}, scene)) {
        shape.bytes.push_back(contents.bytes.size());
    }
    return shape;
}

SceneBuffers import_scene(const GraphCall& graph, const Scene& scene) {
    return import_scene(graph, shape_of(scene));
}

SceneBuffers import_scene(const GraphCall& graph, const SceneShape& shape) {
    std::size_t next = 0;
    const auto import = [&]<class T>(const char* name, BufferRef<T>& records, bool is_optional) {
        const auto capacity = static_cast<std::uint32_t>(shape.bytes[next++] / sizeof(T));
        if (capacity != 0 || !is_optional) {
            records = graph->import_buffer<T>(name, std::max(1U, capacity), capacity);
        }
    };
    SceneBuffers buffers;
    import("points", buffers.points, false);
    import("segments", buffers.segments, false);
    import("draws", buffers.draws, false);
    import("instances", buffers.instances, false);
    import("paints", buffers.paints, false);
    import("strokes", buffers.strokes, true);
    import("dashes", buffers.dashes, true);
    import("stops", buffers.stops, true);
    import("layers", buffers.layers, true);
    import("texels", buffers.texels, true);
    import("effects", buffers.effects, true);
    import("operations of effects", buffers.effect_ops, true);
    import("passes of effects", buffers.effect_passes, true);
    import("values of effects", buffers.effect_values, !buffers.effects.valid());
    buffers.passes = shape.effect_passes;
    buffers.effect_depth = shape.effect_depth;
    buffers.images = shape.images;
    buffers.features = shape.features;
    if (buffers.layers.valid()) {
        buffers.color_slots = shape.color_slots;
        buffers.mask_slots = shape.mask_slots;
    }
    return buffers;
}

std::vector<SceneContents> contents_of(const SceneBuffers& buffers, const Scene& scene) {
    const auto bytes = [](const auto& records) { return std::as_bytes(std::span(records)); };
    return {{buffers.points, bytes(scene.points())},
            {buffers.segments, bytes(scene.segments())},
            {buffers.draws, bytes(scene.draws())},
            {buffers.instances, bytes(scene.instances())},
            {buffers.paints, bytes(scene.paints())},
            {buffers.strokes, bytes(scene.strokes())},
            {buffers.dashes, bytes(scene.dashes())},
            {buffers.stops, bytes(scene.stops())},
            {buffers.layers, scene.layers().size() > 1 ? bytes(scene.layers()) : std::span<const std::byte>()},
            {buffers.texels, bytes(scene.texels())},
            {buffers.effects, bytes(scene.effects())},
            {buffers.effect_ops, bytes(scene.effect_ops())},
            {buffers.effect_passes, bytes(scene.effect_passes())},
            {buffers.effect_values, bytes(scene.effect_values())}};
}

} // namespace weir::paths
