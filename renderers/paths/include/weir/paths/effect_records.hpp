#pragma once

#include <array>
#include <cstdint>

#include <weir/paths/geometry.hpp>

// Records of effects in buffers; must match shaders/effects.glsl.

namespace weir::paths {

/// The effect of a layer. Its pictures have the pixels of its region, rounded outwards to tiles.
struct EffectRecord {
    Transform transform = {};     ///< from the space of the effect to that of the scene
    Rect region = {};             ///< Effect::region
    std::uint32_t layer = 0;      ///< index of the layer
    std::uint32_t first_draw = 0; ///< first draw of the layer's picture
    std::uint32_t end_draw = 0;   ///< end of its draws
    std::uint32_t depth = 0;      ///< number of nested effects, including this one
    std::uint32_t pictures = 0;   ///< number of pictures
    std::uint32_t result = 0;     ///< picture with the result
};

/// Values of EffectOpRecord::kind.
enum class EffectOp : std::uint32_t {
    draw,       ///< draws the layer
    blur,       ///< one of three blurs along an axis. mode: axis, and 2 times the number of the blur
    copy,       ///< mode: value of Conversion
    offset,     ///< translates by x, y
    flood,      ///< fills with a color, premultiplied: 4 values
    blend,      ///< first input in front of the second one. mode: value of Blend
    composite,  ///< mode: value of effect::Operator; 4 values
    matrix,     ///< 20 values
    transfer,   ///< for each component, kind and number of values, and place of the first value; then these values
    morphology, ///< along an axis. mode: axis, and 2 for the maximum
    tile,       ///< repeats the pixels in `from`
    paint,      ///< mode: index of the paint. 6 values: transform from its space to that of the scene
    lighting,   ///< mode: 1 for specular reflection. Values: see shaders/effect_lighting.glsl
    turbulence, ///< mode: 1 for noise. Values: see shaders/effect_turbulence.glsl
    displace,   ///< first input, by colors of the second one. See shaders/effect_neighbors.glsl
    convolve,   ///< see shaders/effect_neighbors.glsl
};

/// Returns true if the first 6 values of an operation are a transform to the space of the scene.
constexpr bool has_transform(EffectOp kind) {
    return kind == EffectOp::paint || kind == EffectOp::lighting || kind == EffectOp::turbulence ||
           kind == EffectOp::displace;
}

/// Modes of EffectOp::copy.
enum class Conversion : std::uint32_t { none, to_linear, to_srgb, to_alpha };

/// An operation of an effect. It writes every pixel of its output, and transparent pixels outside of the region.
struct EffectOpRecord {
    std::uint32_t kind = 0;                   ///< value of EffectOp
    std::uint32_t effect = 0;                 ///< index of the effect
    std::array<std::uint32_t, 2> inputs = {}; ///< pictures of the effect
    std::uint32_t output = 0;                 ///< picture of the effect that is none of the inputs
    std::uint32_t mode = 0;                   ///< depends on the kind
    std::uint32_t first_value = 0;            ///< first of its values
    std::uint32_t pass = 0;                   ///< index of its pass
    std::uint32_t rank = 0;                   ///< number of earlier operations in the pass
    float x = 0, y = 0;                       ///< deviations, distance or radii, in the space of the effect
    std::uint32_t unused = 0;                 ///< 0
    Rect region = {};                         ///< in the space of the effect
    Rect from = {};                           ///< tile: region that is repeated. lighting, convolve: the input's region
};

/// Operations that are computed together. Pass `3 * time + kernel` has operations of one of three kernels: drawing
/// layers, blurring, and computing pixels one by one.
struct EffectPassRecord {
    std::uint32_t first = 0, count = 0; ///< its operations in the order of passes
    friend bool operator==(const EffectPassRecord&, const EffectPassRecord&) = default;
};

/// Number of kernels of effects.
inline constexpr std::uint32_t effect_kernels = 3;

} // namespace weir::paths
