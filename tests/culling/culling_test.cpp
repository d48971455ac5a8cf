#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <weir/graph/command_pass.hpp>
#include <weir/graph/commands.hpp>

#include "culling/frames.hpp"
#include "culling/pyramid.hpp"
#include "examples/replayer.hpp"
#include "tests/graph/recorder.hpp"
#include "tests/support/drawing.hpp"
#include "tests/support/frame_application.hpp"
#include "tests/support/host_device.hpp"
#include "tests/support/long_tests.hpp"
#include "tests/support/result.hpp"

namespace weir::tests::culling_test {
namespace {

using samples::culling::camera_on_path;
using samples::culling::cull_on_cpu;
using samples::culling::DrawFeatures;
using samples::culling::DrawList;
using samples::culling::FrameOptions;
using samples::culling::Frames;
using samples::culling::Lists;
using samples::culling::make_scene;
using samples::culling::path_frames;
using samples::culling::pyramid_image;
using samples::culling::pyramid_levels_of;
using samples::culling::Scene;
using samples::culling::Switches;

constexpr FrameOptions small{.width = 161, .height = 97}; // odd, so that levels of the pyramid are rounded up
constexpr std::uint32_t instances = 2000;
constexpr Switches nothing_culled{.frustum = false, .occlusion = false};

/// Returns the place of frame `i` on the path, which `count` frames share. Four frames follow each other: the second
/// draws what the first has seen and finds what that hides, and the third leaves the hidden instances out.
double frame_of(std::uint32_t i, std::uint32_t count) {
    const std::uint32_t first_of_four = i / 4 * 4;
    return count == path_frames ? i : 20 + static_cast<double>(first_of_four) * path_frames / count + i % 4;
}

/// A device that draws. All tests share it, so that shaders are compiled once.
struct DrawingHost {
    DrawFeatures features;
    HostDevice host;
    Context gpu;

    DrawingHost() : host([this](HostFeatures& enabled) { enable(enabled); }), gpu(ok(Context::adopt(host.adopted()))) {}
    void enable(HostFeatures& enabled) {
        VkPhysicalDeviceVulkan12Features can12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
        VkPhysicalDeviceFeatures2 can{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &can12};
        const auto get = reinterpret_cast<PFN_vkGetPhysicalDeviceFeatures2>(
            test_context().get_instance_proc_addr()(test_context().instance(), "vkGetPhysicalDeviceFeatures2"));
        get(test_context().physical_device(), &can);
        enabled.vulkan13.dynamicRendering = VK_TRUE;
        enabled.vulkan12.drawIndirectCount = can12.drawIndirectCount;
        enabled.head.features.multiDrawIndirect = can.features.multiDrawIndirect;
        enabled.head.features.drawIndirectFirstInstance = VK_TRUE;
        features = {.indirect_count = can12.drawIndirectCount == VK_TRUE,
                    .multi_draw = can.features.multiDrawIndirect == VK_TRUE};
    }
};

class Culling : public testing::Test {
protected:
    static void SetUpTestSuite() { shared = std::make_unique<DrawingHost>(); }
    static void TearDownTestSuite() { shared.reset(); }
    void SetUp() override {
        if (const std::string why = why_not_to_draw(); !why.empty()) {
            GTEST_SKIP() << why;
        }
    }
    inline static std::unique_ptr<DrawingHost> shared;

    const DrawFeatures& features_ = shared->features;
    const Context& gpu_ = shared->gpu;

    [[nodiscard]] std::unique_ptr<Frames> frames(Scene scene, const FrameOptions& options = small) const {
        return ok(Frames::create(gpu_, features_, std::move(scene), options));
    }
    static std::vector<std::uint32_t> picture(Frames& frames, double frame, const Switches& switches) {
        ok(frames.draw(camera_on_path(frame), switches));
        ok(frames.wait());
        return ok(frames.picture());
    }
    /// Returns how many of `count` frames of the path change with culling.
    static int frames_that_pop(Frames& culled, Frames& whole, std::uint32_t count, const Switches& switches = {}) {
        int pops = 0;
        for (std::uint32_t i = 0; i < count; ++i) {
            const double frame = frame_of(i, count);
            pops += picture(culled, frame, switches) == picture(whole, frame, nothing_culled) ? 0 : 1;
        }
        return pops;
    }
};

/// Returns the levels of a frame's depth pyramid, one after the other without gaps.
std::vector<float> pyramid_of(const Context& gpu, Frames& frames) {
    const ImageInfo info = pyramid_image(small.width, small.height);
    const auto& mips = frames.graph().pyramid;
    const auto levels = pyramid_levels_of(small.width, small.height);
    std::vector<float> all;
    for (std::size_t mip = 0; mip < mips.size(); ++mip) {
        const std::uint32_t stride = std::max(info.extent.width >> mip, 1U);
        const auto texels = ok(gpu.download<float>(frames.program().view(mips[mip]), mips[mip].capacity));
        for (std::uint32_t row = 0; row < levels[mip].height; ++row) {
            const auto begin = texels.begin() + static_cast<std::ptrdiff_t>(row) * stride;
            all.insert(all.end(), begin, begin + levels[mip].width);
        }
    }
    return all;
}

void expect_list(const Context& gpu, Frames& frames, std::size_t part, const DrawList& expected) {
    const auto& list = frames.graph().lists[part];
    Program& program = frames.program();
    const auto count = ok(gpu.download<std::uint32_t>(program.view(list.count), 1))[0];
    ASSERT_EQ(count, expected.commands.size()) << "part " << part;
    EXPECT_EQ(ok(gpu.download<DrawList::Command>(program.view(list.commands), count)), expected.commands);
    EXPECT_EQ(ok(gpu.download<std::uint32_t>(program.view(list.ids), expected.ids.size())), expected.ids);
}

TEST_F(Culling, VisibleInstancesMatchCpu) {
    const auto drawn =
        frames(make_scene(instances), {.width = small.width, .height = small.height, .is_inspected = true});
    std::vector<std::uint32_t> visible(instances, 0);
    std::size_t late = 0, transparent = 0, hidden = 0;
    const std::uint32_t count = long_tests() ? path_frames : 8;
    for (std::uint32_t i = 0; i < count; ++i) {
        Switches switches;
        switches.frustum = i % 7 != 5;
        switches.levels = i % 5 != 4;
        ok(drawn->draw(camera_on_path(frame_of(i, count)), switches));
        ok(drawn->wait());
        const std::vector<float> pyramid = pyramid_of(gpu_, *drawn);
        const Lists lists = cull_on_cpu(drawn->scene(), drawn->view(), pyramid, visible);
        expect_list(gpu_, *drawn, 0, lists.first);
        expect_list(gpu_, *drawn, 1, lists.late);
        expect_list(gpu_, *drawn, 2, lists.transparent);
        ASSERT_FALSE(HasFailure()) << "frame " << i;
        const auto& counts = drawn->done()->counts;
        EXPECT_EQ(counts.instances[0], lists.first.ids.size());
        EXPECT_EQ(counts.draws[1], lists.late.commands.size());
        hidden += counts.inside - counts.instances[0] - counts.instances[1] - counts.instances[2];
        late += lists.late.ids.size();
        transparent += lists.transparent.ids.size();
    }
    EXPECT_GT(hidden, instances / 2); // over all frames
    EXPECT_GT(late, 0U);
    EXPECT_GT(transparent, 0U);
}

TEST_F(Culling, CullingDoesNotChangePictures) {
    const auto culled = frames(make_scene(instances)), whole = frames(make_scene(instances));
    EXPECT_EQ(frames_that_pop(*culled, *whole, long_tests() ? path_frames : 8), 0);
    EXPECT_LT(culled->done()->counts.inside, whole->done()->counts.inside);
}

TEST_F(Culling, TooSmallBoxesChangePictures) {
    Scene broken = make_scene(instances);
    for (auto& mesh : broken.meshes.meshes) {
        for (float& size : mesh.half_size) {
            size *= 0.5F;
        }
    }
    const auto culled = frames(std::move(broken)), whole = frames(make_scene(instances));
    EXPECT_GT(frames_that_pop(*culled, *whole, 4, {.frustum = false}), 0);
}

TEST_F(Culling, FramesInFlightAndResizing) {
    const auto drawn = frames(make_scene(instances));
    const std::uint32_t count = long_tests() ? path_frames : 18;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (i % 6 == 5) {
            ok(drawn->resize(40 + i * 7 % 130, 30 + i * 11 % 80));
        }
        ok(drawn->draw(camera_on_path(i), {.frustum = i % 4 != 3, .occlusion = i % 3 != 2, .levels = i % 5 != 4}));
    }
    ok(drawn->resize(small.width, small.height));
    EXPECT_EQ(picture(*drawn, 7, {}), picture(*frames(make_scene(instances)), 7, {}));
    EXPECT_EQ(drawn->done()->frame, count);
}

TEST_F(Culling, RecordedFramesMatchDrawnFrames) {
    FrameOptions to_image = small;
    to_image.image = Access::transfer_read;
    const auto drawn = frames(make_scene(instances)), recorded = frames(make_scene(instances), to_image);
    constexpr std::uint32_t count = 6;
    for (const VkExtent2D size : {VkExtent2D{small.width, small.height}, VkExtent2D{70, 90}}) {
        ok(drawn->resize(size.width, size.height));
        ok(recorded->resize(size.width, size.height));
        FrameApplication application(Frames::in_flight, size, gpu_);
        std::vector<std::vector<std::uint32_t>> expected;
        for (std::uint32_t i = 0; i < count; ++i) {
            const Switches switches{.frustum = i % 4 != 3, .occlusion = i % 3 != 2};
            expected.push_back(picture(*drawn, 20 + i, switches));
            application.draw([&](VkCommandBuffer commands) {
                return recorded->record(commands, camera_on_path(20 + i), switches, application.picture());
            });
        }
        EXPECT_EQ(application.pictures(), expected);
    }
    EXPECT_EQ(recorded->done()->frame, 2 * count - Frames::in_flight - 1);
    ok(recorded->wait());
    EXPECT_EQ(recorded->done()->counts.inside, drawn->done()->counts.inside);
}

/// Replays the frames of a program, and calls the functions of its command passes.
class ReplayedFrames final : public CommandPassContext {
public:
    ReplayedFrames(const Context& gpu, const Program& program, CommandList list)
        : vk_(ContextAccess::device(gpu)->vk()), device_(gpu.device()), program_(program), list_(std::move(list)),
          recorder_(gpu) {
        VkPhysicalDeviceMemoryProperties types{};
        ContextAccess::device(gpu)->instance_functions().vkGetPhysicalDeviceMemoryProperties(gpu.physical_device(),
                                                                                             &types);
        replayer_ = std::make_unique<Replayer>(device_, vk_, types, list_,
                                               [](VkResult status) { ASSERT_EQ(status, VK_SUCCESS); });
        recorder_.run([&](VkCommandBuffer commands) { replayer_->clear(commands); });
        views_.resize(list_.resources.size(), VK_NULL_HANDLE);
    }
    ~ReplayedFrames() {
        for (const VkImageView view : views_) {
            vk_.vkDestroyImageView(device_, view, nullptr);
        }
    }
    ReplayedFrames(const ReplayedFrames&) = delete;
    ReplayedFrames& operator=(const ReplayedFrames&) = delete;

    void run() {
        replayer_->set_values(ok(program_.commands()));
        recorder_.run([&](VkCommandBuffer commands) {
            replayer_->record(commands, [&](VkCommandBuffer buffer, const CommandList::Command& command) {
                uses_ = std::get<CommandList::CommandPassWork>(command.work).uses;
                program_.description().passes[command.pass].command_pass()->record(buffer, *this);
            });
        });
    }
    [[nodiscard]] BufferView buffer(BufferId buffer) const override { return replayer_->buffer(buffer.index); }
    [[nodiscard]] BoundImage image(ImageId image) const override {
        const auto use =
            std::find_if(uses_.begin(), uses_.end(), [&](const auto& one) { return one.resource == image.index; });
        return {.image = replayer_->image(image.index), .view = view_of(image.index), .layout = use->layout};
    }
    [[nodiscard]] Contents contents(ResourceId /*resource*/) const override { return {}; }

private:
    VkImageView view_of(std::uint32_t image) const {
        if (views_[image] == VK_NULL_HANDLE) {
            VkImageViewCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
            info.image = replayer_->image(image);
            info.viewType = VK_IMAGE_VIEW_TYPE_2D;
            info.format = list_.resources[image].image->format;
            const bool is_depth = info.format == samples::culling::depth_format;
            info.subresourceRange = {
                VkImageAspectFlags(is_depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT), 0, 1, 0, 1};
            EXPECT_EQ(vk_.vkCreateImageView(device_, &info, nullptr, &views_[image]), VK_SUCCESS);
        }
        return views_[image];
    }

    const VolkDeviceTable& vk_;
    VkDevice device_;
    const Program& program_;
    CommandList list_;
    Recorder recorder_;
    std::unique_ptr<Replayer> replayer_;
    std::vector<CommandList::CommandPassUse> uses_; ///< of the pass that is recorded
    mutable std::vector<VkImageView> views_;        ///< per image
};

TEST_F(Culling, ReplayedFramesMatchDrawnFrames) {
    const auto drawn = frames(make_scene(instances)), listed = frames(make_scene(instances)); // never drawn
    const Buffer pixels = ok(gpu_.create_buffer(std::uint64_t{small.width} * small.height * 4)),
                 report = ok(gpu_.create_buffer(sizeof(drawn->done()->counts)));
    std::unique_ptr<ReplayedFrames> replayed;
    for (std::uint32_t i = 0; i < 6; ++i) {
        const Switches switches{.frustum = i % 4 != 3, .occlusion = i % 3 != 2};
        const auto expected = picture(*drawn, 20 + i, switches);
        ok(listed->program().set(listed->graph().view, drawn->view()));
        ok(listed->program().set(listed->graph().occlusion, switches.occlusion));
        if (replayed == nullptr) {
            CommandList list = ok(listed->program().commands());
            const CommandList bound = ok(drawn->program().commands());
            for (std::size_t r = 0; r < list.resources.size(); ++r) {
                list.resources[r].bound = bound.resources[r].bound;
            }
            list.resources[listed->graph().picture.id.index].bound = pixels;
            list.resources[listed->graph().report.id.index].bound = report;
            replayed = std::make_unique<ReplayedFrames>(gpu_, listed->program(), std::move(list));
        }
        replayed->run();
        EXPECT_EQ(ok(gpu_.download<std::uint32_t>(pixels, expected.size())), expected) << "frame " << i;
    }
}

TEST_F(Culling, StopsMakePicturesBrighter) {
    auto camera = camera_on_path(20);
    std::uint64_t darker = 0;
    const auto drawn = frames(make_scene(instances));
    for (const float stops : {-1.0F, 0.0F, 1.0F}) {
        camera.stops = stops;
        ok(drawn->resize(small.width, small.height)); // resets the exposure, which would adapt slowly
        ok(drawn->draw(camera, {}));
        ok(drawn->wait());
        std::uint64_t green = 0;
        for (const std::uint32_t pixel : ok(drawn->picture())) {
            green += pixel >> 8 & 255;
        }
        EXPECT_GT(green, darker + darker / 10) << stops; // the brightest pixels do not change
        darker = green;
    }
}

TEST_F(Culling, OptionalFeaturesDoNotChangePictures) {
    const auto expected = picture(*frames(make_scene(instances)), 250, {});
    for (const bool multi_draw : {true, false}) {
        if (multi_draw && !features_.multi_draw) {
            continue;
        }
        const auto drawn = ok(Frames::create(gpu_, {.multi_draw = multi_draw}, make_scene(instances), small));
        EXPECT_EQ(picture(*drawn, 250, {}), expected);
    }
}

TEST_F(Culling, FewInstancesAndSmallPictures) {
    const auto none = frames(make_scene(0));
    const auto sky = picture(*none, 0, {});
    EXPECT_EQ(none->done()->counts.inside, 0U);
    EXPECT_NE(sky.front(), 0U);
    const auto one = frames(make_scene(1)); // the street
    EXPECT_NE(picture(*one, 0, {}), sky);
    EXPECT_EQ(one->done()->counts.instances[1], 1U);
    EXPECT_EQ(picture(*one, 0, {}), picture(*one, 0, nothing_culled));
    EXPECT_EQ(one->done()->counts.instances[0], 1U);
    const auto pixel = frames(make_scene(instances), {.width = 1, .height = 1});
    const auto whole = frames(make_scene(instances), {.width = 1, .height = 1});
    EXPECT_EQ(frames_that_pop(*pixel, *whole, 2), 0);
}

} // namespace
} // namespace weir::tests::culling_test
