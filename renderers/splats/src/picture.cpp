#include <weir/splats/picture.hpp>

#include <algorithm>
#include <cmath>
#include <string>

#include "propagate.hpp"
#include "transform.hpp"

namespace weir::splats {

namespace {

tl::unexpected<Error> invalid(std::string why) {
    return tl::unexpected(Error{ErrorCode::invalid_argument, std::move(why)});
}

bool is_finite(std::span<const float> numbers) {
    return std::all_of(numbers.begin(), numbers.end(), [](float n) { return std::isfinite(n); });
}

/// Returns the error of a camera, if it has one.
Result<> check_camera(const View& view) {
    const Camera& camera = view.camera;
    bool finite = is_finite(camera.eye);
    Transform axes;
    for (std::size_t i = 0; i < 3; ++i) {
        finite = finite && is_finite(camera.axes[i]);
        axes.rows[i] = {camera.axes[i][0], camera.axes[i][1], camera.axes[i][2]};
    }
    if (!finite) {
        return invalid("View::camera has an eye or an axis that is not finite");
    }
    if (std::abs(determinant(axes)) < 1e-6) {
        return invalid("View::camera has axes that are not independent");
    }
    const Intrinsics pixels = intrinsics_of(camera, view.width, view.height);
    const bool is_usable = std::isnormal(pixels.focal_x) && std::isnormal(pixels.focal_y) &&
                           std::isfinite(pixels.center_x) && std::isfinite(pixels.center_y);
    if (!is_usable || (!camera.intrinsics && pixels.focal_x < 0)) {
        return invalid(camera.intrinsics ? "View::camera has intrinsics that are not finite, or a focal length of 0"
                                         : "View::camera has a field of view of " +
                                               std::to_string(camera.field_of_view) + ", which it cannot show");
    }
    return {};
}

} // namespace

Result<> check(const View& view) {
    const auto fits = [](std::uint32_t n) { return n >= 1 && n <= max_pixels; };
    if (!fits(view.width) || !fits(view.height)) {
        return invalid("a picture of " + std::to_string(view.width) + " x " + std::to_string(view.height) +
                       " pixels; width and height of 1 to " + std::to_string(max_pixels) + " are supported");
    }
    const auto [near_plane, far_plane] = view.depths;
    if (!(near_plane >= 0 && far_plane >= 0 && std::isfinite(near_plane) && std::isfinite(far_plane))) {
        return invalid("View::depths has a plane that is negative or not finite");
    }
    if (near_plane > 0 && far_plane > 0 && near_plane >= far_plane) {
        return invalid("View::depths has a near plane of " + std::to_string(near_plane) +
                       ", which is not before the far plane of " + std::to_string(far_plane));
    }
    return check_camera(view);
}

Result<> check(std::span<const PlacedCloud> clouds, const Capabilities& device) {
    std::uint64_t splats = 0;
    for (const PlacedCloud& placed : clouds) {
        splats += placed.cloud.splats();
        const double scale = determinant(transform_of(placed.placement.transform));
        if (!is_finite(placed.placement.transform) || !std::isnormal(scale)) {
            return invalid("Placement::transform is not invertible");
        }
        if (!is_finite(placed.placement.tint)) {
            return invalid("Placement::tint has a number that is not finite");
        }
    }
    if (splats == 0) {
        return invalid("a picture without clouds");
    }
    const std::uint64_t most = std::min<std::uint64_t>(
        max_splats, std::min(device.max_storage_range, device.max_allocation) / sizeof(ProjectedSplat));
    if (splats > most) {
        return tl::unexpected(
            Error{ErrorCode::limit_exceeded,
                  "a picture of " + std::to_string(splats) + " splats; this device supports " + std::to_string(most)});
    }
    return {};
}

DepthRange depths_of(const View& view, std::span<const PlacedCloud> clouds) {
    DepthRange range = view.depths;
    if (range.near_plane > 0 && range.far_plane > 0) {
        return range;
    }
    std::vector<PlacedBounds> bounds;
    for (const PlacedCloud& placed : clouds) {
        bounds.push_back({placed.cloud.bounds(), placed.placement});
    }
    return completed(range, depth_range_of(bounds, view.camera));
}

PicturePasses add_picture(const GraphCall& graph, std::span<const PlacedCloud> clouds, const Shape& shape,
                          std::uint32_t pair_capacity, const BlendImages& images) {
    PicturePasses passes;
    std::vector<CloudBuffers> parts;
    for (const PlacedCloud& placed : clouds) {
        passes.clouds.push_back(graph->host_data("cloud", sizeof(CloudData)));
        passes.imports.push_back(placed.cloud.import(graph, passes.clouds.back()));
        for (CloudBuffers part : passes.imports.back()) {
            part.max_degree = placed.placement.max_degree;
            parts.push_back(part);
        }
    }
    passes.blend = graph->host_data("blend", sizeof(BlendData));
    passes.buffers =
        add_splats(graph, parts, shape, pair_capacity, images.mesh != ImageId() || images.depth != ImageId());
    add_blend(graph, passes.buffers, shape, passes.blend, images);
    return passes;
}

Result<> PicturePasses::bind(Program& program, std::span<const PlacedCloud> placed) const {
    for (std::size_t i = 0; i < placed.size(); ++i) {
        SPLATS_PROPAGATE(placed[i].cloud.bind(program, imports[i]));
    }
    return {};
}

Result<DepthRange> PicturePasses::set(Program& program, std::span<const PlacedCloud> placed, const Shape& shape,
                                      const View& view, const MeshDepth& mesh) const {
    SPLATS_PROPAGATE(check(view));
    const DepthRange depths = depths_of(view, placed);
    for (std::size_t i = 0; i < placed.size(); ++i) {
        SPLATS_PROPAGATE(program.set(clouds[i], cloud_data(shape, view.camera, depths, placed[i].placement)));
    }
    SPLATS_PROPAGATE(program.set(blend, BlendData{.background = view.background,
                                                  .near_plane = depths.near_plane,
                                                  .mesh_scale = mesh.scale,
                                                  .mesh_offset = mesh.offset,
                                                  .is_inverse = mesh.is_inverse ? 1U : 0U}));
    return depths;
}

bool share_graph(std::span<const PlacedCloud> a, std::span<const PlacedCloud> b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const PlacedCloud& one, const PlacedCloud& other) {
        return one.cloud == other.cloud && one.placement.max_degree == other.placement.max_degree;
    });
}

} // namespace weir::splats
