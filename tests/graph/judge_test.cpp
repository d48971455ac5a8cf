// The checks of hazards.hpp and plan_checks.hpp find mistakes in plans of several queues, which are made by hand here.

#include <utility>

#include "tests/graph/graphs.hpp"
#include "tests/graph/hazards.hpp"
#include "tests/graph/plan_checks.hpp"

namespace weir::tests::judge_test {
namespace {

using testing::Contains;
using testing::IsEmpty;

PlanGroup group(QueueKind queue, std::vector<std::uint32_t> passes, std::vector<GroupWait> waits = {}) {
    PlanGroup made;
    made.queue = queue;
    made.passes = std::move(passes);
    made.waits = std::move(waits);
    return made;
}

VkMemoryBarrier2 barrier(const Scope& before, const Scope& after) {
    VkMemoryBarrier2 made{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
    made.srcStageMask = before.stages;
    made.srcAccessMask = before.access;
    made.dstStageMask = after.stages;
    made.dstAccessMask = after.access;
    return made;
}
VkMemoryBarrier2 barrier(Access before, Access after) {
    return barrier(scope_of(before), scope_of(after));
}

/// Returns a plan in which no resources share memory, and images leave in `layouts`.
Plan plan_of(const Graph& graph, std::vector<PlanGroup> groups, std::vector<VkImageLayout> layouts = {}) {
    Plan plan;
    plan.groups = std::move(groups);
    plan.memory.places.resize(graph.description().resources.size());
    plan.final_layouts = std::move(layouts);
    plan.final_layouts.resize(plan.memory.places.size());
    return plan;
}

void expect_none(const Graph& graph, const Plan& plan) {
    EXPECT_THAT(find_hazards(graph.description(), plan), IsEmpty());
}
void expect_hazard(const Graph& graph, const Plan& plan, const std::string& hazard) {
    EXPECT_THAT(find_hazards(graph.description(), plan), Contains(HasSubstr(hazard)));
}

/// Checks that a change of the graph's good plan leads to a hazard.
template <class G>
void finds(const G& graph, const std::string& hazard, void (*change)(Plan& plan)) {
    Plan plan = graph.good();
    change(plan);
    expect_hazard(graph, plan, hazard);
}

/// Returns a plan of a pass on the compute queue between uses of the application on the main queue.
Plan plan_there_and_back(const Graph& graph, std::vector<VkImageLayout> layouts = {}) {
    return plan_of(graph, {group(on_main, {}), group(on_compute, {0}, {{0, 0, {}}}), group(on_main, {}, {{1, 0, {}}})},
                   std::move(layouts));
}

/// The plan has no barrier for one of several accesses with which a resource arrives or leaves.
TEST(PlanChecks, SeveralAccessesOfApplication) {
    SomeGraph graph;
    const WordRef in = graph.import("in", {Access::transfer_write, Access::fragment_shader_write});
    const WordRef out = graph.transient("out");
    graph.add_pass(pass("pass", {read(in), write(out)}));
    graph.export_buffer(out, {Access::indirect_read, Access::fragment_shader_read});
    const VkMemoryBarrier2 from_copy = barrier(Access::transfer_write, Access::shader_read),
                           from_draw = barrier(Access::fragment_shader_write, Access::shader_read),
                           before = barrier(Access::any, Access::any),
                           to_draw = barrier(Access::shader_write, Access::fragment_shader_read),
                           to_arguments = barrier(Access::shader_write, Access::indirect_read);
    const auto plan = [&](std::vector<VkMemoryBarrier2> arriving, std::vector<VkMemoryBarrier2> leaving) {
        PlanGroup first = group(on_main, {0}), last = group(on_main, {});
        first.barriers = std::move(arriving);
        last.barriers = std::move(leaving);
        return plan_of(graph, {first, last});
    };
    expect_none(graph, plan({before}, {to_draw, to_arguments}));
    expect_hazard(graph, plan({before}, {to_draw}), "read after write on 'out': the host after");
    expect_hazard(graph, plan({before}, {to_arguments}), "read after write on 'out': the host after");
    expect_hazard(graph, plan({from_copy}, {to_draw, to_arguments}), "read after write on 'in': 'pass'");
    expect_hazard(graph, plan({from_draw}, {to_draw, to_arguments}), "read after write on 'in': 'pass'");
}

/// A state that is written on the main queue and read on the compute queue.
struct TwoQueues : SomeGraph {
    TwoQueues() : SomeGraph(device_with(1)) {
        add_pass(pass("write", {write(shared)}));
        const auto scope = on_queue(on_compute);
        add_pass(pass("read", {read(shared), write(out)}));
    }
    WordRef shared = state("shared"), out = state("out");

    [[nodiscard]] Plan good() const {
        return plan_of(*this, {group(on_main, {0}, {{1, 1, {}}}), group(on_compute, {1}, {{0, 0, {}}})});
    }
};

TEST(PlanChecks, OnlyWaitsOrderQueues) {
    const TwoQueues graph;
    expect_none(graph, graph.good());
    const std::string read = "read after write on 'shared': 'read' in execution 1 after 'write' in execution 1";
    finds(graph, read, [](Plan& plan) { plan.groups[1].waits.clear(); });
    finds(graph, read, [](Plan& plan) { // barriers order only their own queue
        plan.groups[1].waits.clear();
        plan.groups[1].barriers = {barrier(Access::any, Access::any)};
    });
    finds(graph, "write after read on 'shared': 'write' in execution 2 after 'read' in execution 1",
          [](Plan& plan) { plan.groups[0].waits.clear(); });
    finds(graph, "write after write on 'out': 'read' in execution 2 after 'read' in execution 1", // via main and back
          [](Plan& plan) { plan.groups[0].waits.clear(); });
    finds(graph, "write after read on 'shared': 'write' in execution 2 after 'read' in execution 1",
          [](Plan& plan) { plan.groups[0].waits[0].executions_ago = 2; });
}

TEST(PlanChecks, WaitCoversEarlierGroups) {
    const TwoQueues graph;
    // A wait does not cover groups after the awaited one. It holds back all later groups of the waiting queue.
    Plan plan =
        plan_of(graph, {group(on_main, {}), group(on_main, {0}, {{2, 1, {}}}), group(on_compute, {1}, {{0, 0, {}}})});
    expect_hazard(graph, plan, "'read' in execution 1 after 'write' in execution 1");
    plan.groups[2].waits[0].group = 1;
    expect_none(graph, plan);
    plan = plan_of(graph,
                   {group(on_main, {0}, {{2, 1, {}}}), group(on_compute, {}, {{0, 0, {}}}), group(on_compute, {1})});
    expect_none(graph, plan);
    plan.groups[2].queue = on_main;
    expect_hazard(graph, plan, "read after write on 'shared': 'read' in execution 1 after 'write' in execution 1");
}

TEST(PlanChecks, WaitsAreTransitive) {
    SomeGraph graph(device_with(1, 2));
    const WordRef a = graph.state("a"), b = graph.state("b");
    graph.add_pass(pass("write", {write(a)}));
    {
        const auto scope = graph.on_queue(on_transfer);
        graph.add_copy("copy", a, b, 16);
    }
    Plan plan = plan_of(graph, {group(on_main, {0}, {{2, 1, {}}}), group(on_compute, {}, {{0, 0, {}}}),
                                group(on_transfer, {1}, {{1, 0, {}}})});
    expect_none(graph, plan);
    plan.groups[1].waits.clear();
    expect_hazard(graph, plan, "read after write on 'a': 'copy' in execution 1 after 'write' in execution 1");
    // A chain through a barrier of a queue in between.
    plan =
        plan_of(graph, {group(on_main, {0}, {{2, 1, {}}}), group(on_main, {}), group(on_transfer, {1}, {{1, 0, {}}})});
    plan.groups[1].barriers = {barrier(Access::shader_write, Access::transfer_read)};
    expect_none(graph, plan);
}

TEST(PlanChecks, ImpossibleWaits) {
    const TwoQueues graph;
    finds(graph, "which does not come before it", [](Plan& plan) { plan.groups[0].waits[0].executions_ago = 0; });
    finds(graph, "which does not come before it", [](Plan& plan) { plan.groups[1].waits[0].group = 7; });
    finds(graph, "which is on its own queue", [](Plan& plan) { plan.groups[1].waits.push_back({1, 1, {}}); });
    finds(graph, "in addition to another group of that queue", [](Plan& plan) {
        plan.groups[1].waits.push_back({0, 1, {}});
    });
}

TEST(PlanChecks, UnsupportedWorkOnQueues) {
    const TwoQueues graph;
    const std::string what = "has stages or accesses that the compute queue does not support";
    finds(graph, what,
          [](Plan& plan) { plan.groups[1].barriers = {barrier(Access::fragment_shader_read, Access::shader_write)}; });
    finds(graph, what, [](Plan& plan) {
        plan.groups[1].barriers = {barrier(scope_of(Access::shader_write),
                                           {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_INDEX_READ_BIT})};
    });
    finds(graph, "'read' in execution 1 computes on the transfer queue",
          [](Plan& plan) { plan.groups[1].queue = on_transfer; });
    finds(graph, "has stages or accesses that the transfer queue does not support", [](Plan& plan) {
        plan.groups[1].queue = on_transfer;
        plan.groups[1].barriers = {barrier(Access::shader_write, Access::transfer_read)};
    });
    Plan plan = graph.good();
    std::swap(plan.groups[0].queue, plan.groups[1].queue);
    const auto misplaced = find_misplaced(graph.description(), plan);
    EXPECT_THAT(misplaced, Contains("'write' is on the wrong queue"));
    EXPECT_THAT(misplaced, Contains("'read' is on the wrong queue"));

    Capabilities computes = device_with(no_queue);
    computes.queue_flags[0] = VK_QUEUE_COMPUTE_BIT;
    SomeGraph one_queue(computes);
    const WordRef words = one_queue.transient("words");
    one_queue.add_fill("fill", words, 0);
    one_queue.add_command_pass(command_pass("dispatch", {{words, Access::uniform_read}}));
    Plan two_groups = plan_of(one_queue, {group(on_main, {0}), group(on_main, {1})});
    two_groups.groups[1].barriers = {barrier(Access::transfer_write, Access::uniform_read)};
    expect_hazard(one_queue, two_groups, "has stages or accesses that the main queue does not support");

    SomeGraph draws(device_with(1));
    const ImageId image = draws.image("image");
    draws.add_command_pass(command_pass("draw", {{image, Access::color_write}}));
    expect_hazard(draws, plan_of(draws, {group(on_compute, {0})}),
                  "the compute queue does not support the use of 'image' by 'draw' in execution 1");
}

/// An import that the application writes and reads on the main queue, and that is sorted on the compute queue.
struct Handed : SomeGraph {
    explicit Handed(std::uint32_t compute = 1, bool concurrent = false) : SomeGraph(device_with(compute)) {
        set_queues(numbers, {.concurrent = concurrent});
        add_pass_on(on_compute, pass("sort", {read_write(numbers)}));
        export_buffer(numbers, Access::transfer_read);
    }
    WordRef numbers = import("numbers", Access::transfer_write);

    [[nodiscard]] Plan waiting() const { return plan_there_and_back(*this); }
    [[nodiscard]] Plan good() const {
        Plan plan = waiting();
        const std::uint32_t it = numbers.id.index;
        plan.groups[0].released = {{it, on_main, on_compute, scope_of(Access::transfer_write)}};
        plan.groups[1].acquired = {{it, on_main, on_compute, scope_of(Access::shader_read_write)}};
        plan.groups[1].released = {{it, on_compute, on_main, scope_of(Access::shader_write)}};
        plan.groups[2].acquired = {{it, on_compute, on_main, scope_of(Access::transfer_read)}};
        return plan;
    }
};

TEST(PlanChecks, ImportsBelongToOneFamily) {
    const Handed graph;
    expect_none(graph, graph.good());
    expect_hazard(graph, graph.waiting(), "'numbers' belongs to another queue family: 'sort' in execution 1");
    finds(graph, "'numbers' belongs to another queue family: 'sort'", [](Plan& plan) { // acquired, but not released
        plan.groups[0].released.clear();
        plan.groups[1].acquired.clear();
    });
    finds(graph, "acquisition of 'numbers' before group 1 in execution 1 without a release",
          [](Plan& plan) { plan.groups[0].released.clear(); });
    finds(graph, "'numbers' is released: 'sort' in execution 1", [](Plan& plan) { plan.groups[1].acquired.clear(); });
    finds(graph, "'numbers' belongs to another queue family: the host after", [](Plan& plan) {
        plan.groups[1].released.clear();
        plan.groups[2].acquired.clear();
    });
    finds(graph, "'numbers' leaves in execution 1 but belongs to another queue family",
          [](Plan& plan) { plan.groups[2].acquired.clear(); });
    finds(graph, "acquisition of 'numbers' before group 1 in execution 1 is not what was released",
          [](Plan& plan) { plan.groups[0].released[0].to = on_transfer; });
    finds(graph, "release of 'numbers' after group 0 in execution 1 on the wrong queue",
          [](Plan& plan) { plan.groups[0].released[0].from = on_compute; });
    finds(graph, "acquisition of 'numbers' before group 1 in execution 1 on the wrong queue",
          [](Plan& plan) { plan.groups[1].acquired[0].to = on_main; });
}

TEST(PlanChecks, HandoverNeedsScopesAndWait) {
    const Handed graph;
    finds(graph, "acquisition of 'numbers' before group 1 in execution 1 after its release",
          [](Plan& plan) { plan.groups[1].waits.clear(); });
    finds(graph, "release of 'numbers' after group 0 in execution 1 after the host before",
          [](Plan& plan) { plan.groups[0].released[0].scope = {}; });
    finds(graph, "release of 'numbers' after group 1 in execution 1 after 'sort'",
          [](Plan& plan) { plan.groups[1].released[0].scope = scope_of(Access::shader_read); });
    finds(graph, "'sort' in execution 1 after its acquisition",
          [](Plan& plan) { plan.groups[1].acquired[0].scope = scope_of(Access::transfer_read); });
    finds(graph, "the host after in execution 1 after its acquisition",
          [](Plan& plan) { plan.groups[2].acquired[0].scope = scope_of(Access::shader_read); });
    finds(graph, "has stages or accesses that the compute queue does not support",
          [](Plan& plan) { plan.groups[1].acquired[0].scope = scope_of(Access::vertex_read); });
}

TEST(PlanChecks, SharedImportsNeedOnlyWaits) {
    for (const Handed& graph : {Handed(1, true), Handed(0, false)}) {
        expect_none(graph, graph.waiting());
        expect_hazard(graph, graph.good(), "between queues that need no transfer of ownership");
        Plan plan = graph.waiting();
        plan.groups[1].waits.clear();
        expect_hazard(graph, plan, "'sort' in execution 1 after the host before in execution 1");
        plan = graph.waiting();
        plan.groups[2].waits.clear();
        expect_hazard(graph, plan, "'numbers' leaves the main queue in execution 1 before 'sort'");
        expect_hazard(graph, plan, "the host after in execution 1 after 'sort' in execution 1");
    }
}

/// Semaphores do not cover accesses of the host. These need barriers on the queues where the resource arrives and
/// leaves.
TEST(PlanChecks, SemaphoresDoNotCoverHostAccess) {
    SomeGraph graph(device_with(0));
    const WordRef in = graph.import("in", Access::host_write), out = graph.import("out");
    graph.add_pass_on(on_compute, pass("sum", {read(in), write(out)}));
    graph.export_buffer(out, Access::host_read);
    Plan plan = plan_there_and_back(graph);
    expect_hazard(graph, plan, "read after write on 'in': 'sum' in execution 1 after the host before in execution 1");
    expect_hazard(graph, plan, "read after write on 'out': the host after in execution 1 after 'sum' in execution 1");
    plan.groups[0].barriers = {barrier(Access::host_write, Access::shader_read)};
    plan.groups[2].barriers = {
        barrier({VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT}, scope_of(Access::host_read))};
    expect_none(graph, plan);
}

/// The application uses an export after the whole execution, on the queue where it leaves. Waits for groups of this
/// execution do not cover this use. Waits for groups of the next execution do.
TEST(PlanChecks, ApplicationUsesExportsAfterExecution) {
    SomeGraph graph(device_with(1));
    const WordRef out = graph.transient("out");
    graph.add_pass_on(on_compute, pass("sum", {write(out)}));
    graph.export_buffer(out, Access::transfer_read);
    expect_hazard(graph, plan_of(graph, {group(on_compute, {0}, {{1, 1, {}}}), group(on_main, {}, {{0, 0, {}}})}),
                  "write after read on 'out': 'sum' in execution 2 after the host after in execution 1");
    expect_none(graph, plan_there_and_back(graph));
}

/// An image that is sampled on the compute queue, between uses of the application on the main queue.
struct HandedImage : SomeGraph {
    explicit HandedImage(Access arrives, bool concurrent = false)
        : SomeGraph(device_with(1)), image(import_image("image", some_image(), arrives)) {
        set_queues(image, {.concurrent = concurrent});
        add_pass_on(on_compute, pass("blur", {sampled(image)}));
        export_image(image, Access::transfer_read);
    }
    ImageId image;

    [[nodiscard]] Plan waiting() const {
        Plan plan = plan_there_and_back(*this, {for_copies});
        plan.groups[1].layouts = {{image.index, for_sampling}};
        plan.groups[2].layouts = {{image.index, for_copies}};
        return plan;
    }
    [[nodiscard]] Plan good() const {
        Plan plan = waiting();
        const std::uint32_t it = image.index;
        plan.groups[0].released = {{it, on_main, on_compute, scope_of(Access::color_write), for_color, for_sampling}};
        plan.groups[1].acquired = {{it, on_main, on_compute, scope_of(Access::sampled_read), for_color, for_sampling}};
        plan.groups[1].released = {{it, on_compute, on_main, scope_of(Access::sampled_read), for_sampling, for_copies}};
        plan.groups[2].acquired = {
            {it, on_compute, on_main, scope_of(Access::transfer_read), for_sampling, for_copies}};
        return plan;
    }
};

TEST(PlanChecks, HandoverChangesLayoutOnce) {
    const HandedImage graph(Access::color_write);
    expect_none(graph, graph.good());
    finds(graph, "acquisition of 'image' before group 1 in execution 1 is not what was released",
          [](Plan& plan) { plan.groups[1].acquired[0].new_layout = general; });
    finds(graph, "release of 'image' after group 0 in execution 1 from a layout other than the current one",
          [](Plan& plan) { plan.groups[0].released[0].old_layout = general; });
    finds(graph, "'image' has lost its contents for 'blur'", [](Plan& plan) {
        plan.groups[0].released[0].old_layout = undefined;
        plan.groups[1].acquired[0].old_layout = undefined;
    });
    finds(graph, "release of 'image' after group 0 in execution 1 with an invalid new layout",
          [](Plan& plan) { plan.groups[0].released[0].new_layout = undefined; });
    finds(graph, "'image' is not in the layout that the plan says for 'blur'", [](Plan& plan) {
        plan.groups[0].released[0].new_layout = general;
        plan.groups[1].acquired[0].new_layout = general;
    });
}

/// The queue where a swapchain image arrives waits for the semaphore of that image.
TEST(PlanChecks, PresentedImageIsAwaitedOnArrivalQueue) {
    const HandedImage graph(Access::present, true);
    Plan plan = graph.waiting();
    plan.groups[1].image_barriers = {{graph.image.index, scope_of(Access::sampled_read), scope_of(Access::sampled_read),
                                      VK_IMAGE_LAYOUT_PRESENT_SRC_KHR, for_sampling}};
    plan.groups[2].image_barriers = {{graph.image.index, scope_of(Access::transfer_read),
                                      scope_of(Access::transfer_read), for_sampling, for_copies}};
    expect_none(graph, plan);
    plan.groups[1].waits.clear();
    expect_hazard(graph, plan, "layout change of 'image' in execution 1 before the semaphore");
}

/// An image without contents belongs to the first queue family that uses it.
TEST(PlanChecks, ImageWithoutContentsHasNoOwner) {
    SomeGraph graph(device_with(1));
    const ImageId image = graph.import_image("image", some_image(), Access::none);
    graph.set_queues(image, {.leaves = on_compute});
    graph.add_pass_on(on_compute, pass("fill", {write(image)}));
    Plan plan = plan_of(graph, {group(on_main, {}), group(on_compute, {0}, {{0, 0, {}}})}, {general});
    plan.groups[1].layouts = {{image.index, general}};
    plan.groups[1].image_barriers = {
        {image.index, scope_of(Access::shader_write), scope_of(Access::shader_write), undefined, general}};
    expect_none(graph, plan);
    graph.set_queues(image, {});
    expect_hazard(graph, plan, "'image' leaves in execution 1 but belongs to another queue family");
}

TEST(PlanChecks, QueuesShareMemoryIfTheyWaitForEachOther) {
    SomeGraph graph(device_with(1));
    const WordRef a = graph.transient("a"), b = graph.transient("b"), out = graph.state("out");
    graph.add_pass(pass("write a", {write(a)}));
    graph.add_pass(pass("read a", {read(a), write(out)}));
    graph.add_pass_on(on_compute, pass("write b", {write(b)}));
    Plan plan =
        plan_of(graph, {group(on_main, {0}, {{2, 1, {}}}), group(on_main, {1}), group(on_compute, {2}, {{1, 0, {}}})});
    plan.groups[0].barriers = plan.groups[1].barriers = {barrier(Access::shader_write, Access::shader_read_write)};
    plan.memory.places[a.id.index] = plan.memory.places[b.id.index] = {0, 0};
    plan.memory.blocks = {256};
    plan.memory.with_images = {false};
    EXPECT_THAT(find_overlaps(graph.description(), plan), IsEmpty());
    expect_none(graph, plan);
    Plan wrong = plan;
    wrong.groups[0].waits.clear();
    expect_hazard(graph, wrong, "write after write on 'a': 'write a' in execution 2 after 'write b' in execution 1");
    wrong = plan;
    wrong.groups[2].waits.clear();
    expect_hazard(graph, wrong, "write after read on 'b': 'write b' in execution 1 after 'read a' in execution 1");
}

TEST(PlanChecks, BatchesMatchGroups) {
    const TwoQueues graph;
    Plan good = plan_of(graph, {group(on_main, {0}), group(on_compute, {1}, {{0, 0, {}}}), group(on_main, {}),
                                group(on_main, {}, {{1, 0, {}}})});
    good.batches = {{on_main, {0}, {}}, {on_compute, {1}, {{0, 0}}}, {on_main, {2}, {}}, {on_main, {3}, {{1, 0}}}};
    EXPECT_THAT(find_misbatched(good), IsEmpty());
    const auto finds = [&](const std::string& mistake, void (*change)(Plan & plan)) {
        Plan plan = good;
        change(plan);
        EXPECT_THAT(find_misbatched(plan), Contains(HasSubstr(mistake)));
    };
    finds("group 3 is in no batch", [](Plan& plan) { plan.batches.pop_back(); });
    finds("group 2 is in two batches or does not exist", [](Plan& plan) { plan.batches[3].groups = {2, 3}; });
    finds("batch 4 is empty", [](Plan& plan) { plan.batches.emplace_back(); });
    finds("group 1 is not on the queue of its batch", [](Plan& plan) { plan.batches[1].queue = on_transfer; });
    finds("groups of one queue are submitted in another order",
          [](Plan& plan) { std::swap(plan.batches[2], plan.batches[3]); });
    finds("group 3 waits, but is not the first of its batch", [](Plan& plan) {
        plan.batches[2].groups = {2, 3};
        plan.batches.pop_back();
    });
    finds("group 1 waits for group 0, which no batch ends with", [](Plan& plan) {
        plan.batches[0].groups = {0, 2};
        plan.batches.erase(plan.batches.begin() + 2);
    });
    finds("batch 0 waits for a later one", [](Plan& plan) { std::swap(plan.batches[0], plan.batches[1]); });
    finds("batch 3 does not wait for what its groups do", [](Plan& plan) { plan.batches[3].waits.clear(); });
    finds("batch 2 does not wait for what its groups do", [](Plan& plan) { plan.batches[2].waits = {{1, 0}}; });
    finds("batch 1 does not wait for what its groups do",
          [](Plan& plan) { plan.batches[1].waits[0].executions_ago = 1; });
    finds("one queue, but several batches", [](Plan& plan) { plan.groups[1].queue = plan.batches[1].queue = on_main; });
}

} // namespace
} // namespace weir::tests::judge_test
