// Data that the application sets for each recording: as push constants, and as contents of a buffer.

#include <array>
#include <bit>
#include <span>

#include "engine/device/device.hpp"
#include "tests/graph/programs.hpp"
#include "tests/support/commands.hpp"

namespace weir::tests::host_data_test {
namespace {

using testing::HasSubstr;

/// Appends the settings and the push constants to a log.
constexpr const char* log_source = R"(#version 460
layout(local_size_x = 1) in;
layout(binding = 0) buffer Log { uint next; uint entries[]; };
layout(binding = 1) readonly buffer Settings { uint number; float part; };
layout(push_constant) uniform Push { float first; uint second; float always; };
void main() {
    const uint at = 4 * next++;
    entries[at] = number;
    entries[at + 1] = floatBitsToUint(part);
    entries[at + 2] = floatBitsToUint(first + always);
    entries[at + 3] = second;
})";

struct Settings {
    std::uint32_t number = 0;
    float part = 0;
};
struct Pushed {
    float first = 0;
    std::uint32_t second = 0;
};

struct Logging {
    explicit Logging(const Context& context = test_context()) : graph(context) {
        log = graph.import("log", 100);
        settings = graph.host_data("settings", sizeof(Settings));
        pushed = graph.host_data("pushed", sizeof(Pushed));
        const WordRef buffer = graph.transient("settings", 2);
        graph.add_update("settings", settings, buffer);
        Pass pass = simple_pass("log", log_source, {read_write(log), read(buffer)});
        pass.push = {pushed, 0.5F};
        graph.add_pass(pass);
        graph.export_buffer(log);
    }
    WordGraph graph;
    WordRef log;
    HostData settings, pushed;
};

/// Data of the `i`-th recording, and the entries that it logs.
Settings settings_of(std::uint32_t i) {
    return {i, 0.25F * static_cast<float>(i)};
}
Pushed pushed_of(std::uint32_t i) {
    return {static_cast<float>(i), 100 + i};
}
void append_entries(Values& log, std::uint32_t i) {
    const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
    ++log[0];
    log.insert(log.end(), {settings_of(i).number, bits(settings_of(i).part), bits(pushed_of(i).first + 0.5F),
                           pushed_of(i).second});
}

TEST(HostData, EachPendingRecordingHasItsOwn) {
    Logging logging;
    const Buffer memory = buffer_of(Values(100, 0));
    Program program = ok(compile(test_context(), logging.graph));
    ok(program.bind(logging.log, memory));
    const Device& device = *ContextAccess::device(test_context());
    Commands commands(device.vk(), device.handle(), device.queue().handle, device.queue().family);
    std::array<VkCommandBuffer, 3> recorded{};
    Values expected{0};
    for (std::uint32_t i = 0; i < recorded.size(); ++i) {
        ok(program.set(logging.settings, settings_of(i)));
        ok(program.set(logging.pushed, pushed_of(i)));
        recorded[i] = commands.begin(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
        ok(program.record(recorded[i]));
        commands.end(recorded[i]);
    }
    for (const std::uint32_t i : {0U, 1U, 2U, 1U}) {
        commands.submit(recorded[i]);
        append_entries(expected, i);
    }
    commands.wait();
    EXPECT_EQ(contents(memory, expected.size()), expected);
}

TEST(HostData, ZeroUntilSet) {
    Logging logging;
    const Buffer memory = buffer_of(Values(100, 0));
    Program program = ok(compile(test_context(), logging.graph));
    run_with(program, {{logging.log, memory}});
    EXPECT_EQ(contents(memory, 5), (Values{1, 0, 0, std::bit_cast<std::uint32_t>(0.5F), 0}));
    const std::uint32_t words[] = {7, 8};
    ok(program.set(logging.settings, std::as_bytes(std::span(words))));
    ok(program.set(logging.pushed, std::array<std::uint32_t, 2>{0, 9}));
    ok(program.run());
    EXPECT_EQ(contents(memory, 9),
              (Values{2, 0, 0, std::bit_cast<std::uint32_t>(0.5F), 0, 7, 8, std::bit_cast<std::uint32_t>(0.5F), 9}));
}

TEST(HostData, NestedGraph) {
    const Logging inner;
    WordGraph graph;
    graph.host_data("of the outer graph", 16);
    const WordRef log = graph.import("log", 100);
    const Subgraph one = graph.add_graph(inner.graph, {{inner.log, log}}, "one");
    const Subgraph two = graph.add_graph(inner.graph, {{inner.log, log}}, "two");
    graph.export_buffer(log);
    const Buffer memory = buffer_of(Values(100, 0));
    Program program = ok(compile(test_context(), graph));
    ok(program.bind(log, memory));
    Values expected{0};
    for (const Subgraph* instance : {&one, &two}) {
        const std::uint32_t i = instance == &one ? 3 : 4;
        ok(program.set(instance->data(inner.settings), settings_of(i)));
        ok(program.set(instance->data(inner.pushed), pushed_of(i)));
        append_entries(expected, i);
    }
    ok(program.run());
    EXPECT_EQ(contents(memory, expected.size()), expected);
}

TEST(HostData, UpdateUnderConditions) {
    WordGraph graph;
    const HostData data = graph.host_data("data", 8);
    const Switch on = graph.add_switch("on");
    const WordRef counts = graph.import("counts", 1), by_host = graph.import("by host", 2);
    const WordRef by_gpu = graph.import("by gpu", 2);
    {
        const auto scope = graph.only_if(on);
        graph.add_update("update", data, by_host);
    }
    {
        const auto scope = graph.only_if(graph.count_in(counts, 0, 1));
        graph.add_update("update", data, by_gpu);
    }
    graph.export_buffer(by_host);
    graph.export_buffer(by_gpu);
    Program program = ok(compile(test_context(), graph));
    for (std::uint32_t i = 0; i < 4; ++i) {
        const bool host = i % 2 != 0, gpu = i / 2 != 0;
        const Values set{7 + i, 8 + i}, before{1, 2};
        const Buffer one = buffer_of(before), two = buffer_of(before), count = buffer_of(Values{gpu ? 1U : 0U});
        bind_all(program, {{by_host, one}, {by_gpu, two}, {counts, count}});
        ok(program.set(on, host));
        ok(program.set(data, set));
        ok(program.run());
        EXPECT_EQ(contents(one, 2), host ? set : before);
        EXPECT_EQ(contents(two, 2), gpu ? set : before);
    }
}

TEST(HostData, Mistakes) {
    Logging logging, other;
    Program program = ok(compile(test_context(), logging.graph));
    const auto invalid = ErrorCode::invalid_argument;
    expect_error(program.set(logging.settings, std::uint32_t{1}), invalid,
                 HasSubstr("set 'settings': 4 bytes; the data has 8"));
    expect_error(program.set(other.settings, Settings{}), invalid, HasSubstr("of another graph"));
    expect_error(program.set(HostData{}, Settings{}), invalid, HasSubstr("not of this program's graph"));
    const auto mistake = [](auto add) {
        WordGraph graph;
        add(graph, graph.import("buffer", 2));
        return graph.error() ? graph.error()->message : "none";
    };
    EXPECT_THAT(mistake([](WordGraph& graph, WordRef) { graph.host_data("odd", 6); }),
                HasSubstr("data 'odd' has 6 bytes; the number must be a positive multiple of 4"));
    EXPECT_THAT(mistake([](WordGraph& graph, WordRef buffer) {
                    graph.add_update("update", graph.host_data("data", 12), buffer);
                }),
                HasSubstr("pass 'update' writes 12 bytes; 'buffer' has 8"));
    EXPECT_THAT(mistake([&](WordGraph& graph, WordRef buffer) { graph.add_update("update", other.settings, buffer); }),
                HasSubstr("host data of another graph"));
    EXPECT_THAT(mistake([&](WordGraph& graph, WordRef buffer) {
                    Pass pass = increment(buffer, "pass");
                    pass.push = {other.pushed};
                    graph.add_pass(pass);
                }),
                HasSubstr("host data of another graph"));
}

struct Mixed {
    float half = 0.5F;
    std::int32_t minus_one = -1;
    std::array<std::uint32_t, 2> words{3, 4};
};

template <class T>
concept can_be_pushed = requires(T value) {
    PushWord(value);
};

TEST(PushConstants, AnyTypeWithoutConversion) {
    const auto bits = [](const PushWord& word) { return std::get<std::uint32_t>(word); };
    EXPECT_EQ(bits(0.5F), 0x3F000000U);
    EXPECT_EQ(bits(-1), ~0U);
    EXPECT_EQ(std::get<Count>(PushWord(Count(7))).max, 7U);
    EXPECT_FALSE(can_be_pushed<double>);
    EXPECT_FALSE(can_be_pushed<std::uint16_t>);
    const auto words = push_words(Mixed{});
    ASSERT_EQ(words.size(), 4U);
    EXPECT_EQ(bits(words[0]), 0x3F000000U);
    EXPECT_EQ(bits(words[1]), ~0U);
    EXPECT_EQ(bits(words[3]), 4U);
    EXPECT_EQ(push_words(std::vector<float>{1, 0.5F}).size(), 2U);
}

} // namespace
} // namespace weir::tests::host_data_test
