// Plans of random graphs, checked by hazards.hpp and plan_checks.hpp.

#include <algorithm>
#include <map>
#include <set>

#include "tests/graph/executions.hpp"
#include "tests/graph/graph_maker.hpp"
#include "tests/graph/hazards.hpp"
#include "tests/graph/meanings.hpp"
#include "tests/graph/plan_checks.hpp"
#include "tests/graph/subresources.hpp"
#include "tests/support/long_tests.hpp"

namespace weir::tests::random_graphs_test {
namespace {

/// Checks that each image of a pass is in the dedicated layout of its use. Another layout is accepted if the pass also
/// uses the image or parts of it in other ways, and for sampled images, which may share a layout with other readers.
bool finds_fitting_layouts(const GraphDescription& graph, const GraphDescription::PassNode& pass,
                           const PlanGroup& group) {
    return std::all_of(pass.accesses().begin(), pass.accesses().end(), [&](const GraphDescription::PassUse& touch) {
        const VkImageLayout layout = group.layout(touch.resource), best = layouts_for(touch).front();
        const bool has_another_use =
            std::any_of(pass.accesses().begin(), pass.accesses().end(), [&](const GraphDescription::PassUse& other) {
                return whole_of(graph, other.resource) == whole_of(graph, touch.resource) &&
                       layouts_for(other).front() != best;
            });
        return layout == VK_IMAGE_LAYOUT_UNDEFINED || layout == best || has_another_use ||
               best == VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    });
}

/// Checks that uses through sets of the application are among the accesses of the pass. Images must be in the layout
/// that the pass's own uses of them need, so that the layout is the same in all plans.
bool finds_declared_layouts(const GraphDescription& graph, const GraphDescription::PassNode& pass,
                            const PlanGroup& group) {
    const auto* work = pass.compute_pass();
    return work == nullptr || std::all_of(work->uses.begin(), work->uses.end(), [&](const Use& use) {
               bool is_declared = false, is_seen_in_part = false;
               VkImageLayout needed = VK_IMAGE_LAYOUT_UNDEFINED;
               for (const auto& touch : pass.accesses()) {
                   const bool is_it = touch.resource == use.resource.index;
                   is_seen_in_part = is_seen_in_part ||
                                     (!is_it && whole_of(graph, touch.resource) == whole_of(graph, use.resource.index));
                   is_declared =
                       is_declared || (is_it && (use.raw ? touch.raw.has_value() : touch.access == use.access));
                   const VkImageLayout best = layouts_for(touch).front();
                   needed = !is_it                                                  ? needed
                            : needed == VK_IMAGE_LAYOUT_UNDEFINED || needed == best ? best
                                                                                    : VK_IMAGE_LAYOUT_GENERAL;
               }
               const VkImageLayout found = group.layout(use.resource.index);
               return is_declared && (found == VK_IMAGE_LAYOUT_UNDEFINED || found == needed ||
                                      (is_seen_in_part && found == VK_IMAGE_LAYOUT_GENERAL));
           });
}

/// Returns the waits of each group: group and executions ago.
std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> waits_of(const Plan& plan) {
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> all;
    for (const PlanGroup& group : plan.groups) {
        auto& waits = all.emplace_back();
        for (const GroupWait& wait : group.waits) {
            waits.emplace_back(wait.group, wait.executions_ago);
        }
    }
    return all;
}

/// Returns the number of pairs of transients that share bytes and that several queues use.
std::size_t count_shared_between_queues(const GraphDescription& graph, const Plan& plan) {
    std::vector<std::set<QueueKind>> queues(graph.resources.size());
    for (const PlanGroup& group : plan.groups) {
        for (const std::uint32_t pass : group.passes) {
            for (const auto& use : graph.passes[pass].uses) {
                queues[use.resource].insert(group.queue);
            }
        }
    }
    std::size_t pairs = 0;
    for (std::uint32_t a = 0; a < queues.size(); ++a) {
        for (std::uint32_t b = 0; b < a; ++b) {
            std::set<QueueKind> both = queues[a];
            both.insert(queues[b].begin(), queues[b].end());
            pairs += both.size() > 1 && overlap(graph, plan, a, b) ? 1 : 0;
        }
    }
    return pairs;
}

/// Returns the number of pairs of exclusive passes that share a group.
std::size_t count_exclusive(const GraphDescription& graph, const Plan& plan) {
    const Branches branches(graph);
    std::size_t pairs = 0;
    for (const PlanGroup& group : plan.groups) {
        for (auto a = group.passes.begin(); branches.any() && a != group.passes.end(); ++a) {
            pairs += static_cast<std::size_t>(
                std::count_if(a, group.passes.end(), [&](auto b) { return branches.are_exclusive(*a, b); }));
        }
    }
    return pairs;
}

/// Checks if a pass reads a resource that only later passes write.
bool reads_late_writes(const GraphDescription& graph) {
    std::set<std::uint32_t> written;
    for (const auto& pass : graph.passes) {
        for (const auto& touch : pass.accesses()) {
            const auto& node = graph.resources[touch.resource];
            const bool is_undefined =
                node.lifetime == GraphDescription::Lifetime::transient || node.previous < graph.resources.size();
            if (is_undefined && !is_write(touch) && !written.contains(whole_of(graph, touch.resource))) {
                return true;
            }
        }
        for (const auto& touch : pass.accesses()) {
            if (is_write(touch)) {
                written.insert(whole_of(graph, touch.resource));
            }
        }
    }
    return false;
}

/// Checks the order of passes, and on one queue the memory that it needs.
void expect_order(const GraphDescription& graph, const Plan& plan, PassOrder order, bool images_apart) {
    std::array<std::uint32_t, queue_kinds> last{};
    std::size_t backwards = 0;
    for (const PlanGroup& group : plan.groups) {
        for (const std::uint32_t pass : group.passes) {
            std::uint32_t& before = last.at(static_cast<std::size_t>(group.queue));
            backwards += pass < before ? 1 : 0;
            before = std::max(before, pass);
        }
    }
    const bool has_one_timeline = plan.batches.size() == 1 && !images_apart;
    const std::uint64_t least = plan.memory.lower_bound, free = 4 << 20;
    if (order == PassOrder::memory && has_one_timeline) {
        EXPECT_EQ(plan.memory.alive, least);
    }
    if (order == PassOrder::balanced && has_one_timeline) {
        EXPECT_LE(plan.memory.alive, least + least / 8 + free);
    }
    if (order == PassOrder::declared && !reads_late_writes(graph)) {
        EXPECT_EQ(backwards, 0U);
    }
}

/// Checks if a pass of the group has a raw use of the image, or of other pieces of it.
bool has_raw_use(const GraphDescription& graph, const PlanGroup& group, std::uint32_t image) {
    return std::any_of(group.passes.begin(), group.passes.end(), [&](std::uint32_t pass) {
        const auto uses = graph.passes[pass].accesses();
        return std::any_of(uses.begin(), uses.end(), [&](const GraphDescription::PassUse& use) {
            return use.raw && whole_of(graph, use.resource) == whole_of(graph, image);
        });
    });
}

std::vector<std::uint32_t> pieces_of(const ImageBarrier& barrier) {
    return barrier.pieces.empty() ? std::vector{barrier.resource} : barrier.pieces;
}

/// Checks that the pieces of a merged barrier are pieces of its image, and that they fill its range.
bool covers_its_range(const GraphDescription& graph, const ImageBarrier& barrier) {
    const ImagePart& range = barrier.range;
    std::uint32_t left = range.mips * range.layers;
    for (const std::uint32_t piece : barrier.pieces) {
        const ImagePart& part = graph.resources[piece].part;
        if (graph.resources[piece].part_of != barrier.resource || part.mip < range.mip || part.layer < range.layer ||
            part.mip + part.mips > range.mip + range.mips || part.layer + part.layers > range.layer + range.layers) {
            return false;
        }
        left -= part.mips * part.layers;
    }
    return barrier.pieces.empty() || (left == 0 && barrier.pieces.size() > 1);
}

TEST(RandomGraphs, PlansPassAllChecks) {
    Random random;
    std::size_t passes = 0, groups = 0, most_passes = 0, changes = 0, several = 0, waits = 0, handovers = 0,
                through_sets = 0, shared_between = 0, merged = 0, exclusive = 0;
    std::uint64_t bytes = 0, least = 0, apart = 0;
    const int graphs = long_tests() ? 100'000 : 2000;
    for (int i = 0; i < graphs; ++i) {
        SCOPED_TRACE("graph " + std::to_string(i));
        Capabilities device = device_with_queues(random);
        device.max_allocation = i % 3 == 1 ? 1U << 24 : ~std::uint64_t{0};
        device.image_granularity = i % 7 < 3 ? 1 : i % 7 < 5 ? 1024 : 65536;
        SomeGraph graph(device);
        GraphMaker(random, graph, i % 20 == 7 ? 200 : 40).make();
        ASSERT_EQ(graph.mistake(), "no mistake");
        GraphDescription description = graph.description();
        const auto order = static_cast<PassOrder>(i % 4);
        const bool has_buffer_parts =
            std::any_of(description.resources.begin(), description.resources.end(),
                        [](const auto& node) { return !node.image && node.part_of != ResourceId::none; });
        for (auto& resource : description.resources) {                // sizes and alignments as from a device
            if (!resource.image && !has_buffer_parts && i % 13 < 4) { // large enough to limit how early passes run
                resource.bytes <<= 16;
            }
            if (resource.image) {
                resource.bytes = random.uniform<std::uint64_t>(resource.bytes / 2, resource.bytes);
                resource.alignment = 1U << random.uniform(0, 17);
            }
        }
        const bool is_apart = i % 11 < 3;
        const bool is_pooled = i % 7 == 3; // needs one queue
        const bool is_general = i % 13 == 5;
        const auto made = make_plan(description, {.order = order,
                                                  .share_memory = i % 5 != 2,
                                                  .pooled = is_pooled,
                                                  .images_apart = is_apart,
                                                  .one_queue = is_pooled,
                                                  .general_layouts = is_general});
        ASSERT_TRUE(made) << made.error().message;
        const Plan& plan = *made;
        description = is_pooled ? with_one_queue(description) : description;
        expect_sound(description, plan);
        for (std::uint32_t resource = 0; is_apart && resource < description.resources.size(); ++resource) {
            if (const auto& place = plan.memory.places[resource]; place.block != PlanMemory::none) {
                ASSERT_EQ(plan.memory.with_images[place.block], description.resources[resource].image.has_value());
            }
        }
        ASSERT_FALSE(HasFailure());
        if (std::any_of(plan.groups.begin(), plan.groups.end(),
                        [](const auto& group) { return !group.waits.empty(); })) {
            const auto apart_plan = make_plan(description, {.order = order,
                                                            .share_memory = false,
                                                            .images_apart = is_apart,
                                                            .one_queue = false,
                                                            .general_layouts = is_general});
            ASSERT_TRUE(apart_plan);
            ASSERT_EQ(waits_of(plan), waits_of(*apart_plan)); // sharing adds no semaphore
            shared_between += count_shared_between_queues(description, plan);
        }
        exclusive += count_exclusive(description, plan);
        ASSERT_LE(plan.memory.lower_bound, plan.memory.alive);
        expect_order(description, plan, order, is_apart);
        ASSERT_LE(plan.memory.alive, plan.memory.bytes());
        ASSERT_LE(plan.memory.bytes(), plan.memory.apart);
        if (i % 5 != 2) {
            bytes += plan.memory.bytes();
            least += plan.memory.alive;
            apart += plan.memory.apart;
        } else {
            ASSERT_EQ(plan.memory.bytes(), plan.memory.apart);
        }
        for (const PlanGroup& group : plan.groups) {
            std::set<std::pair<VkPipelineStageFlags2, VkPipelineStageFlags2>> stages;
            for (const VkMemoryBarrier2& barrier : group.barriers) {
                EXPECT_TRUE(stages.insert({barrier.srcStageMask, barrier.dstStageMask}).second);
                EXPECT_NE(barrier.srcStageMask, 0U);
                EXPECT_NE(barrier.dstStageMask, 0U);
            }
            std::set<std::uint32_t> changed;
            for (const ImageBarrier& barrier : group.image_barriers) {
                for (const std::uint32_t piece : pieces_of(barrier)) {
                    EXPECT_TRUE(changed.insert(piece).second);
                }
                EXPECT_TRUE(covers_its_range(*plan.graph, barrier)) << plan.text();
                merged += barrier.pieces.empty() ? 0 : 1;
                EXPECT_NE(barrier.source.stages, 0U);
                EXPECT_NE(barrier.old_layout, barrier.new_layout);
                ++changes;
            }
            for (const PlanGroup::Layout& image : group.layouts) {
                EXPECT_TRUE(!is_general || group.passes.empty() || image.layout == VK_IMAGE_LAYOUT_GENERAL ||
                            has_raw_use(*plan.graph, group, image.resource));
            }
            for (const GroupWait& wait : group.waits) {
                EXPECT_FALSE(wait.reasons.empty());
            }
            waits += group.waits.size();
            handovers += group.acquired.size();
            EXPECT_EQ(group.barriers.empty() && group.image_barriers.empty() && group.acquired.empty(),
                      group.dependencies.empty());
            for (const std::uint32_t pass : group.passes) {
                const auto& node = description.passes[pass];
                EXPECT_TRUE(is_general || finds_fitting_layouts(description, node, group)) << plan.text();
                EXPECT_TRUE(is_general || finds_declared_layouts(description, node, group)) << plan.text();
                const auto* work = node.compute_pass();
                through_sets += work != nullptr ? work->uses.size() : 0;
            }
            passes += group.passes.size();
        }
        several += plan.batches.size() > 1 ? 1 : 0;
        most_passes = std::max(most_passes, graph.description().passes.size());
        groups += plan.groups.size();
    }
    // The graphs cover enough: passes run, and many share a group.
    EXPECT_GT(passes, 20000U);
    EXPECT_GT(most_passes, 200U);
    EXPECT_GT(passes, groups);
    EXPECT_GT(changes, 5000U);
    EXPECT_GT(merged, 100U);
    EXPECT_GT(several, static_cast<std::size_t>(graphs) / 4);
    EXPECT_GT(waits, 3000U);
    EXPECT_GT(handovers, 1000U);
    EXPECT_GT(shared_between, 200U);
    EXPECT_GT(through_sets, 2000U);
    EXPECT_GT(exclusive, 200U);
    // Memory is shared, and within 5 % of the minimum.
    EXPECT_LT(bytes, apart) << apart;
    EXPECT_LT(static_cast<double>(bytes), 1.05 * static_cast<double>(least)) << least;
}

/// The barriers of a plan suffice if any passes are off, and other passes in the next execution.
TEST(RandomGraphs, NoHazardsWithSkippedPasses) {
    Random random;
    for (int i = 0; i < (long_tests() ? 50'000 : 1000); ++i) {
        SomeGraph graph(device_with_queues(random));
        GraphMaker(random, graph).make();
        const Plan plan = graph.plan();
        std::vector<std::vector<bool>> off(4, std::vector<bool>(graph.description().passes.size()));
        const int one_in = random.uniform(2, 6);
        const Branches branches(graph.description());
        for (auto& passes : off) {
            const std::vector<bool> exclusive = branches.some_off(random);
            for (std::size_t pass = 0; pass < passes.size(); ++pass) {
                passes[pass] = random.uniform(1, one_in) == 1 || exclusive[pass];
            }
        }
        ASSERT_THAT(find_hazards(graph.description(), plan, off), testing::IsEmpty()) << "graph " << i << "\n"
                                                                                      << plan.text();
    }
}

/// Removes each of `parts` in turn, and calls `judge` with its index while it is missing.
template <class T, class F>
void without_each(std::vector<T>& parts, F judge) {
    const std::vector<T> all = parts;
    for (std::size_t gone = 0; gone < all.size(); ++gone) {
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(gone));
        judge(gone);
        parts = all;
    }
}

/// The hazard check finds each barrier, wait, release and acquisition that is removed from a plan without hazards.
///
/// Three kinds of barriers may be unnecessary. First, barriers that wait for the host in a program on several queues:
/// the compiler does not track host accesses through other queues. Second, barriers that wait for buffers of the
/// previous execution if an image has had their memory since: the compiler does not track which barriers cover both.
/// Third, barriers between exclusive passes in different groups.
TEST(RandomGraphs, HazardCheckFindsEachMissingBarrierAndWait) {
    Random random;
    std::map<std::string, int> missing, seen;
    int for_the_host = 0, for_the_last_execution = 0, for_branches = 0, of_branches = 0;
    const int graphs = long_tests() ? 10'000 : 500;
    for (int i = 0; i < graphs; ++i) {
        SomeGraph graph(device_with_queues(random));
        GraphMaker(random, graph).make();
        const bool is_pooled = i % 4 == 3; // needs one queue
        Plan plan = graph.plan({.pooled = is_pooled, .one_queue = is_pooled});
        const GraphDescription description = is_pooled ? with_one_queue(graph.description()) : graph.description();
        ASSERT_THAT(find_hazards_alone(description, plan), testing::IsEmpty()) << "graph " << i;
        const bool has_branches = Branches(description).any();
        VkMemoryBarrier2 taken{};
        const auto judge = [&](const std::string& what, std::size_t group, std::size_t index) {
            const bool is_seen = !find_hazards_alone(description, plan).empty();
            const auto waits_for_host = [](const VkMemoryBarrier2& barrier) {
                return (barrier.srcStageMask & VK_PIPELINE_STAGE_2_HOST_BIT) != 0;
            };
            if (!is_seen && what == "barrier" && plan.batches.size() > 1 && waits_for_host(taken)) {
                ++for_the_host;
                return;
            }
            const auto& reasons = plan.groups[group].dependencies;
            const bool waits_for_last_execution =
                what == "barrier" && std::any_of(reasons.begin(), reasons.end(), [&](const Dependency& reason) {
                    return reason.reason == Dependency::Reason::memory_reused && reason.from == Dependency::outside &&
                           reason.source.stages == taken.srcStageMask;
                });
            if (!is_seen && waits_for_last_execution) {
                ++for_the_last_execution;
                return;
            }
            of_branches += has_branches ? 1 : 0;
            if (!is_seen && has_branches) {
                ++for_branches;
                return;
            }
            ++missing[what];
            seen[what] += is_seen ? 1 : 0;
            EXPECT_TRUE(is_seen) << "graph " << i << ", " << what << " " << index << " of group " << group << "\n"
                                 << graph.plan({.pooled = is_pooled, .one_queue = is_pooled}).text();
        };
        for (std::size_t at = 0; at < plan.groups.size(); ++at) {
            PlanGroup& group = plan.groups[at];
            const std::vector<VkMemoryBarrier2> barriers = group.barriers;
            without_each(group.barriers, [&](std::size_t gone) {
                taken = barriers[gone];
                judge("barrier", at, gone);
            });
            without_each(group.image_barriers, [&](std::size_t gone) { judge("image barrier", at, gone); });
            without_each(group.waits, [&](std::size_t gone) { judge("wait", at, gone); });
            without_each(group.acquired, [&](std::size_t gone) { judge("acquisition", at, gone); });
            without_each(group.released, [&](std::size_t gone) { judge("release", at, gone); });
        }
    }
    EXPECT_GT(missing["barrier"], 1000);
    EXPECT_GT(missing["image barrier"], 1000);
    EXPECT_GT(missing["wait"], 500);
    EXPECT_GT(missing["acquisition"], 200);
    EXPECT_GT(missing["release"], 200);
    EXPECT_LT(for_the_host, missing["barrier"] / 200);
    EXPECT_LT(for_the_last_execution, missing["barrier"] / 200);
    EXPECT_LT(for_branches, of_branches / 4);
    RecordProperty("unnecessary with exclusive passes", for_branches);
    for (const auto& [what, count] : missing) {
        EXPECT_EQ(seen[what], count) << what;
        RecordProperty(what, count);
    }
}

TEST(RandomGraphs, ChecksFindMisplacedPasses) {
    SomeGraph graph;
    const WordRef a = graph.transient("a"), out = graph.import("out");
    graph.add_pass(pass("writer", {write(a)}));
    graph.add_pass(pass("reader", {read(a), write(out)}));
    graph.add_pass(pass("useless", {write(graph.transient("b"))}));
    const Plan good = graph.plan();
    EXPECT_THAT(find_misplaced(graph.description(), good), testing::IsEmpty());
    Plan plan = good;
    std::swap(plan.groups[0].passes, plan.groups[1].passes);
    EXPECT_THAT(find_misplaced(graph.description(), plan), testing::Not(testing::IsEmpty()));
    plan = good;
    plan.groups[0].passes.clear();
    EXPECT_THAT(find_misplaced(graph.description(), plan), testing::Not(testing::IsEmpty()));
    plan = good;
    plan.culled.clear();
    EXPECT_THAT(find_misplaced(graph.description(), plan), testing::Not(testing::IsEmpty()));
}

} // namespace
} // namespace weir::tests::random_graphs_test
