// The time and the memory of plans of large graphs.

#include <algorithm>
#include <array>
#include <ctime>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "tests/graph/graphs.hpp"

namespace weir::tests::scale_plan_test {
namespace {

using Build = std::function<void(SomeGraph& graph, std::uint32_t passes)>;

/// Returns the milliseconds of processor time that a plan takes.
double plan_time(const SomeGraph& graph) {
    const std::clock_t begin = std::clock();
    EXPECT_FALSE(graph.plan().groups.empty());
    return 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

/// Keeps freed memory in the process. Page faults of new memory would otherwise take more than half of the time of a
/// large plan.
void keep_freed_memory() {
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20); // the maximum
    mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

/// Checks that 8 times the passes take less than 16 times as long: quadratic time would be 64 times as long. Compares
/// minima of several runs.
void expect_near_linear(const Build& build, const Capabilities& device = some_device()) {
    keep_freed_memory();
    constexpr std::uint32_t passes = 1000;
    SomeGraph few(device), many(device);
    build(few, passes);
    build(many, 8 * passes);
    double time_of_few = 1e9, time_of_many = 1e9;
    for (int run = 0; run < 4; ++run) {
        time_of_few = std::min(time_of_few, plan_time(few));
        time_of_many = std::min(time_of_many, plan_time(many));
    }
    EXPECT_LT(time_of_many, 16 * std::max(time_of_few, 1.0)) << time_of_few << " ms, then " << time_of_many << " ms";
}

/// Adds passes of which each reads what the one before it writes. One in 50 is on the compute queue.
void add_chain(SomeGraph& graph, std::uint32_t passes) {
    WordRef last = graph.import("in", Access::shader_read);
    const WordRef out = graph.import("out");
    for (std::uint32_t i = 0; i < passes; ++i) {
        const std::string number = std::to_string(i);
        const WordRef next = i + 1 == passes ? out : graph.transient("t" + number);
        graph.add_pass_on(i % 50 == 49 ? QueueKind::compute : QueueKind::main,
                          pass("p" + number, {read(last), write(next)}));
        last = next;
    }
}

/// Adds passes of which each writes a part of one image and reads the part that the one before it has written.
void add_parts(SomeGraph& graph, std::uint32_t passes) {
    ImageInfo info = some_image();
    info.layers = passes / 5;
    info.mips = 5;
    const ImageId image = graph.image("image", info);
    ImageId last;
    for (std::uint32_t i = 0; i < passes; ++i) {
        const ImageId next = graph.part(image, {.mip = i % 5, .mips = 1, .layer = i / 5, .layers = 1});
        graph.add_pass(pass("p", i == 0 ? std::vector{write(next)} : std::vector{sampled(last), write(next)}));
        last = next;
    }
    graph.add_pass(pass("end", {sampled(image), write(graph.import("out"))}));
}

TEST(PlanTime, ChainIsNearLinear) {
    expect_near_linear(add_chain);
}

TEST(PlanTime, ChainOnTwoQueuesIsNearLinear) {
    expect_near_linear(add_chain, device_with(1));
}

TEST(PlanTime, PartsOfOneImageAreNearLinear) {
    expect_near_linear(add_parts);
}

TEST(PlanTime, PassesThatReadOneBufferAreNearLinear) {
    expect_near_linear([](SomeGraph& graph, std::uint32_t passes) {
        const WordRef all = graph.transient("read by all");
        graph.add_fill("fill", all, 1);
        WordRef last = graph.import("in", Access::shader_read);
        for (std::uint32_t i = 0; i < passes; ++i) {
            const WordRef next = graph.transient("t");
            graph.add_pass(pass("p", {read(all), read(last), write(next)}));
            last = next;
        }
        graph.add_pass(pass("end", {read(last), write(graph.import("out"))}));
    });
}

TEST(PlanTime, PassThatReadsManyResourcesIsNearLinear) {
    expect_near_linear([](SomeGraph& graph, std::uint32_t passes) {
        CommandPass end = kept_pass("end", {});
        for (std::uint32_t i = 0; i < passes; ++i) {
            const ImageId image = graph.import_image("image", some_image());
            graph.add_clear("clear", image, {});
            end.uses.push_back({image, Access::sampled_read});
        }
        graph.add_command_pass(std::move(end));
    });
}

/// Transients of equal lifetimes are placed as one if there are many. The second 1,500 are alive after the first ones.
TEST(Memory, ManyTransientsOfEqualLifetimesShareMemory) {
    constexpr std::uint32_t count = 1500;
    SomeGraph graph;
    const WordRef sum = graph.import("sum", Access::shader_read);
    std::array<std::vector<WordRef>, 2> words;
    for (std::vector<WordRef>& wave : words) {
        CommandPass end = kept_pass("end", {{sum, Access::transfer_write}});
        for (std::uint32_t i = 0; i < count; ++i) {
            wave.push_back(graph.transient("t", i % 100 == 99 ? 128 : 64));
            graph.add_pass(pass("p", {read(sum), write(wave.back())}));
            end.uses.push_back({wave.back(), Access::vertex_shader_read});
        }
        graph.add_command_pass(std::move(end));
    }
    const Plan plan = graph.plan();
    EXPECT_EQ(plan.memory.bytes(), (count + count / 100) * 256U);
    for (const std::vector<WordRef>& wave : words) {
        std::map<std::uint64_t, std::uint64_t> ends; // by offset
        for (const WordRef& one : wave) {
            const PlanMemory::Place& place = plan.memory.places[one.id.index];
            EXPECT_EQ(place.block, 0U);
            ends[place.offset] = place.offset + std::uint64_t{one.capacity} * 4;
        }
        EXPECT_EQ(ends.size(), count);
        for (auto here = ends.begin(), next = std::next(here); next != ends.end(); ++here, ++next) {
            EXPECT_LE(here->second, next->first);
        }
    }
}

TEST(Memory, TransientsOfSeveralQueuesShareMemoryInLargeGraphs) {
    SomeGraph graph(device_with(1));
    add_chain(graph, 2000);
    const Plan plan = graph.plan();
    EXPECT_GT(plan.batches.size(), 50U);
    EXPECT_EQ(plan.memory.bytes(), 512U); // two transients are alive at the same time
}

} // namespace
} // namespace weir::tests::scale_plan_test
