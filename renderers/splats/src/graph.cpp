#include <weir/splats/graph.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "half.hpp"
#include "transform.hpp"
#include "weir_splats_shaders.hpp"

namespace weir::splats {

namespace {

using Words = BufferRef<std::uint32_t>;
namespace shaders = weir_splats::shaders;

ShaderSource kernel(std::span<const std::uint32_t> spirv, const char* name) {
    return ShaderSource::spirv({spirv.begin(), spirv.end()}, name);
}

constexpr std::uint32_t workgroup = 256; // shared by project and emit

/// Splats per invocation of a pass over `splats` splats. A few splats must fill the device; many need few look-backs.
std::uint32_t items_of(std::uint32_t splats, std::uint32_t most) {
    return splats < 1U << 18 ? 1 : most;
}

/// Returns the maximum slopes of a pinhole camera, as in the original: 1.3 times those of the picture. Fisheye: the
/// maximum angle to the optical axis at which a splat can reach the picture.
std::array<float, 2> limits_of(const Shape& shape, const Camera& camera, const Intrinsics& intrinsics) {
    const auto width = static_cast<float>(shape.width), height = static_cast<float>(shape.height);
    if (!camera.intrinsics && camera.projection == Projection::pinhole) {
        const auto limit = static_cast<float>(1.3 * std::tan(camera.field_of_view * std::numbers::pi / 360));
        return {limit * width / height, limit};
    }
    const float x = std::max(intrinsics.center_x, width - intrinsics.center_x) / std::abs(intrinsics.focal_x);
    const float y = std::max(intrinsics.center_y, height - intrinsics.center_y) / std::abs(intrinsics.focal_y);
    if (camera.projection == Projection::fisheye) {
        constexpr float margin = 0.3F, max_angle = 3.0F; // the projection is not defined straight behind the camera
        return {std::min(std::hypot(x, y) + margin, max_angle), 0};
    }
    return {1.3F * x, 1.3F * y};
}

Vec3 rounded(const Vector& v) {
    return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

/// Reports a mistake in the arguments of a function. Returns false.
bool refuse(const GraphCall& graph, ErrorCode code, std::string message) {
    graph->fail({code, std::move(message)});
    return false;
}

bool check_shape(const GraphCall& graph, const char* function, const Shape& shape) {
    const auto fits = [](std::uint32_t n) { return n >= 1 && n <= max_pixels; };
    return (fits(shape.width) && fits(shape.height)) ||
           refuse(graph, ErrorCode::invalid_argument,
                  std::string(function) + ": Shape has " + std::to_string(shape.width) + " x " +
                      std::to_string(shape.height) + " pixels; width and height of 1 to " + std::to_string(max_pixels) +
                      " are supported");
}

/// Checks the arguments of `add_splats`.
bool check_splats(const GraphCall& graph, std::span<const CloudBuffers> clouds, const Shape& shape) {
    std::uint64_t splats = 0;
    for (const CloudBuffers& cloud : clouds) {
        splats += cloud.places.capacity;
    }
    if (splats == 0) {
        return refuse(graph, ErrorCode::invalid_argument, "add_splats: the clouds have no splats");
    }
    if (splats > max_splats) {
        return refuse(graph, ErrorCode::limit_exceeded,
                      "add_splats: the clouds have " + std::to_string(splats) + " splats; at most " +
                          std::to_string(max_splats) + " are supported");
    }
    return check_shape(graph, "add_splats", shape);
}

/// Checks the arguments of `add_blend`.
bool check_blend(const GraphCall& graph, const SplatBuffers& splats, const Shape& shape, const BlendImages& images) {
    for (const auto& [image, name] : {std::pair(images.depth, "depth"), std::pair(images.mesh, "mesh")}) {
        if (image != ImageId() && !splats.depths.valid()) {
            return refuse(graph, ErrorCode::invalid_argument,
                          std::string("add_blend: BlendImages::") + name +
                              " needs SplatBuffers::depths, which add_splats writes only with with_depths");
        }
    }
    return check_shape(graph, "add_blend", shape);
}

/// A variant of the blend pass.
std::span<const std::uint32_t> blend_shader(const BlendImages& images) {
    const std::span<const std::uint32_t> shaders[2][4] = {
        {shaders::blend_rgba8, shaders::blend_rgba8_mesh, shaders::blend_rgba8_depth, shaders::blend_rgba8_mesh_depth},
        {shaders::blend_rgba16f, shaders::blend_rgba16f_mesh, shaders::blend_rgba16f_depth,
         shaders::blend_rgba16f_mesh_depth}};
    return shaders[images.target == Target::rgba8 ? 0 : 1]
                  [(images.mesh != ImageId() ? 1 : 0) + (images.depth != ImageId() ? 2 : 0)];
}

/// Buffers that the project passes of all clouds write.
struct ProjectedBuffers {
    BufferRef<std::uint64_t> keys;
    Words covers;
};

/// Adds the pass that projects the splats of a cloud. `first`: number of splats of the clouds before it, of which
/// `visible_before` counts the visible ones. Returns the number of visible splats up to this cloud.
Words add_projection(const GraphCall& graph, const CloudBuffers& cloud, const Shape& shape, std::uint32_t first,
                     Words visible_before, const SplatBuffers& out, const ProjectedBuffers& projected) {
    const std::span<const std::uint32_t> by_degree[] = {shaders::project_0, shaders::project_1, shaders::project_2,
                                                        shaders::project_3};
    const std::uint32_t splats = cloud.places.capacity, degree = std::min(cloud.degree, cloud.max_degree);
    const std::uint32_t items = items_of(splats, 8), splats_of_workgroup = workgroup * items;
    const Words visible = graph->transient_buffer<std::uint32_t>("number of visible splats", 1);
    const auto states = tile_states(graph, splats / splats_of_workgroup + 1, 1);
    Pass pass;
    pass.name = "project";
    pass.shader = kernel(by_degree[degree], "project");
    pass.bindings = {read(cloud.places),
                     read(cloud.shapes),
                     concurrent(write(projected.keys)),
                     concurrent(write(projected.covers)),
                     concurrent(write(out.projected)),
                     out.depths.valid() ? concurrent(write(out.depths)) : unused(visible),
                     read_write(states),
                     first != 0 ? read(visible_before) : unused(cloud.places),
                     write(visible)};
    if (degree > 0) {
        pass.bindings.push_back(read(cloud.harmonics));
    }
    pass.push = {cloud.data, shape.width | shape.height << 16, splats | out.index_bits << 27, first};
    pass.constants = {static_cast<std::uint32_t>(shape.projection), shape.antialias ? 1U : 0U, items,
                      out.depths.valid() ? 1U : 0U};
    if (degree > 0) {
        pass.constants.push_back(harmonic_words(cloud.degree, cloud.format));
        pass.constants.push_back(cloud.format == HarmonicFormat::snorm8 ? 1U : 0U);
    }
    pass.dispatch = Dispatch::elements(splats, splats_of_workgroup);
    pass.full_subgroups = true;
    graph->add_pass(std::move(pass));
    return visible;
}

} // namespace

std::uint32_t depth_bits_of(const DepthRange& depths) {
    constexpr std::uint32_t usual = 27; // bits of the floats of 16 octaves
    return std::bit_cast<std::uint32_t>(depths.far_plane) - std::bit_cast<std::uint32_t>(depths.near_plane) <
                   1U << usual
               ? usual
               : 32;
}

MeshDepth MeshDepth::perspective(float near_plane, float far_plane, float at_near, float at_far) {
    const double nearest = 1.0 / near_plane, farthest = std::isinf(far_plane) ? 0 : 1.0 / far_plane;
    const double scale = (farthest - nearest) / (double{at_far} - at_near);
    return {static_cast<float>(scale), static_cast<float>(nearest - scale * at_near), true};
}

MeshDepth MeshDepth::orthographic(float near_plane, float far_plane, float at_near, float at_far) {
    const double scale = (double{far_plane} - near_plane) / (double{at_far} - at_near);
    return {static_cast<float>(scale), static_cast<float>(near_plane - scale * at_near), false};
}

CloudData cloud_data(const Shape& shape, const Camera& camera, const DepthRange& depths, const Placement& placement) {
    const Transform transform = transform_of(placement.transform);
    const Intrinsics intrinsics = intrinsics_of(camera, shape.width, shape.height);
    CloudData data{.eye = rounded(solve(transform, camera.eye)),
                   .focal = {intrinsics.focal_x, intrinsics.focal_y},
                   .center = {intrinsics.center_x, intrinsics.center_y},
                   .limit = limits_of(shape, camera, intrinsics),
                   .depths = depths,
                   .radius_scale = static_cast<float>(max_scale(transform)),
                   .crop = placement.crop};
    for (std::size_t i = 0; i < 3; ++i) {
        data.axes[i] = rounded(pulled_back(transform, camera.axes[i]));
    }
    for (std::size_t i = 0; i < 4; ++i) {
        data.tint[i] = to_half(std::clamp(placement.tint[i], 0.0F, i == 3 ? 1.0F : 65504.0F));
    }
    return data;
}

CloudBuffers import_cloud(const GraphCall& graph, std::uint32_t splats, std::uint32_t degree, HostData data,
                          HarmonicFormat format) {
    CloudBuffers buffers{.degree = degree, .format = format};
    buffers.data = data == HostData() ? graph->host_data("cloud", sizeof(CloudData)) : data;
    buffers.places = graph->import_buffer<SplatPlace>("places", splats);
    buffers.shapes = graph->import_buffer<SplatShape>("shapes", splats);
    if (degree > 0) {
        buffers.harmonics = graph->import_buffer<std::uint32_t>("harmonics", splats * harmonic_words(degree, format));
    }
    return buffers;
}

SplatBuffers add_splats(const GraphCall& graph, std::span<const CloudBuffers> clouds, const Shape& shape,
                        std::uint32_t pair_capacity, bool with_depths) {
    if (!check_splats(graph, clouds, shape)) {
        return {};
    }
    std::uint32_t splats = 0;
    for (const CloudBuffers& cloud : clouds) {
        splats += cloud.places.capacity;
    }
    const std::uint32_t block_count = shape.block_columns() * shape.block_rows();
    const auto words = [&](const char* name, std::uint32_t capacity) {
        return graph->transient_buffer<std::uint32_t>(name, capacity);
    };
    SplatBuffers out;
    // Depth keys. The bits above the index hold the number of pairs, if it fits.
    out.index_bits = static_cast<std::uint32_t>(std::bit_width(splats - 1));
    const ProjectedBuffers projected{graph->transient_buffer<std::uint64_t>("keys of splats", splats),
                                     words("covers of splats", splats)};
    out.projected = graph->transient_buffer<ProjectedSplat>("projected splats", splats);
    if (with_depths) {
        out.depths = words("depths", splats);
    }
    std::uint32_t first = 0;
    for (const CloudBuffers& cloud : clouds) {
        out.visible = add_projection(graph, cloud, shape, first, out.visible, out, projected);
        first += cloud.places.capacity;
    }

    const Count visible_count = graph->count_in(out.visible, 0, splats).direct();
    out.order =
        radix_sort(graph, projected.keys.with_count(visible_count), {.first_bit = 32, .end_bit = 32 + shape.depth_bits})
            .keys;

    out.pairs = words("number of pairs", 1);
    const Count pair_count = graph->count_in(out.pairs, 0, pair_capacity).direct();
    const Words blocks = words("blocks of pairs", pair_capacity).with_count(pair_count);
    const Words splats_of_pairs = words("splats of pairs", pair_capacity).with_count(pair_count);
    Pass emit;
    emit.name = "pairs";
    emit.shader = kernel(shaders::emit, "emit");
    const std::uint32_t items = items_of(splats, 2), splats_of_workgroup = workgroup * items;
    const auto states = tile_states(graph, splats / splats_of_workgroup + 1, 1);
    emit.bindings = {read(out.order),  read(out.visible), read(projected.covers), read(out.projected),
                     write(out.pairs), write(blocks),     write(splats_of_pairs), read_write(states)};
    emit.push = {shape.width, shape.height, shape.block_columns(), block_count, pair_capacity, out.index_bits};
    emit.constants = {items};
    emit.dispatch = Dispatch::elements(visible_count, splats_of_workgroup, 1);
    emit.full_subgroups = true;
    graph->add_pass(std::move(emit));

    const auto sorted = radix_sort(graph, blocks, splats_of_pairs,
                                   {.end_bit = static_cast<std::uint32_t>(std::bit_width(block_count))});
    out.blocks = sorted.keys;
    out.splats = sorted.values;

    out.ranges = words("ranges of blocks", block_count + 1);
    Pass ranges;
    ranges.name = "find ranges";
    ranges.shader = kernel(shaders::ranges, "ranges");
    ranges.bindings = {read(out.blocks), read(out.pairs), write(out.ranges)};
    ranges.push = {block_count, pair_capacity};
    const std::uint32_t blocks_of_workgroup = 256 / graph->capabilities().subgroup_size_max;
    ranges.dispatch = Dispatch::groups(block_count / blocks_of_workgroup + 1);
    ranges.full_subgroups = true;
    graph->add_pass(std::move(ranges));
    return out;
}

void add_blend(const GraphCall& graph, const SplatBuffers& splats, const Shape& shape, HostData data,
               const BlendImages& images) {
    if (!check_blend(graph, splats, shape, images)) {
        return;
    }
    Pass pass;
    pass.name = "blend";
    pass.shader = kernel(blend_shader(images), "blend");
    pass.bindings = {read(splats.ranges), read(splats.splats), read(splats.projected), write(images.picture)};
    if (images.mesh != ImageId() || images.depth != ImageId()) {
        pass.bindings.push_back(read(splats.depths));
    }
    if (images.mesh != ImageId()) {
        pass.bindings.push_back(sampled(images.mesh));
    }
    if (images.depth != ImageId()) {
        pass.bindings.push_back(write(images.depth));
    }
    pass.push = {data, shape.width, shape.height, shape.block_columns()};
    pass.constants = {graph->capabilities().kind == DeviceKind::cpu ? 1U : 0U};
    pass.dispatch = Dispatch::groups(shape.columns(), shape.rows());
    pass.full_subgroups = true;
    graph->add_pass(std::move(pass));
}

} // namespace weir::splats
