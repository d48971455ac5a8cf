// Frames of paths with several in flight: each picture is that of a whole frame, even if there is too little room.

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <weir/paths/bounds.hpp>
#include <weir/paths/cpu.hpp>
#include <weir/paths/effects.hpp>
#include <weir/paths/frames.hpp>

#include "engine/device/device.hpp"
#include "engine/shader/shader_cache.hpp"
#include "tests/paths/pictures.hpp"
#include "tests/paths/short_of_memory.hpp"
#include "tests/support/device.hpp"
#include "tests/support/frame_application.hpp"
#include "tests/support/result.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::frames_test {
namespace {

using namespace weir::paths;

const OnOneDriver on_one_driver{"PathFrames.*"};

constexpr Sizes no_room = {1, 1, 1, 1};
const View view{.width = 100, .height = 70, .background = {1, 1, 1, 1}};

View zoomed(float zoom) {
    View result = view;
    result.transform = Transform::scaling(zoom, zoom);
    return result;
}

Scene circles(float shift = 0) {
    Scene scene;
    for (int i = 0; i < 8; ++i) {
        const auto place = static_cast<float>(i);
        const OutlineId outline =
            scene.add_outline(Path().add_ellipse({20 + 9 * place + shift, 50 - 5 * place}, 18, 12));
        scene.fill(outline, scene.add_paint({place / 8, 0.5F, 1 - place / 8, 0.7F}));
        scene.stroke(outline, scene.add_paint({0, 0, 0, 1}), {.width = 2});
    }
    return scene;
}

/// An application that draws paths. Its picture arrives and leaves with transfer reads.
class Application : public FrameApplication {
public:
    explicit Application(std::uint32_t in_flight, VkExtent2D size = {view.width, view.height},
                         const Context& gpu = test_context())
        : FrameApplication(in_flight, size, gpu) {}

    [[nodiscard]] FrameOptions options() const {
        return {.frames_in_flight = in_flight(),
                .capacities = no_room,
                .arrives = Access::transfer_read,
                .leaves = Access::transfer_read};
    }
    void draw(FrameRenderer& renderer, const View& seen) {
        FrameApplication::draw([&](VkCommandBuffer commands) { return renderer.record(commands, seen, picture()); });
    }
};

TEST(PathFrames, PictureIsKeptUntilRoomSuffices) {
    const Scene scene = circles();
    Application application(2);
    FrameRenderer renderer = ok(FrameRenderer::create(test_context(), scene, application.options()));
    EXPECT_FALSE(renderer.report());
    ok(renderer.settle(zoomed(0.1F), application.picture()));
    EXPECT_TRUE(renderer.report()->is_complete);
    EXPECT_EQ(renderer.report()->needed, sizes_of(cpu_strips(scene, zoomed(0.1F))));
    const auto compilations = ContextAccess::device(test_context())->shaders().compilations();
    const std::uint64_t first = renderer.report()->frame + 1;
    std::vector<bool> complete;
    for (std::uint64_t frame = 0; frame < 16; ++frame) {
        application.draw(renderer, view);
        if (frame >= 2) {
            EXPECT_EQ(renderer.report()->frame, first + frame - 2);
            complete.push_back(renderer.report()->is_complete);
        }
    }
    EXPECT_EQ(ContextAccess::device(test_context())->shaders().compilations(), compilations);
    EXPECT_FALSE(complete.front());
    EXPECT_TRUE(complete.back());
    EXPECT_EQ(renderer.report()->needed, sizes_of(cpu_strips(scene, view)));
    const auto pictures = application.pictures();
    for (std::size_t i = 0; i < complete.size(); ++i) {
        EXPECT_LE(difference(pictures[i], picture_of(scene, complete[i] ? view : zoomed(0.1F))), 1) << i;
    }
}

TEST(PathFrames, PicturesAreNeverPartial) {
    const Scene scene = circles();
    for (const std::uint32_t in_flight : {1U, 3U}) {
        Application application(in_flight);
        FrameRenderer renderer = ok(FrameRenderer::create(test_context(), scene, application.options()));
        ok(renderer.settle(zoomed(0.05F), application.picture()));
        std::vector<std::vector<std::array<float, 4>>> expected = {picture_of(scene, zoomed(0.05F))};
        for (int i = 0; i < 24; ++i) {
            const View seen = zoomed(0.05F + 0.1F * static_cast<float>(std::min(i, 16)));
            expected.push_back(picture_of(scene, seen));
            application.draw(renderer, seen);
        }
        const auto pictures = application.pictures();
        std::size_t shown = 0, late = 0; // `shown`: the frame that a picture shows, which never decreases
        for (std::size_t i = 0; i < pictures.size(); ++i) {
            std::size_t found = i + 1;
            while (found > shown && difference(pictures[i], expected[found]) > 1) {
                --found;
            }
            EXPECT_LE(difference(pictures[i], expected[found]), 1) << i;
            late += found != i + 1 ? 1 : 0;
            shown = found;
        }
        EXPECT_GT(late, 0U); // some frames had too little room
        EXPECT_EQ(shown, pictures.size());
    }
}

TEST(PathFrames, UpdatedSceneIsDrawn) {
    Application application(2);
    FrameRenderer renderer = ok(FrameRenderer::create(test_context(), circles(), application.options()));
    ok(renderer.settle(view, application.picture()));
    for (int i = 0; i < 6; ++i) {
        ok(renderer.update(circles(static_cast<float>(i) / 4)));
        application.draw(renderer, view);
    }
    const auto pictures = application.pictures();
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        EXPECT_LE(difference(pictures[i], picture_of(circles(static_cast<float>(i) / 4), view)), 1) << i;
    }
}

// Three frames are pending while the scene is edited, so a picture with data of another frame would differ.
TEST(PathFrames, PendingFramesKeepTheirScene) {
    Application application(3);
    Scene scene = circles();
    FrameRenderer renderer = ok(FrameRenderer::create(test_context(), scene, application.options()));
    ok(renderer.settle(view, application.picture()));
    std::vector<std::vector<std::array<float, 4>>> expected;
    for (std::uint32_t i = 0; i < 12; ++i) {
        scene.move(2 * (i % 8), Transform::translation(static_cast<float>(i), -3));
        scene.set_visible(2 * (i % 8) + 1, i % 3 == 0);
        ok(renderer.update(scene));
        expected.push_back(picture_of(scene, view));
        application.draw(renderer, view);
        if (i == 6) { // not submitted
            scene.set_visible(0, false);
            ok(renderer.update(scene));
            ok(test_context().submit([&](VkCommandBuffer commands) {
                application.wait();
                ok(renderer.record(commands, view, application.picture()));
                ok(renderer.discard());
                return Result<>();
            }));
        }
    }
    const auto pictures = application.pictures();
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        EXPECT_LE(difference(pictures[i], expected[i]), 1) << i;
    }
}

TEST(PathFrames, ScissorKeepsOtherPixels) {
    Application application(2);
    Scene scene = circles();
    FrameOptions options = application.options();
    options.capacities = {2000, 4000, 8000, 4000};
    FrameRenderer renderer = ok(FrameRenderer::create(test_context(), scene, options));
    ok(renderer.settle(view, application.picture()));
    const std::uint32_t all_lines = renderer.report()->needed.lines;
    std::vector<std::vector<std::array<float, 4>>> expected;
    for (std::uint32_t i = 0; i < 8; ++i) {
        const Scene before = scene;
        scene.set_visible(i, false);
        ok(renderer.update(scene));
        View part = view;
        part.scissor = changed_bounds(before, scene, view);
        application.draw(renderer, part);
        expected.push_back(picture_of(scene, view));
    }
    EXPECT_LT(renderer.report()->needed.lines, all_lines / 2);
    const auto pictures = application.pictures();
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        EXPECT_LE(difference(pictures[i], expected[i]), 1) << i;
    }
}

TEST(PathFrames, CountsOfSceneCanChange) {
    Application application(2);
    Scene scene = circles();
    scene.push_layer({.opacity = 0.5F});
    scene.fill(scene.add_outline(Path().add_rect(30, 30, 40, 20)), scene.add_paint({0, 0.3F, 0, 1}));
    scene.pop_layer();
    const Scene few = scene;
    FrameOptions options = application.options();
    options.capacities = {2000, 4000, 8000, 4000};
    FrameRenderer renderer = ok(FrameRenderer::create(test_context(), scene, options));
    ok(renderer.settle(view, application.picture()));
    const auto compilations = ContextAccess::device(test_context())->shaders().compilations();
    std::vector<std::vector<std::array<float, 4>>> expected;
    std::vector<const Program*> programs;
    for (int i = 0; i < 20; ++i) {
        const auto place = static_cast<float>(i);
        scene.fill(scene.add_outline(Path().add_ellipse({4 * place, 50}, 9, 7)), scene.add_paint({1, 0, 0, 0.5F}));
        const Scene& shown = i == 14 ? few : scene;
        ok(renderer.update(shown));
        expected.push_back(picture_of(shown, view));
        application.draw(renderer, view);
        if (programs.empty() || programs.back() != &renderer.program()) {
            programs.push_back(&renderer.program());
        }
    }
    EXPECT_EQ(ContextAccess::device(test_context())->shaders().compilations(), compilations);
    EXPECT_LE(programs.size(), 8U); // most frames use the program of the frame before them
    const auto pictures = application.pictures();
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        EXPECT_LE(difference(pictures[i], expected[i]), 1) << i;
    }
}

TEST(PathFrames, SizeCanChange) {
    Application application(2), narrow(2, {33, view.height});
    FrameRenderer renderer = ok(FrameRenderer::create(test_context(), circles(), application.options()));
    ok(renderer.settle(view, application.picture()));
    application.draw(renderer, view);
    View other = view;
    other.width = 33;
    application.wait();
    ok(renderer.settle(other, narrow.picture()));
    narrow.draw(renderer, other);
    EXPECT_LE(difference(narrow.pictures().front(), picture_of(circles(), other)), 1);
    EXPECT_LE(difference(application.pictures().front(), picture_of(circles(), view)), 1);
}

TEST(PathFrames, CoverageCanChange) {
    Application application(2);
    FrameRenderer renderer = ok(FrameRenderer::create(test_context(), circles(), application.options()));
    View other = view;
    other.coverage = Coverage::samples_4;
    for (const View& seen : {view, other}) {
        ok(renderer.settle(seen, application.picture()));
        application.draw(renderer, seen);
        application.wait();
    }
    const auto pictures = application.pictures();
    EXPECT_LE(difference(pictures[0], picture_of(circles(), view)), 1);
    EXPECT_LE(difference(pictures[1], picture_of(circles(), other)), 1);
}

TEST(PathFrames, EffectsAreDrawnInEveryFrame) {
    Scene scene;
    Effect shadow;
    shadow.region = {0, 0, 90, 60};
    shadow.add_drop_shadow(effect::source, {2, 2}, {4, 4}, {0, 0, 0, 0.5F});
    scene.push_layer({.opacity = 0.9F, .effect = scene.add_effect(shadow)});
    scene.fill(scene.add_outline(Path().add_ellipse({40, 30}, 30, 20)), scene.add_paint({0.2F, 0.4F, 1, 1}));
    scene.pop_layer();
    Application application(2);
    FrameRenderer renderer = ok(FrameRenderer::create(test_context(), scene, application.options()));
    ok(renderer.settle(view, application.picture()));
    EXPECT_EQ(renderer.report()->needed.effects, effect_tiles(scene.effects(), view));
    for (int i = 0; i < 4; ++i) {
        application.draw(renderer, zoomed(1 - 0.2F * static_cast<float>(i))); // fits into the same buffers
    }
    const auto pictures = application.pictures();
    for (std::size_t i = 0; i < pictures.size(); ++i) {
        EXPECT_LE(difference(pictures[i], picture_of(scene, zoomed(1 - 0.2F * static_cast<float>(i)))), 1) << i;
    }
}

TEST(PathFrames, RecordingCanBeDiscarded) {
    Application application(2);
    FrameOptions options = application.options();
    options.times = true;
    FrameRenderer renderer = ok(FrameRenderer::create(test_context(), circles(), options));
    EXPECT_FALSE(renderer.discard());
    ok(renderer.settle(view, application.picture()));
    ok(test_context().submit([&](VkCommandBuffer commands) {
        ok(renderer.record(commands, zoomed(3), application.picture()));
        ok(renderer.discard());
        return Result<>();
    }));
    EXPECT_FALSE(renderer.discard());
    for (int i = 0; i < 4; ++i) {
        application.draw(renderer, view);
    }
    EXPECT_LE(difference(application.pictures().back(), picture_of(circles(), view)), 1);
    ASSERT_EQ(renderer.report()->times.has_value(), test_context().capabilities().timestamp_bits != 0);
    if (renderer.report()->times) {
        EXPECT_EQ(renderer.report()->times->passes.size(), renderer.program().plan().graph->passes.size());
    }
}

// The room grows to the need if memory does not suffice for twice the need.
TEST(PathFrames, RoomGrowsOnlyToNeedIfMemoryIsShort) {
    const Scene scene = circles();
    ShortOfMemory memory; // one context, so that everything is compiled once
    Application application(1, {view.width, view.height}, memory.gpu());
    std::uint64_t ahead = 0; // bytes in use with room ahead of need
    const auto settle = [&]() -> Result<> {
        const std::uint64_t before = memory.gpu().memory_in_use();
        auto renderer = FrameRenderer::create(memory.gpu(), scene, application.options());
        auto settled = renderer.and_then([&](FrameRenderer& made) {
            auto done = made.settle(view, application.picture());
            return done ? made.settle(view, application.picture()) : done; // now with room ahead of need
        });
        if (settled) {
            EXPECT_TRUE(renderer->report()->is_complete);
            ahead = std::max(ahead, memory.gpu().memory_in_use() - before);
        }
        return settled;
    };
    ok(settle());
    std::uint64_t enough = 0; // bytes that suffice for the need
    int refused_ones = 0;
    const std::uint64_t most = 3 * ahead;
    for (std::uint64_t limit = most / 16; limit <= most; limit += most / 16) {
        memory.leave(limit);
        const auto settled = settle();
        if (settled) {
            enough = enough == 0 ? limit : enough;
        } else {
            ++refused_ones;
            EXPECT_EQ(enough, 0U) << "refused, although less memory sufficed: " << limit;
            EXPECT_EQ(settled.error().code, ErrorCode::out_of_memory) << settled.error().message;
        }
    }
    EXPECT_GT(enough, 0U);
    EXPECT_GT(refused_ones, 0);
}

TEST(PathFrames, InvalidArgumentsAreErrors) {
    EXPECT_FALSE(FrameRenderer::create(test_context(), circles(), {.frames_in_flight = 0}));
    Application application(1);
    FrameRenderer renderer = ok(FrameRenderer::create(test_context(), circles(), application.options()));
    View wrong = view;
    wrong.width = max_pixels + 1;
    const auto recorded = renderer.record(VK_NULL_HANDLE, wrong, application.picture());
    ASSERT_FALSE(recorded);
    EXPECT_THAT(recorded.error().message, testing::HasSubstr("16385"));
}

} // namespace
} // namespace weir::tests::frames_test
