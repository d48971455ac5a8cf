// A loop in which a subgroup scans by shuffles what it loads, stores the result, and its last lane keeps the total in
// workgroup memory: the shape in which shuffles without a barrier before them have been seen to return stale values on
// NVIDIA, from eight turns on.

#include "tests/primitives/harness.hpp"

namespace weir::tests {
namespace {

constexpr const char* loop = R"(#version 460
#extension GL_GOOGLE_include_directive : require
layout(constant_id = 0) const uint WORKGROUP = 64;
layout(constant_id = 1) const uint SUBGROUP = 0;
layout(constant_id = 2) const uint TURNS = 1;
layout(constant_id = 3) const bool SHUFFLE_BARRIERS = false;
layout(local_size_x_id = 0) in;
#define BARRIER_BEFORE_SHUFFLES SHUFFLE_BARRIERS
#define EMULATED_SUBGROUP_SCANS
#include <weir/monoid.glsl>
layout(set = 0, binding = 0) buffer Values { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Totals { uint out_totals[]; };
shared uint totals[TURNS * MAX_SUBGROUPS];

void main() {
    for (uint turn = 0; turn < TURNS; ++turn) {
        const uint at = (gl_WorkGroupID.x * TURNS + turn) * WORKGROUP + invocation();
        const uint scanned = subgroup_inclusive_scan(values[at]);
        values[at] = scanned;
        if (lane() == subgroup_size() - 1) {
            totals[turn * subgroup_count() + gl_SubgroupID] = scanned;
        }
    }
    barrier();
    const uint count = TURNS * subgroup_count();
    for (uint i = 0; i < count; i += WORKGROUP) {
        if (i + invocation() < count) {
            out_totals[gl_WorkGroupID.x * count + i + invocation()] = totals[i + invocation()];
        }
    }
})";

TEST(SubgroupScans, InLoops) {
    const Capabilities& device = test_context().capabilities();
    constexpr std::uint32_t groups = 100;
    const std::uint32_t size = device.subgroup_size;
    if (device.subgroup_size_min != device.subgroup_size_max && !device.subgroup_size_selectable) {
        GTEST_SKIP() << "only the driver knows how many lanes a subgroup will have"; // what is expected depends on it
    }
    const std::uint32_t workgroup = std::min(256U, max_workgroup());
    for (const std::uint32_t turns : {1U, 8U, 32U}) {
        SCOPED_TRACE(std::to_string(turns) + " turns");
        const std::uint32_t n = groups * turns * workgroup;
        Graph graph(test_context());
        const auto values = graph.import_buffer<std::uint32_t>("values", n);
        const auto totals = graph.import_buffer<std::uint32_t>("totals", n / size);
        Pass pass;
        pass.name = "loop";
        pass.shader = ShaderSource::glsl(loop, "loop");
        pass.bindings = {read_write(values), write(totals)};
        pass.constants = {workgroup, size, turns, device.shuffles_need_barriers ? 1U : 0U};
        pass.dispatch = Dispatch::groups(groups);
        pass.subgroup_size = device.subgroup_size_selectable ? size : 0;
        pass.full_subgroups = true;
        graph.add_pass(pass);
        Program program = ok(compile(test_context(), graph));
        const Buffer totals_buffer = poisoned_buffer(n / size);
        ok(program.bind(totals, totals_buffer));
        for (std::uint64_t run = 0; run < 10 && !HasFailure(); ++run) {
            std::vector<std::uint32_t> expected = random_words(n, run), expected_totals;
            const Buffer buffer = buffer_of(expected);
            ok(program.bind(values, buffer));
            ok(program.run());
            for (std::uint32_t i = 0; i < n; ++i) {
                expected[i] += i % size == 0 ? 0 : expected[i - 1];
                if (i % size == size - 1) {
                    expected_totals.push_back(expected[i]);
                }
            }
            expect_equal(contents(buffer, n), expected, "values");
            expect_equal(contents(totals_buffer, n / size), expected_totals, "totals");
        }
    }
}

} // namespace
} // namespace weir::tests
