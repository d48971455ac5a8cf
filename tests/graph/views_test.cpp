// Programs that are recorded once per view of a frame: CompileOptions::recordings_per_frame.

#include <algorithm>

#include "tests/graph/programs.hpp"
#include "tests/graph/recorder.hpp"
#include "tests/support/descriptor_modes.hpp"
#include "tests/support/host_timeline.hpp"

namespace weir::tests::views_test {
namespace {

using testing::Each;
using testing::HasSubstr;

/// out[i] = in[i] + add for i < n; note = text. `add` is host data in push constants, `text` is written by an update.
struct Shifted {
    WordRef in, out, note;
    HostData add, text;
    Count n;
    std::optional<Program> program;

    explicit Shifted(const CompileOptions& options) {
        WordGraph graph;
        n = graph.parameter("n", 64);
        add = graph.host_data("add", 4);
        text = graph.host_data("text", 4);
        in = graph.import("in");
        out = graph.import("out");
        note = graph.import("note", 1);
        Pass pass = add_pass(in, out, n, 0);
        pass.push = {n, add};
        graph.add_pass(pass);
        graph.add_update("update", text, note);
        program.emplace(ok(compile(test_context(), graph, options)));
    }
};

/// Bindings, data and expected results of a view.
struct View {
    std::uint32_t number;
    Buffer in, out = poisoned_buffer(64), note = poisoned_buffer(1);

    explicit View(std::uint32_t of) : number(of), in(buffer_of(Values(64, 1000 * of))) {}
    void bind(Shifted& to) const {
        bind_all(*to.program, {{to.in, in}, {to.out, out}, {to.note, note}});
        ok(to.program->set(to.n, 10 + number));
        ok(to.program->set(to.add, number));
        ok(to.program->set(to.text, 7 + number));
    }
    void expect() const {
        Values expected(64, 0xA5A5A5A5);
        std::fill_n(expected.begin(), 10 + number, 1001 * number);
        EXPECT_EQ(contents(out, 64), expected) << number;
        EXPECT_EQ(contents(note, 1), Values{7 + number});
    }
};

TEST(Views, HaveOwnBindingsDataAndParameters) {
    constexpr std::uint32_t frames = 2, views = 3;
    for (const DescriptorMode mode : descriptor_modes(test_context().capabilities())) {
        SCOPED_TRACE(to_string(mode));
        Shifted shifted({.frames_in_flight = frames, .recordings_per_frame = views, .descriptors = mode});
        Recorder host;
        std::vector<View> all;
        for (std::uint32_t round = 0; round < 2; ++round) { // a round has the maximum number of pending frames
            std::vector<VkCommandBuffer> recorded;
            all.clear();
            for (std::uint32_t frame = 0; frame < frames; ++frame) {
                shifted.program->next_frame();
                recorded.push_back(host.begin());
                for (std::uint32_t view = 0; view < views; ++view) {
                    all.emplace_back(round * 10 + frame * views + view + 1).bind(shifted);
                    ok(shifted.program->record(recorded.back()));
                }
                host.end(recorded.back());
            }
            for (const VkCommandBuffer commands : recorded) {
                host.submit(commands);
            }
            host.wait();
            for (const View& view : all) {
                view.expect();
            }
        }
    }
}

TEST(Views, TooManyRecordingsInFrame) {
    Shifted shifted({.frames_in_flight = 2, .recordings_per_frame = 2});
    const View views[] = {View(1), View(2), View(3)};
    Recorder host;
    host.run([&](VkCommandBuffer commands) {
        for (const View* view : {&views[0], &views[1]}) {
            view->bind(shifted);
            ok(shifted.program->record(commands));
        }
        ok(shifted.program->record(commands)); // nothing was bound since, so it takes no table
        views[2].bind(shifted);
        expect_error(shifted.program->record(commands), ErrorCode::limit_exceeded,
                     HasSubstr("record: the frame already has 2 recordings"));
        expect_error(shifted.program->run(), ErrorCode::limit_exceeded, HasSubstr("Program::next_frame"));
        shifted.program->next_frame();
        ok(shifted.program->record(commands)); // with the bindings of views[2]
    });
    for (const View& view : views) {
        view.expect();
    }
}

TEST(Views, FrameThatStartsWithoutBindHasTable) {
    Shifted shifted({.frames_in_flight = 2, .recordings_per_frame = 2});
    const View views[] = {View(1), View(2), View(3)};
    Recorder host;
    // Two of frames 1, 2 and 3 are pending at a time. Frame 3 must not write the table that frame 2 uses.
    std::vector<VkCommandBuffer> recorded;
    for (std::uint32_t frame = 0; frame < 3; ++frame) {
        if (frame == 2) {
            host.submit(recorded[0]);
            host.wait();
            views[0].expect();
            ok(test_context().upload(views[0].out, poisoned<std::uint32_t>(64)));
        }
        shifted.program->next_frame();
        recorded.push_back(host.begin());
        if (frame == 1) {
            ok(shifted.program->record(recorded.back())); // with the bindings of frame 1
        }
        views[frame].bind(shifted);
        ok(shifted.program->record(recorded.back()));
        host.end(recorded.back());
    }
    host.submit(recorded[1]);
    host.submit(recorded[2]);
    host.wait();
    for (const View& view : views) {
        view.expect();
    }
}

/// Discarded recordings, and frames with only discarded recordings, take no tables.
TEST(Views, DiscardedRecordingsDoNotCount) {
    Shifted shifted({.frames_in_flight = 2, .recordings_per_frame = 2});
    const View kept[] = {View(1), View(2), View(3), View(4)}, lost(9);
    Recorder host;
    const VkCommandBuffer commands = host.begin();
    const auto record = [&](const View& view) {
        view.bind(shifted);
        const VkCommandBuffer dropped = host.begin();
        ok(shifted.program->record(&view == &lost ? dropped : commands));
        host.end(dropped);
    };
    for (std::uint32_t frame = 0; frame < 2; ++frame) {
        for (int i = 0; i < 5; ++i) {
            shifted.program->next_frame();
            record(lost);
            record(lost);
            ok(shifted.program->discard());
            ok(shifted.program->discard());
        }
        record(kept[2 * frame]); // in the frame of the last next_frame()
        record(lost);
        ok(shifted.program->discard());
        record(kept[2 * frame + 1]);
        kept[0].bind(shifted);
        expect_error(shifted.program->record(commands), ErrorCode::limit_exceeded, HasSubstr("2 recordings"));
    }
    shifted.program->next_frame();
    ok(shifted.program->discard()); // a recording of the previous frame; the next recording still begins a frame
    for (int i = 0; i < 2; ++i) {
        kept[3].bind(shifted);
        host.record(*shifted.program);
    }
    kept[3].bind(shifted);
    expect_error(shifted.program->record(commands), ErrorCode::limit_exceeded, HasSubstr("2 recordings"));
}

TEST(Views, DiscardedFramesDoNotAffectPendingViews) {
    Shifted shifted({.frames_in_flight = 2, .recordings_per_frame = 2});
    const View kept[] = {View(1), View(2), View(3), View(4)}, lost(9);
    Recorder host;
    host.run([&](VkCommandBuffer commands) {
        for (std::uint32_t i = 0; i < 4; ++i) {
            if (i % 2 == 0) {
                for (int dropped = 0; dropped < 5; ++dropped) {
                    shifted.program->next_frame();
                    lost.bind(shifted);
                    host.record(*shifted.program);
                    ok(shifted.program->discard());
                }
            }
            kept[i].bind(shifted);
            ok(shifted.program->record(commands));
        }
    });
    for (const View& view : kept) {
        view.expect();
    }
    EXPECT_THAT(contents(lost.out, 64), Each(0xA5A5A5A5U));
}

TEST(Views, SubmissionsWaitForFramesAndNotForEachOther) {
    constexpr std::uint32_t frames = 2, views = 3;
    Shifted shifted({.frames_in_flight = frames, .recordings_per_frame = views});
    std::vector<View> all;
    for (std::uint32_t view = 1; view <= (frames + 1) * views; ++view) {
        all.emplace_back(view);
    }
    const HostTimeline gate;
    const VkSemaphoreSubmitInfo opened = gate.at(1);
    for (std::uint32_t view = 0; view < all.size(); ++view) {
        if (view % views == 0) {
            shifted.program->next_frame();
        }
        if (view == frames * views) { // all earlier submissions were accepted, and none has started
            gate.signal(1);
        }
        all[view].bind(shifted);
        // If submit() did not wait for the first frame, the layer would report descriptors and commands in use.
        ok(shifted.program->submit({.waits = {&opened, 1}}));
    }
    ok(shifted.program->wait());
    for (const View& view : all) {
        view.expect();
    }
}

/// A frame may have any number of submissions without binds in between, next to recordings of the application.
TEST(Views, ManySubmissionsInAFrame) {
    Shifted shifted({.frames_in_flight = 2, .recordings_per_frame = 2});
    Recorder host;
    for (std::uint32_t frame = 0; frame < 5; ++frame) {
        const View first(2 * frame + 1), second(2 * frame + 2);
        shifted.program->next_frame();
        first.bind(shifted);
        host.submit(host.record(*shifted.program));
        second.bind(shifted);
        for (int i = 0; i < 6; ++i) {
            ok(shifted.program->submit());
        }
        ok(shifted.program->wait());
        host.wait();
        first.expect();
        second.expect();
    }
}

TEST(Views, OneRecordingPerFrameByDefault) {
    Shifted shifted({.frames_in_flight = 2});
    const View first(1), second(2);
    Recorder host;
    host.run([&](VkCommandBuffer commands) {
        for (const View* view : {&first, &second}) {
            view->bind(shifted);
            shifted.program->next_frame();
            shifted.program->next_frame();
            ok(shifted.program->record(commands));
        }
    });
    first.expect();
    second.expect();
}

TEST(Views, TablesOfAllFramesAreLimited) {
    const IncrementGraph graph;
    ok(compile(test_context(), graph, {.frames_in_flight = 32, .recordings_per_frame = 32}));
    ok(compile(test_context(), graph, {.frames_in_flight = 1024}));
    ok(compile(test_context(), graph, {.frames_in_flight = 0, .recordings_per_frame = 0}));
    expect_error(compile(test_context(), graph, {.frames_in_flight = ~0U}), ErrorCode::limit_exceeded,
                 HasSubstr("4294967295 frames in flight; at most 1024"));
    expect_error(compile(test_context(), graph, {.frames_in_flight = 32, .recordings_per_frame = 33}),
                 ErrorCode::limit_exceeded, HasSubstr("32 frames in flight of 33 recordings each; at most 1024"));
    expect_error(compile(test_context(), graph, {.frames_in_flight = 2, .recordings_per_frame = 0xFFFFFFFF}),
                 ErrorCode::limit_exceeded, HasSubstr("of 4294967295 recordings"));
}

} // namespace
} // namespace weir::tests::views_test
