// Queues of passes, waits between queues, and ownership transfers.

#include <algorithm>
#include <utility>

#include <nlohmann/json.hpp>

#include "tests/graph/graphs.hpp"
#include "tests/graph/hazards.hpp"

namespace weir::tests::queues_test {
namespace {

/// Passes on the compute queue, between passes on the main queue.
struct AsyncGraph : SomeGraph {
    explicit AsyncGraph(const Capabilities& device = device_with(2)) : SomeGraph(device) { build(); }
    WordRef in = import("in"), out = import("out");
    WordRef shared = transient("shared"), result = transient("result"), own = transient("own"),
            drawn = transient("drawn");

private:
    void build() {
        add_pass(pass("prepare", {read(in), write(shared)}));
        {
            const auto scope = on_queue(on_compute);
            add_pass(pass("simulate", {read(shared), write(own)}));
            add_pass(pass("collide", {read(own), write(result)}));
        }
        add_pass(pass("draw", {read(shared), write(drawn)}));
        add_pass(pass("compose", {read(drawn), read(result), write(out)}));
    }
};

struct Line {
    QueueKind queue;
    std::vector<std::string> passes;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> waits; ///< group, executions ago
    friend bool operator==(const Line&, const Line&) = default;
    friend void PrintTo(const Line& line, std::ostream* out) {
        *out << to_string(line.queue) << testing::PrintToString(line.passes) << testing::PrintToString(line.waits);
    }
};

std::vector<Line> lines(const Graph& graph, const Plan& plan) {
    std::vector<Line> all;
    for (const PlanGroup& group : plan.groups) {
        Line& line = all.emplace_back(Line{group.queue, {}, {}});
        for (const std::uint32_t pass : group.passes) {
            line.passes.push_back(graph.description().passes[pass].name);
        }
        for (const GroupWait& wait : group.waits) {
            line.waits.emplace_back(wait.group, wait.executions_ago);
        }
    }
    return all;
}

TEST(Queues, IndependentPassesRunConcurrently) {
    const AsyncGraph graph;
    const Plan plan = graph.plan();
    EXPECT_EQ(lines(graph, plan), (std::vector<Line>{
                                      // No wait: the last "compose" waited for "simulate", which reads "shared".
                                      {on_main, {"prepare"}, {}},
                                      {on_main, {"draw"}, {}},
                                      {on_compute, {"simulate"}, {{0, 0}}},
                                      {on_compute, {"collide"}, {}},
                                      {on_main, {"compose"}, {{3, 0}}},
                                      {on_main, {}, {}},
                                  }));
    // Batches are cut where queues wait.
    ASSERT_EQ(plan.batches.size(), 4U);
    EXPECT_EQ(plan.batches[0].groups, (std::vector<std::uint32_t>{0}));
    EXPECT_EQ(plan.batches[1].groups, (std::vector<std::uint32_t>{1}));
    EXPECT_EQ(plan.batches[2].groups, (std::vector<std::uint32_t>{2, 3}));
    EXPECT_EQ(plan.batches[2].queue, on_compute);
    EXPECT_EQ(plan.batches[2].waits, (std::vector<PlanBatch::Wait>{{0, 0}}));
    EXPECT_EQ(plan.batches[3].groups, (std::vector<std::uint32_t>{4, 5}));
    EXPECT_EQ(plan.batches[3].waits, (std::vector<PlanBatch::Wait>{{2, 0}}));
}

TEST(Queues, SingleQueueDeviceIgnoresOnQueue) {
    const auto text = [](const Capabilities& device, bool one_queue) {
        const AsyncGraph graph(device);
        const Plan plan = graph.plan({.one_queue = one_queue});
        EXPECT_EQ(plan.batches.size(), 1U);
        return plan.text();
    };
    EXPECT_EQ(text(device_with(no_queue), false), text(device_with(1, 2), true));
    EXPECT_THAT(text(device_with(no_queue), false), testing::Not(HasSubstr("queue")));
}

/// The compute queue sorts an import that arrives and leaves on the main queue.
struct SortedThere : SomeGraph {
    explicit SortedThere(Access arrives = Access::transfer_write, std::uint32_t family = 2)
        : SomeGraph(device_with(family)), numbers(import("numbers", arrives)) {
        add_pass_on(on_compute, pass("sort", {read_write(numbers)}));
    }
    WordRef numbers;
    std::vector<Line> expected{{on_main, {}, {}}, {on_compute, {"sort"}, {{0, 0}}}, {on_main, {}, {{1, 0}}}};
};

TEST(Queues, ImportIsHandedOverAndBack) {
    const SortedThere graph;
    const WordRef& numbers = graph.numbers;
    const Plan plan = graph.plan();
    ASSERT_EQ(lines(graph, plan), graph.expected);
    const Scope storage = scope_of(Access::shader_read_write), uploaded = scope_of(Access::transfer_write);
    EXPECT_EQ(plan.groups[0].released,
              (std::vector<OwnershipTransfer>{{numbers.id.index, on_main, on_compute, uploaded}}));
    EXPECT_EQ(plan.groups[1].acquired,
              (std::vector<OwnershipTransfer>{{numbers.id.index, on_main, on_compute, storage}}));
    ASSERT_EQ(plan.groups[1].released.size(), 1U);
    EXPECT_EQ(plan.groups[1].released[0].to, on_main);
    EXPECT_EQ(plan.groups[1].released[0].scope.access & VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
              VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT);
    EXPECT_EQ(plan.groups[2].acquired.size(), 1U);
    EXPECT_TRUE(plan.groups[1].barriers.empty());
}

TEST(Queues, SharedOrSameFamilyImportIsNotHandedOver) {
    for (const bool same_family : {false, true}) {
        SortedThere graph(Access::transfer_write, same_family ? 0 : 2);
        graph.set_queues(graph.numbers, {.concurrent = !same_family});
        const Plan plan = graph.plan();
        EXPECT_EQ(lines(graph, plan), graph.expected);
        for (const PlanGroup& group : plan.groups) {
            EXPECT_TRUE(group.acquired.empty() && group.released.empty() && group.barriers.empty());
        }
    }
}

TEST(Queues, ImportOfComputeQueueStaysThere) {
    SomeGraph graph(device_with(2));
    const WordRef numbers = graph.import("numbers", Access::shader_write);
    graph.set_queues(numbers, {.arrives = on_compute, .leaves = on_compute});
    graph.add_pass_on(on_compute, pass("sort", {read_write(numbers)}));
    graph.export_buffer(numbers, Access::shader_read);
    const Plan plan = graph.plan();
    EXPECT_EQ(lines(graph, plan),
              (std::vector<Line>{{on_compute, {"sort"}, {}}, {on_compute, {}, {}}, {on_main, {}, {}}}));
    EXPECT_EQ(plan.groups[0].barriers.size(), 1U);
    EXPECT_EQ(plan.groups[1].barriers.size(), 1U);
}

TEST(Queues, ReadersOfExclusiveImportTakeTurns) {
    for (const bool concurrent : {false, true}) {
        SomeGraph graph(device_with(2));
        const WordRef in = graph.import("in", Access::any), a = graph.import("a"), b = graph.import("b");
        for (const WordRef& each : {in, a, b}) {
            graph.set_queues(each, {.concurrent = concurrent});
        }
        graph.add_pass(pass("one", {read(in), write(a)}));
        const auto scope = graph.on_queue(on_compute);
        graph.add_pass(pass("other", {read(in), write(b)}));
        const Plan plan = graph.plan();
        ASSERT_EQ(plan.groups.size(), 4U);
        EXPECT_EQ(plan.groups[2].waits.front().group, concurrent ? 0U : 1U) << plan.text();
    }
}

TEST(Queues, HandoverChangesImageLayout) {
    SomeGraph graph(device_with(2));
    const ImageId image = graph.import_image("image", some_image(), Access::color_write);
    const WordRef out = graph.import("out");
    graph.add_pass_on(on_compute, pass("blur", {sampled(image), write(out)}));
    graph.export_image(image, Access::transfer_read);
    const Plan plan = graph.plan();
    ASSERT_EQ(plan.groups.size(), 3U) << plan.text();
    const OwnershipTransfer& taken = plan.groups[1].acquired.at(0);
    EXPECT_EQ(taken.old_layout, for_color);
    EXPECT_EQ(taken.new_layout, for_sampling);
    EXPECT_EQ(plan.groups[0].released.at(0).new_layout, taken.new_layout);
    EXPECT_EQ(plan.groups[2].acquired.at(0).new_layout, for_copies);
    EXPECT_EQ(plan.final_layouts[image.index], for_copies);
    EXPECT_TRUE(plan.groups[1].image_barriers.empty());
}

/// Passes that wait for another queue are as late as possible. Until then the main queue runs other passes.
TEST(Queues, MainQueueWaitsAsLateAsPossible) {
    SomeGraph graph(device_with(2));
    const WordRef a = graph.transient("a"), late = graph.import("late"), out = graph.import("out");
    graph.add_pass_on(on_compute, pass("long", {write(a)}));
    graph.add_pass(pass("uses it", {read(a), write(late)}));
    WordRef before = graph.transient("0");
    graph.add_pass(pass("frame 0", {write(before)}));
    for (int i = 1; i < 5; ++i) {
        const WordRef next = i == 4 ? out : graph.transient(std::to_string(i));
        graph.add_pass(pass("frame " + std::to_string(i), {read(before), write(next)}));
        before = next;
    }
    const Plan plan = graph.plan();
    const std::vector<Line> all = lines(graph, plan);
    EXPECT_EQ(all[all.size() - 2].passes, std::vector<std::string>{"uses it"});
    EXPECT_EQ(all[all.size() - 3].passes, std::vector<std::string>{"frame 4"});
}

/// A pass after a waiting pass joins the last group of passes, instead of a group of its own after it.
TEST(Queues, PassesAfterWaitJoinLastGroup) {
    SomeGraph graph(device_with(2));
    const WordRef a = graph.transient("a"), b = graph.transient("b"), late = graph.import("late");
    graph.add_pass_on(on_compute, pass("long", {write(a)}));
    graph.add_pass(pass("waits", {read(a), write(b)}));
    graph.add_pass(pass("after it", {read(b), write(late)}));
    WordRef before = graph.import("0");
    for (int i = 1; i < 5; ++i) {
        const WordRef next = graph.import(std::to_string(i));
        graph.add_pass(pass("frame " + std::to_string(i), {read(before), write(next)}));
        before = next;
    }
    const Plan plan = graph.plan();
    const std::vector<Line> all = lines(graph, plan);
    EXPECT_EQ(all[all.size() - 2].passes, (std::vector<std::string>{"after it", "frame 4"}));
}

TEST(Queues, ConcurrentQueuesDoNotShareMemory) {
    const AsyncGraph graph;
    const Plan plan = graph.plan();
    EXPECT_NE(plan.memory.places[graph.own.id.index].block, plan.memory.places[graph.drawn.id.index].block);
    EXPECT_EQ(plan.memory.bytes(), 4 * 256U);

    SomeGraph chain(device_with(2));
    const auto scope = chain.on_queue(on_compute);
    WordRef before = chain.import("in");
    for (int i = 0; i < 6; ++i) {
        const WordRef next = i == 5 ? chain.import("out") : chain.transient(std::to_string(i));
        chain.add_pass(pass("pass " + std::to_string(i), {read(before), write(next)}));
        before = next;
    }
    EXPECT_EQ(chain.plan().memory.bytes(), 2 * 256U);
}

TEST(Queues, HistoryMakesQueueWaitForPreviousExecution) {
    SomeGraph graph(device_with(2));
    const auto history = graph.history_buffer<std::uint32_t>("history", 64);
    const WordRef out = graph.import("out");
    graph.add_pass_on(on_compute, pass("advance", {read(history.previous), write(history.current)}));
    graph.add_pass(pass("show", {read(history.previous), write(out)}));
    const Plan plan = graph.plan();
    // "show" reads the buffer that "advance" of the last execution wrote. "advance" writes the buffer that "show" of
    // the last execution read.
    EXPECT_EQ(
        lines(graph, plan),
        (std::vector<Line>{{on_main, {"show"}, {{1, 1}}}, {on_compute, {"advance"}, {{0, 1}}}, {on_main, {}, {}}}));
}

TEST(Queues, TransferQueueRunsCopies) {
    SomeGraph graph(device_with(no_queue, 1));
    const WordRef in = graph.import("in", Access::host_write), staged = graph.transient("staged"),
                  out = graph.import("out");
    graph.set_queues(in, {.arrives = on_transfer, .leaves = on_transfer});
    {
        const auto scope = graph.on_queue(on_transfer);
        graph.add_copy("upload", in, staged, 256);
    }
    graph.add_pass(pass("use", {read(staged), write(out)}));
    const Plan plan = graph.plan();
    EXPECT_EQ(
        lines(graph, plan),
        (std::vector<Line>{{on_transfer, {"upload"}, {{1, 1}}}, {on_main, {"use"}, {{0, 0}}}, {on_main, {}, {}}}));
}

TEST(Queues, ScopesNestAndEnd) {
    SomeGraph graph(device_with(1, 2));
    EXPECT_EQ(graph.description().queue, on_main);
    {
        const auto outer = graph.on_queue(on_compute);
        {
            const auto inner = graph.on_queue(on_transfer);
            EXPECT_EQ(graph.description().queue, on_transfer);
        }
        EXPECT_EQ(graph.description().queue, on_compute);
    }
    EXPECT_EQ(graph.description().queue, on_main);
}

TEST(Queues, NestedGraphKeepsItsQueues) {
    SomeGraph inner(device_with(1, 2)), outer(device_with(1, 2));
    const WordRef in = inner.import("in"), out = outer.import("out");
    inner.add_fill("clear", in, 0);
    {
        const auto scope = inner.on_queue(on_transfer);
        inner.add_fill("fill", in, 7);
    }
    const auto scope = outer.on_queue(on_compute);
    outer.add_graph(inner, {{in, out}}, "inner");
    ASSERT_EQ(outer.description().passes.size(), 2U);
    EXPECT_EQ(outer.description().passes[0].queue, on_compute);
    EXPECT_EQ(outer.description().passes[1].queue, on_transfer);
}

TEST(Queues, UnsupportedWorkIsRejected) {
    for (const auto& device : {device_with(1, 2), device_with(no_queue)}) {
        SomeGraph computes(device);
        const WordRef a = computes.import("a");
        computes.add_pass_on(on_transfer, pass("sum", {read_write(a)}));
        EXPECT_EQ(computes.mistake(), "pass 'sum' computes, which the transfer queue does not support");

        SomeGraph draws(device);
        const ImageId image = draws.import_image("image", some_image());
        {
            const auto scope = draws.on_queue(on_compute);
            draws.add_command_pass(command_pass("draw", {{image, Access::color_write}}));
        }
        EXPECT_EQ(draws.mistake(),
                  "pass 'draw' uses image 'image' for color write, which the compute queue does not support");

        SomeGraph arrives(device);
        const WordRef vertices = arrives.import("vertices", Access::vertex_read);
        arrives.set_queues(vertices, {.arrives = on_compute});
        EXPECT_EQ(arrives.mistake(),
                  "buffer 'vertices' arrives on the compute queue for vertex read, which that queue does not support");

        SomeGraph leaves(device); // for a supported and an unsupported access
        const WordRef both = leaves.import("both");
        leaves.add_pass(pass("write", {write(both)}));
        leaves.set_queues(both, {.leaves = on_compute});
        leaves.export_buffer(both, {Access::shader_read, Access::vertex_read});
        EXPECT_EQ(leaves.mistake(),
                  "buffer 'both' leaves on the compute queue for vertex read, which that queue does not support");
    }
}

/// Returns a device whose main queue computes and cannot draw.
Capabilities device_without_drawing() {
    Capabilities device = some_device();
    device.queue_flags[0] = VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
    return device;
}

TEST(Queues, BarriersOfComputeOnlyMainQueue) {
    SomeGraph graph(device_without_drawing());
    const WordRef arrives = graph.import("arrives", Access::uniform_read), settings = graph.transient("settings");
    graph.add_pass(pass("write", {write(arrives), write(settings)}));
    graph.add_command_pass(command_pass("dispatch", {{settings, Access::uniform_read}, {arrives, Access::any}}));
    graph.export_buffer(arrives, Access::uniform_read);
    const Plan plan = graph.plan();
    EXPECT_THAT(find_hazards(graph.description(), plan), testing::IsEmpty());
    VkPipelineStageFlags2 stages = 0;
    for (const PlanGroup& group : plan.groups) {
        for (const VkMemoryBarrier2& barrier : group.barriers) {
            stages |= barrier.srcStageMask | barrier.dstStageMask;
        }
    }
    EXPECT_EQ(stages, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
}

TEST(Queues, ComputeOnlyMainQueueRejectsDrawing) {
    SomeGraph draws(device_without_drawing());
    const ImageId image = draws.import_image("image", some_image());
    draws.add_pass_on(on_compute, pass("fine", {write(draws.import("out"))}));
    draws.add_command_pass(command_pass("draw", {{image, Access::color_write}}));
    EXPECT_EQ(draws.mistake(), "pass 'draw' uses image 'image' for color write, which the main queue does not support");

    SomeGraph arrives(device_without_drawing());
    arrives.import("vertices", Access::vertex_read);
    EXPECT_EQ(arrives.mistake(),
              "buffer 'vertices' arrives on the main queue for vertex read, which that queue does not support");
}

TEST(Queues, SetQueuesNeedsImportOrExport) {
    SomeGraph graph(device_with(1, 2));
    const WordRef state = graph.state("state"), out = graph.import("out");
    graph.add_pass(pass("count", {read_write(state), write(out)}));
    graph.set_queues(state, {.leaves = on_compute});
    EXPECT_EQ(graph.mistake(), "set_queues: buffer 'state' is neither imported nor exported");
}

/// Ownership transfers must not have the host stage, so a separate barrier waits for the host.
TEST(Queues, HostAccessIsAwaitedBeforeRelease) {
    SortedThere graph(Access::host_write);
    graph.export_buffer(graph.numbers, Access::host_read);
    const Plan plan = graph.plan();
    ASSERT_EQ(plan.groups.size(), 4U) << plan.text();
    ASSERT_EQ(plan.groups[0].barriers.size(), 1U);
    EXPECT_EQ(plan.groups[0].barriers[0].srcStageMask, VK_PIPELINE_STAGE_2_HOST_BIT);
    EXPECT_EQ(plan.groups[0].released.at(0).scope.stages, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
    EXPECT_EQ(plan.groups[2].acquired.at(0).scope.stages, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
    ASSERT_EQ(plan.groups[3].barriers.size(), 1U);
    EXPECT_EQ(plan.groups[3].barriers[0].dstStageMask, VK_PIPELINE_STAGE_2_HOST_BIT);
}

TEST(Queues, DumpsShowHandovers) {
    const Plan plan = SortedThere().plan();
    const std::string text = plan.text();
    const std::string there = "  'numbers' to the compute queue\n", taken = "    'numbers' from the main queue\n",
                      back = "  'numbers' to the main queue\n", again = "    'numbers' from the compute queue\n";
    const std::size_t at[] = {text.find(there), text.find(taken), text.find(back), text.find(again)};
    EXPECT_TRUE(std::ranges::is_sorted(at)) << text;
    EXPECT_NE(at[3], std::string::npos) << text;
    EXPECT_THAT(text, HasSubstr("'numbers' ownership transfer: "));
    const auto json = nlohmann::json::parse(plan.json());
    EXPECT_EQ(json["groups"][0]["released"], nlohmann::json::parse(R"([{"resource": 0, "from": "main", "to": "compute",
        "scope": {"stages": ["ALL_TRANSFER"], "access": ["TRANSFER_WRITE"]},
        "old_layout": "Undefined", "new_layout": "Undefined"}])"));
    EXPECT_EQ(json["groups"][1]["acquired"][0]["from"], "main");
    EXPECT_EQ(json["groups"][2]["acquired"][0]["to"], "main");
}

TEST(Queues, DumpsShowQueues) {
    const AsyncGraph graph;
    const Plan plan = graph.plan();
    const std::string text = plan.text();
    EXPECT_THAT(text, HasSubstr("group 2 on the compute queue:\n  waits for group 0\n    'shared' read after write: "
                                "'prepare' -> 'simulate'\n"));
    EXPECT_THAT(plan.dot(), HasSubstr("group 4 on the main queue, after another queue"));
    const std::string json = plan.json();
    EXPECT_THAT(json, HasSubstr("\"executions_ago\""));
    EXPECT_THAT(json, HasSubstr("\"batches\""));
}

} // namespace
} // namespace weir::tests::queues_test
