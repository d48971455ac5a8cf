// Program::commands: the data. random_programs_test.cpp replays random programs, word_graph_test.cpp and
// culling_test.cpp replay samples.

#include <nlohmann/json.hpp>

#include <weir/graph/command_pass.hpp>
#include <weir/graph/commands.hpp>
#include <weir/weir.hpp>

#include "examples/replayer.hpp"
#include "tests/graph/programs.hpp"
#include "tests/graph/recorder.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::commands_test {
namespace {

using testing::HasSubstr;
using List = CommandList;

const OnOneDriver on_one_driver{"Commands.*"};

/// Returns the commands of one kind.
template <class Work>
std::vector<Work> all_of(const List& list) {
    std::vector<Work> found;
    for (const List::Command& command : list.commands) {
        if (const auto* work = std::get_if<Work>(&command.work)) {
            found.push_back(*work);
        }
    }
    return found;
}

std::string message_of(const Program& program) {
    const auto list = program.commands();
    return list ? "" : list.error().message;
}

TEST(Commands, BuffersPushConstantsAndConditions) {
    WordGraph graph;
    const Count n = graph.parameter("n", 1000);
    const Switch on = graph.add_switch("on");
    const HostData settings = graph.host_data("settings", 8);
    const auto in = graph.import("in", 1000, n);
    const auto middle = graph.transient("middle", 1000), half = graph.transient("half", 500);
    const auto state = graph.state("state", 16);
    const BufferId second_half = graph.part(middle, 512, 488);
    {
        const auto scope = graph.only_if(on);
        Pass pass = add_pass(in, middle, n, 5);
        pass.shader = ShaderSource::glsl("layout(local_size_x = 64) in;\n"
                                         "layout(constant_id = 0) const uint factor = 1;\n"
                                         "layout(binding = 0) readonly buffer In { uint x[]; };\n"
                                         "layout(binding = 1) writeonly buffer Out { uint y[]; };\n"
                                         "layout(push_constant) uniform Push { uint n, add, a, b; };\n"
                                         "void main() { y[gl_GlobalInvocationID.x] = x[n] * factor + add + a + b; }");
        pass.push.emplace_back(settings);
        pass.constants = {3};
        graph.add_pass(pass);
    }
    graph.allow_undefined(middle);
    graph.add_copy("copy", second_half, half, 1952);
    graph.add_fill("fill", state, 9);
    graph.add_copy("keep", state, half, 64);
    graph.export_buffer(half);
    Program program = ok(compile(test_context(), graph));
    ok(program.set(n, 100));
    ok(program.set(on, false));
    ok(program.set(settings, std::array<std::uint32_t, 2>{21, 22}));
    const List list = ok(program.commands());

    ASSERT_EQ(list.resources.size(), program.description().resources.size());
    EXPECT_EQ(list.resources[in.id.index].allocation, List::none);
    EXPECT_EQ(list.resources[in.id.index].bound.buffer, VK_NULL_HANDLE);
    EXPECT_EQ(list.resources[in.id.index].bytes, 4000U);
    EXPECT_EQ(list.resources[second_half.index].part_of, middle.id.index);
    EXPECT_TRUE(list.resources[state.id.index].starts_zero);
    EXPECT_FALSE(list.resources[middle.id.index].starts_zero);
    EXPECT_TRUE(list.resources[half.id.index].is_exported);
    for (const WordRef& own : {middle, half, state}) { // each lies in an allocation
        const List::Resource& node = list.resources[own.id.index];
        ASSERT_LT(node.allocation, list.allocations.size());
        EXPECT_LE(node.offset + node.bytes, list.allocations[node.allocation].bytes);
        EXPECT_NE(list.allocations[node.allocation].usage & VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, 0U);
    }

    const auto dispatches = all_of<List::Dispatch>(list);
    ASSERT_EQ(dispatches.size(), 1U);
    const List::Dispatch& dispatch = dispatches.front();
    EXPECT_EQ(dispatch.push, (std::vector<std::uint32_t>{100, 5, 21, 22}));
    using Source = List::PushField::Source;
    EXPECT_EQ(dispatch.fields, (std::vector<List::PushField>{{Source::parameter, 0, 1, 0, {}},
                                                             {Source::host_data, 2, 2, settings.index, {}}}));
    EXPECT_EQ(dispatch.groups, (std::array<std::uint32_t, 3>{2, 1, 1}));
    EXPECT_EQ(dispatch.elements, (List::Elements{0, 64, 0, test_context().capabilities().max_workgroup_count_x}));
    ASSERT_EQ(dispatch.descriptors.size(), 2U);
    EXPECT_EQ(dispatch.descriptors[0].buffer, (List::BufferRange{in.id.index, 0, 4000}));
    const List::Pipeline& pipeline = list.pipelines.at(dispatch.pipeline);
    EXPECT_EQ(pipeline.constants, (std::vector<List::Constant>{{0, 3}}));
    EXPECT_EQ(pipeline.push_bytes, 16U);
    EXPECT_EQ(list.shaders.at(pipeline.shader).front(), 0x07230203U);

    const auto copies = all_of<List::CopyBuffer>(list);
    ASSERT_EQ(copies.size(), 2U);
    EXPECT_EQ(copies[0].source, (List::BufferRange{middle.id.index, 2048, 1952}));
    EXPECT_EQ(all_of<List::Fill>(list).at(0).range, (List::BufferRange{state.id.index, 0, 64}));

    for (const List::Command& command : list.commands) {
        const bool is_conditional = std::holds_alternative<List::Dispatch>(command.work);
        EXPECT_EQ(command.is_on, !is_conditional) << command.name;
        EXPECT_EQ(command.conditions.size(), is_conditional ? 1U : 0U);
    }
    EXPECT_EQ(list.parameters.at(0).value, 100U);
    EXPECT_EQ(list.data.at(0).words, (std::vector<std::uint32_t>{21, 22}));
    EXPECT_FALSE(list.switches.at(0).is_on);
}

TEST(Commands, AddressesAreFieldsWithoutValue) {
    if (!test_context().capabilities().buffer_address) {
        GTEST_SKIP() << "bufferDeviceAddress is not available";
    }
    WordGraph graph;
    const auto data = graph.state("data");
    const auto copy = graph.transient("copy");
    Pass pass = simple_pass("by address",
                            "#version 460\n#extension GL_EXT_buffer_reference : require\n"
                            "layout(local_size_x = 64) in;\n"
                            "layout(buffer_reference, std430) buffer Data { uint words[]; };\n"
                            "layout(push_constant) uniform Push { Data data; uint add; };\n"
                            "void main() { data.words[gl_LocalInvocationIndex] += add; }",
                            {});
    pass.addressed = {read_write(data)};
    pass.push = {7U};
    graph.add_pass(pass);
    graph.add_copy("copy", data, copy, 256);
    graph.export_buffer(copy);
    const Program program = ok(compile(test_context(), graph));
    const List list = ok(program.commands());
    const List::Dispatch dispatch = all_of<List::Dispatch>(list).at(0);
    EXPECT_EQ(dispatch.push, (std::vector<std::uint32_t>{0, 0, 7}));
    EXPECT_EQ(dispatch.fields,
              (std::vector<List::PushField>{{List::PushField::Source::address, 0, 2, 0, {data.id.index, 0, 256}}}));

    VkPhysicalDeviceMemoryProperties types{};
    ContextAccess::device(test_context())
        ->instance_functions()
        .vkGetPhysicalDeviceMemoryProperties(test_context().physical_device(), &types);
    Replayer replayer(test_context().device(), vk(), types, list,
                      [](VkResult status) { EXPECT_EQ(status, VK_SUCCESS); });
    Recorder recorder;
    recorder.run([&](VkCommandBuffer commands) { replayer.clear(commands); });
    for (std::uint32_t run = 1; run <= 2; ++run) {
        recorder.run([&](VkCommandBuffer commands) { replayer.record(commands); });
        EXPECT_EQ(contents(replayer.buffer(copy.id.index), 64), Values(64, 7 * run));
    }
}

TEST(Commands, HistoriesAndCommandPasses) {
    WordGraph graph;
    const auto history = graph.history("history");
    const auto out = graph.transient("out");
    graph.add_copy("recall", history.previous, out, 256);
    graph.add_command_pass({.name = "own",
                            .uses = {{out, Access::transfer_read}, {history.current, Access::transfer_write}},
                            .record = [](VkCommandBuffer, const CommandPassContext&) {}});
    graph.export_buffer(out);
    const Program program = ok(compile(test_context(), graph));
    const List list = ok(program.commands());
    ASSERT_EQ(list.histories.size(), 1U);
    EXPECT_EQ(list.histories[0].current, history.current.id.index);
    EXPECT_EQ(list.histories[0].previous, history.previous.id.index);
    EXPECT_TRUE(list.resources[history.previous.id.index].starts_zero);
    const auto own = all_of<List::CommandPassWork>(list);
    ASSERT_EQ(own.size(), 1U);
    ASSERT_EQ(own[0].uses.size(), 2U);
    EXPECT_EQ(own[0].uses[1].resource, history.current.id.index);
    EXPECT_EQ(own[0].uses[1].scope, scope_of(Access::transfer_write));
    EXPECT_TRUE(own[0].uses[1].writes);
}

TEST(Commands, PassesShareShadersAndPipelines) {
    Graph graph(test_context());
    const auto keys = graph.import_buffer<std::uint32_t>("keys", 1 << 16);
    graph.export_buffer(radix_sort(graph, keys).keys);
    const Program program = ok(compile(test_context(), graph));
    const List list = ok(program.commands());
    EXPECT_LE(list.shaders.size(), list.pipelines.size());
    EXPECT_LT(list.pipelines.size(), all_of<List::Dispatch>(list).size());
}

TEST(Commands, SeveralQueuesAreUnsupported) {
    if (test_context().capabilities().queue_families[static_cast<std::size_t>(QueueKind::compute)] ==
        Capabilities::no_queue) {
        GTEST_SKIP() << "the device has one queue";
    }
    WordGraph graph;
    const auto data = graph.import("data");
    graph.add_pass(increment(data));
    graph.add_pass_on(QueueKind::compute, increment(data, "on another queue"));
    EXPECT_THAT(message_of(ok(compile(test_context(), graph))),
                HasSubstr("batches on several queues; compile it with CompileOptions::one_queue"));
    EXPECT_EQ(message_of(ok(compile(test_context(), graph, {.one_queue = true}))), "");
}

TEST(Commands, OpenRecordingIsRefused) {
    const IncrementGraph graph;
    Program program = ok(compile(test_context(), graph));
    const Buffer buffer = buffer_of(Values(64, 1));
    ok(program.bind(graph.data, buffer));
    Recorder recorder;
    {
        RecordingInParts recording = ok(program.begin_recording(1));
        EXPECT_THAT(message_of(program), HasSubstr("commands: a recording in parts is open"));
        const VkCommandBuffer commands = recorder.begin();
        ok(recording.record(0, commands));
        ok(recording.end());
        recorder.end(commands);
    }
    EXPECT_EQ(message_of(program), "");
}

TEST(Commands, SmallerImportsKeepTheirSize) {
    WordGraph graph;
    const auto in = graph.import("in", 1000), out = graph.import("out", 1000);
    graph.allow_smaller(in);
    graph.allow_smaller(out);
    graph.add_copy("copy", in, out, 4000);
    Program program = ok(compile(test_context(), graph));
    const Buffer small = buffer_of(Values(10, 1)), large = buffer_of(Values(1000, 1));
    ok(program.bind(in, small));
    ok(program.bind(out, large));
    const List list = ok(program.commands());
    EXPECT_EQ(all_of<List::CopyBuffer>(list).at(0).destination, (List::BufferRange{out.id.index, 0, 40}));
    EXPECT_EQ(list.resources[in.id.index].bound.buffer, small.handle());
}

TEST(Commands, JsonHasAllOfIt) {
    WordGraph graph;
    const Count n = graph.parameter("n", 1000);
    const auto in = graph.import("in", 1000, n);
    const auto out = graph.transient("out", 1000);
    graph.add_pass(add_pass(in, out, n, 5));
    graph.export_buffer(out);
    const Program program = ok(compile(test_context(), graph));
    const List list = ok(program.commands());
    const auto json = nlohmann::json::parse(list.json());
    EXPECT_EQ(json["resources"].size(), list.resources.size());
    EXPECT_EQ(json["resources"][0]["name"], "in");
    EXPECT_EQ(json["resources"][0]["allocation"], nullptr);
    EXPECT_EQ(json["allocations"][0]["bytes"], list.allocations[0].bytes);
    EXPECT_EQ(json["parameters"][0], nlohmann::json::parse(R"({"name": "n", "max": 1000, "value": 1000})"));
    const std::string digits = json["shaders"][0];
    EXPECT_EQ(digits.substr(0, 8), "03022307"); // the bytes of a file, lowest first
    EXPECT_EQ(digits.size(), list.shaders[0].size() * 8);
    ASSERT_EQ(json["commands"].size(), list.commands.size());
    for (std::size_t i = 0; i < list.commands.size(); ++i) {
        const auto& command = json["commands"][i];
        EXPECT_EQ(command["group"], list.commands[i].group);
        if (const auto* dispatch = std::get_if<List::Dispatch>(&list.commands[i].work)) {
            EXPECT_EQ(command["kind"], "dispatch");
            EXPECT_EQ(command["name"], "add");
            EXPECT_EQ(command["push"], nlohmann::json(dispatch->push));
            EXPECT_EQ(command["fields"][0]["parameter"], 0);
            EXPECT_EQ(command["elements"]["per_group"], 64);
            EXPECT_EQ(command["descriptors"][1]["buffer"]["resource"], out.id.index);
        } else {
            EXPECT_EQ(command["kind"], "barrier");
        }
    }
}

} // namespace
} // namespace weir::tests::commands_test
