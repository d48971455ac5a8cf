// Placement of transients in memory, barriers between transients that share memory, and several queues that share it.

#include "engine/base/strings.hpp"
#include "tests/graph/graphs.hpp"
#include "tests/graph/hazards.hpp"
#include "tests/graph/plan_checks.hpp"

namespace weir::tests::memory_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint64_t kib = 1024;
constexpr std::uint32_t kib_words = 256;

/// Adds a chain of passes, each from one transient to the next. `sizes` are the sizes of the transients in KiB.
WordRef add_chain(SomeGraph& graph, const std::vector<std::uint32_t>& sizes) {
    WordRef last = graph.import("in");
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const WordRef next = graph.transient(concat("t", i), sizes[i] * kib_words);
        graph.add_pass(pass(concat("p", i), {read(last), write(next)}));
        last = next;
    }
    graph.add_pass(pass("end", {read(last), write(graph.import("out"))}));
    return last;
}

TEST(GraphMemory, ChainNeedsTwoNeighbors) {
    SomeGraph graph;
    add_chain(graph, std::vector<std::uint32_t>(50, 4));
    const Plan plan = sound_plan(graph);
    EXPECT_THAT(plan.memory.blocks, ElementsAre(8 * kib));
    EXPECT_EQ(plan.memory.bytes(), 8 * kib);
    EXPECT_EQ(plan.memory.lower_bound, 8 * kib);
    EXPECT_EQ(plan.memory.apart, 200 * kib);
}

TEST(GraphMemory, ChainOfDifferentSizes) {
    SomeGraph graph;
    add_chain(graph, {1, 8, 3, 5, 7, 2, 6, 4, 9, 1});
    const Plan plan = sound_plan(graph);
    EXPECT_EQ(plan.memory.lower_bound, 13 * kib);
    EXPECT_EQ(plan.memory.bytes(), 13 * kib);
}

/// A frame of a renderer with geometry, lighting and image effects in compute: 30 passes. Sizes are in KiB, as for
/// 1080p.
struct Frame : SomeGraph {
    WordRef sized(const std::string& name, std::uint32_t kilobytes) { return transient(name, kilobytes * kib_words); }

    Frame() {
        const WordRef scene = import("scene"), shown = import("shown"), history = state("history");
        const WordRef particles = state("particles"), exposure = state("exposure");
        const WordRef skinned = sized("skinned vertices", 65'536), visible = sized("visible instances", 4096);
        const WordRef clusters = sized("clusters", 16'384), bins = sized("bins", 8192), ids = sized("ids", 16'200);
        add_pass(pass("skin", {read(scene), write(skinned)}));
        add_pass(pass("cull instances", {read(scene), write(visible)}));
        add_pass(pass("cull clusters", {read(visible), write(clusters)}));
        add_pass(pass("bin", {read(clusters), read(skinned), write(bins)}));
        add_pass(pass("raster", {read(bins), read(skinned), write(ids)}));
        WordRef level = sized("depth 0", 8100);
        const WordRef depth = level;
        add_pass(pass("depth", {read(ids), write(level)}));
        const std::pair<const char*, std::uint32_t> levels[] = {
            {"depth 1", 2025}, {"depth 2", 507}, {"depth 3", 127}, {"depth 4", 32}};
        for (const auto& [name, size] : levels) {
            const WordRef next = sized(name, size);
            add_pass(pass("reduce depth", {read(level), write(next)}));
            level = next;
        }
        const WordRef late_clusters = sized("late clusters", 16'384), late_bins = sized("late bins", 8192);
        add_pass(pass("cull late clusters", {read(visible), read(level), write(late_clusters)}));
        add_pass(pass("bin late", {read(late_clusters), read(skinned), write(late_bins)}));
        add_pass(pass("raster late", {read(late_bins), read(skinned), read_write(ids)}));
        const WordRef normals = sized("normals", 16'200), albedo = sized("albedo", 8100),
                      motion = sized("motion", 8100);
        add_pass(pass("attributes", {read(ids), read(skinned), write(normals), write(albedo), write(motion)}));
        const WordRef lights = sized("light lists", 4050), shadows = sized("shadows", 2025);
        add_pass(pass("cull lights", {read(scene), read(depth), write(lights)}));
        add_pass(pass("shadows", {read(scene), read(normals), write(shadows)}));
        const WordRef raw = sized("raw occlusion", 2025), occlusion = sized("occlusion", 2025);
        add_pass(pass("occlusion", {read(depth), read(normals), write(raw)}));
        add_pass(pass("denoise", {read(raw), read(depth), write(occlusion)}));
        const WordRef lit = sized("lit", 16'200);
        add_pass(
            pass("shade", {read(albedo), read(normals), read(lights), read(shadows), read(occlusion), write(lit)}));
        add_pass(pass("sky", {read(depth), read_write(lit)}));
        const WordRef keys = sized("particle keys", 4096), sorted = sized("sorted particles", 4096);
        add_pass(pass("simulate", {read_write(particles), write(keys)}));
        add_pass(pass("sort", {read(keys), write(sorted)}));
        const WordRef colour = sized("colour", 16'200);
        add_pass(pass("particles", {read(sorted), read(particles), read(depth), read(lit), write(colour)}));
        const WordRef half = sized("half", 4050), quarter = sized("quarter", 1013), bloom = sized("bloom", 4050);
        add_pass(pass("down", {read(colour), write(half)}));
        add_pass(pass("down again", {read(half), write(quarter)}));
        add_pass(pass("up", {read(quarter), read(half), write(bloom)}));
        const WordRef bins_of_light = sized("luminance", 1);
        add_pass(pass("luminance", {read(colour), write(bins_of_light)}));
        add_pass(pass("expose", {read(bins_of_light), read_write(exposure)}));
        const WordRef stable = sized("stable", 16'200);
        add_pass(pass("antialias", {read(colour), read(bloom), read(motion), read_write(history), write(stable)}));
        add_pass(pass("tone", {read(stable), read(exposure), write(shown)}));
    }
};

TEST(GraphMemory, RendererFrame) {
    const Frame graph;
    const Plan plan = sound_plan(graph);
    EXPECT_EQ(graph.description().passes.size(), 30U);
    EXPECT_THAT(plan.culled, IsEmpty());
    EXPECT_LE(plan.memory.bytes(), plan.memory.lower_bound * 11 / 10);
    EXPECT_GE(plan.memory.apart, plan.memory.lower_bound * 3 / 2);
    RecordProperty("bytes", std::to_string(plan.memory.bytes()));
    RecordProperty("least", std::to_string(plan.memory.lower_bound));
    RecordProperty("apart", std::to_string(plan.memory.apart));
}

TEST(GraphMemory, OnlyTransientsOfThePlanHavePlaces) {
    SomeGraph graph;
    const WordRef in = graph.import("in"), out = graph.import("out"), state = graph.state("state");
    const WordRef hidden = graph.transient("hidden", 3), seen = graph.transient("seen"), idle = graph.transient("idle");
    graph.add_pass(pass("first", {read(in), write(hidden), write(seen)}));
    graph.add_pass(pass("second", {read(hidden), read_write(state), write(out)}));
    graph.add_pass(pass("culled", {read(in), write(idle)}));
    graph.export_buffer(seen);
    const Plan plan = sound_plan(graph);
    for (const WordRef& other : {in, out, state, seen, idle}) {
        EXPECT_EQ(plan.memory.places[other.id.index], PlanMemory::Place{});
    }
    EXPECT_EQ(plan.memory.places[hidden.id.index], (PlanMemory::Place{0, 0}));
    EXPECT_THAT(plan.memory.blocks, ElementsAre(256U));
}

TEST(GraphMemory, BoundBufferIsAliveWithoutAccess) {
    SomeGraph graph;
    const WordRef a = graph.transient("a"), b = graph.transient("b"), out = graph.import("out");
    graph.add_pass(pass("first", {write(a)}));
    graph.add_pass(pass("second", {read(a), write(b)}));
    graph.add_pass(pass("third", {unused(a), read(b), write(out)}));
    const Plan plan = graph.plan();
    EXPECT_EQ(plan.memory.bytes(), plan.memory.apart);
    const WordRef c = graph.transient("c");
    graph.add_pass(pass("fourth", {unused(c), read_write(out)}));
    EXPECT_EQ(graph.plan().memory.bytes(), 512U);
    EXPECT_NE(graph.plan().memory.places[c.id.index].block, PlanMemory::none);
    sound_plan(graph);
}

TEST(GraphMemory, NotSharedIfDisabled) {
    SomeGraph graph;
    add_chain(graph, {4, 4, 4, 4});
    const Plan plan = sound_plan(graph, {.share_memory = false});
    EXPECT_EQ(plan.memory.bytes(), 16 * kib);
    EXPECT_EQ(plan.memory.lower_bound, 8 * kib);
    for (const PlanGroup& group : plan.groups) {
        for (const Dependency& dependency : group.dependencies) {
            EXPECT_NE(dependency.reason, Dependency::Reason::memory_reused);
        }
    }
}

TEST(GraphMemory, SeveralAllocations) {
    Capabilities device = some_device();
    device.max_allocation = 10 * kib + 100; // 40 units of 256 bytes, and a part of one
    SomeGraph graph(device);
    const WordRef out = graph.import("out");
    Pass last = pass("last", {write(out)});
    for (const std::uint32_t size : {4, 3, 6, 5, 7, 2, 1}) {
        const WordRef alive = graph.transient(std::to_string(size), size * kib_words);
        graph.add_pass(pass("make " + std::to_string(size), {write(alive)}));
        last.bindings.push_back(read(alive));
    }
    graph.add_pass(last);
    const Plan plan = sound_plan(graph);
    EXPECT_EQ(plan.memory.blocks.size(), 3U);
    for (const std::uint64_t block : plan.memory.blocks) {
        EXPECT_LE(block, 10 * kib);
    }
    EXPECT_EQ(plan.memory.bytes(), 28 * kib);
    EXPECT_THAT(plan.text(), HasSubstr("'7' transient, 7168 bytes, at 0 of block 0"));
}

TEST(GraphMemory, ReuseWaitsForPreviousUsers) {
    SomeGraph graph;
    add_chain(graph, {4, 4, 4});
    const Plan plan = graph.plan();
    // The third transient has the place of the first one. It waits for the passes that wrote and read the first one.
    ASSERT_EQ(plan.memory.places[graph.description().resources.size() - 2], plan.memory.places[1]);
    std::vector<std::string> reused;
    for (const Dependency& dependency : plan.groups[2].dependencies) {
        if (dependency.reason == Dependency::Reason::memory_reused) {
            EXPECT_EQ(dependency.to, 2U);
            reused.push_back(std::to_string(dependency.from));
        }
    }
    EXPECT_THAT(reused, ElementsAre("0", "1"));
    EXPECT_THAT(plan.text(), HasSubstr("'t2' memory reused: 'p1' -> 'p2'"));
    // In the next execution, the first transient waits for the third one.
    EXPECT_THAT(plan.text(), HasSubstr("'t0' memory reused: outside -> 'p0'"));
}

/// The checks find overlapping memory, and missing barriers between transients that share memory.
TEST(GraphMemory, ChecksFindOverlapsAndMissingBarriers) {
    SomeGraph graph;
    add_chain(graph, {4, 4, 4});
    Plan plan = graph.plan();
    plan.memory.places[1] = plan.memory.places[2];
    EXPECT_THAT(find_overlaps(graph.description(), plan), testing::Not(IsEmpty()));
    plan = graph.plan();
    plan.memory.places[1].offset += 4;
    EXPECT_THAT(find_overlaps(graph.description(), plan), testing::Not(IsEmpty()));
    plan = graph.plan();
    plan.groups[0].barriers.clear();
    Replay replay(graph.description());
    replay.execute(plan);
    EXPECT_THAT(replay.hazards(), IsEmpty());
    replay.execute(plan);
    EXPECT_THAT(replay.hazards(), testing::Contains(HasSubstr("'t0': 'p0' in execution 2")));
}

constexpr std::uint32_t words = 1U << 18;
constexpr std::uint64_t bytes = words * 4;

/// Returns all waits of a plan in order: the waiting group, and the awaited one plus 1000 per execution ago.
std::vector<std::pair<std::uint32_t, std::uint32_t>> waits(const Plan& plan) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
    for (std::uint32_t group = 0; group < plan.groups.size(); ++group) {
        for (const GroupWait& wait : plan.groups[group].waits) {
            all.emplace_back(group, wait.group + wait.executions_ago * 1000);
        }
    }
    return all;
}

/// Returns the plan of a graph. Expects no mistake, and no waits in addition to those without shared memory.
Plan sound_plan_on_queues(const SomeGraph& graph) {
    Plan plan = sound_plan(graph);
    EXPECT_EQ(waits(plan), waits(graph.plan({.share_memory = false})));
    return plan;
}

/// Passes on two queues in turn. Each reads the result of the one before it.
struct Relay : SomeGraph {
    explicit Relay(std::uint32_t passes) : SomeGraph(device_with(1)) {
        for (std::uint32_t i = 0; i < passes; ++i) {
            links.push_back(transient("link " + std::to_string(i), words));
            const auto scope = on_queue(i % 2 == 0 ? on_main : on_compute);
            add_pass(i == 0 ? pass("first", {write(links[0])})
                            : pass("pass " + std::to_string(i), {read(links[i - 1]), write(links[i])}));
        }
        const WordRef out = transient("out");
        add_pass(pass("last", {read(links.back()), write(out)}));
        export_buffer(out);
    }
    std::vector<WordRef> links;
};

TEST(QueueMemory, SharedIfSemaphoresOrderUses) {
    for (const std::uint32_t passes : {2U, 4U, 8U}) {
        const Relay graph(passes);
        const Plan plan = sound_plan_on_queues(graph);
        EXPECT_EQ(plan.memory.bytes(), 2 * bytes) << passes;
        EXPECT_EQ(plan.memory.apart, passes * bytes);
        EXPECT_LE(plan.memory.lower_bound, plan.memory.bytes());
        EXPECT_EQ(graph.plan({.one_queue = true}).memory.bytes(), 2 * bytes); // the same with one queue
    }
}

/// Passes that run at the same time have separate memory.
TEST(QueueMemory, NotSharedWithoutOrder) {
    SomeGraph graph(device_with(1));
    const WordRef here = graph.transient("here", words), there = graph.transient("there", words),
                  out = graph.transient("out"), other = graph.transient("other");
    graph.add_pass(pass("fills", {write(here)}));
    graph.add_pass(pass("sums", {read(here), write(out)}));
    {
        const auto scope = graph.on_queue(on_compute);
        graph.add_pass(pass("fills on compute", {write(there)}));
        graph.add_pass(pass("sums on compute", {read(there), write(other)}));
    }
    graph.export_buffer(out);
    graph.export_buffer(other);
    const Plan plan = sound_plan_on_queues(graph);
    EXPECT_EQ(plan.memory.bytes(), 2 * bytes);
    Plan shared = plan;
    shared.memory.places[there.id.index] = shared.memory.places[here.id.index];
    EXPECT_THAT(find_hazards(graph.description(), shared), testing::Not(IsEmpty()));
}

/// The uses are ordered within an execution, but the compute passes of the next one must be able to start before the
/// draws of this one end.
TEST(QueueMemory, NotSharedIfNextExecutionWouldWait) {
    SomeGraph graph(device_with(1));
    const WordRef list = graph.transient("list", words), count = graph.transient("count"),
                  pixels = graph.transient("pixels", words), out = graph.transient("out");
    {
        const auto scope = graph.on_queue(on_compute);
        graph.add_pass(pass("fills", {write(list)}));
        graph.add_pass(pass("culls", {read(list), write(count)}));
    }
    graph.add_pass(pass("draws", {read(count), write(pixels)}));
    graph.add_pass(pass("exposes", {read(pixels), write(out)}));
    graph.export_buffer(out);
    const Plan plan = sound_plan_on_queues(graph);
    EXPECT_GE(plan.memory.bytes(), 2 * bytes);
}

} // namespace
} // namespace weir::tests::memory_test
