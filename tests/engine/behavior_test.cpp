// Behaviors of devices that Vulkan does not guarantee. A context of a CPU driver is not probed, but the kernel of the
// probe runs there, too.

#include <algorithm>

#include <gtest/gtest.h>

#include "engine/device/device_probe.hpp"
#include "tests/support/altered_host.hpp"
#include "tests/support/buffers.hpp"
#include "tests/support/failing_calls.hpp"
#include "tests/support/folder.hpp"
#include "tests/support/host_device.hpp"
#include "tests/support/kernel.hpp"
#include "tests/support/turns.hpp"
#include "weir_shaders.hpp"

namespace weir::tests::behavior_test {
namespace {

const OnOneDriver on_one_driver{"Behavior.IsProbedOnce", "Behavior.FailedProbe*", "Behavior.IsEmpty*",
                                "Behavior.StoredBehavior*"};

using Words = std::vector<std::uint32_t>;

/// Each invocation writes the result of an atomic, its subgroup, its lane and the word of the atomic. Each workgroup
/// writes its place in the order of starts.
const char* const reference_source = R"(#version 460
#extension GL_KHR_shader_subgroup_basic : require
layout(local_size_x = 128) in;
layout(set = 0, binding = 0) buffer Places { uvec4 places[]; };
layout(set = 0, binding = 1) buffer Turns { uint started; uint turns[]; };
shared uint words[128];
void main() {
    if (gl_LocalInvocationIndex == 0) {
        turns[gl_WorkGroupID.x] = atomicAdd(started, 1);
    }
    words[gl_LocalInvocationIndex] = 0;
    barrier();
    uvec2 drawn = uvec2(gl_GlobalInvocationID.x * 0x9E3779B9u, 0);
    drawn.y = drawn.x >> 30;
    const uint place = atomicAdd(words[gl_SubgroupID * 4 + drawn.y], 1);
    places[gl_GlobalInvocationID.x] = uvec4(place, gl_SubgroupID, gl_SubgroupInvocationID, drawn.y);
})";

Behavior reference_behavior() {
    struct Place {
        std::uint32_t place, subgroup, lane, word;
    };
    const std::uint32_t groups = test_context().capabilities().kind == DeviceKind::cpu ? 512 : 16384;
    const std::uint32_t invocations = groups * 128;
    const Buffer places = poisoned_buffer(invocations * 4), turns = buffer_of(Words(1 + groups, 0));
    const BufferView views[] = {places, turns};
    run_kernel({.source = ShaderSource::glsl(reference_source), .full_subgroups = true}, views, {groups, 1, 1});
    Behavior out{true, true};
    auto found = contents<Place>(places, invocations);
    for (std::uint32_t first = 0; first < invocations; first += 128) {
        const auto group = std::span(found).subspan(first, 128);
        std::ranges::sort(group, {}, [](const Place& one) { return std::tuple(one.subgroup, one.word, one.lane); });
        for (std::size_t i = 0; i < group.size(); ++i) {
            const bool follows =
                i > 0 && group[i].subgroup == group[i - 1].subgroup && group[i].word == group[i - 1].word;
            out.atomics_in_lane_order &= group[i].place == (follows ? group[i - 1].place + 1 : 0);
        }
    }
    const Words turn = contents(turns, 1 + groups);
    std::uint32_t farthest = 0;
    for (std::uint32_t i = 0; i < groups; ++i) {
        farthest = std::max(farthest, turn[1 + i] > i ? turn[1 + i] - i : i - turn[1 + i]);
    }
    testing::Test::RecordProperty("farthest_start", static_cast<int>(farthest));
    out.workgroups_start_in_order = farthest < groups / 4;
    return out;
}

Behavior behavior_of(const Capabilities& device) {
    return {.workgroups_start_in_order = device.workgroups_start_in_order,
            .atomics_in_lane_order = device.atomics_in_lane_order};
}

TEST(Behavior, MatchesReferenceKernel) {
    const Behavior known = behavior_of(test_context().capabilities());
    if (test_context().capabilities().kind != DeviceKind::cpu) {
        EXPECT_EQ(known, reference_behavior());
        return;
    }
    EXPECT_EQ(known, Behavior());
    const Behavior probed = probe_behavior(ContextAccess::device(test_context())).value();
    EXPECT_EQ(probed.atomics_in_lane_order, reference_behavior().atomics_in_lane_order);
}

TEST(Behavior, DetectsWorkgroupsThatStartInOrder) {
    if (test_context().capabilities().driver.find("llvmpipe") == std::string::npos) {
        GTEST_SKIP() << "only lavapipe has an option to run all workgroups on one thread";
    }
#if defined(_WIN32)
    GTEST_SKIP() << "the driver outside of Wine does not see environment variables of the test";
#endif
    const InOrderDevice device;
    EXPECT_TRUE(reference_behavior().workgroups_start_in_order);
    EXPECT_TRUE(probe_behavior(ContextAccess::device(test_context())).value().workgroups_start_in_order);
    // As if 100 others had started before: each workgroup is 100 places late.
    const Buffer counters = ok(test_context().create_buffer(12));
    const BufferView views[] = {counters};
    ok(test_context().upload(counters, Words{100, 0, 0}));
    const Kernel kernel{
        .source = ShaderSource::packed(shaders::behavior, "behavior"), .constants = {256, 0}, .full_subgroups = true};
    run_kernel(kernel, views, {10, 10, 1});
    EXPECT_EQ(ok(test_context().download<std::uint32_t>(counters, 2)), (Words{200, 100}));
}

TEST(Behavior, IsProbedOnce) {
    const TemporaryFolder folder;
    const std::string file = folder.name("behavior");
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    int locks = 0;
    adopted.lock_queue = [&] { ++locks; };
    adopted.unlock_queue = [] {};
    const FailingCalls calls(adopted);
    const auto submissions = [&] { return calls.calls("vkQueueSubmit2"); };
    Behaviors known;
    const auto of = [&](const Context& context, Behaviors& behaviors) {
        return behaviors.of(ContextAccess::device(context), file);
    };

    const Context first = ok(Context::adopt(adopted)), second = ok(Context::adopt(adopted));
    EXPECT_EQ(submissions(), 0); // the shared context has probed the device, if it needs a probe
    EXPECT_EQ(behavior_of(first.capabilities()), behavior_of(test_context().capabilities()));
    EXPECT_EQ(behavior_of(second.capabilities()), behavior_of(test_context().capabilities()));
    const Behavior behavior = of(first, known);
    EXPECT_EQ(submissions(), 1);
    EXPECT_EQ(locks, 1);
    EXPECT_EQ(of(first, known), behavior);
    EXPECT_EQ(of(second, known), behavior);
    EXPECT_EQ(submissions(), 1);

    // A later process uses the file, whatever behavior it has.
    VkPhysicalDeviceProperties properties{};
    host.instance_functions().vkGetPhysicalDeviceProperties(host.physical_device(), &properties);
    const std::string identity = device_identity(properties);
    EXPECT_EQ(read_behavior(file, identity), behavior);
    for (const bool starts : {false, true}) {
        const Behavior other{.workgroups_start_in_order = starts, .atomics_in_lane_order = !starts};
        ASSERT_EQ(write_behavior(file, identity, other), "");
        Behaviors later;
        EXPECT_EQ(of(second, later), other);
        ASSERT_EQ(write_behavior(file, identity, behavior), "");
        EXPECT_EQ(of(second, later), other); // the file is read once
    }
    EXPECT_EQ(submissions(), 1);
    folder.write("behavior", "damaged");
    Behaviors later;
    EXPECT_EQ(of(first, later).atomics_in_lane_order, behavior.atomics_in_lane_order);
    EXPECT_EQ(submissions(), 2);
    EXPECT_TRUE(read_behavior(file, identity));
}

TEST(Behavior, FailedProbeIsNoErrorAndIsRepeated) {
    const TemporaryFolder folder;
    const std::string file = folder.name("behavior");
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    FailingCalls calls(adopted);
    const Context context = ok(Context::adopt(adopted));
    Behaviors known;
    calls.fail("vkQueueSubmit2", VK_ERROR_OUT_OF_DEVICE_MEMORY);
    EXPECT_EQ(known.of(ContextAccess::device(context), file), Behavior());
    EXPECT_EQ(known.of(ContextAccess::device(context), file), Behavior());
    EXPECT_EQ(calls.calls("vkQueueSubmit2"), 2);
    EXPECT_FALSE(is_there(path_of(file)));
    EXPECT_EQ(context.memory_in_use(), 0U);
    calls.mend("vkQueueSubmit2");
    EXPECT_TRUE(known.of(ContextAccess::device(context), file).atomics_in_lane_order ||
                !reference_behavior().atomics_in_lane_order);
    EXPECT_TRUE(is_there(path_of(file)));
}

TEST(Behavior, IsEmptyWithoutProbe) {
    const HostDevice host;
    AdoptedDevice quiet = host.adopted(), no_queue = host.adopted();
    quiet.probe_behavior = false;
    no_queue.queue = VK_NULL_HANDLE;
    for (const AdoptedDevice& adopted : {quiet, no_queue}) {
        EXPECT_EQ(behavior_of(ok(Context::adopt(adopted)).capabilities()), Behavior());
    }
}

TEST(Behavior, StoredBehaviorIsUsedForGpu) {
    for (const bool starts : {false, true}) {
        const AlteredHost host({.properties = [&](VkPhysicalDeviceProperties& properties) {
            properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
            properties.pipelineCacheUUID[0] = starts ? 1 : 2; // a device that was not probed yet
            properties.pipelineCacheUUID[1] = 77;
        }});
        AdoptedDevice adopted = host.adopted();
        VkPhysicalDeviceProperties properties{};
        reinterpret_cast<PFN_vkGetPhysicalDeviceProperties>(adopted.get_instance_proc_addr(
            adopted.instance, "vkGetPhysicalDeviceProperties"))(adopted.physical_device, &properties);
        const TemporaryFolder folder;
        adopted.shader_cache_directory = folder.name();
        const Behavior behavior{.workgroups_start_in_order = starts, .atomics_in_lane_order = !starts};
        ASSERT_EQ(write_behavior(behavior_file(folder.name(), properties), device_identity(properties), behavior), "");
        EXPECT_EQ(behavior_of(ok(Context::adopt(adopted)).capabilities()), behavior);
    }
}

} // namespace
} // namespace weir::tests::behavior_test
