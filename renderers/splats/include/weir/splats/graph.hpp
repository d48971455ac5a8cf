#pragma once

#include <array>
#include <cstdint>
#include <span>

#include <weir/splats/camera.hpp>
#include <weir/splats/cloud.hpp>
#include <weir/splats/placement.hpp>
#include <weir/weir.hpp>

namespace weir::splats {

inline constexpr std::uint32_t tile_size = 16;              ///< width and height of a tile, pixels
inline constexpr std::uint32_t block_size = 32;             ///< width and height of a block of 2 x 2 tiles, pixels
inline constexpr std::uint32_t pair_index_bits = 27;        ///< see SplatBuffers::splats
inline constexpr std::uint32_t max_pixels = 16384;          ///< maximum width and height of a picture
inline constexpr std::uint32_t max_splats = (1U << 27) - 1; ///< maximum number of splats of a graph

/// Format of a picture. Colors are premultiplied.
enum class Target : std::uint8_t {
    rgba8,   ///< VK_FORMAT_R8G8B8A8_UNORM
    rgba16f, ///< VK_FORMAT_R16G16B16A16_SFLOAT
};
[[nodiscard]] constexpr VkFormat format_of(Target target) {
    return target == Target::rgba8 ? VK_FORMAT_R8G8B8A8_UNORM : VK_FORMAT_R16G16B16A16_SFLOAT;
}
inline constexpr VkFormat depth_format = VK_FORMAT_R32_SFLOAT; ///< format of expected depths

/// Parameters for which a graph is compiled.
struct Shape {
    std::uint32_t width = 0, height = 0; ///< pixels, 1 to max_pixels
    Projection projection = Projection::pinhole;
    /// Filters splats with the area of a pixel and keeps their total opacity, after Yu et al., "Mip-Splatting" (2024).
    /// For clouds that are trained this way, and for pictures smaller than those of the training.
    bool antialias = false;
    /// Bits of depth that are sorted, 1 to 32; see `depth_bits_of`.
    std::uint32_t depth_bits = 27;

    [[nodiscard]] std::uint32_t columns() const { return (width + tile_size - 1) / tile_size; }
    [[nodiscard]] std::uint32_t rows() const { return (height + tile_size - 1) / tile_size; }
    [[nodiscard]] std::uint32_t block_columns() const { return (width + block_size - 1) / block_size; }
    [[nodiscard]] std::uint32_t block_rows() const { return (height + block_size - 1) / block_size; }
    friend bool operator==(const Shape&, const Shape&) = default;
};

/// Returns the bits of depth that a sort must compare: 27 up to a ratio of 65536 between the planes, else 32.
[[nodiscard]] std::uint32_t depth_bits_of(const DepthRange& depths);

/// How a depth image of the application relates to depth: depth = scale * value + offset, or the inverse of that.
struct MeshDepth {
    float scale = 1, offset = 0;
    bool is_inverse = false; ///< the image is linear in 1 / depth, as depth buffers of perspective projections are

    /// Returns the relation of a depth buffer with the value `at_near` at the near plane and `at_far` at the far plane.
    /// `far_plane` may be infinite.
    [[nodiscard]] static MeshDepth perspective(float near_plane, float far_plane, float at_near = 0, float at_far = 1);
    /// Returns the relation of a depth buffer of an orthographic projection.
    [[nodiscard]] static MeshDepth orthographic(float near_plane, float far_plane, float at_near = 0, float at_far = 1);
    friend bool operator==(const MeshDepth&, const MeshDepth&) = default;
};

/// Data of the project pass of a cloud for a recording, as push constants.
struct CloudData {
    std::array<Vec3, 3> axes;      ///< axes of the camera, in coordinates of the cloud
    Vec3 eye{};                    ///< in coordinates of the cloud
    std::array<float, 2> focal{};  ///< see Intrinsics
    std::array<float, 2> center{}; ///< see Intrinsics
    std::array<float, 2> limit{};  ///< maximum |x / z| and |y / z| at which the projection is linearized
    DepthRange depths;
    float radius_scale = 1;              ///< maximum scale of the transform
    std::array<std::uint16_t, 4> tint{}; ///< halfs
    Box crop;
};
static_assert(sizeof(CloudData) == 116);

/// Returns the data of a cloud. Precondition: the transform is invertible.
[[nodiscard]] CloudData cloud_data(const Shape& shape, const Camera& camera, const DepthRange& depths,
                                   const Placement& placement = {});

/// Data of the blend pass for a recording, as push constants.
struct BlendData {
    std::array<float, 4> background{}; ///< premultiplied
    float near_plane = 0;              ///< that of CloudData::depths
    float mesh_scale = 1, mesh_offset = 0;
    std::uint32_t is_inverse = 0;
};
static_assert(sizeof(BlendData) == 32);

/// Imports of a cloud; see Cloud.
struct CloudBuffers {
    BufferRef<SplatPlace> places;
    BufferRef<SplatShape> shapes;
    BufferRef<std::uint32_t> harmonics;           ///< invalid for a cloud of degree 0
    std::uint32_t degree = 0;                     ///< degree of the cloud
    HarmonicFormat format = HarmonicFormat::half; ///< format of `harmonics`
    std::uint32_t max_degree = 3;                 ///< see Placement
    HostData data;                                ///< a CloudData; clouds may share it
};

/// Adds imports for a cloud. `splats`: number of splats, at least 1. `degree`: degree of its spherical harmonics, 0
/// to 3. `data`: a CloudData; by default, new data. `format`: that of its spherical harmonics.
CloudBuffers import_cloud(const GraphCall& graph, std::uint32_t splats, std::uint32_t degree, HostData data = {},
                          HarmonicFormat format = HarmonicFormat::half);

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

/// Results of `add_splats`. Splats of several clouds are numbered one cloud after the other.
struct SplatBuffers {
    std::uint32_t index_bits = 0;        ///< see `order`
    BufferRef<ProjectedSplat> projected; ///< one per splat; undefined if the splat is not visible
    /// Bit pattern of the depth of each splat minus that of `near_plane`; undefined if the splat is not visible. Not
    /// valid without `with_depths`.
    BufferRef<std::uint32_t> depths;
    /// Key of each visible splat, nearest first. Equal depths are in the order of the splats. High word: the depth, as
    /// in `depths`. Low word: index of the splat in the lowest `index_bits` bits. The remaining bits hold the number of
    /// its pairs, or their maximum if the number does not fit.
    BufferRef<std::uint64_t> order;
    /// Block of each pair, ascending, row by row; block_columns() * block_rows(): no block.
    BufferRef<std::uint32_t> blocks;
    /// Splat of each pair in the lowest `pair_index_bits` bits, followed by a bit for each tile of the block that it
    /// touches, row by row. Pairs of a block have the order of `order`.
    BufferRef<std::uint32_t> splats;
    BufferRef<std::uint32_t> ranges;  ///< first pair of each block, followed by the end of the last block
    BufferRef<std::uint32_t> visible; ///< one word: number of visible splats
    /// One word: number of pairs of a block and a splat that touches it, including pairs beyond the capacity.
    BufferRef<std::uint32_t> pairs;
};

/// Adds the passes that list the splats of each block, nearest first. `clouds`: at least one, with at most `max_splats`
/// splats in all. `pair_capacity`: maximum number of pairs; beyond it, the pairs of the farthest splats are dropped.
/// `with_depths`: writes SplatBuffers::depths, which `add_blend` needs for BlendImages::depth and BlendImages::mesh.
///
/// Errors, reported by `compile`: `invalid_argument` for clouds without splats or a shape of unsupported size;
/// `limit_exceeded` for more splats than `max_splats`.
SplatBuffers add_splats(const GraphCall& graph, std::span<const CloudBuffers> clouds, const Shape& shape,
                        std::uint32_t pair_capacity, bool with_depths = false);

/// Images of `add_blend`.
struct BlendImages {
    ImageId picture;               ///< a storage image
    Target target = Target::rgba8; ///< format of `picture`
    /// Storage image of `depth_format` for expected depths: the mean depth of the splats of a pixel, weighted by their
    /// visible opacity; 0 where no splat is visible. Optional.
    ImageId depth = {};
    /// Image with the depth of the application's meshes, of the size of the picture or larger, for a sampled view of
    /// one component. Splats behind it are not visible. Optional.
    ImageId mesh = {};
};

/// Adds the pass that blends the splats front to back. Writes every pixel. `data`: a BlendData.
///
/// Errors, reported by `compile`: `invalid_argument` for a shape of unsupported size, and for a depth or mesh image if
/// the splats have no depths.
void add_blend(const GraphCall& graph, const SplatBuffers& splats, const Shape& shape, HostData data,
               const BlendImages& images);

} // namespace weir::splats
