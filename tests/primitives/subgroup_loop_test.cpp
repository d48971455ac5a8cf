// A loop in which a subgroup loads values, scans them by shuffles and stores the result. Its last lane keeps the total
// in workgroup memory. In such loops of eight or more turns, shuffles without a preceding barrier have returned stale
// values on NVIDIA.

#include "tests/primitives/trial.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::subgroup_loop_test {
namespace {

const OnEveryDriver on_every_driver{"SubgroupScans.Loops*", "LookBack.*"};

constexpr const char* loop = R"(#version 460
#extension GL_GOOGLE_include_directive : require
layout(constant_id = 0) const uint WORKGROUP = 64;
layout(constant_id = 1) const uint SUBGROUP = 0;
layout(constant_id = 2) const uint TURNS = 1;
layout(constant_id = 3) const bool SHUFFLE_BARRIERS = false;
layout(local_size_x_id = 0) in;
#define WEIR_SHUFFLE_BARRIERS SHUFFLE_BARRIERS
#define EMULATED_SUBGROUP_SCANS
#include <weir/monoid.glsl>
layout(set = 0, binding = 0) buffer Values { uint values[]; };
layout(set = 0, binding = 1) writeonly buffer Totals { uint out_totals[]; };
shared uint totals[TURNS * WEIR_MAX_SUBGROUPS];

void main() {
    for (uint turn = 0; turn < TURNS; ++turn) {
        const uint at = (gl_WorkGroupID.x * TURNS + turn) * WORKGROUP + weir_invocation();
        const uint scanned = weir_subgroup_inclusive_scan(values[at]);
        values[at] = scanned;
        if (weir_lane() == weir_subgroup_size() - 1) {
            totals[turn * weir_subgroup_count() + gl_SubgroupID] = scanned;
        }
    }
    barrier();
    const uint count = TURNS * weir_subgroup_count();
    for (uint i = 0; i < count; i += WORKGROUP) {
        if (i + weir_invocation() < count) {
            out_totals[gl_WorkGroupID.x * count + i + weir_invocation()] = totals[i + weir_invocation()];
        }
    }
})";

/// Runs the loop ten times and checks the results. Stops at the first failure.
void check_loops(std::uint32_t turns, bool barriers, bool full_subgroups) {
    const Capabilities& device = test_context().capabilities();
    constexpr std::uint32_t groups = 100;
    const std::uint32_t size = device.subgroup_size, workgroup = std::min(256U, max_workgroup());
    const std::uint32_t n = groups * turns * workgroup;
    Trial trial(n, Count::Kind::constant);
    const auto values = trial.in_place("values", Words(n)), totals = trial.output("totals", n / size);
    Pass pass;
    pass.name = "loop";
    pass.shader = ShaderSource::glsl(loop, "loop");
    pass.bindings = {read_write(values), write(totals)};
    pass.constants = {workgroup, size, turns, barriers ? 1U : 0U};
    pass.dispatch = Dispatch::groups(groups);
    pass.subgroup_size = device.subgroup_size_selectable ? size : 0;
    pass.full_subgroups = full_subgroups;
    trial.graph.add_pass(pass);
    SCOPED_TRACE(std::to_string(turns) + " turns");
    for (std::uint32_t run = 0; run < 10 && !testing::Test::HasFailure(); ++run) {
        Words expected = random_words(n, run), expected_totals;
        trial.refill(values, expected);
        trial.run(n, run);
        for (std::uint32_t i = 0; i < n; ++i) {
            expected[i] += i % size == 0 ? 0 : expected[i - 1];
            if (i % size == size - 1) {
                expected_totals.push_back(expected[i]);
            }
        }
        trial.expect(values, expected);
        trial.expect(totals, expected_totals);
    }
}

bool only_the_driver_knows_the_size() {
    const Capabilities& device = test_context().capabilities();
    return device.subgroup_size_min != device.subgroup_size_max && !device.subgroup_size_selectable;
}

TEST(SubgroupScans, LoopsMatchReference) {
    if (only_the_driver_knows_the_size()) {
        GTEST_SKIP() << "only the driver knows how many lanes a subgroup will have"; // expected results depend on it
    }
    for (const std::uint32_t turns : {1U, 8U, 32U}) {
        check_loops(turns, test_context().capabilities().shuffles_need_barriers(), true);
    }
}

// On devices for which Capabilities::shuffles_need_barriers returns false. With full subgroups, Weir requests uniform
// control flow. Without them, the loop runs on CPUs only, whose lanes never diverge.
TEST(SubgroupScans, LoopsWithoutBarriers) {
    if (only_the_driver_knows_the_size()) {
        GTEST_SKIP() << "only the driver knows how many lanes a subgroup will have";
    }
    const Capabilities& device = test_context().capabilities();
    if (device.shuffles_need_barriers()) {
        GTEST_SKIP() << "shuffles need barriers on this device: without them the results may be anything";
    }
    check_loops(32, false, true);
    if (device.kind == DeviceKind::cpu) {
        SCOPED_TRACE("without full subgroups");
        check_loops(32, false, false);
    }
}

// Workgroups of one subgroup. All predecessors have posted. Some lanes poll without the others; then all lanes poll.
constexpr const char* walk = R"(#version 460
#extension GL_GOOGLE_include_directive : require
layout(constant_id = 0) const uint WORKGROUP = 64;
layout(constant_id = 1) const uint SUBGROUP = 0;
layout(constant_id = 2) const uint max_blocks = 2; // blocks of tiles as in spine_walk.glsl
layout(constant_id = 3) const uint MAX_SPINS = 64;
layout(local_size_x_id = 0) in;
#define WEIR_COLUMNS 1
#define TILE_STATE_BINDING 0
#include <weir/look_back.glsl>
layout(set = 0, binding = 1) writeonly buffer Results { uint results[]; }; // 3 words per store_result and lane
layout(push_constant) uniform Push { uint run_epoch; };

void weir_reduce_tile(uint tile) {
}
WEIR_T weir_reduced_value(uint column) {
    return weir_identity();
}

void store_result(uint i, bool more) {
    const uint at = ((gl_WorkGroupID.x * 2 + i) * WORKGROUP + weir_invocation()) * 3;
    results[at] = uint(more);
    results[at + 1] = uint(weir_is_walking(0));
    results[at + 2] = uint(weir_walk.prefix);
}

void main() {
    const uint size = weir_subgroup_size(), tile = size + 1;
    for (uint i = 0; i < 2; ++i) {
        if (i * size + weir_lane() < tile) {
            const uint before = i * size + weir_lane();
            weir_store_tile(weir_tile_entry(before), run_epoch, before == 0 ? FIRST_STATE : WEIR_TILE_AGGREGATE, WEIR_T(before + 1),
                            WEIR_ENTRY_PARTS, false);
        }
    }
    barrier();
    weir_begin_walk(tile, run_epoch, WEIR_T(1), WEIR_T(0));
    const uint late = gl_WorkGroupID.x % size; // late lane; in the second half of the workgroups, the first one
    bool more = false;
    if (gl_WorkGroupID.x / size == 0 ? weir_lane() != late : weir_lane() < late) {
        more = weir_poll(0, tile, run_epoch);
    }
    store_result(0, more);
    controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
    more = false;
    for (uint i = 0; i < 4 && weir_is_walking(0); ++i) {
        more = weir_poll(0, tile, run_epoch);
    }
    store_result(1, more);
})";

// Lanes diverge in branches and loops, and few devices guarantee that they reconverge. Late lanes count as having seen
// nothing, and the look-back cannot advance without them.
TEST(LookBack, WaitsForLateLanes) {
    if (only_the_driver_knows_the_size()) {
        GTEST_SKIP() << "only the driver knows how many lanes a subgroup will have";
    }
    const Capabilities& device = test_context().capabilities();
    const std::uint32_t size = device.subgroup_size, groups = 2 * size;
    for (const bool by_the_spine : {false, true}) {
        SCOPED_TRACE(by_the_spine ? "by the spine" : "backwards");
        Graph graph(test_context());
        const std::uint32_t state_words = 32 + (2 * 2 + size + 2) * 8;
        const auto states = graph.transient_buffer<std::uint32_t>("states", state_words);
        const auto results = graph.transient_buffer<std::uint32_t>("results", groups * 2 * size * 3);
        graph.add_fill("clear states", states, 0);
        Pass pass;
        pass.name = "walk";
        pass.shader = ShaderSource::glsl(walk, "walk");
        pass.shader.define("WEIR_ELEMENT", by_the_spine ? "1" : "0");
        pass.shader.define("FIRST_STATE", by_the_spine ? "WEIR_TILE_AGGREGATE" : "WEIR_TILE_PREFIX");
        pass.bindings = {read_write(states), write(results)};
        pass.constants = {size, size, 2, 1};
        pass.push = {1U}; // cleared entries have another epoch
        pass.dispatch = Dispatch::groups(groups);
        pass.subgroup_size = device.subgroup_size_selectable ? size : 0;
        pass.full_subgroups = true;
        graph.add_pass(pass);
        graph.export_buffer(results);
        Program program = ok(compile(test_context(), graph));
        ok(program.run());
        const auto found = contents(program.view(results), results.capacity);
        std::vector<std::uint32_t> expected;
        for (std::uint32_t i = 0; i < groups * 2 * size; ++i) {
            const bool are_together = i / size % 2 != 0;
            const std::uint32_t sum = (size + 1) * (size + 2) / 2; // sum of 1 to size + 1
            const std::uint32_t more = 1, walking = are_together ? 0 : 1;
            expected.insert(expected.end(), {are_together ? more : 0, walking, are_together ? sum : 0});
        }
        expect_equal(found, expected, "more, walking and prefix of each lane, apart and together");
    }
}

} // namespace
} // namespace weir::tests::subgroup_loop_test
