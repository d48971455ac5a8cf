#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <weir/splats/device_cloud.hpp>
#include <weir/splats/graph.hpp>
#include <weir/weir.hpp>

namespace weir::splats {

/// Parameters of a picture. Only another size or another kind of projection compiles the graph again, and a ratio of
/// far plane to near plane that is the first one above 65536.
struct View {
    std::uint32_t width = 0, height = 0; ///< pixels, 1 to max_pixels
    Camera camera = {};
    DepthRange depths = {};                         ///< depth of visible splats; 0: derived from the clouds
    std::array<float, 4> background = {0, 0, 0, 1}; ///< premultiplied color behind the splats
};

/// Returns the error of a view, if it has one: `invalid_argument` for a size of 0 or above max_pixels, depth planes
/// that do not satisfy 0 < near < far, or a camera with a number that is not finite or with dependent axes.
[[nodiscard]] Result<> check(const View& view);
/// Returns the error of placed clouds, if they have one: `invalid_argument` for no cloud, or a transform that is not
/// invertible; `limit_exceeded` for too many splats in all.
[[nodiscard]] Result<> check(std::span<const PlacedCloud> clouds, const Capabilities& device);
/// Returns the depth range of a view.
[[nodiscard]] DepthRange depths_of(const View& view, std::span<const PlacedCloud> clouds);

/// Passes of a picture of placed clouds, for a graph of your own.
struct PicturePasses {
    std::vector<HostData> clouds;                   ///< a CloudData per cloud
    std::vector<std::vector<CloudBuffers>> imports; ///< buffers of the parts of each cloud
    HostData blend;                                 ///< a BlendData
    SplatBuffers buffers;

    /// Binds the buffers of the clouds. Errors: those of `Program::bind`.
    [[nodiscard]] Result<> bind(Program& program, std::span<const PlacedCloud> placed) const;
    /// Sets the data of the next recordings. Returns the depth range. Errors: those of `check` and `Program::set`.
    [[nodiscard]] Result<DepthRange> set(Program& program, std::span<const PlacedCloud> placed, const Shape& shape,
                                         const View& view, const MeshDepth& mesh = {}) const;
};

/// Adds `add_splats` and `add_blend` for these clouds.
[[nodiscard]] PicturePasses add_picture(const GraphCall& graph, std::span<const PlacedCloud> clouds, const Shape& shape,
                                        std::uint32_t pair_capacity, const BlendImages& images);

/// Returns true if a graph of `a` can draw `b`: the same clouds with the same Placement::max_degree.
[[nodiscard]] bool share_graph(std::span<const PlacedCloud> a, std::span<const PlacedCloud> b);

} // namespace weir::splats
