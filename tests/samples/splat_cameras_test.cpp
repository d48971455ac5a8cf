// Cameras of the sample splats: orbits and flights, camera paths and their files, and numbered names of pictures.

#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "splats/camera_file.hpp"
#include "splats/camera_path.hpp"
#include "splats/pictures.hpp"
#include "splats/viewpoint.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/result.hpp"

namespace weir::tests::splat_cameras_test {
namespace {

using namespace samples::splats;
using testing::FloatNear;
using testing::HasSubstr;
using testing::Pointwise;

constexpr float pi = std::numbers::pi_v<float>;
const std::array<Vec3, 6> axes_with_signs = {{{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}}};

void expect_near(const Vec3& a, const Vec3& b, float tolerance = 1e-5F) {
    EXPECT_THAT(a, Pointwise(FloatNear(tolerance), b));
}
void expect_near(const Camera& a, const Camera& b, float tolerance = 1e-5F) {
    expect_near(a.eye, b.eye, tolerance);
    for (std::size_t i = 0; i < 3; ++i) {
        expect_near(a.axes[i], b.axes[i], tolerance);
    }
    EXPECT_NEAR(a.field_of_view, b.field_of_view, tolerance);
}
void expect_rotation(const Camera& camera) {
    const auto& [right, down, forward] = camera.axes;
    expect_near(cross(right, down), forward);
    EXPECT_NEAR(dot(right, right), 1, 1e-5);
    EXPECT_NEAR(dot(down, down), 1, 1e-5);
    EXPECT_NEAR(dot(right, down), 0, 1e-5);
}

/// Returns a viewpoint that is not at a special place.
Viewpoint some_viewpoint(const Vec3& up) {
    return {.target = {1, 2, 3}, .distance = 5, .yaw = 0.7F, .pitch = -0.4F, .up = up, .field_of_view = 50};
}

TEST(SplatViewpoint, CameraLooksAtTarget) {
    for (const Vec3& up : axes_with_signs) {
        const Viewpoint from = some_viewpoint(up);
        const Camera camera = to_camera(from);
        expect_near(camera, look_at(camera.eye, from.target, 50, up));
        EXPECT_NEAR(dot(camera.eye - from.target, up), 5 * std::sin(0.4F), 1e-5); // looks down from above
    }
}

TEST(SplatViewpoint, CameraAndViewpointAreInverse) {
    for (const Vec3& up : axes_with_signs) {
        for (const float yaw : {-3.0F, -1.0F, 0.0F, 2.0F}) {
            for (const float pitch : {-max_pitch, 0.3F, max_pitch}) {
                Viewpoint from = some_viewpoint(up);
                from.yaw = yaw;
                from.pitch = pitch;
                expect_near(to_camera(viewpoint_of(to_camera(from), 5, up)), to_camera(from), 1e-3F);
            }
        }
    }
}

TEST(SplatViewpoint, ViewpointOfCameraAtPoleKeepsHeading) {
    // The upper edge of the picture from above shows the direction of x, and the lower one of the picture from below. A
    // camera that is turned to the horizon looks there: to the left of z.
    for (const float side : {1.0F, -1.0F}) { // from above and from below
        const Camera camera = look_at({0, 4 * side, 0}, {0, 0, 0}, 60, {side, 0, 0});
        const Viewpoint from = viewpoint_of(camera, 4, {0, 1, 0});
        EXPECT_NEAR(from.yaw, -pi / 2, 1e-4);
        EXPECT_EQ(from.pitch, -side * max_pitch);
    }
}

TEST(SplatViewpoint, OrbitKeepsTargetAndDistance) {
    for (const Vec3& up : axes_with_signs) {
        const Viewpoint from = some_viewpoint(up), to = orbited(from, pi / 2, 0.2F);
        EXPECT_EQ(to.target, from.target);
        const Camera before = to_camera(from), after = to_camera(to);
        const Vec3 arm = after.eye - to.target;
        EXPECT_NEAR(std::sqrt(dot(arm, arm)), 5, 1e-5);
        EXPECT_NEAR(to.pitch, -0.2, 1e-6);
        EXPECT_GT(dot(after.axes[2], before.axes[0]), 0.9); // the view turned to the right
        EXPECT_LT(dot(arm, before.axes[0]), -0.9 * 4);      // so the eye moved to the left
    }
}

TEST(SplatViewpoint, PitchStopsBeforePoles) {
    for (const float sign : {1.0F, -1.0F}) {
        Viewpoint from = some_viewpoint({0, 1, 0});
        for (int i = 0; i < 10; ++i) {
            from = orbited(from, 0, sign);
            EXPECT_LE(std::abs(from.pitch), max_pitch);
            const Camera camera = to_camera(from);
            expect_rotation(camera);
            EXPECT_LT(camera.axes[1][1], 0); // never upside down
            EXPECT_NEAR(from.yaw, 0.7, 1e-6);
        }
        EXPECT_EQ(from.pitch, sign * max_pitch);
        from = orbited(from, 0, -sign * 0.5F); // turns back at once
        EXPECT_NEAR(from.pitch, sign * (max_pitch - 0.5F), 1e-6);
    }
}

TEST(SplatViewpoint, ManyTurnsKeepYawPrecise) {
    Viewpoint from = some_viewpoint({0, 1, 0});
    for (int i = 0; i < 1000; ++i) {
        from = orbited(from, 3, 0);
        EXPECT_LE(std::abs(from.yaw), pi + 1e-5F);
    }
}

TEST(SplatViewpoint, TurnKeepsEye) {
    for (const Vec3& up : axes_with_signs) {
        const Viewpoint from = some_viewpoint(up), to = turned(from, 0.3F, 0.1F);
        expect_near(to_camera(to).eye, to_camera(from).eye);
        EXPECT_GT(dot(to_camera(to).axes[2], to_camera(from).axes[0]), 0.2);
        EXPECT_EQ(to.distance, from.distance);
    }
}

TEST(SplatViewpoint, FlightAndPanMoveAlongAxes) {
    const Viewpoint from = some_viewpoint({0, -1, 0});
    const Camera before = to_camera(from);
    const auto& [right, down, forward] = before.axes;
    expect_near(to_camera(flown(from, 2, 3, 4)).eye, before.eye + 2.0F * right + Vec3{0, -3, 0} + 4.0F * forward);
    expect_near(to_camera(panned(from, 2, 3)).eye, before.eye + 2.0F * right + 3.0F * down);
    expect_near(flown(from, 0, 0, 4).target, from.target + 4.0F * forward);
}

TEST(SplatViewpoint, ZoomDividesDistanceWithinLimits) {
    const Viewpoint from = some_viewpoint({0, 1, 0});
    EXPECT_EQ(zoomed(from, 2, 0.1F, 10).distance, 2.5F);
    EXPECT_EQ(zoomed(from, 1000, 0.1F, 10).distance, 0.1F);
    EXPECT_EQ(zoomed(from, 0.01F, 0.1F, 10).distance, 10);
    EXPECT_EQ(zoomed(from, 2, 0.1F, 10).target, from.target);
}

/// Key frames at uneven times, with large turns.
std::vector<KeyFrame> some_keys() {
    return {{-1, look_at({0, 1, -3}, {0, 0, 0}, 40)},
            {0, look_at({3, 1, 0}, {0, 0, 0}, 60)},
            {2, look_at({0, 5, 1}, {0, 0, 0}, 50)},
            {2.5, look_at({-3, 1, 0}, {0, 2, 0}, 50, {1, 1, 0})}};
}

TEST(SplatCameraPath, KeyFramesAreExact) {
    const auto keys = some_keys();
    for (const KeyFrame& key : keys) {
        const Camera at = camera_at(keys, key.time, 64, 48);
        EXPECT_EQ(at.eye, key.camera.eye);
        EXPECT_EQ(at.axes, key.camera.axes);
        EXPECT_EQ(at.field_of_view, key.camera.field_of_view);
    }
    EXPECT_EQ(camera_at(keys, -9, 64, 48).eye, keys.front().camera.eye);
    EXPECT_EQ(camera_at(keys, 9, 64, 48).eye, keys.back().camera.eye);
}

TEST(SplatCameraPath, IsSmooth) {
    const auto keys = some_keys();
    constexpr double step = 1e-3;
    std::optional<Vec3> last_move, last_turn;
    for (double time = -1; time + step < 2.5; time += step) {
        const Camera a = camera_at(keys, time, 64, 48), b = camera_at(keys, time + step, 64, 48);
        expect_rotation(a);
        const Vec3 move = 1 / static_cast<float>(step) * (b.eye - a.eye);
        const Vec3 turn = 1 / static_cast<float>(step) * (b.axes[2] - a.axes[2]);
        if (last_move) { // neither position nor direction changes its speed abruptly
            expect_near(move, *last_move, 0.1F);
            expect_near(turn, *last_turn, 0.1F);
        }
        last_move = move;
        last_turn = turn;
    }
}

TEST(SplatCameraPath, EvenKeyFramesOfLineGiveEvenMovement) {
    std::vector<KeyFrame> keys;
    for (int i = 0; i < 4; ++i) {
        const auto x = static_cast<float>(i);
        keys.push_back({.time = 2.0 * i, .camera = look_at({x, 0, 0}, {x, 0, 1}, 40 + 10 * x)});
    }
    for (double time = 0; time <= 6; time += 0.25) {
        const auto x = static_cast<float>(time / 2);
        expect_near(camera_at(keys, time, 64, 48), look_at({x, 0, 0}, {x, 0, 1}, 40 + 10 * x));
    }
}

TEST(SplatCameraPath, TurnsTheShortWay) {
    // From 170 to 190 degrees around y.
    const auto looking = [](float degrees) {
        const float angle = degrees * pi / 180;
        return look_at({0, 0, 0}, {std::sin(angle), 0, std::cos(angle)});
    };
    for (const float first : {-10.0F, 80.0F, 170.0F, 260.0F}) {
        const std::vector<KeyFrame> keys = {{0, looking(first)}, {1, looking(first + 20)}};
        expect_near(camera_at(keys, 0.5, 64, 48), looking(first + 10));
    }
}

TEST(SplatCameraPath, IntrinsicsAreScaledAndInterpolated) {
    Camera wide = look_at({0, 0, 0}, {0, 0, 1}), narrow = wide, plain = wide;
    wide.intrinsics = {100, 120, 32, 24};
    narrow.intrinsics = {400, 480, 64, 50};
    plain.field_of_view = 90;
    const std::vector<KeyFrame> keys = {{0, wide, 64, 48}, {1, narrow, 128, 96}, {2, plain}};
    EXPECT_EQ(camera_at(keys, 0, 64, 48).intrinsics, wide.intrinsics);
    EXPECT_EQ(camera_at(keys, 1, 64, 48).intrinsics, (Intrinsics{200, 240, 32, 25}));
    EXPECT_EQ(camera_at(keys, 0.5, 64, 48).intrinsics, (Intrinsics{150, 180, 32, 24.5F}));
    EXPECT_FALSE(camera_at(keys, 2, 64, 48).intrinsics);
    EXPECT_NEAR(camera_at(keys, 1.5, 64, 48).intrinsics->focal_x, (200 + 24) / 2.0, 1e-4);
}

std::vector<KeyFrame> parsed(const std::string& text) {
    return ok(parse_camera_path(text, "path.json", {0, -1, 0}));
}

TEST(SplatCameraFile, KeyFramesHaveDefaults) {
    const auto keys = parsed(R"({"keys": [{"eye": [0, 1, -3], "target": [0, 0, 0]},
        {"eye": [3, 1, 0], "target": [0, 0, 0], "up": [0, 0, 2], "field_of_view": 30},
        {"time": 7.5, "eye": [0, 1, 3], "target": [1, 0, 0]}]})");
    ASSERT_EQ(keys.size(), 3U);
    expect_near(keys[0].camera, look_at({0, 1, -3}, {0, 0, 0}, 60, {0, -1, 0}));
    expect_near(keys[1].camera, look_at({3, 1, 0}, {0, 0, 0}, 30, {0, 0, 1}));
    EXPECT_EQ(keys[0].time, 0);
    EXPECT_EQ(keys[1].time, 1);
    EXPECT_EQ(keys[2].time, 7.5);
}

TEST(SplatCameraFile, CamerasOfTraining) {
    const auto keys = parsed(R"([{"id": 0, "width": 64, "height": 48, "position": [1, 2, 3], "fx": 50, "fy": 60,
        "rotation": [[0, 0, 1], [1, 0, 0], [0, 1, 0]]},
        {"width": 8, "height": 6, "position": [0, 0, 0], "fx": 5, "fy": 6, "rotation": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}])");
    ASSERT_EQ(keys.size(), 2U);
    EXPECT_EQ(keys[0].camera.eye, (Vec3{1, 2, 3}));
    EXPECT_EQ(keys[0].camera.axes, (std::array<Vec3, 3>{{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}})); // columns of the rows
    EXPECT_EQ(keys[0].camera.intrinsics, (Intrinsics{50, 60, 32, 24}));
    EXPECT_EQ(keys[0].width, 64U);
    EXPECT_EQ(keys[1].time, 1);
}

TEST(SplatCameraFile, WrittenPathIsTheSame) {
    auto keys = some_keys();
    keys.push_back({4, look_at({123456.7F, -98765.4F, 0.125F}, {123450, -98765, 0.1F}, 33.3F)});
    const std::string text = camera_path_text(keys);
    const auto read = parsed(text);
    ASSERT_EQ(read.size(), keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        EXPECT_EQ(read[i].time, keys[i].time);
        EXPECT_EQ(read[i].camera.eye, keys[i].camera.eye);
        expect_near(read[i].camera, keys[i].camera, 1e-6F);
    }
}

TEST(SplatCameraFile, MessagesNameFileElementAndValue) {
    const auto refuses = [](const std::string& text, const std::string& message) {
        const auto keys = parse_camera_path(text, "path.json", {0, 1, 0});
        ASSERT_FALSE(keys) << text;
        EXPECT_EQ(keys.error().code, ErrorCode::io);
        EXPECT_THAT(keys.error().message, HasSubstr("path.json: " + message));
    };
    const auto refuses_key = [&](const std::string& properties, const std::string& message) {
        refuses(R"({"keys": [{"eye": [0, 0, 0], "target": [0, 0, 1]}, {)" + properties + "}]}", message);
    };
    refuses("{", "is not a JSON file: ");
    refuses("\"\x01\x1b\"", "is not a JSON file: ");
    refuses("5", "the file is 5; it must be an object");
    refuses("{}", "the file has no 'keys'");
    refuses(R"({"keys": [], "loop": true})", "the file has an unknown property 'loop'; the known ones are keys");
    refuses(R"({"keys": {}})", "keys is {}; it must be an array with at least one element");
    refuses(R"({"keys": [3]})", "keys[0] is 3; it must be an object");
    refuses_key(R"("target": [0, 0, 1])", "keys[1] has no 'eye'");
    refuses_key(R"("eye": [0, 0, 0])", "keys[1] has no 'target'");
    refuses_key(R"("eye": [0, 0], "target": [0, 0, 1])", "keys[1].eye is [0,0]; it must be an array of three numbers");
    refuses_key(R"("eye": [0, 0, "x"], "target": [0, 0, 1])", "keys[1].eye[2] is \"x\"; it must be a number");
    refuses_key(R"("eye": [0, 0, 1e19], "target": [0, 0, 1])",
                "keys[1].eye[2] is 1e+19; it must be a number from -1e18");
    refuses_key(R"("eye": [0, 0, 1e999], "target": [0, 0, 1])", "is not a JSON file: ");
    refuses_key(R"("eye": [0, 0, 1], "target": [0, 0, 1])", "keys[1].target is [0,0,1]; it must be another point");
    refuses_key(R"("eye": [0, 0, 0], "target": [0, 0, 1], "up": [0, 0, 0])",
                "keys[1].up is [0,0,0]; it must be a direction");
    refuses_key(R"("eye": [0, 0, 0], "target": [0, 0, 1], "fov": 3)",
                "keys[1] has an unknown property 'fov'; the known ones "
                "are time, eye, target, up, field_of_view");
    refuses_key(R"("eye": [0, 0, 0], "target": [0, 0, 1], "field_of_view": 0)",
                "keys[1].field_of_view is 0; it must be greater");
    refuses_key(R"("eye": [0, 0, 0], "target": [0, 0, 1], "field_of_view": 180)",
                "keys[1].field_of_view is 180; it must be less");
    refuses_key(R"("eye": [0, 0, 0], "target": [0, 0, 1], "time": 0)",
                "keys[1].time is 0; it must be greater than that of");
    refuses_key(R"("eye": [0, 0, 0], "target": [0, 0, 1], "time": "\u001b")",
                "keys[1].time is \"\\u001b\"; it must be");

    const auto refuses_camera = [&](const std::string& rotation, const std::string& size, const std::string& focal,
                                    const std::string& message) {
        refuses(R"([{"position": [0, 0, 0], "height": 4, "fy": 3, "width": )" + size + R"(, "fx": )" + focal +
                    R"(, "rotation": )" + rotation + "}]",
                message);
    };
    const std::string identity = "[[1,0,0],[0,1,0],[0,0,1]]";
    ASSERT_TRUE(parse_camera_path(
        R"([{"position": [0, 0, 0], "height": 4, "fy": 3, "width": 4, "fx": 3, "rotation": )" + identity + "}]", "",
        {0, 1, 0}));
    refuses("[]", "cameras is []; it must be an array with at least one element");
    refuses("[4]", "cameras[0] is 4; it must be an object");
    refuses(R"([{"id": 0}])", "cameras[0] has no 'width'");
    refuses_camera(identity, "0", "3", "cameras[0].width is 0; it must be an integer from 1 to 2^24");
    refuses_camera(identity, "4.5", "3", "cameras[0].width is 4.5; it must be");
    refuses_camera(identity, "4", "-3", "cameras[0].fx is -3; it must be greater than 0");
    refuses_camera("[[1,0,0],[0,1,0]]", "4", "3",
                   "cameras[0].rotation is [[1,0,0],[0,1,0]]; it must be an array of three rows");
    refuses_camera("[[1,0,0],[0,1,0],[0,0,-1]]", "4", "3",
                   "cameras[0].rotation is [[1,0,0],[0,1,0],[0,0,-1]]; it must be a rotation");
}

TEST(SplatPictures, NumberReplacesItsPlace) {
    EXPECT_EQ(numbered("a-%d.png", 12), "a-12.png");
    EXPECT_EQ(numbered("a-%03d.png", 12), "a-012.png");
    EXPECT_EQ(numbered("a-%03d.png", 12345), "a-12345.png");
    EXPECT_EQ(numbered("100%-%d-%d", 7), "100%-7-%d");
    for (const char* name : {"a.png", "%", "a%", "%0d", "%03", "%3d", "%00d", "%x"}) {
        EXPECT_FALSE(has_number(name)) << name;
        EXPECT_EQ(numbered(name, 3), name);
    }
    EXPECT_TRUE(has_number("%d"));
}

TEST(SplatPictures, UnusedNameIsFirstFreeNumber) {
    const TemporaryFolder folder;
    const std::string name = folder.name("p-%d.png");
    EXPECT_EQ(unused_name(name), folder.name("p-1.png"));
    folder.write("p-1.png", "kept");
    folder.write("p-3.png", "kept");
    EXPECT_EQ(unused_name(name), folder.name("p-2.png"));
    std::error_code error; // a link that leads nowhere is a name in use
    std::filesystem::create_symlink("nowhere", folder.path() / "p-2.png", error);
    EXPECT_EQ(unused_name(name), folder.name(error ? "p-2.png" : "p-4.png"));
    EXPECT_EQ(unused_name(folder.name("missing/%d")), folder.name("missing/1")); // creating it is the error
}

} // namespace
} // namespace weir::tests::splat_cameras_test
