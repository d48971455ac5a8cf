// Several clouds in a picture, their placement, and the outputs and inputs of pictures.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <weir/splats/oracle.hpp>
#include <weir/splats/renderer.hpp>

#include "common/half.hpp"
#include "tests/splats/clouds.hpp"
#include "tests/support/device.hpp"
#include "tests/support/result.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::placed_splats_test {
namespace {

using namespace weir::splats;
using weir::splats::format_of;
using weir::splats::Renderer;
using weir::splats::Target;
using weir::splats::View;

const OnOneDriver on_one_driver{"PlacedSplats.*"};

constexpr double allowed = 2; // in units of 1/255

const View view{.width = 120, .height = 90, .background = {0.2F, 0.3F, 0.1F, 1}};

/// Turns about the z axis, with a scale and an offset.
std::array<float, 12> turned(float angle, float scale, const Vec3& offset) {
    const float c = scale * std::cos(angle), s = scale * std::sin(angle);
    return {c, -s, 0, offset[0], s, c, 0, offset[1], 0, 0, scale, offset[2]};
}

std::vector<PlacedCloud> uploaded(const std::vector<CpuCloud>& clouds) {
    std::vector<PlacedCloud> made;
    for (const auto& [cloud, placement] : clouds) {
        made.push_back({ok(DeviceCloud::upload(test_context(), *cloud)), placement});
    }
    return made;
}

TEST(PlacedSplats, PicturesMatchCpu) {
    const Cloud one = wild_cloud(200, 3, 21), two = wild_cloud(150, 1, 22), three = wild_cloud(100, 0, 23);
    std::vector<CpuCloud> clouds = {{&one}, {&two}, {&three}, {&one}};
    clouds[1].placement = {.transform = turned(0.5F, 0.7F, {0.5F, -0.3F, 1}), .tint = {1.5F, 0.5F, 1, 0.8F}};
    clouds[2].placement.transform = {1, 0.4F, 0, 0, 0, 0.5F, 0.1F, 0, 0.2F, 0, -1.5F, 6}; // sheared and mirrored
    clouds[3].placement = {.crop = {{-1, -1, 0}, {2, 1, 4}}, .max_degree = 1};
    Renderer renderer = ok(Renderer::create(test_context(), uploaded(clouds)));
    ok(renderer.draw(view));
    EXPECT_LE(distance(ok(renderer.pixels()), cpu_picture(clouds, view)), allowed);
    for (CpuCloud& cloud : clouds) { // each placement makes a difference
        const Placement placement = std::exchange(cloud.placement, {});
        EXPECT_EQ(distance(ok(renderer.pixels()), cpu_picture(clouds, view)) > allowed, placement != Placement());
        cloud.placement = placement;
    }
}

TEST(PlacedSplats, TransformIsThatOfTheSplats) {
    const Cloud cloud = wild_cloud(300, 0, 31);
    const float angle = 0.8F, scale = 1.3F;
    const Vec3 offset = {0.3F, -0.2F, 0.5F};
    Cloud moved;
    for (std::uint32_t i = 0; i < cloud.size(); ++i) {
        const auto& [x, y, z] = cloud.places[i].mean;
        const auto c = std::cos(angle), s = std::sin(angle);
        const Vec3 turned_mean = {c * x - s * y, s * x + c * y, z};
        const SplatShape& shape = cloud.shapes[i];
        const auto part = [&](std::size_t k) { return static_cast<float>(shape.rotation[k]); };
        const float w = std::cos(angle / 2), v = std::sin(angle / 2); // the product of both rotations
        Splat splat{.mean = scale * turned_mean + offset, .scale = scale * shape.scale};
        splat.rotation = {w * part(0) - v * part(3), w * part(1) - v * part(2), w * part(2) + v * part(1),
                          w * part(3) + v * part(0)};
        splat.opacity = samples::to_float({shape.color[3]});
        for (std::size_t k = 0; k < 3; ++k) {
            splat.color[k] = samples::to_float({shape.color[k]});
        }
        moved.add(splat);
    }
    Renderer renderer =
        ok(Renderer::create(test_context(), uploaded({{&cloud, {.transform = turned(angle, scale, offset)}}})));
    ok(renderer.draw(view));
    EXPECT_LE(distance(ok(renderer.pixels()), cpu_picture(moved, view)), allowed);
}

TEST(PlacedSplats, PlacementsShareGraph) {
    const Cloud cloud = wild_cloud(200, 2, 24);
    std::vector<CpuCloud> clouds = {{&cloud}};
    std::vector<PlacedCloud> placed = uploaded(clouds);
    Renderer renderer = ok(Renderer::create(test_context(), placed));
    ok(renderer.draw(view));
    const void* graph = renderer.program().plan().graph.get();
    for (const float angle : {0.1F, 1.0F}) {
        clouds[0].placement = {.transform = turned(angle, 1, {0, 0, 1}), .tint = {1, angle, 1, 1}};
        placed[0].placement = clouds[0].placement;
        ok(renderer.set_clouds(placed));
        ok(renderer.draw(view));
        EXPECT_LE(distance(ok(renderer.pixels()), cpu_picture(clouds, view)), allowed);
    }
    EXPECT_EQ(renderer.program().plan().graph.get(), graph);
    placed.push_back(placed[0]); // another graph
    clouds.push_back(clouds[0]);
    ok(renderer.set_clouds(placed));
    ok(renderer.draw(view));
    EXPECT_LE(distance(ok(renderer.pixels()), cpu_picture(clouds, view)), allowed);
}

TEST(PlacedSplats, PartsGiveTheSamePicture) {
    const Cloud cloud = wild_cloud(350, 3, 25);
    Renderer whole = ok(Renderer::create(test_context(), cloud));
    const DeviceCloud parts = ok(DeviceCloud::upload(test_context(), cloud, {.max_part_splats = 100}));
    EXPECT_EQ(parts.parts(), 4U);
    Renderer divided = ok(Renderer::create(test_context(), std::vector{PlacedCloud{parts}}));
    EXPECT_EQ(ok(whole.draw(view)).visible, ok(divided.draw(view)).visible);
    EXPECT_EQ(ok(whole.pixels()), ok(divided.pixels()));
}

/// Returns a cloud with its harmonics rounded to multiples of 1/127 of the maximum of each splat.
Cloud rounded_harmonics(Cloud cloud) {
    for (std::uint32_t i = 0; i < cloud.size(); ++i) {
        Splat splat = cloud.splat(i);
        float most = 0;
        for (const Vec3& harmonic : splat.harmonics) {
            most = std::max({most, std::abs(harmonic[0]), std::abs(harmonic[1]), std::abs(harmonic[2])});
        }
        for (Vec3& harmonic : splat.harmonics) {
            for (float& number : harmonic) {
                number = most > 0 ? std::round(127 * number / most) / 127 * most : 0;
            }
        }
        cloud.set(i, splat);
    }
    return cloud;
}

TEST(PlacedSplats, HarmonicsOf8BitsMatchRoundedOnes) {
    for (std::uint32_t degree = 0; degree <= 3; ++degree) {
        Cloud cloud = wild_cloud(350, degree, 26);
        cloud.add({.mean = {0, 0, 1}, .scale = {0.1F, 0.1F, 0.1F}}); // only zeros
        std::vector<PlacedCloud> clouds = {{ok(DeviceCloud::upload(
            test_context(), cloud, {.harmonics = HarmonicFormat::snorm8, .max_part_splats = 100}))}};
        EXPECT_EQ(clouds[0].cloud.format(), degree == 0 ? HarmonicFormat::half : HarmonicFormat::snorm8);
        const Cloud rounded = rounded_harmonics(cloud);
        Renderer renderer = ok(Renderer::create(test_context(), clouds));
        for (std::uint32_t max_degree = 0; max_degree <= degree; ++max_degree) {
            clouds[0].placement.max_degree = max_degree;
            ok(renderer.set_clouds(clouds));
            ok(renderer.draw(view));
            const std::vector<CpuCloud> expected = {{&rounded, clouds[0].placement}};
            EXPECT_LE(distance(ok(renderer.pixels()), cpu_picture(expected, view)), allowed) << degree << max_degree;
        }
    }
    static_assert(harmonic_words(1, HarmonicFormat::snorm8) == 3 && harmonic_words(2, HarmonicFormat::snorm8) == 6 &&
                  harmonic_words(3, HarmonicFormat::snorm8) == 12 && harmonic_words(0, HarmonicFormat::snorm8) == 0);
}

TEST(PlacedSplats, InvalidCloudsAreErrors) {
    const auto refuses = [](const std::vector<PlacedCloud>& clouds, const char* why) {
        const auto made = Renderer::create(test_context(), clouds);
        ASSERT_FALSE(made) << why;
        EXPECT_EQ(made.error().code, ErrorCode::invalid_argument);
        EXPECT_THAT(made.error().message, testing::HasSubstr(why));
    };
    refuses({}, "without clouds");
    std::vector<PlacedCloud> clouds = {{ok(DeviceCloud::upload(test_context(), make_cloud(3, 1, 0)))}};
    clouds[0].placement.transform = {1, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1, 0};
    refuses(clouds, "not invertible");
    clouds[0].placement = {.tint = {1, 1, std::numeric_limits<float>::quiet_NaN(), 1}};
    refuses(clouds, "tint");
    const Capabilities small{.max_storage_range = 64};
    EXPECT_EQ(check(uploaded({}), small).error().code, ErrorCode::invalid_argument);
    clouds[0].placement = {};
    EXPECT_EQ(check(clouds, small).error().code, ErrorCode::limit_exceeded);
}

TEST(PlacedSplats, HalfFloatsAndExpectedDepthsMatchCpu) {
    const Cloud cloud = wild_cloud(300, 0, 26);
    View transparent = view;
    transparent.background = {};
    const CpuPicture expected = cpu_picture(cloud, transparent);
    for (const Target target : {Target::rgba8, Target::rgba16f}) {
        Renderer renderer = ok(Renderer::create(test_context(), cloud, {.target = target, .depth = true}));
        ok(renderer.draw(transparent));
        const auto depths = ok(renderer.expected_depths());
        const auto pixels = ok(renderer.pixels());
        if (target == Target::rgba8) {
            EXPECT_LE(distance(pixels, expected), allowed);
        }
        for (std::size_t i = 0; i < expected.colors.size(); ++i) {
            const double alpha = expected.colors[i][3];
            for (std::size_t c = 0; c < 4 && target == Target::rgba16f; ++c) {
                const auto half = static_cast<std::uint16_t>(pixels[2 * i + c / 2] >> c % 2 * 16);
                ASSERT_NEAR(samples::to_float({half}), expected.colors[i][c], 0.01) << i;
            }
            // A splat at the limit of 1/255 may be visible in one of both.
            ASSERT_NEAR(depths[i], expected.depths[i], alpha > 0.1 ? 0.05 * expected.depths[i] : 10) << i;
        }
    }
}

TEST(PlacedSplats, AntialiasedPicturesMatchCpu) {
    const Cloud cloud = wild_cloud(400, 0, 27);
    Renderer renderer = ok(Renderer::create(test_context(), cloud, {.antialias = true}));
    ok(renderer.draw(view));
    EXPECT_LE(distance(ok(renderer.pixels()), cpu_picture(cloud, view, {.antialias = true})), allowed);
    EXPECT_GT(distance(ok(renderer.pixels()), cpu_picture(cloud, view)), allowed);
}

/// Returns the mean difference between a picture and one of four times the width and the height, reduced.
double distance_to_reduced(const CpuPicture& small, const CpuPicture& large, std::uint32_t width) {
    double sum = 0;
    for (std::size_t i = 0; i < small.colors.size(); ++i) {
        for (std::size_t c = 0; c < 3; ++c) {
            double mean = 0;
            for (std::size_t k = 0; k < 16; ++k) {
                mean += large.colors[(i / width * 4 + k / 4) * width * 4 + i % width * 4 + k % 4][c] / 16;
            }
            sum += std::abs(mean - small.colors[i][c]);
        }
    }
    return 255 * sum / static_cast<double>(3 * small.colors.size());
}

TEST(PlacedSplats, AntialiasingIsNearerToSupersampling) {
    const Cloud cloud = make_cloud(3000, 1, 0);
    const CpuPicture large = cpu_picture(cloud, view_from(0.1, 160, 120), {.antialias = true});
    const double plain = distance_to_reduced(cpu_picture(cloud, view_from(0.1, 40, 30)), large, 40);
    const double filtered =
        distance_to_reduced(cpu_picture(cloud, view_from(0.1, 40, 30), {.antialias = true}), large, 40);
    EXPECT_LT(filtered, plain / 2) << plain;
}

/// Draws with the depth image `values` in a graph of its own.
std::vector<std::uint32_t> drawn_with_mesh(const PlacedCloud& cloud, const View& with, const MeshDepth& relation,
                                           const std::vector<float>& values) {
    const Shape shape{with.width, with.height};
    const VkExtent3D size = {with.width, with.height, 1};
    Graph graph(test_context());
    const auto input = graph.import_buffer<float>("values", static_cast<std::uint32_t>(values.size()));
    const auto pixels = graph.transient_buffer<std::uint32_t>("pixels", with.width * with.height);
    BlendImages images;
    images.picture = graph.transient_image("picture", {.format = format_of(Target::rgba8), .extent = size});
    images.mesh = graph.transient_image("mesh", {.format = VK_FORMAT_R32_SFLOAT, .extent = size});
    graph.add_copy("mesh", input, images.mesh);
    const PicturePasses passes = add_picture(graph, std::span(&cloud, 1), shape, 1U << 16, images);
    graph.add_copy("pixels", images.picture, pixels);
    graph.export_buffer(pixels);
    Program program = ok(compile(test_context(), graph));
    const Buffer buffer = ok(test_context().create_buffer(values.size() * sizeof(float)));
    ok(test_context().upload(buffer, std::span(values)));
    ok(program.bind(input, buffer));
    ok(passes.bind(program, std::span(&cloud, 1)));
    ok(passes.set(program, std::span(&cloud, 1), shape, with, relation));
    ok(program.run());
    return ok(test_context().download<std::uint32_t>(program.view(pixels), pixels.capacity));
}

TEST(PlacedSplats, MeshesHideSplats) {
    const Cloud cloud = wild_cloud(400, 0, 28);
    const PlacedCloud placed = uploaded({{&cloud}})[0];
    const float near_plane = 0.1F, far_plane = 50;
    std::vector<float> depths, values; // a slope, with a hole
    for (std::uint32_t i = 0; i < view.width * view.height; ++i) {
        const std::uint32_t x = i % view.width, y = i / view.width;
        const bool is_hole = x > 40 && x < 70 && y > 30 && y < 60;
        const float depth = is_hole ? far_plane : 0.5F + 0.05F * static_cast<float>(x);
        depths.push_back(depth);
        values.push_back(near_plane * (far_plane / depth - 1) / (far_plane - near_plane)); // 1 near, 0 far
    }
    const CpuPicture expected = cpu_picture(cloud, view, {.mesh = depths});
    EXPECT_LE(distance(drawn_with_mesh(placed, view, {}, depths), expected), allowed);
    EXPECT_LE(
        distance(drawn_with_mesh(placed, view, MeshDepth::perspective(near_plane, far_plane, 1, 0), values), expected),
        allowed);
    EXPECT_GT(distance(drawn_with_mesh(placed, view, {}, std::vector<float>(depths.size(), 1e9F)), expected), 50);
}

TEST(PlacedSplats, RelationsOfDepthBuffers) {
    const auto depth_at = [](const MeshDepth& relation, double value) {
        const double number = value * relation.scale + relation.offset;
        return relation.is_inverse ? 1 / number : number;
    };
    EXPECT_NEAR(depth_at(MeshDepth::perspective(0.5F, 20), 0), 0.5, 1e-5);
    EXPECT_NEAR(depth_at(MeshDepth::perspective(0.5F, 20), 1), 20, 1e-3);
    const double f = 20, n = 0.5, z = 3; // the matrix of Vulkan and Direct3D
    EXPECT_NEAR(depth_at(MeshDepth::perspective(0.5F, 20), f / (f - n) - f * n / ((f - n) * z)), z, 1e-4);
    EXPECT_NEAR(depth_at(MeshDepth::perspective(0.5F, std::numeric_limits<float>::infinity(), 1, 0), n / z), z, 1e-5);
    EXPECT_NEAR(depth_at(MeshDepth::orthographic(1, 9), 0.25), 3, 1e-5);
}

/// Returns the error of `add_splats` and `add_blend` for a cloud of `splats` splats.
std::string graph_error(std::uint32_t splats, const Shape& shape, bool with_depths, bool depth, bool mesh) {
    Graph graph(test_context());
    const auto image = [&](bool wanted, VkFormat format) {
        return wanted ? graph.transient_image("image", {.format = format, .extent = {64, 64, 1}}) : ImageId();
    };
    std::vector<CloudBuffers> clouds;
    for (; splats > 0; splats -= std::min(splats, max_splats)) {
        clouds.push_back(import_cloud(graph, std::min(splats, max_splats), 0));
    }
    const SplatBuffers buffers = add_splats(graph, clouds, shape, 1024, with_depths);
    const HostData data = graph.host_data("blend", sizeof(BlendData));
    add_blend(graph, buffers, shape, data,
              {.picture = image(true, format_of(Target::rgba8)),
               .depth = image(depth, depth_format),
               .mesh = image(mesh, VK_FORMAT_R32_SFLOAT)});
    return graph.error() ? graph.error()->message : "no error";
}

TEST(PlacedSplats, GraphWithInvalidArguments_NamesThem) {
    const Shape shape{.width = 64, .height = 64};
    using testing::HasSubstr;
    EXPECT_EQ(graph_error(100, shape, false, false, false), "no error");
    EXPECT_EQ(graph_error(100, shape, true, true, true), "no error");
    EXPECT_THAT(
        graph_error(100, shape, false, true, false),
        HasSubstr("add_blend: BlendImages::depth needs SplatBuffers::depths, which add_splats writes only with"));
    EXPECT_THAT(graph_error(100, shape, false, false, true), HasSubstr("add_blend: BlendImages::mesh needs"));
    EXPECT_THAT(graph_error(0, shape, false, false, false), HasSubstr("add_splats: the clouds have no splats"));
    EXPECT_THAT(graph_error(max_splats + 1, shape, false, false, false),
                HasSubstr("add_splats: the clouds have 134217728 splats; at most 134217727 are supported"));
    EXPECT_THAT(graph_error(100, {.width = 16385, .height = 64}, false, false, false),
                HasSubstr("add_splats: Shape has 16385 x 64 pixels; width and height of 1 to 16384 are supported"));
}

} // namespace
} // namespace weir::tests::placed_splats_test
