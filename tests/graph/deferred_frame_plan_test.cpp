// The plan of the example of a deferred renderer.

#include <algorithm>
#include <iostream>

#include "examples/deferred_frame.hpp"
#include "tests/graph/graphs.hpp"
#include "tests/graph/hazards.hpp"
#include "tests/graph/plan_checks.hpp"

namespace weir::tests::deferred_frame_plan_test {
namespace {

Plan plan_of(std::uint32_t width, std::uint32_t height, const PlanOptions& options = {}) {
    SomeGraph graph(device_with(1));
    const deferred::Frame frame(graph, width, height, {});
    return sound_plan(graph, options);
}

TEST(DeferredFrame, PlanOfAllPasses) {
    const Plan plan = plan_of(1920, 1080);
    std::size_t passes = 0, image_barriers = 0, barriers = 0, commands = 0;
    for (const PlanGroup& group : plan.groups) {
        passes += group.passes.size();
        image_barriers += group.image_barriers.size();
        barriers += group.barriers.size();
        commands += group.image_barriers.empty() && group.barriers.empty() ? 0 : 1;
    }
    RecordProperty("passes", std::to_string(passes));
    RecordProperty("groups", std::to_string(plan.groups.size()));
    RecordProperty("barrier commands", std::to_string(commands));
    RecordProperty("image barriers", std::to_string(image_barriers));
    RecordProperty("memory barriers", std::to_string(barriers));
    RecordProperty("memory", std::to_string(plan.memory.bytes()));
    RecordProperty("lower bound", std::to_string(plan.memory.lower_bound));
    EXPECT_EQ(passes, 57U) << plan.text();
    EXPECT_TRUE(plan.culled.empty());
    EXPECT_LT(static_cast<double>(plan.memory.bytes()), 1.05 * static_cast<double>(plan.memory.lower_bound));
}

TEST(DeferredFrame, AnySizeHasAPlan) {
    for (const std::uint32_t size : {1U, 2U, 7U, 63U, 64U, 65U, 1000U}) {
        plan_of(size, size);
        plan_of(size, 1, {.one_queue = true});
    }
}

/// Attachments that only one pass writes need not be loaded, and those that no later pass reads need not be stored.
TEST(DeferredFrame, AttachmentsAreClearedOnceAndStoredIfNeeded) {
    const Plan plan = plan_of(1920, 1080);
    const std::string text = plan.text();
    for (const char* first : {"'depth' depth write, first write", "'light' color write, first write",
                              "'screen' color write, first write", "'output' color write, first write"}) {
        EXPECT_THAT(text, HasSubstr(first));
    }
}

} // namespace
} // namespace weir::tests::deferred_frame_plan_test
