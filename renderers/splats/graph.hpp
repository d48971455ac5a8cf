#pragma once

#include <cstdint>

#include <weir/weir.hpp>

#include "splats/camera.hpp"
#include "splats/cloud.hpp"

namespace samples::splats {

constexpr std::uint32_t splat_tile = 16;           ///< width and height of a tile, pixels
constexpr std::uint32_t most_splat_pixels = 16384; ///< width and height of a picture at most
constexpr VkFormat splat_format = VK_FORMAT_R8G8B8A8_UNORM;

/// The pictures that a graph draws.
struct SplatView {
    std::uint32_t width = 0, height = 0;  ///< pixels, 1 to most_splat_pixels
    float near_plane = 0.01F;             ///< least depth of a splat that is drawn, above 0
    float far_plane = 100;                ///< greatest depth
    std::array<float, 3> background = {}; ///< behind the splats, 0 to 1
    [[nodiscard]] std::uint32_t columns() const { return (width + splat_tile - 1) / splat_tile; }
    [[nodiscard]] std::uint32_t rows() const { return (height + splat_tile - 1) / splat_tile; }
    /// Whether both are the same.
    friend bool operator==(const SplatView&, const SplatView&) = default;
};

/// The cloud in a graph.
struct CloudBuffers {
    weir::BufferRef<SplatPlace> places;
    weir::BufferRef<SplatShape> shapes;
    weir::BufferRef<std::uint32_t> harmonics; ///< not valid for a cloud of degree 0
    std::uint32_t degree = 0;
};

/// Imports for a cloud of that size, at least one splat, and degree.
CloudBuffers import_cloud(const weir::GraphCall& graph, std::uint32_t splats, std::uint32_t degree);

/// A splat on the picture: 32 bytes. With pixel (x, y) and d = (x, y) - mean, opacity at the pixel is
/// 2^(log2_opacity - u^2 - v^2) where u = axis_x * d.x - axis_xy * d.y and v = axis_y * d.y: the Cholesky factor of the
/// inverse covariance, in which long thin splats lose no digits.
struct ProjectedSplat {
    std::array<float, 2> mean{};
    float axis_x = 0, axis_xy = 0, axis_y = 0;
    float log2_opacity = 0;
    std::uint32_t red_green = 0, blue = 0; ///< halfs
};
static_assert(sizeof(ProjectedSplat) == 32);

/// What the stages leave behind.
struct SplatBuffers {
    /// Of each splat. The high word is its depth, in floats past the near plane, or ~0 where it is not visible. The low
    /// word has its index in the lowest `index_bits` bits, and above these how many tiles it touches, as far as they
    /// can count.
    weir::BufferRef<std::uint64_t> depths;
    std::uint32_t index_bits = 0;
    weir::BufferRef<ProjectedSplat> projected; ///< of each splat; undefined where it is not visible
    weir::BufferRef<std::uint64_t>
        order; ///< those of the visible splats, nearest first, otherwise in order of the cloud
    weir::BufferRef<std::uint32_t> tiles;   ///< of each pair, ascending: row after row; past all tiles: of none
    weir::BufferRef<std::uint32_t> splats;  ///< of each pair: those of a tile are in the order of `order`
    weir::BufferRef<std::uint32_t> ranges;  ///< first pair of each tile, then the end of the last one
    weir::BufferRef<std::uint32_t> visible; ///< a word: number of visible splats
    weir::BufferRef<std::uint32_t> pairs;   ///< a word: number of pairs of a tile and a splat, with those without room
};

/// Adds the stages that find which splats are in which tile, in which order. `camera`: host data of a CameraData.
/// `pair_capacity`: pairs that there is room for; of more, those of the farthest splats are left out.
SplatBuffers add_splats(const weir::GraphCall& graph, const CloudBuffers& cloud, const SplatView& view,
                        weir::HostData camera, std::uint32_t pair_capacity);

/// Adds the stage that blends them, front to back, into all of `picture`, a storage image of `splat_format`.
void add_blend(const weir::GraphCall& graph, const SplatBuffers& splats, const SplatView& view, weir::ImageId picture);

} // namespace samples::splats
