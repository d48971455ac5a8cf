#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <weir/paths/scene.hpp>
#include <weir/paths/view.hpp>
#include <weir/weir.hpp>

// The stages on the GPU, as passes of a graph of yours.

namespace weir::paths {

/// The records of a scene in buffers: imports of the graph, to be bound to buffers with these contents.
struct SceneBuffers {
    BufferRef<Point> points;            ///< Scene::points
    BufferRef<SegmentRecord> segments;  ///< Scene::segments
    BufferRef<DrawRecord> draws;        ///< Scene::draws
    BufferRef<std::uint32_t> instances; ///< Scene::instances
    BufferRef<PaintRecord> paints;      ///< Scene::paints
    // The others are not valid where the scene has none.
    BufferRef<StrokeRecord> strokes; ///< Scene::strokes
    BufferRef<std::uint32_t> dashes; ///< Scene::dashes
    BufferRef<StopRecord> stops;     ///< Scene::stops
    BufferRef<LayerRecord> layers;   ///< Scene::layers
    std::uint32_t depth = 0;         ///< Scene::depth
};

/// Imports of the graph with room for the scene as it is.
SceneBuffers import_scene(const GraphCall& graph, const Scene& scene);

/// An import and what a buffer that is bound to it holds.
struct SceneContents {
    BufferId import;                  ///< not valid where the scene has none
    std::span<const std::byte> bytes; ///< of the scene
};

/// Of all records of a scene.
std::vector<SceneContents> contents_of(const SceneBuffers& buffers, const Scene& scene);

/// The part of a view that each recording may change: the contents of the host data of `add_strips`.
struct ViewData {
    Transform transform;                  ///< View::transform
    float tolerance = 0.1F;               ///< View::tolerance
    std::array<float, 4> background = {}; ///< View::background, with premultiplied alpha
};

/// The data of a view.
ViewData data_of(const View& view);

/// Strips in buffers. Those that the CPU made, of `cpu_strips`, may be imported in their place.
struct StripBuffers {
    BufferRef<CutRecord> cuts;     ///< of all strips
    BufferRef<StripRecord> strips; ///< and one more, with the end of the last one's cuts
    BufferRef<RowRecord> rows;     ///< of all rows of tiles
    /// A word for each of Sizes: how many elements the stage has, those that did not fit included. Where a stage did
    /// not fit, the stages behind it may need more.
    struct {
        BufferRef<std::uint32_t> centers, lines, cuts, strips;
    } needed;
};

/// Adds the passes that make the strips of a scene: its segments are flattened into lines, lines are cut at the edges
/// of tiles, cuts are sorted by row of tiles, draw and column, and one scan finds strips, winding numbers and gaps. So
/// the strips of each row are in painter's order. `data` has the bytes of a ViewData. Where a stage needs more room
/// than `room` has, the first elements are kept.
StripBuffers add_strips(const GraphCall& graph, const SceneBuffers& scene, const View& view, HostData data,
                        const Sizes& room);

/// Adds the pass that draws strips into `picture`, with the same `data`. The picture is a storage image of
/// VK_FORMAT_R8G8B8A8_UNORM.
void add_fine(const GraphCall& graph, const SceneBuffers& scene, const StripBuffers& strips, const View& view,
              HostData data, ImageId picture);

/// Adds a pass that copies the picture into a buffer: rows of pixels, red in the lowest byte of each word.
BufferRef<std::uint32_t> add_pixels(const GraphCall& graph, ImageId picture, const View& view);

} // namespace weir::paths
