#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include <weir/paths/scene.hpp>

// Image filters that are applied to a layer, as in SVG: a graph of steps, each of which computes a picture.

namespace weir::paths {

namespace effect {

/// A picture that a step reads. Default: the layer's picture.
struct Input {
    std::uint32_t index = ~0U; ///< index of an earlier step, or that of `source` or `source_alpha`
};
/// The layer's picture.
inline constexpr Input source{~0U};
/// The alpha of the layer's picture, in black.
inline constexpr Input source_alpha{~0U - 1};

/// Gaussian blur. A deviation of 0 keeps the picture sharp along that axis. From 2 pixels on, three box blurs as
/// specified for SVG are used in place of a Gaussian.
struct Blur {
    float x = 0, y = 0; ///< standard deviations
};

/// Translation, rounded to whole pixels.
struct Offset {
    float x = 0, y = 0; ///< distance
};

/// A plain color. It has no input.
struct Flood {
    Color color;
};

/// Blends the first input, which is in front, with the second one.
struct Blend {
    paths::Blend mode = paths::Blend::normal;
};

/// Operator of a composition of `a` and `b`.
enum class Operator : std::uint8_t {
    over,       ///< a over b
    in,         ///< a inside b
    out,        ///< a outside of b
    atop,       ///< a inside b, over b
    exclusive,  ///< a outside of b, and b outside of a; "xor" in SVG
    lighter,    ///< a + b
    arithmetic, ///< k[0] a b + k[1] a + k[2] b + k[3]
};

/// Composites the first input, `a`, with the second one, `b`.
struct Composite {
    Operator kind = Operator::over;
    std::array<float, 4> k = {}; ///< factors of Operator::arithmetic
};

/// Multiplies red, green, blue, alpha and 1 by a matrix. Colors are not premultiplied in it.
struct ColorMatrix {
    std::array<float, 20> values = {1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0}; ///< row by row

    /// Returns the matrix that scales saturation. 0 is gray, 1 changes nothing.
    static ColorMatrix saturation(float factor);
    /// Returns the matrix that turns hues by `angle` radians.
    static ColorMatrix hue_rotation(float angle);
    /// Returns the matrix that converts luminance to alpha. Colors become black.
    static ColorMatrix luminance_to_alpha();
};

/// Draws all inputs over each other, the first one at the bottom.
struct Merge {};

/// Kind of a function of a component.
enum class Curve : std::uint8_t {
    identity, ///< no change
    table,    ///< linear interpolation between `values` at equal distances
    discrete, ///< a step of equal length for each of `values`
    linear,   ///< values[0] x + values[1]
    gamma,    ///< values[0] x^values[1] + values[2]
};

/// A function of a component. Without the values that it needs, it is the identity.
struct Function {
    Curve kind = Curve::identity;
    std::vector<float> values = {};
};

/// Applies a function to each component. Colors are not premultiplied in it.
struct Transfer {
    Function red, green, blue, alpha;
};

/// Replaces each component by its minimum or its maximum in a rectangle around the pixel. A radius of 0 changes nothing
/// along that axis. If both are 0 or one is negative, the result is transparent.
struct Morphology {
    bool is_dilation = false; ///< maximum
    float x = 0, y = 0;       ///< radii
};

/// Repeats the part of the input in its step's region.
struct Tile {};

/// Fills the region with a paint, such as an image.
struct Paint {
    PaintId paint;
    Transform transform = {}; ///< from the space of the paint to that of the effect
};

/// A light at an infinite distance. Angles are in radians.
struct DistantLight {
    float azimuth = 0;   ///< direction to the light, from the x axis towards the y axis
    float elevation = 0; ///< angle between this direction and the picture
};

/// A light that shines in all directions. z points towards the viewer.
struct PointLight {
    float x = 0, y = 0, z = 0; ///< position
};

/// A light that shines in one direction. z points towards the viewer.
struct SpotLight {
    float x = 0, y = 0, z = 0;                      ///< position
    float target_x = 0, target_y = 0, target_z = 0; ///< a point on its axis
    float exponent = 1;                             ///< focus; the intensity is cos(angle from the axis) ^ exponent
    std::optional<float> cone = {};                 ///< maximum angle from the axis
};

/// A light source.
using Light = std::variant<DistantLight, PointLight, SpotLight>;

/// Light that a matte surface reflects. The input's alpha is the height of the surface. The result is opaque.
struct DiffuseLighting {
    Light light;
    Color color{1, 1, 1, 1}; ///< in linear light if the step is; alpha is ignored
    float surface_scale = 1; ///< height of the surface where alpha is 1
    float constant = 1;      ///< factor of the light
};

/// Light that a shiny surface reflects towards the viewer. The input's alpha is the height of the surface. The alpha of
/// the result is the maximum of its red, green and blue.
struct SpecularLighting {
    Light light;
    Color color{1, 1, 1, 1}; ///< in linear light if the step is; alpha is ignored
    float surface_scale = 1; ///< height of the surface where alpha is 1
    float constant = 1;      ///< factor of the light
    float exponent = 1;      ///< shininess
};

/// Perlin noise, with a value for each component, as specified for SVG. It has no input.
struct Turbulence {
    float x = 0, y = 0;        ///< frequencies
    std::uint32_t octaves = 1; ///< number of noises, each with twice the frequency of the one before; at most 16
    std::int32_t seed = 0;
    bool is_noise = false;    ///< sum of values from -1 to 1, about 0.5; otherwise of absolute values
    bool is_stitched = false; ///< changes frequencies so that copies of the step's region fit together
};

/// A component of a color.
enum class Channel : std::uint8_t { red, green, blue, alpha };

/// Moves the pixels of the first input. Components of the second one are distances, from -scale / 2 to scale / 2.
struct Displacement {
    float scale = 0;
    Channel x = Channel::alpha, y = Channel::alpha; ///< components of the second input; not premultiplied
};

/// Pixels outside of the effect's region, for a convolution.
enum class Edge : std::uint8_t {
    duplicate, ///< the nearest pixel inside
    wrap,      ///< the region is repeated
    none,      ///< transparent
};

/// Sums up pixels around each pixel. In contrast to other steps, its size is in pixels. With fewer than columns * rows
/// values, it is transparent.
struct Convolution {
    std::uint32_t columns = 3, rows = 3;      ///< at most 32
    std::vector<float> values = {};           ///< row by row, turned by 180 degrees as in SVG
    float divisor = 1;                        ///< divisor of the sum
    float bias = 0;                           ///< is added where the result is opaque
    std::uint32_t target_x = 1, target_y = 1; ///< place of the pixel in the matrix
    Edge edge = Edge::duplicate;
    bool keeps_alpha = false; ///< copies alpha; colors are not premultiplied then
};

/// The computation of a step.
using Work = std::variant<Blur, Offset, Flood, Blend, Composite, ColorMatrix, Merge, Transfer, Morphology, Tile, Paint,
                          DiffuseLighting, SpecularLighting, Turbulence, Displacement, Convolution>;

/// A step of an effect.
struct Step {
    Work work;
    /// Pictures that it reads. A missing one is the layer's picture. One of a later step is transparent.
    std::vector<Input> inputs = {};
    std::optional<Rect> region = {}; ///< the result is transparent outside; none: the effect's region
    bool is_linear = false;          ///< computes in linear light, not in sRGB
};

} // namespace effect

/// Steps that compute a new picture from that of a layer. The result is that of the last step; without steps, it is the
/// layer's picture. Lengths, positions and regions are in the space of the effect. Regions grow to whole pixels, with
/// samples to whole samples.
struct Effect {
    std::vector<effect::Step> steps = {};
    Rect region = {-1e6F, -1e6F, 1e6F, 1e6F}; ///< the layer's picture and all results are transparent outside
    Transform transform = {};                 ///< from the space of the effect to that of the scene

    /// Adds a step. Returns its result, for later steps.
    effect::Input add(effect::Step step) {
        steps.push_back(std::move(step));
        return {static_cast<std::uint32_t>(steps.size()) - 1};
    }
    /// Adds the steps of a drop shadow of `input`, with `input` above it. Returns the
    /// result.
    effect::Input add_drop_shadow(effect::Input input, effect::Blur blur, effect::Offset offset, const Color& color,
                                  const std::optional<Rect>& step_region = {}, bool is_linear = false);
};

} // namespace weir::paths
