// Plans of graphs with parts of buffers.

#include "tests/graph/graphs.hpp"
#include "tests/graph/hazards.hpp"
#include "tests/graph/plan_checks.hpp"

namespace weir::tests::buffer_parts_plan_test {
namespace {

using testing::Contains;
using testing::ElementsAre;

TEST(BufferParts, WritesOfDifferentPartsShareGroup) {
    SomeGraph graph;
    const WordRef all = graph.transient("all"), low = graph.part(all, 0, 32), high = graph.part(all, 32, 32);
    graph.add_pass(pass("low", {write(low)}));
    graph.add_pass(pass("high", {write(high)}));
    graph.add_pass(pass("sum", {read(all), write(graph.import("out"))}));
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("low", "high"), ElementsAre("sum")));
    Plan plan = sound_plan(graph);
    EXPECT_EQ(plan.graph->resources[low.id.index].name, "all bytes 0 to 127");
    EXPECT_EQ(plan.graph->resources[all.id.index].pieces.size(), 2U);
    plan.groups[1].barriers.clear();
    EXPECT_THAT(find_hazards(graph.description(), plan), Contains(HasSubstr("'sum'")));
}

TEST(BufferParts, OverlappingPartsAreOrdered) {
    SomeGraph graph;
    const WordRef all = graph.import("all");
    graph.add_pass(pass("first", {write(graph.part(all, 0, 40))}));
    graph.add_pass(pass("second", {write(graph.part(all, 32, 32))}));
    graph.add_pass(pass("last", {write(graph.part(graph.part(all, 32, 32), 8, 8))})); // words 40 to 47
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("first"), ElementsAre("second"), ElementsAre("last")));
    sound_plan(graph);
}

TEST(BufferParts, CopiesAndFillsOfPartsAndWhole) {
    SomeGraph graph;
    const WordRef all = graph.transient("all"), out = graph.import("out");
    graph.add_fill("clear", all, 0);
    graph.add_fill("ones", graph.part(all, 16, 16), 1);
    graph.add_copy("copy", graph.part(all, 32, 32), out, 128);
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("clear"), ElementsAre("copy")));
    EXPECT_THAT(graph.culled(), ElementsAre("ones"));
    sound_plan(graph);
}

TEST(BufferParts, ExportOfPartKeepsItsWritersOnly) {
    SomeGraph graph;
    const WordRef all = graph.transient("all"), low = graph.part(all, 0, 32), high = graph.part(all, 32, 32);
    graph.add_pass(pass("low", {write(low)}));
    graph.add_pass(pass("high", {write(high)}));
    graph.export_buffer(high, Access::vertex_read);
    EXPECT_THAT(graph.culled(), ElementsAre("low"));
    const Plan plan = sound_plan(graph);
    EXPECT_EQ(plan.memory.places[all.id.index].block, PlanMemory::none);
}

TEST(BufferParts, QueuesUseDifferentPartsAtTheSameTime) {
    SomeGraph graph(device_with(1));
    const WordRef all = graph.transient("all"), low = graph.part(all, 0, 32), high = graph.part(all, 32, 32);
    graph.add_pass(pass("on main", {write(low)}));
    graph.add_pass_on(on_compute, pass("on compute", {write(high)}));
    graph.add_pass(pass("sum", {read(all), write(graph.import("out"))}));
    const Plan plan = sound_plan(graph);
    for (const PlanGroup& group : plan.groups) {
        for (const GroupWait& wait : group.waits) {
            for (const Dependency& reason : wait.reasons) {
                EXPECT_FALSE(reason.from == 0 && reason.to == 1) << plan.text();
            }
        }
    }
}

TEST(BufferParts, NestedGraph) {
    SomeGraph inner;
    const WordRef words = inner.import("words");
    inner.add_pass(pass("second half", {write(inner.part(words, 32, 32))}));
    SomeGraph graph;
    const WordRef all = graph.transient_buffer<std::uint32_t>("all", 128);
    graph.add_graph(inner, {{words, graph.part(all, 64, 64)}}, "inner");
    EXPECT_EQ(graph.description().resources.back().offset, 96U * 4);
    EXPECT_EQ(graph.description().resources.back().part_of, all.id.index);
    graph.export_buffer(graph.part(all, 96, 32));
    sound_plan(graph);
}

/// The words of the two parts have the same number modulo 2^32.
TEST(BufferParts, PartsOfLargeBufferBeyondWord32) {
    SomeGraph graph;
    const auto all = graph.import_large_buffer<std::uint64_t>("all", std::uint64_t{1} << 33);
    const auto low = graph.part(all, 0, 64), high = graph.part(all, std::uint64_t{1} << 31, 64);
    const BufferId last = graph.part_bytes(all, (std::uint64_t{1} << 36) - 64, 64);
    graph.add_pass(pass("low", {write(low)}));
    graph.add_pass(pass("high", {write(high)}));
    graph.add_pass(pass("last", {read(last), write(graph.import("out"))}));
    graph.add_pass(pass("high again", {write(high)}));
    EXPECT_THAT(graph.groups(), ElementsAre(ElementsAre("low", "high", "last"), ElementsAre("high again")));
    const Plan plan = graph.plan(); // not sound_plan, which numbers words by 32 bits
    EXPECT_EQ(plan.graph->resources[all.id.index].bytes, std::uint64_t{1} << 36);
    EXPECT_EQ(plan.graph->resources[high.id.index].name, "all bytes 17179869184 to 17179869695");
    EXPECT_EQ(plan.graph->resources[last.index].offset, (std::uint64_t{1} << 36) - 64);
}

TEST(BufferParts, Mistakes) {
    Capabilities device = some_device();
    device.storage_offset_alignment = 64;
    const auto expect = [&](const std::string& why, std::uint32_t first, std::uint32_t count) {
        expect_mistake(
            "a part of buffer 'words' " + why,
            [&](SomeGraph& graph) { graph.part(graph.import("words"), first, count); }, device);
    };
    expect("begins at byte 32, which is not a multiple of 64 (minStorageBufferOffsetAlignment)", 8, 8);
    expect("has 0 bytes from byte 0 on; the buffer has 256 bytes", 0, 0);
    expect("has 196 bytes from byte 64 on; the buffer has 256 bytes", 16, 49);
    expect("has 4 bytes from byte 256 on; the buffer has 256 bytes", 64, 1);
    expect_mistake("a part of buffer 'pair' is not supported, because the buffer has a history", [](SomeGraph& graph) {
        graph.part(graph.history_buffer<std::uint32_t>("pair", 64).current, 0, 16);
    });
    expect_mistake(
        "graph 'inner': import 'words' has parts; it is connected to 'pair', whose history does not support them",
        [](SomeGraph& graph) {
            SomeGraph inner;
            const WordRef words = inner.import("words");
            inner.add_pass(pass("write", {write(inner.part(words, 0, 32))}));
            graph.add_graph(inner, {{words, graph.history_buffer<std::uint32_t>("pair", 64).current}}, "inner");
        });
    expect_mistake("buffer 'words' is exported per frame and has parts; per_frame requires a buffer without parts",
                   [](SomeGraph& graph) {
                       const WordRef words = graph.transient("words");
                       graph.add_pass(pass("write", {write(graph.part(words, 0, 32))}));
                       graph.export_buffer(words, Access::any, {.per_frame = true});
                   });
    expect_mistake("pass 'both' declares buffer 'words' and buffer 'words bytes 0 to 127', which overlap: as use 0 for "
                   "shader read and as use 1 for shader write",
                   [](SomeGraph& graph) {
                       const WordRef words = graph.import("words");
                       graph.add_pass(pass("both", {read(words), write(graph.part(words, 0, 32))}));
                   });
    expect_mistake("set_queues: buffer 'words bytes 0 to 127' is a part; set the queues of its buffer",
                   [](SomeGraph& graph) { graph.set_queues(graph.part(graph.import("words"), 0, 32), {}); });
}

} // namespace
} // namespace weir::tests::buffer_parts_plan_test
