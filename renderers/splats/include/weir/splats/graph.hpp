#pragma once

#include <cstdint>

#include <weir/splats/camera.hpp>
#include <weir/splats/cloud.hpp>
#include <weir/weir.hpp>

namespace weir::splats {

constexpr std::uint32_t splat_tile = 16;           ///< width and height of a tile, pixels
constexpr std::uint32_t most_splat_pixels = 16384; ///< maximum width and height of a picture
constexpr VkFormat splat_format = VK_FORMAT_R8G8B8A8_UNORM;

/// Size, depth range and background of a graph's pictures.
struct SplatView {
    std::uint32_t width = 0, height = 0;  ///< pixels, 1 to most_splat_pixels
    float near_plane = 0.01F;             ///< minimum depth of a visible splat; above 0
    float far_plane = 100;                ///< maximum depth of a visible splat
    std::array<float, 3> background = {}; ///< color behind the splats, 0 to 1
    [[nodiscard]] std::uint32_t columns() const { return (width + splat_tile - 1) / splat_tile; }
    [[nodiscard]] std::uint32_t rows() const { return (height + splat_tile - 1) / splat_tile; }
    friend bool operator==(const SplatView&, const SplatView&) = default;
};

/// Imports of a cloud; see Cloud.
struct CloudBuffers {
    BufferRef<SplatPlace> places;
    BufferRef<SplatShape> shapes;
    BufferRef<std::uint32_t> harmonics; ///< invalid for a cloud of degree 0
    std::uint32_t degree = 0;
};

/// Adds imports for a cloud. `splats`: number of splats, at least 1. `degree`: degree of its spherical harmonics, 0
/// to 3.
CloudBuffers import_cloud(const GraphCall& graph, std::uint32_t splats, std::uint32_t degree);

/// A splat projected onto the picture. At pixel (x, y), with d = (x, y) - mean, the opacity is
/// 2^(log2_opacity - u^2 - v^2) where u = axis_x * d.x - axis_xy * d.y and v = axis_y * d.y. The axes are the scaled
/// Cholesky factor of the inverse covariance matrix. Unlike the matrix itself, it keeps its precision for long thin
/// splats.
struct ProjectedSplat {
    std::array<float, 2> mean{};
    float axis_x = 0, axis_xy = 0, axis_y = 0;
    float log2_opacity = 0;
    std::uint32_t red_green = 0, blue = 0; ///< packed 16-bit floats
};
static_assert(sizeof(ProjectedSplat) == 32);

/// Results of `add_splats`.
struct SplatBuffers {
    /// Key of each splat. High word: bit pattern of the depth minus that of `near_plane`, or ~0 if the splat is not
    /// visible. Low word: index of the splat in the lowest `index_bits` bits. The remaining bits hold the number of
    /// tiles that it touches, or their maximum if the number does not fit.
    BufferRef<std::uint64_t> depths;
    std::uint32_t index_bits = 0;
    BufferRef<ProjectedSplat> projected; ///< one per splat; undefined if the splat is not visible
    /// Keys of the visible splats, nearest first. Equal depths are in the order of the cloud.
    BufferRef<std::uint64_t> order;
    BufferRef<std::uint32_t> tiles;   ///< tile of each pair, ascending, row by row; columns() * rows(): no tile
    BufferRef<std::uint32_t> splats;  ///< splat of each pair; pairs of a tile have the order of `order`
    BufferRef<std::uint32_t> ranges;  ///< first pair of each tile, followed by the end of the last tile
    BufferRef<std::uint32_t> visible; ///< one word: number of visible splats
    /// One word: number of pairs of a tile and a splat that it touches, including pairs beyond the capacity.
    BufferRef<std::uint32_t> pairs;
};

/// Adds the passes that list the splats of each tile, nearest first. `camera`: host data that holds a CameraData.
/// `pair_capacity`: maximum number of pairs; beyond it, the pairs of the farthest splats are dropped.
SplatBuffers add_splats(const GraphCall& graph, const CloudBuffers& cloud, const SplatView& view, HostData camera,
                        std::uint32_t pair_capacity);

/// Adds the pass that blends the splats front to back. Writes every pixel of `picture`, a storage image of
/// `splat_format`.
void add_blend(const GraphCall& graph, const SplatBuffers& splats, const SplatView& view, ImageId picture);

} // namespace weir::splats
