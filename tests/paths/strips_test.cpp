// Stages of paths on the device, compared with the same stages on the CPU.

#include <array>
#include <chrono>
#include <cmath>
#include <random>
#include <span>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <weir/paths/cpu.hpp>
#include <weir/paths/renderer.hpp>

#include "tests/paths/on_device.hpp"
#include "tests/paths/pictures.hpp"
#include "tests/paths/random_scene.hpp"
#include "tests/support/device.hpp"
#include "tests/support/long_tests.hpp"
#include "tests/support/result.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::strips_test {
namespace {

using namespace weir::paths;

const Sweeps sweeps{"Paths.KeysAbove32Bits", "Paths.CutCountAbove32Bits", "Paths.Random*", "Paths.Extreme*",
                    "Paths.PartMatches*"};

TEST(Paths, Rectangle) {
    Scene scene;
    scene.fill(scene.add_outline(Path().add_rect(10.5F, 3.25F, 40, 20)), scene.add_paint({1, 0, 0, 1}));
    expect_same(scene, {.width = 64, .height = 40});
}

TEST(Paths, JoinsAndCaps) {
    for (const Join join : {Join::miter, Join::round, Join::bevel}) {
        for (const Cap cap : {Cap::butt, Cap::round, Cap::square}) {
            Scene scene;
            Path path;
            path.move_to({10, 30}).line_to({30, 10}).line_to({50, 30}).line_to({52, 12}).cubic_to({70, 0}, {80, 60},
                                                                                                  {60, 40});
            path.move_to({20, 50}).line_to({30, 50}).line_to({20, 50.5F}).close(); // nearly turns back
            path.move_to({70, 10}).close();                                        // a dot
            scene.stroke(scene.add_outline(path), scene.add_paint({0, 0, 0, 1}),
                         {.width = 8, .join = join, .cap = cap});
            expect_same(scene, {.width = 96, .height = 64});
        }
    }
}

TEST(Paths, RoomOneBelowAndAboveNeed) {
    std::mt19937 random(2);
    const RandomScene made(random, 60, {.dashes = true});
    const View view{.width = 60, .height = 50};
    const CpuStrips expected = cpu_strips(made.scene(), view);
    const Sizes sizes = sizes_of(expected);
    const auto all =
        on_device(made.scene(), view, {sizes.centers + 1, sizes.lines + 1, sizes.cuts + 1, sizes.strips + 1});
    EXPECT_EQ(all.needed, sizes);
    EXPECT_TRUE(all.cuts == expected.cuts);
    EXPECT_TRUE(all.rows == expected.rows);
    for (std::uint32_t Sizes::*member : {&Sizes::centers, &Sizes::lines, &Sizes::cuts}) {
        Sizes room = sizes;
        room.*member -= 1;
        EXPECT_EQ(on_device(made.scene(), view, room).needed.*member, sizes.*member);
    }
}

/// Bins of rows of tiles have at least 256 places.
TEST(Paths, RowsOfTilesLongerThanTheirCapacity) {
    Path path;
    for (int i = 0; i < 700; ++i) {
        const auto x = static_cast<float>(i * 37 % 61);
        path.add_rect(x, 5, 1.5F, 2);
    }
    Scene scene;
    scene.fill(scene.add_outline(path), scene.add_paint({0, 0, 0, 1}));
    const View view{.width = 64, .height = 16};
    const CpuStrips expected = cpu_strips(scene, view);
    const Sizes sizes = sizes_of(expected);
    ASSERT_GT(sizes.row_cuts, 1024U);
    Sizes room = sizes;
    room.row_cuts = 300;
    EXPECT_EQ(on_device(scene, view, room).needed.row_cuts, sizes.row_cuts);
    room.row_cuts = sizes.row_cuts;
    EXPECT_EQ(on_device(scene, view, room).cuts, expected.cuts);
    Renderer renderer = ok(Renderer::create(
        test_context(), scene, {.centers = sizes.centers, .lines = sizes.lines, .cuts = sizes.cuts, .row_cuts = 300}));
    ok(renderer.draw(view));
    EXPECT_LE(difference(ok(renderer.download()), cpu_fine(scene, view, expected)), 1);
}

TEST(Paths, KeysAbove32Bits) {
    Scene scene;
    const OutlineId nothing = scene.add_outline({});
    const PaintId paint = scene.add_paint({0, 0, 0, 0.5F});
    const View view{.width = 16384, .height = 32};
    for (std::uint32_t i = 0; i < (1U << 20); i += 2) { // the product of draws and places in the picture exceeds 2^32
        scene.fill(nothing, paint);
    }
    for (const float x : {0.0F, 3000.0F, 9000.0F}) {
        scene.fill(scene.add_outline(Path().add_ellipse({x + 700, 16}, 700, 14)), paint);
    }
    expect_same(scene, view);
}

/// Numbers of elements have 32 bits. A larger number must become 2^32 - 1, which is too large for any buffer and
/// therefore an error.
TEST(Paths, CutCountAbove32Bits) {
    const View view{.width = max_pixels, .height = max_pixels};
    constexpr std::uint32_t lines = 838862, cuts_of_line = 4096 + 1024;
    static_assert(std::uint64_t{lines} * cuts_of_line > ~0U);
    Path path;
    path.move_to({0, 0});
    for (std::uint32_t i = 0; i < lines; i += 2) {
        path.line_to({16384, 16384}).line_to({0, 0});
    }
    Scene scene;
    scene.fill(scene.add_outline(path), scene.add_paint({0, 0, 0, 1}));
    const Context& gpu = test_context();
    Graph graph(gpu);
    const SceneBuffers imports = import_scene(graph, scene);
    const HostData data = graph.host_data("view", sizeof(ViewData));
    const StripBuffers strips = add_strips(graph, imports, view, data, {.lines = lines, .cuts = 100, .strips = 100});
    graph.export_buffer(strips.needed.lines);
    graph.export_buffer(strips.needed.cuts);
    Program program = ok(compile(gpu, graph));
    const std::vector<Buffer> buffers = bind_contents(program, contents_of(imports, scene));
    ok(program.set(data, data_of(view, imports)));
    ok(program.run());
    EXPECT_EQ(ok(gpu.download<std::uint32_t>(program.view(strips.needed.lines), 1))[0], lines);
    EXPECT_EQ(ok(gpu.download<std::uint32_t>(program.view(strips.needed.cuts), 1))[0], ~0U);
}

TEST(Paths, EmptyScenes) {
    expect_same({}, {.width = 17, .height = 5, .background = {0, 0, 0, 0}});
    Scene outside;
    outside.fill(outside.add_outline(Path().add_rect(100, 0, 5, 5)), outside.add_paint({1, 1, 1, 1}));
    expect_same(outside, {.width = 17, .height = 5});
}

/// Returns small circles, each in a layer: inside one clip, or with opacity.
Scene circles_in_layers(bool are_clipped) {
    Scene scene;
    const ClipId clip = scene.add_clip(scene.add_outline(Path().add_rect(20.5F, 20.5F, 160, 160)));
    const PaintId paint = scene.add_paint({0.2F, 0.4F, 0.8F, 1});
    for (int i = 0; i < 300; ++i) {
        const Point at{static_cast<float>(i * 37 % 200), static_cast<float>(i * 53 % 200)};
        if (are_clipped) {
            scene.push_clip(clip);
        } else {
            scene.push_layer({.opacity = 0.5F});
        }
        scene.fill(scene.add_outline(Path().add_ellipse(at, 4, 4)), paint);
        scene.pop_layer();
    }
    return scene;
}

TEST(Paths, ManyLayersShareAClip) {
    const Scene scene = circles_in_layers(true);
    EXPECT_EQ(scene.draws().size(), 301U);
    expect_same(scene, {.width = 200, .height = 200});
    const auto seconds_of = [](const Scene& drawn) {
        const View view{.width = 200, .height = 200};
        const CpuStrips strips = cpu_strips(drawn, view);
        double least = 1e9;
        for (int i = 0; i < 3; ++i) {
            const auto start = std::chrono::steady_clock::now();
            cpu_fine(drawn, view, strips);
            least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        }
        return least;
    };
    EXPECT_LT(seconds_of(scene), 5 * seconds_of(circles_in_layers(false)));
}

/// A mask of opaque draws is a clip by their common area.
TEST(Paths, ClipOfSeveralDraws) {
    const auto masked = [](float alpha, bool is_luminance) {
        Scene scene;
        scene.fill(scene.add_outline(Path().add_rect(0, 0, 64, 40)), scene.add_paint({0, 0.5F, 0, 1}));
        const PaintId white = scene.add_paint({1, 1, 1, alpha});
        scene.begin_mask(is_luminance ? Mask::luminance : Mask::alpha);
        scene.fill(scene.add_outline(Path().add_ellipse({20, 20}, 15, 15)), white);
        scene.stroke(scene.add_outline(Path().add_ellipse({40, 20}, 12, 12)), white, {.width = 3});
        EXPECT_EQ(scene.end_mask().has_value(), alpha == 1 && !is_luminance);
        scene.push_layer({.opacity = 0.7F});
        scene.fill(scene.add_outline(Path().add_rect(3, 5, 55, 30)), scene.add_paint({1, 0, 0, 1}));
        scene.pop_layer();
        return scene;
    };
    const View view{.width = 64, .height = 40};
    expect_same(masked(1, false), view);
    expect_same(masked(0.5F, false), view);
    const auto clip = picture_of(masked(1, false), view), mask = picture_of(masked(1, true), view);
    for (std::size_t i = 0; i < clip.size(); ++i) {
        for (int c = 0; c < 4; ++c) {
            ASSERT_NEAR(clip[i][c], mask[i][c], 1e-5) << i;
        }
    }
}

TEST(Paths, NestedLayersOfOneDrawShareColors) {
    const auto nested = [](std::uint32_t layers, bool have_backdrop) {
        Scene scene;
        const OutlineId all = scene.add_outline(Path().add_rect(0, 0, 16, 4));
        for (std::uint32_t i = 0; i < layers; ++i) {
            scene.push_layer({.opacity = 0.999F, .blend = Blend::multiply});
            if (have_backdrop) {
                scene.fill(all, scene.add_paint({1, 0, 0, 0.01F}));
            }
        }
        scene.fill(all, scene.add_paint({0, 0, 1, 1}));
        return scene;
    };
    EXPECT_EQ(nested(600, false).color_slots(), 2U);
    expect_same(nested(600, false), {.width = 16, .height = 4});
    EXPECT_EQ(nested(max_layers - 1, true).color_slots(), max_layers);
    expect_same(nested(max_layers - 1, true), {.width = 16, .height = 4});
    Renderer renderer = ok(Renderer::create(test_context(), nested(max_layers, true)));
    const auto drawn = renderer.draw({.width = 16, .height = 4});
    ASSERT_FALSE(drawn);
    EXPECT_EQ(drawn.error().code, ErrorCode::limit_exceeded);
    EXPECT_THAT(drawn.error().message, testing::HasSubstr("nested 257 deep; at most 256"));
}

TEST(Paths, OutlineAroundPicture) { // all lines are outside, and every tile is filled
    Scene scene;
    scene.fill(scene.add_outline(Path().add_ellipse({30, 30}, 900, 900)), scene.add_paint({0, 0.5F, 1, 0.5F}));
    expect_same(scene, {.width = 65, .height = 62});
}

constexpr std::array all_coverages = {Coverage::area, Coverage::samples_4, Coverage::samples_16};

/// `few_coverages`: without long tests. Each needs kernels of its own, which drivers on the CPU compile slowly.
void expect_same_of_random_scenes(Variety variety, int few = 40,
                                  std::span<const Coverage> few_coverages = std::span(all_coverages).first<1>()) {
    const std::span<const Coverage> coverages = long_tests() ? std::span<const Coverage>(all_coverages) : few_coverages;
    const int scenes = long_tests() ? 2500 : few;
    std::mt19937 random(1);
    for (int i = 0; i < scenes && !testing::Test::HasFailure(); ++i) {
        SCOPED_TRACE(i);
        const std::uint32_t width = random() % 100 + 1, height = random() % 100 + 1;
        const RandomScene made(random, static_cast<float>(std::max(width, height)), variety);
        View view{.width = width, .height = height, .coverage = coverages[random() % coverages.size()]};
        if (i % 4 == 3) {
            view.scissor = {width / 4, height / 3, width / 2 + 1, height - height / 5};
        }
        if (variety.effects && i % 2 == 0) {
            view.margin = effect_margin(made.scene(), view);
        }
        expect_same(made.scene(), view);
    }
}

TEST(Paths, ThreadsDrawSamePicture) {
    std::mt19937 random(3);
    const RandomScene made(random, 400, {.gradients = true, .layers = true});
    const Scene& scene = made.scene();
    const View view{.width = 401, .height = 403};
    const CpuStrips strips = cpu_strips(scene, view, {.threads = 1});
    const auto picture = cpu_fine(scene, view, strips, {.threads = 1});
    const auto pixels = cpu_pixels(scene, view, strips, {.threads = 1});
    EXPECT_LE(difference(pixels, picture), 0.501); // rounded to the nearest
    for (const std::uint32_t threads : {2U, 5U}) {
        const CpuStrips other = cpu_strips(scene, view, {.threads = threads});
        EXPECT_EQ(other.cuts, strips.cuts);
        EXPECT_EQ(other.strips, strips.strips);
        EXPECT_EQ(cpu_fine(scene, view, strips, {.threads = threads}), picture) << threads;
        EXPECT_EQ(cpu_pixels(scene, view, strips, {.threads = threads}), pixels) << threads;
    }
}

TEST(Paths, DeviceDrawsStripsOfCpu) {
    std::mt19937 random(7);
    const RandomScene made(random, 60, {.gradients = true, .layers = true});
    const View view{.width = 61, .height = 53};
    const CpuStrips strips = cpu_strips(made.scene(), view);
    const Context& gpu = test_context();
    Graph graph(gpu);
    const SceneBuffers scene = import_scene(graph, made.scene());
    const HostData data = graph.host_data("view", sizeof(ViewData));
    StripBuffers imported;
    imported.cuts = graph.import_buffer<CutRecord>("cuts", static_cast<std::uint32_t>(strips.cuts.size()));
    imported.strips = graph.import_buffer<StripRecord>("strips", static_cast<std::uint32_t>(strips.strips.size()));
    imported.spans = graph.import_buffer<SpanRecord>("spans", static_cast<std::uint32_t>(strips.spans.size()));
    imported.rows = graph.import_buffer<RowRecord>("rows", static_cast<std::uint32_t>(strips.rows.size()));
    const ImageId picture =
        graph.transient_image("picture", {.format = VK_FORMAT_R8G8B8A8_UNORM, .extent = {view.width, view.height, 1}});
    add_fine(graph, scene, imported, view, data, picture);
    const auto pixels = read_texels(graph, picture, TexelFormat::rgba8, view.width, view.height);
    graph.export_buffer(pixels);
    Program program = ok(compile(gpu, graph));
    std::vector<SceneContents> contents = contents_of(scene, made.scene());
    contents.insert(contents.end(), {{imported.cuts, std::as_bytes(std::span(strips.cuts))},
                                     {imported.strips, std::as_bytes(std::span(strips.strips))},
                                     {imported.spans, std::as_bytes(std::span(strips.spans))},
                                     {imported.rows, std::as_bytes(std::span(strips.rows))}});
    const std::vector<Buffer> buffers = bind_contents(program, contents);
    ok(program.set(data, data_of(view, scene)));
    ok(program.run());
    EXPECT_LE(difference(ok(gpu.download<std::uint32_t>(program.view(pixels), view.width * view.height)),
                         cpu_fine(made.scene(), view, strips)),
              1);
}

/// Scenes whose curves are mostly outside the picture and left out.
TEST(Paths, RandomScenesZoomedIn) {
    std::mt19937 random(8);
    for (int i = 0; i < (long_tests() ? 1000 : 25) && !HasFailure(); ++i) {
        SCOPED_TRACE(i);
        const RandomScene made(random, 60, {.dashes = i % 5 == 0});
        const auto scale = static_cast<float>(10 + random() % 300);
        const Transform corner =
            Transform::translation(-static_cast<float>(random() % 60), -static_cast<float>(random() % 60));
        expect_same(made.scene(), {.transform = Transform::scaling(scale, scale) * corner, .width = 100, .height = 90});
    }
}

/// Any transform is allowed: points that are far away are moved, and drawing ends.
TEST(Paths, ExtremeTransforms) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    std::mt19937 random(10);
    const float factors[] = {0, 1e-38F, 1e-20F, 1e-6F, 1, 1e4F, 1e8F, 1e20F, 3e38F, infinity, std::nanf("")};
    const auto factor = [&] { return (random() % 2 == 0 ? 1.0F : -1.0F) * factors[random() % std::size(factors)]; };
    for (int i = 0; i < (long_tests() ? 200 : 15) && !HasFailure(); ++i) {
        SCOPED_TRACE(i);
        const RandomScene made(random, 60, {.dashes = i % 2 == 0});
        const Transform m = {
            factor(), random() % 2 == 0 ? 0 : factor(), random() % 2 == 0 ? 0 : factor(), factor(), factor(), factor()};
        const View view{.transform = m, .width = 40, .height = 30};
        const CpuStrips strips = cpu_strips(made.scene(), view);
        if (strips.lines.size() > 100000) { // round joins of a radius that is far larger than the picture
            continue;
        }
        const OnDevice drawn = on_device(made.scene(), view, sizes_of(strips));
        EXPECT_EQ(drawn.pixels.size(), 40 * 30U);
        const float all[] = {m.xx, m.yx, m.xy, m.yy, m.dx, m.dy};
        if (std::all_of(std::begin(all), std::end(all), [](float x) { return std::abs(x) < 1e15F; })) {
            EXPECT_EQ(drawn.needed, sizes_of(strips));
            EXPECT_LE(difference(drawn.pixels, cpu_fine(made.scene(), view, strips)), 1);
        }
    }
}

/// Leaving out lines must not change a picture: a part of a large picture, which leaves out few lines, equals the same
/// part drawn on its own.
TEST(Paths, PartMatchesWholePicture) {
    std::mt19937 random(9);
    constexpr std::uint32_t size = 480, part_width = 64, part_height = 48;
    int curves_left_out = 0;
    for (int i = 0; i < 20; ++i) {
        SCOPED_TRACE(i);
        const RandomScene made(random, 60, {});
        const View all{.transform = Transform::scaling(8, 8), .width = size, .height = size};
        const CpuStrips all_strips = cpu_strips(made.scene(), all);
        const auto picture = cpu_fine(made.scene(), all, all_strips);
        const std::uint32_t left = random() % (size - part_width) / 16 * 16,
                            top = random() % (size - part_height) / 4 * 4;
        const Transform corner = Transform::translation(-static_cast<float>(left), -static_cast<float>(top));
        const View part{.transform = corner * all.transform, .width = part_width, .height = part_height};
        const CpuStrips strips = cpu_strips(made.scene(), part);
        curves_left_out += strips.lines.size() * 2 < all_strips.lines.size() ? 1 : 0;
        const auto seen = cpu_fine(made.scene(), part, strips);
        float greatest = 0;
        for (std::uint32_t y = 0; y < part_height; ++y) {
            for (std::uint32_t x = 0; x < part_width; ++x) {
                for (int c = 0; c < 4; ++c) {
                    greatest = std::max(
                        greatest, std::abs(seen[y * part_width + x][c] - picture[(top + y) * size + left + x][c]));
                }
            }
        }
        EXPECT_LE(greatest, 3 / 255.0); // lines end on whole subpixels of another origin
    }
    EXPECT_GE(curves_left_out, 10);
}

TEST(Paths, RandomScenes) {
    expect_same_of_random_scenes({}, 40, all_coverages);
}

TEST(Paths, RandomDashes) {
    expect_same_of_random_scenes({.dashes = true}, 40, all_coverages);
}

TEST(Paths, RandomGradients) {
    expect_same_of_random_scenes({.gradients = true});
}

TEST(Paths, RandomEdges) {
    expect_same_of_random_scenes({.dashes = true, .edges = true}, 15, all_coverages);
    expect_same_of_random_scenes({.gradients = true, .layers = true, .operators = true, .edges = true}, 8);
}

TEST(Paths, RandomImages) {
    expect_same_of_random_scenes({.images = true}, 40, std::span(all_coverages).first<2>());
}

TEST(Paths, RandomImagesInLayers) {
    // Few scenes: drivers on the CPU compile a kernel for each number of slots.
    expect_same_of_random_scenes({.gradients = true, .layers = true, .images = true}, 10,
                                 std::span(all_coverages).last<1>());
}

TEST(Paths, RandomLayers) {
    expect_same_of_random_scenes({.gradients = true, .layers = true});
}

TEST(Paths, RandomScenesWithEffects) {
    // Drivers on the CPU take long to compile the kernels of images in layers.
    expect_same_of_random_scenes({.gradients = true, .layers = true, .images = long_tests(), .effects = true}, 20);
}

TEST(Paths, RandomNestedLayers) {
    std::mt19937 random(11);
    for (const std::uint32_t layers : {3U, 70U, 130U, 256U}) {
        SCOPED_TRACE(layers);
        const RandomScene made(random, 60, {.gradients = true, .layers = true, .nested = layers});
        EXPECT_GT(made.scene().color_slots(), layers / 4);
        expect_same(made.scene(), {.width = 61, .height = 53});
    }
}

} // namespace
} // namespace weir::tests::strips_test
