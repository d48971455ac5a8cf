// Images that arrive with an access other than the declared one: the barrier before the plan.

#include "graph/plan/import_barriers.hpp"
#include "tests/graph/graph_maker.hpp"
#include "tests/graph/hazards.hpp"

namespace weir::tests::arrivals_test {
namespace {

using testing::IsEmpty;

Queues queues_of(const GraphDescription& graph) {
    return {graph.capabilities, false};
}

/// Returns the hazards if `image` arrives for `access`. The plan begins with the barrier for this arrival, unless
/// `with_barrier` is false.
std::vector<std::string> judge(const GraphDescription& graph, Plan plan, std::uint32_t image, Access access,
                               bool with_barrier = true) {
    GraphDescription told = graph;
    told.resources[image].arrives = access;
    for (PlanGroup& group : plan.groups) {
        for (GroupWait& wait : group.waits) {
            ++wait.group;
        }
    }
    PlanGroup before;
    before.queue = queues_of(graph).on(graph.resources[image].queues.arrives);
    if (with_barrier) {
        before.image_barriers = {arrival_barrier(graph, queues_of(graph), image, access)};
    }
    plan.groups.insert(plan.groups.begin(), before);
    auto hazards = find_hazards(told, plan, Reads::take_place); // the application has used the image for `access`
    std::erase_if(hazards, [&](const std::string& hazard) {     // the application may drop the contents
        return access == Access::none && hazard.find("has lost its contents") != std::string::npos;
    });
    return hazards;
}

TEST(Arrivals, BarrierLeadsToDeclaredAccess) {
    SomeGraph graph;
    const ImageId image = graph.import_image("image", some_image(), Access::fragment_shader_read);
    graph.add_pass(pass("shade", {write(image)}));
    graph.export_image(image, Access::fragment_shader_read);
    const auto barrier = [&](Access arrives) {
        return arrival_barrier(graph.description(), queues_of(graph.description()), image.index, arrives);
    };
    const ImageBarrier new_one = barrier(Access::none), drawn = barrier(Access::color_write);
    EXPECT_EQ(new_one.old_layout, undefined);
    EXPECT_EQ(new_one.new_layout, for_sampling);
    EXPECT_EQ(new_one.source, (Scope{VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0}));
    EXPECT_EQ(new_one.destination, scope_of(Access::any));
    EXPECT_EQ(drawn.old_layout, for_color);
    EXPECT_EQ(drawn.source, scope_of(Access::color_write));
    for (const Access access : {Access::none, Access::color_write, Access::any, Access::present}) {
        EXPECT_THAT(judge(graph.description(), graph.plan(), image.index, access), IsEmpty()) << to_string(access);
        EXPECT_THAT(judge(graph.description(), graph.plan(), image.index, access, false), testing::Not(IsEmpty()));
    }
}

TEST(Arrivals, ConcurrentImportReadOnTwoQueuesIsRejected) {
    for (const bool concurrent : {false, true}) {
        SomeGraph graph(device_with(1));
        const ImageId image = graph.import_image("image", some_image(), Access::sampled_read);
        graph.set_queues(image, {.concurrent = concurrent});
        graph.add_command_pass(kept_pass("looks", {{image, Access::sampled_read}}));
        {
            const auto scope = graph.on_queue(on_compute);
            graph.add_command_pass(kept_pass("looks too", {{image, Access::sampled_read}}));
        }
        // A concurrent image is not handed over, so both queues read it at the same time.
        EXPECT_EQ(can_arrive_otherwise(graph.description(), queues_of(graph.description()), graph.plan(), image.index),
                  !concurrent);
        EXPECT_EQ(judge(graph.description(), graph.plan(), image.index, Access::color_write).empty(), !concurrent);
    }
}

TEST(Arrivals, RandomGraphs) {
    Random random;
    std::size_t judged = 0, refused = 0, handed_over = 0;
    for (int i = 0; i < 400; ++i) {
        SomeGraph graph(device_with_queues(random));
        GraphMaker(random, graph).make();
        const GraphDescription& description = graph.description();
        const Plan plan = graph.plan();
        for (std::uint32_t image = 0; image < description.resources.size(); ++image) {
            const auto& node = description.resources[image];
            if (!node.image || node.lifetime != GraphDescription::Lifetime::import || node.arrives.empty() ||
                node.part_of != ResourceId::none || !plan.used[image]) {
                continue;
            }
            const QueueKind arrives = queues_of(description).on(node.queues.arrives);
            std::vector<Access> fitting{Access::none, Access::present, Access::any};
            for (const Access access : accesses_where(is_for_images)) {
                if (queues_of(description).scope_on(arrives, scope_of(access)).stages == scope_of(access).stages) {
                    fitting.push_back(access);
                }
            }
            const Access access = fitting[random.uniform<std::size_t>(0, fitting.size() - 1)];
            if (!can_arrive_otherwise(*plan.graph, queues_of(description), plan, image)) {
                ++refused;
                continue;
            }
            ++judged;
            handed_over += std::any_of(plan.groups.begin(), plan.groups.end(), [&](const PlanGroup& group) {
                return std::any_of(group.acquired.begin(), group.acquired.end(), [&](const OwnershipTransfer& taken) {
                    return whole_of(*plan.graph, taken.resource) == image;
                });
            });
            ASSERT_THAT(judge(description, plan, image, access), IsEmpty())
                << "graph " << i << ", '" << node.name << "' arrives for " << to_string(access) << "\n"
                << plan.text();
        }
    }
    EXPECT_GT(judged, 100U);
    EXPECT_GT(refused, 10U);
    EXPECT_GT(handed_over, 10U);
}

} // namespace
} // namespace weir::tests::arrivals_test
