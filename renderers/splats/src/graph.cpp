#include <weir/splats/graph.hpp>

#include <algorithm>
#include <bit>
#include <span>
#include <utility>
#include <vector>

#include "weir_splats_shaders.hpp"

namespace weir::splats {

namespace {

using Words = BufferRef<std::uint32_t>;
namespace shaders = weir_splats::shaders;

ShaderSource kernel(std::span<const std::uint32_t> spirv, const char* name) {
    return ShaderSource::spirv({spirv.begin(), spirv.end()}, name);
}

/// Sum that saturates at 2^32 - 1.
Monoid saturating_sum() {
    return {.name = "pairs",
            .fields = {"uint n"},
            .identity = "T(0)",
            .combine = "const uint n = left.n + right.n; return T(n < left.n ? ~0u : n);",
            .commutes = true,
            .exact = true};
}

/// Adds a pass with one invocation per element.
void add_pass(Graph& graph, const char* name, std::span<const std::uint32_t> shader, std::vector<Binding> bindings,
              std::vector<PushWord> push, const Count& count) {
    Pass pass;
    pass.name = name;
    pass.shader = kernel(shader, name);
    pass.bindings = std::move(bindings);
    pass.push = std::move(push);
    pass.dispatch = Dispatch::elements(count, 256);
    graph.add_pass(std::move(pass));
}

} // namespace

CloudBuffers import_cloud(const GraphCall& graph, std::uint32_t splats, std::uint32_t degree) {
    CloudBuffers buffers{.degree = degree};
    buffers.places = graph->import_buffer<SplatPlace>("places", splats);
    buffers.shapes = graph->import_buffer<SplatShape>("shapes", splats);
    if (degree > 0) {
        buffers.harmonics = graph->import_buffer<std::uint32_t>("harmonics", splats * harmonic_words(degree));
    }
    return buffers;
}

SplatBuffers add_splats(const GraphCall& graph, const CloudBuffers& cloud, const SplatView& view, HostData camera,
                        std::uint32_t pair_capacity) {
    const std::uint32_t splats = cloud.places.capacity, tile_count = view.columns() * view.rows();
    const auto words = [&](const char* name, std::uint32_t capacity) {
        return graph->transient_buffer<std::uint32_t>(name, capacity);
    };
    SplatBuffers out;
    // Depth keys. The bits above the index hold the number of tiles, if it fits.
    out.index_bits = static_cast<std::uint32_t>(std::bit_width(splats - 1));
    out.depths = graph->transient_buffer<std::uint64_t>("depths", splats);
    out.projected = graph->transient_buffer<ProjectedSplat>("projected splats", splats);
    const Words tile_counts = words("tiles of splats", splats);
    std::vector<Binding> projection = {read(cloud.places), read(cloud.shapes), write(out.depths), write(tile_counts),
                                       write(out.projected)};
    if (cloud.degree > 0) {
        projection.push_back(read(cloud.harmonics));
    }
    const std::span<const std::uint32_t> project_by_degree[] = {shaders::project_0, shaders::project_1,
                                                                shaders::project_2, shaders::project_3};
    add_pass(graph, "project", project_by_degree[cloud.degree], std::move(projection),
             {camera, view.width, view.height, view.near_plane, view.far_plane, splats, out.index_bits}, splats);

    out.visible = words("number of visible splats", 1);
    const auto visible = select_if(graph, out.depths, "x.y != 0xffffffffu", {.output_count = out.visible});
    const Count visible_count = graph->count_in(out.visible, 0, splats).direct();
    const std::uint32_t depth_bits =
        std::bit_cast<std::uint32_t>(view.far_plane) - std::bit_cast<std::uint32_t>(view.near_plane);
    out.order = radix_sort(graph, visible.items.with_count(visible_count),
                           {.first_bit = 32, .end_bit = 32 + static_cast<std::uint32_t>(std::bit_width(depth_bits))})
                    .keys;

    // Compute the first pair of each visible splat.
    out.pairs = words("number of pairs", 1);
    const Words offsets = words("first pairs of splats", splats);
    fused_scan(graph, {.monoid = saturating_sum(),
                       .count = visible_count,
                       .buffers = {{"uint tile_counts[]", read(tile_counts)},
                                   {"uvec2 splats_in_order[]", read(out.order)},
                                   {"uint offsets[]", write(offsets)}},
                       .values = {{"index_bits", out.index_bits}},
                       .load = R"(
    const uint splat = splats_in_order[i].x, count = splat >> index_bits;
    return T(count == 0xffffffffu >> index_bits ? tile_counts[splat & (1u << index_bits) - 1] : count);)",
                       .store = "offsets[i] = exclusive.n;",
                       .output_total = out.pairs});

    const Count pair_count = graph->count_in(out.pairs, 0, pair_capacity).direct();
    const Words tiles = words("tiles of pairs", pair_capacity).with_count(pair_count);
    const Words splats_of_pairs = words("splats of pairs", pair_capacity).with_count(pair_count);
    add_pass(graph, "emit pairs", shaders::emit,
             {read(out.order), read(out.visible), read(offsets), read(out.pairs), read(out.projected), write(tiles),
              write(splats_of_pairs)},
             {view.width, view.height, view.columns(), tile_count, pair_capacity, out.index_bits}, visible_count);

    const auto sorted =
        radix_sort(graph, tiles, splats_of_pairs, {.end_bit = static_cast<std::uint32_t>(std::bit_width(tile_count))});
    out.tiles = sorted.keys;
    out.splats = sorted.values;

    out.ranges = words("ranges of tiles", tile_count + 1);
    Pass ranges;
    ranges.name = "find ranges";
    ranges.shader = kernel(shaders::ranges, "ranges");
    ranges.bindings = {read(out.tiles), read(out.pairs), write(out.ranges)};
    ranges.push = {tile_count, pair_capacity};
    const std::uint32_t tiles_of_workgroup = 256 / graph->capabilities().subgroup_size_max;
    ranges.dispatch = Dispatch::groups(tile_count / tiles_of_workgroup + 1);
    ranges.full_subgroups = true;
    graph->add_pass(std::move(ranges));
    return out;
}

void add_blend(const GraphCall& graph, const SplatBuffers& splats, const SplatView& view, ImageId picture) {
    Pass pass;
    pass.name = "blend";
    pass.shader = kernel(shaders::blend, "blend");
    pass.bindings = {read(splats.ranges), read(splats.splats), read(splats.projected), write(picture)};
    pass.push = {view.width, view.height, view.columns(), view.background[0], view.background[1], view.background[2]};
    pass.constants = {graph->capabilities().kind == DeviceKind::cpu ? 1U : 0U};
    pass.dispatch = Dispatch::groups(view.columns(), view.rows());
    pass.full_subgroups = true;
    graph->add_pass(std::move(pass));
}

} // namespace weir::splats
