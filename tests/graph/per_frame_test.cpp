// Exports per frame on a device: each recording that may be pending has a copy.

#include "engine/device/device.hpp"
#include "tests/graph/programs.hpp"
#include "tests/graph/recorder.hpp"
#include "tests/support/descriptor_modes.hpp"

namespace weir::tests::per_frame_test {
namespace {

using testing::Each;

/// out[i] = note[i] + 1; image = out.
struct Notes {
    HostData note;
    WordRef out;
    ImageId image;
    std::optional<Program> program;

    explicit Notes(const CompileOptions& options) {
        WordGraph graph;
        note = graph.host_data("note", 256);
        const WordRef in = graph.transient("in");
        out = graph.transient("out");
        image = graph.transient_image("image", {.format = VK_FORMAT_R32_UINT, .extent = {8, 8, 1}});
        graph.add_update("update", note, in);
        graph.add_pass(add_pass(in, out, 64U, 1));
        graph.add_copy("store", out, image);
        graph.export_buffer(out, Access::transfer_read, {.per_frame = true});
        graph.export_image(image, Access::transfer_read, {.per_frame = true});
        program.emplace(ok(compile(test_context(), graph, options)));
    }
    /// Records an execution, then copies of 64 words from each export to `to`.
    void record(VkCommandBuffer commands, std::uint32_t value, const Buffer& to) {
        ok(program->set(note, Values(64, value)));
        ok(program->record(commands));
        const VkBufferCopy all{0, 0, 256};
        vk().vkCmdCopyBuffer(commands, program->view(out).buffer, to.handle(), 1, &all);
        const VkBufferImageCopy texels{256, 0, 0, {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, {}, {8, 8, 1}};
        vk().vkCmdCopyImageToBuffer(commands, program->view(image).image, layout_of(Access::transfer_read), to.handle(),
                                    1, &texels);
    }
};

TEST(PerFrame, EachPendingRecordingHasACopy) {
    constexpr std::uint32_t frames = 3;
    for (const DescriptorMode mode : descriptor_modes(test_context().capabilities())) {
        SCOPED_TRACE(to_string(mode));
        Notes notes({.frames_in_flight = frames, .descriptors = mode});
        Recorder host;
        std::vector<BufferView> views;
        std::vector<VkImage> images;
        std::vector<Buffer> results;
        // All frames are in one command buffer. No barrier of the plan orders a frame after the copies of the last one.
        host.run([&](VkCommandBuffer commands) {
            for (std::uint32_t frame = 0; frame < frames; ++frame) {
                results.push_back(poisoned_buffer(128));
                notes.record(commands, 10 * frame, results.back());
                views.push_back(notes.program->view(notes.out));
                images.push_back(notes.program->view(notes.image).image);
            }
        });
        for (std::uint32_t frame = 0; frame < frames; ++frame) {
            EXPECT_THAT(contents(results[frame], 128), Each(10 * frame + 1));
            EXPECT_THAT(contents(views[frame], 64), Each(10 * frame + 1));
            EXPECT_NE(views[frame].buffer, views[(frame + 1) % frames].buffer);
            EXPECT_NE(images[frame], images[(frame + 1) % frames]);
        }
        host.run([&](VkCommandBuffer next) {
            notes.record(next, 50, results[0]);
            EXPECT_EQ(notes.program->view(notes.out).buffer, views[0].buffer);
            EXPECT_EQ(notes.program->view(notes.image).image, images[0]);
        });
        EXPECT_THAT(contents(results[0], 128), Each(51U));
        EXPECT_THAT(contents(views[1], 64), Each(11U));
    }
}

TEST(PerFrame, EachViewOfAFrameHasACopy) {
    Notes notes({.frames_in_flight = 2, .recordings_per_frame = 2});
    Recorder host;
    for (std::uint32_t frame = 0; frame < 4; ++frame) {
        notes.program->next_frame();
        const Buffer first = poisoned_buffer(128), second = poisoned_buffer(128);
        BufferView view;
        host.run([&](VkCommandBuffer commands) {
            notes.record(commands, frame, first);
            view = notes.program->view(notes.out);
            notes.record(commands, 100 + frame, second);
            EXPECT_NE(notes.program->view(notes.out).buffer, view.buffer);
        });
        EXPECT_THAT(contents(first, 128), Each(frame + 1));
        EXPECT_THAT(contents(second, 128), Each(frame + 101));
        EXPECT_THAT(contents(view, 64), Each(frame + 1));
    }
}

TEST(PerFrame, DiscardRestoresPreviousCopy) {
    Notes notes({.frames_in_flight = 2});
    Recorder host;
    const Buffer kept = poisoned_buffer(128), lost = poisoned_buffer(128);
    host.run([&](VkCommandBuffer commands) {
        notes.record(commands, 1, kept);
        const BufferView view = notes.program->view(notes.out);
        const VkImage image = notes.program->view(notes.image).image;
        for (int i = 0; i < 3; ++i) {
            host.record([&](VkCommandBuffer never) { notes.record(never, 2, lost); });
            EXPECT_NE(notes.program->view(notes.out).buffer, view.buffer);
            ok(notes.program->discard());
            EXPECT_EQ(notes.program->view(notes.out).buffer, view.buffer);
            EXPECT_EQ(notes.program->view(notes.image).image, image);
        }
    });
    EXPECT_THAT(contents(kept, 128), Each(2U));
}

TEST(PerFrame, CopiesCountAsMemory) {
    const auto memory = [](std::uint32_t frames) { return Notes({.frames_in_flight = frames}).program->memory(); };
    const std::uint64_t one = memory(1), copy = memory(2) - one;
    EXPECT_GE(copy, 512U);
    EXPECT_EQ(memory(4), one + 3 * copy);
}

TEST(PerFrame, SubmissionsAlternateCopies) {
    Notes notes({.frames_in_flight = 2});
    std::vector<BufferView> views;
    for (std::uint32_t frame = 0; frame < 5; ++frame) {
        ok(notes.program->set(notes.note, Values(64, frame)));
        ok(notes.program->submit());
        views.push_back(notes.program->view(notes.out));
        EXPECT_EQ(views.back().buffer, views[frame % 2].buffer);
    }
    ok(notes.program->wait());
    EXPECT_THAT(contents(views[3], 64), Each(4U));
    EXPECT_THAT(contents(views[4], 64), Each(5U));
}

} // namespace
} // namespace weir::tests::per_frame_test
