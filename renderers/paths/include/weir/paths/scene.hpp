#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <numbers>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <weir/paths/effect_records.hpp>
#include <weir/paths/geometry.hpp>
#include <weir/paths/records.hpp>

namespace weir::paths {

/// A color, not premultiplied. Components are 0 to 1, in the space in which pixels are blended.
struct Color {
    float red = 0, green = 0, blue = 0, alpha = 1;
};

/// Rule that decides which points are inside a path.
enum class FillRule : std::uint8_t {
    nonzero,  ///< winding number is not 0
    even_odd, ///< winding number is odd
};

/// Coverage of the pixels at the edges of a draw.
enum class Antialias : std::uint8_t {
    area, ///< part of the pixel's area that is inside
    /// 1 if the pixel's center is inside, otherwise 0. Draws that share an edge neither overlap nor leave a gap: a
    /// center on the edge belongs to the draw to the right of it, or below a horizontal edge.
    none,
};

/// Shape of a stroke where two lines meet.
enum class Join : std::uint8_t {
    miter, ///< outer edges are extended; beyond the miter limit like `bevel`
    round, ///< arc
    bevel, ///< straight line
    /// Outer edges are extended, up to the miter limit: there a line across cuts the corner off.
    miter_clip,
};

/// Shape of the ends of a stroke.
enum class Cap : std::uint8_t {
    butt,   ///< straight, at the end of the path
    round,  ///< half circle around the end
    square, ///< extended by half the width
};

/// Parameters of a stroke. Lengths are in the space of the path, or in pixels.
struct Stroke {
    float width = 1;
    Join join = Join::miter;
    Cap cap = Cap::butt;             ///< at the starts of open paths and dashes
    std::optional<Cap> end_cap = {}; ///< at their ends; empty: same as `cap`
    float miter_limit = 4;           ///< maximum miter length / width
    std::vector<float> dashes = {};  ///< lengths, alternately of dashes and gaps; an odd number of lengths is repeated
    float dash_offset = 0;           ///< position in the pattern at the start of the path
    /// Lengths are in pixels of the picture, whatever the transforms of draw and view. A width of 1 is a hairline.
    bool is_non_scaling = false;
};

/// A color of a gradient at an offset from 0 to 1.
struct Stop {
    float offset = 0;
    Color color;
};

/// Behavior of a gradient outside of 0 to 1, and of an image outside of its pixels.
enum class Spread : std::uint8_t {
    pad,     ///< first and last color
    reflect, ///< alternately reversed
    repeat,  ///< repeated
};

/// A gradient. Offsets must ascend. Without stops, it paints nothing.
struct Gradient {
    std::vector<Stop> stops = {};
    Spread spread = Spread::pad;
    Transform transform = {}; ///< from the space of the gradient to that of the draw
    /// Interpolates premultiplied colors. A transparent stop then does not add its color to the ones before and after.
    bool is_premultiplied = false;
};

/// A gradient along the line from `start` to `end`, which must differ.
struct LinearGradient : Gradient {
    Point start = {}, end = {};
};

/// A gradient between two circles: 0 at the focal circle, 1 at the outer circle. Positions and radii are arbitrary; one
/// radius may be 0. The color of a point is that of the last circle through it. Points without a circle, outside of the
/// cone around circles that lie apart, are not painted. Two equal circles and two points paint nothing.
struct RadialGradient : Gradient {
    Point center = {};               ///< center of the outer circle
    float radius = 0;                ///< radius of the outer circle
    std::optional<Point> focus = {}; ///< center of the focal circle; empty: same as `center`
    float focal_radius = 0;          ///< radius of the focal circle
};

/// A gradient around a center. Angles are in radians, from the x axis toward the y axis. The gradient is 0 at
/// `start_angle` and 1 at `end_angle`, which must differ. A point has an angle of 0 to 2 pi; `spread` colors the points
/// that are not between both angles. `transform` turns a gradient of a full turn to another start.
struct SweepGradient : Gradient {
    Point center = {};
    float start_angle = 0, end_angle = 2 * std::numbers::pi_v<float>;
};

/// A bitmap in a scene. Any number of paints may use it.
struct BitmapId {
    std::uint32_t index = 0;
};

/// Interpolation of the pixels of an image.
enum class Filter : std::uint8_t {
    nearest, ///< color of the nearest pixel
    /// Linear interpolation. In a reduced image, the mean of the pixel's footprint: up to 8 x 2 interpolated samples of
    /// a mipmap.
    linear,
    /// Cubic interpolation of 4 x 4 pixels where the image is magnified: the filter of Mitchell and Netravali, with
    /// parameters of 1/3. Smoother than `linear` at high magnification. Otherwise the same as `linear`.
    cubic,
};

/// A paint with the pixels of an image. In the space of the image, pixel (x, y) covers x to x + 1 and y to y + 1.
struct ImagePaint {
    BitmapId bitmap;
    Filter filter = Filter::linear;
    Spread across = Spread::pad, down = Spread::pad; ///< behavior along x and along y
    Transform transform = {};                        ///< from the space of the image to that of the draw
    float opacity = 1;
};

/// A color, as far as a rounded rectangle covers it under a Gaussian blur: the shadow of a box. It costs no layer and
/// no pictures, for any deviation. The error of the coverage is below 0.003.
struct BlurredRect {
    Rect rect;
    float radius = 0;    ///< radius of the corners; reduced to half of the shorter side if it is larger
    float deviation = 1; ///< deviation of the Gaussian. 0 paints nothing. Below half a pixel, edges look jagged
    Color color = {};
    bool is_inverted = false; ///< paints outside of the blurred rectangle: an inset shadow
};

/// Pixels of an image, row by row: red in the lowest byte, then green, blue and alpha.
struct Bitmap {
    std::uint32_t width = 0, height = 0;        ///< 1 to `max_bitmap_size`
    std::span<const std::uint32_t> pixels = {}; ///< width * height values
    bool is_premultiplied = false;              ///< colors are multiplied by alpha
};

/// Maximum width and height of a bitmap.
inline constexpr std::uint32_t max_bitmap_size = 65535;

/// An image of the application: a video frame, a render target, an atlas. It is bound for each recording.
struct ExternalImage {
    std::uint32_t width = 0, height = 0; ///< 1 to `max_bitmap_size`
    bool is_opaque = false;              ///< alpha is ignored; every pixel is opaque
    bool is_premultiplied = false;       ///< colors are multiplied by alpha
    /// Shaders read linear light, as from views of sRGB formats. Colors are then converted to sRGB.
    bool is_linear = false;
    friend bool operator==(const ExternalImage&, const ExternalImage&) = default;
};

/// Function that mixes a layer with its backdrop, as in CSS and PDF.
enum class Blend : std::uint8_t {
    normal,
    multiply,
    screen,
    overlay,
    darken,
    lighten,
    color_dodge,
    color_burn,
    hard_light,
    soft_light,
    difference,
    exclusion,
    hue,
    saturation,
    color,
    luminosity,
};

struct Effect; // <weir/paths/effects.hpp>

/// An effect of a scene. Any number of layers may use it.
struct EffectId {
    std::uint32_t index = 0;
};

/// Porter-Duff operator that composites a layer, the source, with its backdrop, the destination. It changes the
/// enclosing layer everywhere inside of the layer's clip and mask, also where the layer is transparent.
enum class Composite : std::uint8_t {
    src_over,     ///< source over destination
    dest_over,    ///< destination over source
    clear,        ///< nothing
    copy,         ///< source
    dest,         ///< destination
    src_in,       ///< source where the destination is opaque
    dest_in,      ///< destination where the source is opaque
    src_out,      ///< source where the destination is transparent
    dest_out,     ///< destination where the source is transparent
    src_atop,     ///< source over destination, where the destination is opaque
    dest_atop,    ///< destination over source, where the source is opaque
    exclusive_or, ///< each where the other one is transparent
    plus,         ///< sum, at most 1
};

/// A group that is drawn separately and then composited onto its backdrop.
struct Layer {
    float opacity = 1;
    Blend blend = Blend::normal;
    Composite composite = Composite::src_over; ///< operator, after `blend` has mixed the colors
    std::optional<EffectId> effect = {};       ///< applied to the layer's picture, before its clip, mask and opacity
};

/// Source of a mask's coverage.
enum class Mask : std::uint8_t {
    alpha,            ///< alpha
    luminance,        ///< luminance of the colors, times alpha
    linear_luminance, ///< luminance of the colors, converted from sRGB to linear light first, times alpha
};

/// An outline of a scene. Any number of draws may use it.
struct OutlineId {
    std::uint32_t index = 0;
};

/// A paint of a scene. Any number of draws may use it.
struct PaintId {
    std::uint32_t index = 0;
};

/// An outline of a font in a run of text.
struct Glyph {
    OutlineId outline; ///< outline of the glyph
    Point at;          ///< position of the outline's origin, in the space of the run
};

/// Draws of a scene whose common area clips layers. Any number of layers may use it.
struct ClipId {
    std::uint32_t first_draw = 0, end_draw = 0;
};

/// Draws `first` to `end` - 1 of a scene.
struct DrawRange {
    std::uint32_t first = 0, end = 0;
};

/// The contents of a scene at some time. A copy of a scene is another scene. The scene may be destroyed earlier.
class SceneState {
    friend class Scene;
    std::weak_ptr<const void> scene_, texels_; ///< identities
    std::uint64_t edits_ = 0;                  ///< number of edits so far
};

/// Maximum number of layers with effects that are nested.
inline constexpr std::uint32_t max_nested_effects = 255;

/// Maximum of Scene::color_slots and Scene::mask_slots of a scene that is drawn on a device.
inline constexpr std::uint32_t max_layers = 256;

/// Outlines, paints, and draws in painter's order, stored as the records that shaders read. A scene is built once and
/// drawn with any transform. Transforms, paints and visibility of its draws may change between frames.
class Scene {
public:
    /// Adds an outline. If a point is not finite, the outline is empty.
    OutlineId add_outline(const Path& path);

    /// Adds a plain color.
    PaintId add_paint(const Color& color);
    /// Adds a linear gradient. Its points are in the space of the draw.
    PaintId add_paint(const LinearGradient& gradient);
    /// Adds a radial gradient. Its points are in the space of the draw.
    PaintId add_paint(const RadialGradient& gradient);
    /// Adds a sweep gradient. Its points are in the space of the draw.
    PaintId add_paint(const SweepGradient& gradient);
    /// Adds a blurred rectangle, in the space of the draw.
    PaintId add_blurred_rect(const BlurredRect& paint);
    /// Adds a paint with an image.
    PaintId add_paint(const ImagePaint& paint);

    /// Copies pixels into the scene and computes their mipmaps: 16/3 bytes per pixel. If a size is outside of its range
    /// or differs from the number of pixels, the bitmap is empty and paints nothing.
    BitmapId add_bitmap(const Bitmap& bitmap);
    /// Adds an image without pixels, for image paints. A device reads the pixels from the image that the application
    /// binds: see `add_fine`, Renderer::draw and FrameRenderer::record. If a size is outside of its range, the bitmap
    /// is empty and paints nothing.
    BitmapId add_external_image(const ExternalImage& image);
    /// Sets the pixels of an external image for the stages on the CPU: `image` is its index in `external_images`.
    /// Pixels of a different size are ignored. An image without pixels is transparent there.
    void set_external_pixels(std::uint32_t image, const Bitmap& pixels);

    /// Fills an outline. All its subpaths are closed. Returns the index of the draw.
    std::uint32_t fill(OutlineId outline, PaintId paint, const Transform& transform = {},
                       FillRule rule = FillRule::nonzero);

    /// Fills the pixels that a blurred rectangle reaches, 3 deviations around it. With a deviation of 0, fills the
    /// rectangle. Inverted ones reach farther: fill another outline with their paint. Returns the index of the draw.
    std::uint32_t fill_blurred_rect(const BlurredRect& paint, const Transform& transform = {});

    /// Fills a run of glyphs, one draw per glyph. Outlines are stored once, however often they are drawn. `transform`
    /// applies to outlines and positions, so both may be in units of the font. Returns the index of the first draw; the
    /// others follow.
    std::uint32_t fill_glyphs(std::span<const Glyph> run, PaintId paint, const Transform& transform = {});

    /// Strokes an outline. Returns the index of the draw.
    std::uint32_t stroke(OutlineId outline, PaintId paint, const Stroke& stroke, const Transform& transform = {});

    /// Sets the anti-aliasing of the following draws and clips. The default is Antialias::area.
    void set_antialias(Antialias antialias) { antialias_ = antialias; }

    /// Appends the contents of another scene to the current layer: a part of a user interface, say, that is encoded
    /// once and placed often. `transform` applies to all its draws. All its layers must be ended. Its outlines, paints,
    /// strokes and external images are copied by each call, the texels of the same scene or of its copies once. Returns
    /// the index of the first draw; draw i of `other` becomes draw index + i. The picture is that of the same calls in
    /// this scene.
    std::uint32_t append(const Scene& other, const Transform& transform = {});

    /// Changes the transform of a draw.
    void move(std::uint32_t draw, const Transform& transform);
    /// Changes the paint of a draw. The draws of a clip are clips with any paint. The draw that shows the result of an
    /// effect keeps its paint.
    void recolor(std::uint32_t draw, PaintId paint);
    /// Hides a draw or shows it again. A hidden draw covers nothing, also in a clip or a mask, and has no lines.
    void set_visible(std::uint32_t draw, bool is_visible);
    /// Returns false if `set_visible` has hidden the draw.
    [[nodiscard]] bool is_visible(std::uint32_t draw) const { return (draws_[draw].flags & draw_is_hidden) == 0; }

    /// Adds an effect for layers.
    EffectId add_effect(const Effect& effect);

    /// Begins a layer. All draws until `pop_layer` are part of it.
    void push_layer(const Layer& layer = {});
    /// Ends the innermost layer.
    void pop_layer();

    /// Begins a mask. All draws until `end_mask` are part of it and not visible. Masks may contain layers and masks.
    void begin_mask(Mask kind);
    /// Ends the mask. The next call must be `push_layer`; that layer is visible through the mask. A mask by alpha that
    /// contains only draws in opaque colors is a clip, which is faster. Returns it for use by further layers.
    std::optional<ClipId> end_mask();

    /// Adds a clip by a filled outline. For a clip by a stroke, draw the stroke in a mask by alpha: see `end_mask`.
    ClipId add_clip(OutlineId outline, const Transform& transform = {}, FillRule rule = FillRule::nonzero);
    /// Begins a layer that is visible inside the clip.
    void push_clip(ClipId clip, const Layer& layer = {});
    /// Adds a clip and begins a layer.
    void push_clip(OutlineId outline, const Transform& transform = {}, FillRule rule = FillRule::nonzero,
                   const Layer& layer = {});

    /// Returns the current state.
    [[nodiscard]] SceneState state() const;
    /// Returns true if the state is an earlier one of this scene. Draws and layers may differ. All other records of the
    /// state are the first ones of the scene.
    [[nodiscard]] bool is_later_than(const SceneState& state) const;
    /// Returns the draws that may differ from those of an earlier state of this scene, in ascending ranges.
    [[nodiscard]] std::vector<DrawRange> changed_draws(const SceneState& state) const;
    /// Returns true if layers may differ from those of an earlier state of this scene.
    [[nodiscard]] bool has_changed_layers(const SceneState& state) const { return layers_edit_ > state.edits_; }
    /// Returns true if the texels of the state are the first ones of the scene, also for a copy of a scene.
    [[nodiscard]] bool has_texels_of(const SceneState& state) const;

    [[nodiscard]] const std::vector<Point>& points() const { return points_; }             ///< points of all segments
    [[nodiscard]] const std::vector<SegmentRecord>& segments() const { return segments_; } ///< segments of all outlines
    [[nodiscard]] const std::vector<PaintRecord>& paints() const { return paints_; }       ///< all paints
    [[nodiscard]] const std::vector<StopRecord>& stops() const { return stops_; }          ///< stops of all gradients
    /// Returns the pixels of all bitmaps and their mipmaps, premultiplied. Copies of the scene share them.
    [[nodiscard]] const std::vector<std::uint32_t>& texels() const;
    /// Returns the external images, in the order in which they were added.
    [[nodiscard]] const std::vector<ExternalImage>& external_images() const { return external_images_; }
    /// Returns the pixels of `set_external_pixels` and their mipmaps, premultiplied; empty if it was not called.
    [[nodiscard]] const std::vector<std::uint32_t>& external_texels() const;
    [[nodiscard]] const std::vector<StrokeRecord>& strokes() const { return strokes_; } ///< all strokes
    [[nodiscard]] const std::vector<std::uint32_t>& dashes() const { return dashes_; }  ///< dashes of all strokes
    [[nodiscard]] const std::vector<LayerRecord>& layers() const { return layers_; } ///< the picture, then all layers
    [[nodiscard]] const std::vector<DrawRecord>& draws() const { return draws_; }    ///< in painter's order
    /// Returns the draw index of each instance.
    [[nodiscard]] const std::vector<std::uint32_t>& instances() const { return instances_; }
    [[nodiscard]] const std::vector<EffectRecord>& effects() const { return effects_; }         ///< effects of layers
    [[nodiscard]] const std::vector<EffectOpRecord>& effect_ops() const { return effect_ops_; } ///< by effect
    [[nodiscard]] const std::vector<EffectPassRecord>& effect_passes() const { return effect_passes_; } ///< in order
    [[nodiscard]] const std::vector<float>& effect_values() const { return effect_values_; } ///< values of operations
    /// Returns the maximum number of colors that a pixel has at a time: one, and one per open layer or mask that begins
    /// after other draws or layers in the same layer.
    [[nodiscard]] std::uint32_t color_slots() const { return color_slots_; }
    /// Returns the maximum number of nested layers with a mask or a clip.
    [[nodiscard]] std::uint32_t mask_slots() const { return mask_slots_; }
    /// Returns the features that the scene has used: bits scene_...
    [[nodiscard]] std::uint32_t features() const { return features_; }

private:
    struct Outline {
        std::uint32_t first_segment = 0, segments = 0;
        Rect bounds;
    };
    struct StoredBitmap {
        std::uint32_t first_texel = 0, size = 0; ///< members of PaintRecord
        bool is_opaque = false, is_external = false;
    };
    /// An effect of an open layer.
    struct OpenEffect {
        EffectId effect;
        EffectRecord record;
        std::uint32_t time = 0; ///< number of the pass that draws the layer
    };
    void begin_effect(EffectId effect);
    void end_effect();
    void add_effect_op(EffectOpRecord op);
    /// Identity of a scene, which is not copied.
    struct Identity {
        std::shared_ptr<const char> key = std::make_shared<const char>();
        Identity() = default;
        Identity(const Identity& /*other*/) : Identity() {}
        Identity(Identity&& other) noexcept = default;
        Identity& operator=(const Identity& other) {
            key = this == &other ? key : Identity().key;
            return *this;
        }
        Identity& operator=(Identity&& other) noexcept = default;
        ~Identity() = default;
    };
    /// Records an edit of a draw.
    void touch(std::uint32_t draw);
    void touch_layers() { layers_edit_ = ++edits_; }
    std::uint32_t add_draw(OutlineId outline, DrawRecord draw);
    /// Sets the paint of a draw, and the members that depend on it.
    void set_paint(DrawRecord& draw, std::uint32_t paint) const;
    std::uint32_t add_layer(LayerRecord layer);
    /// Appends texels of another scene, if necessary. Returns the index of the first one; empty if they are too many.
    std::optional<std::uint32_t> append_texels(const Scene& other);
    /// Appends external images of another scene. Returns the index of their first texel; empty if they are too many.
    std::optional<std::uint32_t> append_images(const Scene& other);
    void append_paints(const Scene& other);
    void append_effects(const Scene& other, const Transform& transform, std::uint32_t first_layer,
                        std::uint32_t first_draw, std::uint32_t first_paint);
    void add_stops(const Gradient& gradient, PaintRecord& paint);

    std::vector<Point> points_;
    std::vector<SegmentRecord> segments_;
    std::vector<Outline> outlines_;
    std::vector<PaintRecord> paints_;
    std::vector<StopRecord> stops_;
    std::vector<StoredBitmap> bitmaps_;
    std::shared_ptr<std::vector<std::uint32_t>> texels_; ///< null: none
    /// Texels of appended scenes, and the index of the first one.
    std::vector<std::pair<std::shared_ptr<const std::vector<std::uint32_t>>, std::uint32_t>> appended_texels_;
    std::vector<ExternalImage> external_images_;
    std::shared_ptr<const std::vector<std::uint32_t>> external_texels_; ///< null: none
    std::vector<StrokeRecord> strokes_;
    std::vector<std::uint32_t> dashes_;
    std::vector<std::shared_ptr<const Effect>> effect_kinds_;
    std::vector<EffectRecord> effects_;
    std::vector<EffectOpRecord> effect_ops_;
    std::vector<EffectPassRecord> effect_passes_;
    std::vector<float> effect_values_;
    std::vector<OpenEffect> open_effects_;
    std::vector<LayerRecord> layers_ = {{}};
    std::vector<DrawRecord> draws_;
    std::vector<std::uint32_t> instances_;
    std::uint32_t layer_ = 0;                ///< current layer
    std::uint32_t mask_ = 0;                 ///< mask of the next layer; 0: none
    ClipId clip_;                            ///< clip of the next layer
    std::vector<bool> has_content_ = {true}; ///< per layer; the picture has its background
    std::uint32_t color_slots_ = 1, mask_slots_ = 0;
    std::optional<std::pair<OutlineId, PaintId>> everywhere_; ///< outline around every picture, transparent paint
    Antialias antialias_ = Antialias::area;
    std::uint32_t features_ = 0;
    Identity identity_;
    std::uint64_t edits_ = 0;               ///< number of edits of draws and layers
    std::vector<std::uint64_t> draw_edits_; ///< latest edit of each block of draws
    std::uint64_t layers_edit_ = 0;         ///< latest edit of a layer
};

} // namespace weir::paths
