#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <weir/paths/scene.hpp>
#include <weir/paths/view.hpp>
#include <weir/weir.hpp>

// The stages on the GPU, as passes of the application's graph.

namespace weir::paths {

/// Buffers with the records of a scene: imports that must be bound to buffers with these contents.
struct SceneBuffers {
    BufferRef<Point> points;            ///< Scene::points
    BufferRef<SegmentRecord> segments;  ///< Scene::segments
    BufferRef<DrawRecord> draws;        ///< Scene::draws
    BufferRef<std::uint32_t> instances; ///< Scene::instances
    BufferRef<PaintRecord> paints;      ///< Scene::paints
    // The following are invalid if the scene has none.
    BufferRef<StrokeRecord> strokes;           ///< Scene::strokes
    BufferRef<std::uint32_t> dashes;           ///< Scene::dashes
    BufferRef<StopRecord> stops;               ///< Scene::stops
    BufferRef<LayerRecord> layers;             ///< Scene::layers
    BufferRef<std::uint32_t> texels;           ///< Scene::texels
    BufferRef<EffectRecord> effects;           ///< Scene::effects
    BufferRef<EffectOpRecord> effect_ops;      ///< Scene::effect_ops
    BufferRef<EffectPassRecord> effect_passes; ///< Scene::effect_passes
    BufferRef<float> effect_values;            ///< Scene::effect_values
    BufferRef<std::uint32_t> image_texels;     ///< texels of external images: a transient of `add_fine`
    std::vector<ExternalImage> images = {};    ///< Scene::external_images
    std::vector<EffectPassRecord> passes = {}; ///< Scene::effect_passes
    std::uint32_t effect_depth = 0;            ///< maximum of EffectRecord::depth
    std::uint32_t color_slots = 1;             ///< Scene::color_slots
    std::uint32_t mask_slots = 0;              ///< Scene::mask_slots
    std::uint32_t features = 0;                ///< Scene::features
};

/// Properties of a scene that a compiled graph depends on.
struct SceneShape {
    std::vector<std::size_t> bytes; ///< capacity of each buffer, in the order of `contents_of`; 0: no import
    std::uint32_t color_slots = 1;  ///< Scene::color_slots
    std::uint32_t mask_slots = 0;   ///< Scene::mask_slots
    std::uint32_t features = 0;     ///< Scene::features
    std::vector<EffectPassRecord> effect_passes = {}; ///< Scene::effect_passes
    std::uint32_t effect_depth = 0;                   ///< maximum of EffectRecord::depth
    std::vector<ExternalImage> images = {};           ///< Scene::external_images
    friend bool operator==(const SceneShape&, const SceneShape&) = default;
};

/// Returns the shape of a scene, without capacity for more records.
SceneShape shape_of(const Scene& scene);

/// Adds imports with the sizes of the scene's records.
SceneBuffers import_scene(const GraphCall& graph, const Scene& scene);
/// Adds imports with capacities, for a scene whose records increase. Instances beyond those of the scene must be
/// `no_draw`.
SceneBuffers import_scene(const GraphCall& graph, const SceneShape& shape);

/// An import and the contents of the buffer bound to it.
struct SceneContents {
    BufferId import;                  ///< invalid if the scene has no such records
    std::span<const std::byte> bytes; ///< records of the scene
};

/// Returns the contents of all imports of a scene.
std::vector<SceneContents> contents_of(const SceneBuffers& buffers, const Scene& scene);

/// Part of a view that may change with each recording: the contents of the host data of `add_strips`.
struct ViewData {
    Transform transform;                  ///< SampleView::transform
    float tolerance = 0.1F;               ///< SampleView::tolerance
    std::array<float, 4> background = {}; ///< View::background, premultiplied
    PixelRect scissor;                    ///< SampleView::visible
};

/// Returns the data of a view of a scene. The scissor does not apply to a scene with effects: they need other pixels.
ViewData data_of(const View& view, const SceneBuffers& scene);

/// Places of effects in pixels, in buffers.
struct EffectBuffers {
    BufferRef<std::array<std::uint32_t, 8>> effects; ///< pixels of the pictures of each effect
    BufferRef<std::array<std::uint32_t, 16>> places; ///< pixels of each operation, by pass
    BufferRef<std::array<std::uint32_t, 4>> groups;  ///< numbers of workgroups of each pass
    BufferRef<std::uint32_t> needed;                 ///< number of tiles of all pictures
    std::uint32_t capacity = 0;                      ///< maximum number of tiles; further pictures are empty
};

/// Strips in buffers. They may also be imported, with the results of `cpu_strips`.
struct StripBuffers {
    BufferRef<CutRecord> cuts; ///< cuts of all strips
    /// Strips by row of tiles, at the places that `rows` gives. After those of a row, one more holds the end of the
    /// last one's cuts.
    BufferRef<StripRecord> strips;
    BufferRef<SpanRecord> spans; ///< one per strip
    BufferRef<RowRecord> rows;   ///< one per row of tiles: `samples_of(view).rows()`
    /// One word per member of Sizes: number of elements of the stage, including those beyond its capacity. If a stage
    /// overflows, later stages may need more than their words say.
    struct {
        BufferRef<std::uint32_t> centers, lines, cuts, strips, row_cuts;
    } needed;
    EffectBuffers effects; ///< results of `add_effect_places`; invalid if the scene has no effects
};

/// Adds the pass that computes the pixels of effects. `add_strips` does this too. `data` holds a ViewData. `capacity`
/// is that of Sizes::effects.
EffectBuffers add_effect_places(const GraphCall& graph, const SceneBuffers& scene, const View& view, HostData data,
                                std::uint32_t capacity);

/// Returns capacities that nearly always suffice for a scene: upper estimates from the lengths of its curves, at most
/// 2^22 each. Takes about as long as one of the stages on the CPU.
Sizes estimated_sizes(const Scene& scene, const View& view);

/// Adds the passes that compute the strips of a scene. Segments are flattened into lines. Lines are cut at the edges of
/// tiles. A workgroup per row of tiles sorts the cuts of the row by draw and column, and computes strips, winding
/// numbers and gaps. The strips of each row are therefore in painter's order. If a row may have too many cuts for
/// this, or if Sizes::row_cuts is 0, one radix sort sorts all cuts. `data` holds a ViewData. If a stage needs more
/// than its capacity in `capacities`, some of its elements are lost.
StripBuffers add_strips(const GraphCall& graph, const SceneBuffers& scene, const View& view, HostData data,
                        const Sizes& capacities);

/// Format and encoding of a picture. Colors are blended in the space of the scene, usually sRGB, and premultiplied.
enum class Target : std::uint8_t {
    rgba8, ///< VK_FORMAT_R8G8B8A8_UNORM
    /// VK_FORMAT_R8G8B8A8_UNORM with blue first: a view of an image of VK_FORMAT_B8G8R8A8_UNORM or _SRGB.
    bgra8,
    rgba16f,        ///< VK_FORMAT_R16G16B16A16_SFLOAT
    linear_rgba16f, ///< VK_FORMAT_R16G16B16A16_SFLOAT; colors are converted from sRGB to linear light
};

/// Returns the format of the view through which a picture is written.
VkFormat format_of(Target target);

/// Adds the pass that draws strips into `picture`, with the same `data`, and before it the passes that compute
/// effects. The picture must be a storage image of `format_of(format)`. `images` holds the external images of the
/// scene, in the order of Scene::external_images: imports or transients of their sizes, two-dimensional, with one mip.
/// Compute shaders sample them, as floats of any format. Errors: `invalid_argument` if the scene has effects and
/// StripBuffers::effects is invalid, and for another number of images; `limit_exceeded` if layers are nested too
/// deeply.
void add_fine(const GraphCall& graph, const SceneBuffers& scene, const StripBuffers& strips, const View& view,
              HostData data, ImageId picture, Target format = Target::rgba8, std::span<const ImageId> images = {});

/// An image of the application for an external image of a scene, in a recording of a renderer.
struct BoundExternal {
    /// A two-dimensional image with VK_IMAGE_USAGE_SAMPLED_BIT, and a view of one mip and one layer. The format of the
    /// view is one that shaders read as floats, such as R8G8B8A8_UNORM, B8G8R8A8_SRGB or R16G16B16A16_SFLOAT.
    ImageView image;
    /// Last access of the application before the recording, and next access after it. Determines the layout, before and
    /// after. A renderer compiles its graph again if it changes.
    Access access = Access::fragment_shader_read;
};

} // namespace weir::paths
