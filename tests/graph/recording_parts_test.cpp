// Recordings in parts, which several threads make together. Random programs are recorded this way, too.

#include <algorithm>
#include <stdexcept>

#include <weir/weir.hpp>

#include "tests/graph/programs.hpp"
#include "tests/graph/recorder.hpp"
#include "tests/support/data.hpp"

namespace weir::tests::recording_parts_test {
namespace {

using testing::Each;
using testing::HasSubstr;

/// `count` passes that each increment a buffer; in one group if the buffers differ.
struct Increments {
    WordGraph graph;
    std::vector<WordRef> data;
    std::optional<Program> program;
    std::vector<Buffer> buffers;

    Increments(std::size_t count, bool in_one_group) {
        for (std::size_t i = 0; i < count; ++i) {
            if (i == 0 || in_one_group) {
                data.push_back(graph.import(concat("data ", i)));
            }
            graph.add_pass(increment(data.back()));
        }
        program.emplace(ok(compile(test_context(), graph)));
        for (const WordRef& import : data) {
            buffers.push_back(buffer_of(Values(64, 0)));
            ok(program->bind(import, buffers.back()));
        }
    }
    static std::string concat(const char* text, std::size_t number) { return text + std::to_string(number); }
};

TEST(RecordingParts, PassesAreDividedEvenly) {
    for (const bool in_one_group : {false, true}) {
        Increments increments(10, in_one_group);
        for (const std::uint32_t wanted : {1U, 2U, 4U, 10U, 50U}) {
            RecordingInParts recording = ok(increments.program->begin_recording(wanted));
            std::uint32_t next = 0;
            for (const RecordingPart& part : recording.parts()) {
                EXPECT_EQ(part.batch, 0U);
                EXPECT_EQ(part.first_pass, next);
                EXPECT_GE(part.passes, 10 / wanted);
                EXPECT_LE(part.passes, (10 + wanted - 1) / wanted);
                next += part.passes;
            }
            EXPECT_EQ(next, 10U);
            EXPECT_EQ(recording.parts().size(), std::min(wanted, 10U));
        }
    }
}

TEST(RecordingParts, ResultsAreThoseOfOneRecording) {
    for (const bool in_one_group : {false, true}) {
        for (const bool secondary : {false, true}) {
            Increments increments(10, in_one_group);
            PartRecorder recorder(*increments.program, secondary);
            std::uint32_t runs = 0;
            for (const std::uint32_t wanted : {1U, 2U, 4U, 8U}) {
                recorder.run(wanted);
                ++runs;
                for (const Buffer& buffer : increments.buffers) {
                    EXPECT_THAT(contents(buffer, 64), Each(runs * (in_one_group ? 1 : 10)));
                }
            }
        }
    }
}

/// The parts may follow each other in one command buffer, or in secondary ones that one primary executes. The
/// validation layer reports barriers that are missing between parts only within one primary command buffer.
TEST(RecordingParts, BarriersAreBetweenParts) {
    for (const bool secondary : {false, true}) {
        Increments increments(10, false);
        Recorder host;
        RecordingInParts recording = ok(increments.program->begin_recording(4));
        const VkCommandBuffer primary = host.begin();
        for (std::size_t part = 0; part < recording.parts().size(); ++part) {
            const VkCommandBuffer commands = secondary ? host.begin_secondary() : primary;
            ok(recording.record(part, commands));
            if (secondary) {
                host.end(commands);
                vk().vkCmdExecuteCommands(primary, 1, &commands);
            }
        }
        ok(recording.end());
        host.end(primary);
        host.submit(primary);
        host.wait();
        EXPECT_THAT(contents(increments.buffers[0], 64), Each(10U));
    }
}

/// A sort has indirect dispatches, states and transients that share memory.
TEST(RecordingParts, RadixSort) {
    constexpr std::uint32_t count = 20'000;
    WordGraph graph;
    const auto keys = graph.import("keys", count);
    const auto sorted = radix_sort(graph, keys).keys;
    graph.export_buffer(sorted);
    Program program = ok(compile(test_context(), graph));
    for (const std::uint32_t parts : {1U, 2U, 4U}) {
        Values expected = Random(parts).vector(count);
        const Buffer in = buffer_of(expected);
        ok(program.bind(keys, in));
        PartRecorder(program).run(parts);
        std::sort(expected.begin(), expected.end());
        EXPECT_EQ(contents(program.view(sorted), count), expected);
    }
}

TEST(RecordingParts, OtherUsesOfProgramAreErrors) {
    Increments increments(4, false);
    Program& program = *increments.program;
    Recorder host;
    const VkCommandBuffer commands = host.begin();
    const auto refused = [](const auto& result) {
        expect_error(result, ErrorCode::invalid_argument, HasSubstr("a recording in parts is open; end it first"));
    };
    expect_error(program.begin_recording(0), ErrorCode::invalid_argument, HasSubstr("0 parts"));
    {
        RecordingInParts recording = ok(program.begin_recording(2));
        refused(program.begin_recording(2));
        refused(program.record(commands));
        refused(program.discard());
        refused(program.bind(increments.data[0], increments.buffers[0]));
    }
    ok(program.bind(increments.data[0], increments.buffers[0]));
    host.end(commands);
}

TEST(RecordingParts, MissingPartsUndoTheRecording) {
    Increments increments(4, false);
    Program& program = *increments.program;
    Recorder host;
    const VkCommandBuffer commands = host.begin();
    RecordingInParts recording = ok(program.begin_recording(2));
    ASSERT_EQ(recording.parts().size(), 2U);
    expect_error(recording.record(2, commands), ErrorCode::invalid_argument, HasSubstr("part 2 of 2 parts"));
    expect_error(recording.record(0, VK_NULL_HANDLE), ErrorCode::invalid_argument, HasSubstr("null command buffer"));
    ok(recording.record(0, commands));
    expect_error(recording.record(0, commands), ErrorCode::invalid_argument, HasSubstr("part 0 is already recorded"));
    expect_error(recording.end(), ErrorCode::invalid_argument, HasSubstr("part 1 of 2 is not recorded"));
    expect_error(recording.end(), ErrorCode::invalid_argument, HasSubstr("already ended"));
    expect_error(program.discard(), ErrorCode::invalid_argument, HasSubstr("no recording"));
    host.end(commands);
    PartRecorder(program).run(2);
    EXPECT_THAT(contents(increments.buffers[0], 64), Each(4U));
}

/// A function that throws fails its part, and the recording does not swap histories.
TEST(RecordingParts, ThrowingPassUndoesTheRecording) {
    WordGraph graph;
    const auto sums = graph.history("sums");
    const WordRef out = graph.import("out");
    bool throws = true;
    graph.add_pass(word_pass("sum", {{"previous", read(sums.previous)}, {"current", write(sums.current)}},
                             "current[i] = previous[i] + 1;"));
    graph.add_copy("copy", sums.current, out, 256);
    graph.add_command_pass(
        {.name = "throws", .uses = {{out, Access::any}}, .record = [&](VkCommandBuffer, const CommandPassContext&) {
             if (throws) {
                 throw std::runtime_error("no luck");
             }
         }});
    Program program = ok(compile(test_context(), graph));
    const Buffer result = poisoned_buffer(64);
    ok(program.bind(out, result));
    Recorder host;
    const VkCommandBuffer commands = host.begin();
    RecordingInParts recording = ok(program.begin_recording(3));
    ASSERT_EQ(recording.parts().size(), 3U);
    ok(recording.record(0, commands));
    ok(recording.record(1, commands));
    expect_error(recording.record(2, commands), ErrorCode::invalid_argument, HasSubstr("'throws' threw: no luck"));
    expect_error(recording.end(), ErrorCode::invalid_argument, HasSubstr("'throws' threw: no luck"));
    host.end(commands);
    throws = false;
    for (std::uint32_t i = 1; i <= 3; ++i) {
        PartRecorder(program).run(3);
        EXPECT_THAT(contents(result, 64), Each(i));
    }
}

} // namespace
} // namespace weir::tests::recording_parts_test
