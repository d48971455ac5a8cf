// Random graphs, judged by hazards.hpp.

#include <algorithm>
#include <memory>
#include <set>

#include "graph/stages.hpp"
#include "tests/graph/graphs.hpp"
#include "tests/graph/hazards.hpp"
#include "tests/support/data.hpp"
#include "tests/support/long_tests.hpp"

namespace weir::tests {
namespace {

/// Makes a graph of up to `most` passes (and what computes their dispatch arguments) in which every read is defined.
class Maker {
public:
    Maker(Random& random, SomeGraph& graph, std::size_t most = 40) : random_(random), graph_(graph), most_(most) {}

    void make() {
        make_buffers();
        const auto passes = random_.uniform<std::size_t>(1, most_);
        for (std::size_t i = 0; i < passes; ++i) {
            const std::string name = "pass " + std::to_string(i);
            middle_ = i * buffers_.size() / passes;
            change_scopes();
            if (nests_ && chance(10)) {
                add_inner();
            }
            const auto kind = random_.uniform(0, 9);
            if (kind == 0) {
                const Words buffer = pick();
                if (only_read_.contains(buffer.id.index)) {
                    continue;
                }
                written_.insert(buffer.id.index);
                graph_.add_fill(name, buffer, 0);
            } else if (kind == 1) {
                make_copy(name);
            } else {
                make_pass(name);
            }
        }
        while (!scopes_.empty()) {
            scopes_.pop_back();
        }
        for (const Words& late : late_) { // read, if at all, before this
            graph_.add_pass(pass("late writer", {write(late)}));
            written_.insert(late.id.index);
        }
        for (const auto& [current, previous] : histories_) {
            if (!written_.contains(current.id.index)) {
                graph_.add_fill("writes a history", current, 1);
            }
        }
        for (const Words& buffer : exportable_) {
            if (written_.contains(buffer.id.index) && chance(3)) {
                graph_.export_buffer(buffer, any_access());
            }
        }
    }

private:
    bool chance(int one_in) { return random_.uniform(1, one_in) == 1; }
    Access any_access() { return static_cast<Access>(random_.uniform(0, static_cast<int>(Access::any))); }
    /// In half of the graphs passes use buffers that are neighbours, so that most are not alive for long.
    Words pick() {
        const std::size_t last = buffers_.size() - 1, reach = 2;
        return buffers_[local_ ? random_.uniform(middle_ - std::min(middle_, reach), std::min(middle_ + reach, last))
                               : random_.uniform<std::size_t>(0, last)];
    }
    std::uint32_t size() { return 4U << random_.uniform(0, 20); }
    bool readable(const Words& buffer) const { return written_.contains(buffer.id.index); }

    void make_buffers() {
        const auto count = random_.uniform<std::size_t>(1, most_ * 3 / 4);
        local_ = chance(2);
        const bool has_histories = chance(3);
        for (std::size_t i = 0; i < count; ++i) {
            const std::string name = "buffer " + std::to_string(i);
            if (has_histories && chance(6)) {
                histories_.push_back(graph_.history_buffer<std::uint32_t>(name, 64));
                buffers_.push_back(histories_.back().current);
                buffers_.push_back(histories_.back().previous);
                written_.insert(buffers_.back().id.index);
                only_read_.insert(buffers_.back().id.index);
                continue;
            }
            switch (random_.uniform(0, 9)) {
            case 0:
                buffers_.push_back(graph_.state(name));
                written_.insert(buffers_.back().id.index);
                break;
            case 1:
                late_.push_back(graph_.transient(name, size()));
                exportable_.push_back(late_.back());
                break;
            case 2:
            case 3:
            case 4:
                buffers_.push_back(graph_.import(name, any_access()));
                written_.insert(buffers_.back().id.index);
                exportable_.push_back(buffers_.back());
                break;
            default:
                buffers_.push_back(graph_.transient(name, size()));
                exportable_.push_back(buffers_.back());
                break;
            }
        }
        if (buffers_.empty()) {
            buffers_.push_back(graph_.import("one at least", any_access()));
            written_.insert(buffers_.back().id.index);
        }
    }

    /// Of passes that run only if something holds, in a third of the graphs.
    void change_scopes() {
        if (!scoped_) {
            return;
        }
        if (!scopes_.empty() && chance(3)) {
            scopes_.pop_back();
        }
        if (!chance(5)) {
            return;
        }
        const Words counted = pick();
        if (chance(2)) {
            const Switch on = graph_.add_switch("switch");
            scopes_.push_back(std::unique_ptr<OnlyIf>(new OnlyIf(graph_.only_if(on))));
        } else if (readable(counted)) {
            const Count count = graph_.count_in(counted, random_.uniform(0U, 1U), 100);
            scopes_.push_back(std::unique_ptr<OnlyIf>(new OnlyIf(graph_.only_if(count))));
        }
    }

    /// A small graph as a node of this one, whose imports are buffers here that hold something.
    void add_inner() {
        SomeGraph inner;
        Maker maker(random_, inner, 6);
        maker.make();
        std::vector<Connection> connections;
        std::set<std::uint32_t> taken;
        const auto& resources = inner.description().resources;
        for (std::uint32_t i = 0; i < resources.size(); ++i) {
            if (resources[i].lifetime != GraphDescription::Lifetime::import) {
                continue;
            }
            Words to = pick();
            if (!readable(to) || only_read_.contains(to.id.index) || to.capacity < 64 ||
                !taken.insert(to.id.index).second) {
                to = graph_.import("connected", any_access());
            }
            connections.push_back({{{i, inner.description().identity.get()}}, to});
        }
        const GraphInstance made = graph_.add_graph(inner, connections, "inner");
        std::set<std::uint32_t> late; // which only one pass may write
        for (const Words& buffer : maker.late_) {
            late.insert(buffer.id.index);
        }
        for (const Words& buffer : maker.exportable_) {
            const Words out = made.buffer(buffer);
            if (!late.contains(buffer.id.index) && resources[buffer.id.index].exported &&
                written_.insert(out.id.index).second) {
                buffers_.push_back(out);
                exportable_.push_back(out);
            }
        }
    }

    void make_copy(const std::string& name) {
        const Words from = pick(), to = pick();
        if (readable(from) && from.id.index != to.id.index && !only_read_.contains(to.id.index)) {
            graph_.add_copy(name, from, to, 16);
            written_.insert(to.id.index);
        }
    }

    void make_pass(const std::string& name) {
        Pass made = pass(name, {});
        std::set<std::uint32_t> touched, writes;
        for (auto uses = random_.uniform(0, 5); uses > 0; --uses) {
            if (!late_.empty() && chance(8)) {
                made.bindings.push_back(read(late_[random_.uniform<std::size_t>(0, late_.size() - 1)]));
                continue;
            }
            const Words buffer = pick();
            const bool is_only_read = only_read_.contains(buffer.id.index);
            const int kind = is_only_read ? 0 : readable(buffer) ? random_.uniform(0, 3) : 2;
            if (touched.contains(buffer.id.index) && (kind >= 2 || writes.contains(buffer.id.index))) {
                continue;
            }
            touched.insert(buffer.id.index);
            if (kind >= 2) {
                writes.insert(buffer.id.index);
            }
            made.bindings.push_back(kind < 2 ? read(buffer) : kind == 2 ? write(buffer) : read_write(buffer));
        }
        const Words counted = pick();
        if (readable(counted) && chance(4)) {
            made.dispatch = Dispatch::elements(graph_.count_in(counted, random_.uniform(0U, 1U), 100), 64);
        } else if (readable(counted) && !writes.contains(counted.id.index) && chance(8)) {
            made.dispatch = Dispatch::indirect(counted);
        }
        graph_.add_pass(std::move(made));
        written_.insert(writes.begin(), writes.end());
    }

    Random& random_;
    SomeGraph& graph_;
    std::size_t most_;
    bool local_ = false;
    bool scoped_ = chance(3);
    bool nests_ = most_ > 6 && chance(4);
    std::vector<std::unique_ptr<OnlyIf>> scopes_; ///< that are open
    std::size_t middle_ = 0;                      ///< of the buffers that are neighbours now
    std::vector<Words> buffers_;
    std::vector<Words> late_; ///< transients whose only writer comes last
    std::vector<Words> exportable_;
    std::vector<History<std::uint32_t>> histories_;
    std::set<std::uint32_t> only_read_; ///< previous ones of histories
    std::set<std::uint32_t> written_;   ///< can be read: imports, states, transients that have been written
};

TEST(RandomGraphs, HaveNoHazardAndMeanWhatTheySay) {
    Random random;
    std::size_t passes = 0, groups = 0, most_passes = 0;
    std::uint64_t bytes = 0, least = 0, apart = 0;
    const int graphs = long_tests() ? 100'000 : 2000;
    for (int i = 0; i < graphs; ++i) {
        Capabilities device = some_device();
        device.max_allocation = i % 3 == 1 ? 1U << 22 : ~std::uint64_t{0};
        SomeGraph graph(device);
        Maker(random, graph, i % 20 == 7 ? 200 : 40).make();
        ASSERT_EQ(graph.mistake(), "no mistake") << "graph " << i;
        const Plan plan = *make_plan(graph.description(), {.share_memory = i % 5 != 2, .pooled = i % 7 == 3});
        const auto hazards = find_hazards(graph.description(), plan);
        const auto misplaced = find_misplaced(graph.description(), plan);
        const auto overlaps = find_overlaps(graph.description(), plan);
        ASSERT_THAT(hazards, testing::IsEmpty()) << "graph " << i << "\n" << plan.text(graph.description());
        ASSERT_THAT(misplaced, testing::IsEmpty()) << "graph " << i << "\n" << plan.text(graph.description());
        ASSERT_THAT(overlaps, testing::IsEmpty()) << "graph " << i << "\n" << plan.text(graph.description());
        ASSERT_LE(plan.memory.least, plan.memory.bytes());
        ASSERT_LE(plan.memory.bytes(), plan.memory.apart);
        if (i % 5 != 2) {
            bytes += plan.memory.bytes();
            least += plan.memory.least;
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
            EXPECT_EQ(group.barriers.empty(), group.dependencies.empty());
            passes += group.passes.size();
        }
        most_passes = std::max(most_passes, graph.description().passes.size());
        groups += plan.groups.size();
    }
    // The graphs are worth judging: passes run, and many of them beside others.
    EXPECT_GT(passes, 20000U);
    EXPECT_GT(most_passes, 200U);
    EXPECT_GT(passes, groups);
    // Memory is shared, and nearly as well as can be.
    EXPECT_LT(bytes, apart) << apart;
    EXPECT_LT(static_cast<double>(bytes), 1.05 * static_cast<double>(least)) << least;
}

/// Where executions do not settle on the same barriers, none counts on those of the one before it.
TEST(RandomGraphs, WithoutCountingOnTheExecutionBefore) {
    Random random;
    for (int i = 0; i < 500; ++i) {
        SomeGraph graph;
        Maker(random, graph).make();
        Plan plan = graph.plan();
        std::vector<std::vector<std::uint32_t>> groups;
        for (std::size_t group = 0; group + 1 < plan.groups.size(); ++group) {
            groups.push_back(plan.groups[group].passes);
        }
        plan.groups = place_barriers(graph.description(), plan.memory, groups, 0);
        ASSERT_THAT(find_hazards(graph.description(), plan), testing::IsEmpty()) << "graph " << i;
    }
}

/// Whatever passes are off in an execution, and whatever others in the next: the barriers that are there do for the
/// rest.
TEST(RandomGraphs, WithPassesThatAreOff) {
    Random random;
    for (int i = 0; i < (long_tests() ? 50'000 : 1000); ++i) {
        SomeGraph graph;
        Maker(random, graph).make();
        const Plan plan = graph.plan();
        std::vector<std::vector<bool>> off(4, std::vector<bool>(graph.description().passes.size()));
        const int one_in = random.uniform(2, 6);
        for (auto& passes : off) {
            for (std::size_t pass = 0; pass < passes.size(); ++pass) {
                passes[pass] = random.uniform(1, one_in) == 1;
            }
        }
        ASSERT_THAT(find_hazards(graph.description(), plan, off), testing::IsEmpty()) << "graph " << i << "\n"
                                                                                      << plan.text(graph.description());
    }
}

/// The judge sees what is taken away from a plan that had no hazard.
TEST(RandomGraphs, MissingBarriersAreSeen) {
    Random random;
    int missing = 0, seen = 0;
    const int graphs = long_tests() ? 10'000 : 300;
    for (int i = 0; i < graphs; ++i) {
        SomeGraph graph;
        Maker(random, graph).make();
        Plan plan = graph.plan({.pooled = i % 4 == 3});
        for (PlanGroup& group : plan.groups) {
            for (VkMemoryBarrier2& barrier : group.barriers) {
                const VkMemoryBarrier2 saved = barrier;
                barrier = {VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
                ++missing;
                seen += find_hazards(graph.description(), plan).empty() ? 0 : 1;
                barrier = saved;
            }
        }
    }
    EXPECT_GT(missing, 1000);
    EXPECT_EQ(seen, missing);
    RecordProperty("missing", missing);
    RecordProperty("seen", seen);
}

TEST(RandomGraphs, PassesInTheWrongPlaceAreSeen) {
    SomeGraph graph;
    const Words a = graph.transient("a"), out = graph.import("out");
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
    plan.dropped.clear();
    EXPECT_THAT(find_misplaced(graph.description(), plan), testing::Not(testing::IsEmpty()));
}

} // namespace
} // namespace weir::tests
