#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <weir/engine/timestamps.hpp>
#include <weir/graph/program.hpp>

#include "engine/device/device.hpp"
#include "tests/support/altered_host.hpp"
#include "tests/support/buffers.hpp"
#include "tests/support/errors.hpp"

namespace weir::tests::timestamps_test {
namespace {

TEST(Timestamps, IncreaseInOrderOfCommands) {
    if (test_context().capabilities().timestamp_bits == 0) {
        GTEST_SKIP() << "the queue has no timestamps"; // Vulkan allows this for compute queues
    }
    const Timestamps times = ok(Timestamps::create(test_context(), 4));
    const Device& device = *ContextAccess::device(test_context());
    const Buffer buffer = ok(test_context().create_buffer(1 << 22U));
    for (int repeat = 0; repeat < 3; ++repeat) {
        ok(test_context().submit([&](VkCommandBuffer commands) -> Result<> {
            times.reset(commands);
            times.write(commands, 0);
            times.write(commands, 1);
            device.vk().vkCmdFillBuffer(commands, buffer.handle(), 0, VK_WHOLE_SIZE, 1);
            times.write(commands, 2);
            return {};
        }));
        const auto read = ok(times.read(3));
        ASSERT_EQ(read.size(), 3U);
        EXPECT_LE(read[0], read[1]);
        EXPECT_LE(read[1], read[2]);
        EXPECT_LT(read[2] - read[0], 60e9);
    }
    EXPECT_TRUE(ok(times.read(0)).empty());
}

TEST(Timestamps, InvalidCountsAreErrors) {
    if (test_context().capabilities().timestamp_bits == 0) {
        GTEST_SKIP() << "the queue has no timestamps"; // Vulkan allows this for compute queues
    }
    EXPECT_THAT(Timestamps::create(test_context(), 0), FailsWith(ErrorCode::invalid_argument, testing::_));
    const Timestamps times = ok(Timestamps::create(test_context(), 2));
    EXPECT_THAT(times.read(3), FailsWith(ErrorCode::invalid_argument, testing::_));
}

TEST(Timestamps, QueueWithoutTimestampsIsAnError) {
    const AlteredHost host({.families = [](auto& families) {
        for (VkQueueFamilyProperties& family : families) {
            family.timestampValidBits = 0;
        }
    }});
    const Context context = ok(Context::adopt(host.adopted()));
    EXPECT_THAT(Timestamps::create(context, 4),
                FailsWith(ErrorCode::unsupported, "the queue family " + std::to_string(context.queue_family()) +
                                                      " of " + context.capabilities().device_name +
                                                      " does not support timestamps"));
    Graph graph(context);
    graph.add_fill("fill", graph.transient_buffer<std::uint32_t>("words", 64), 7);
    Program program = ok(compile(context, graph));
    EXPECT_FALSE(ok(program.run()).gpu_ms);
    EXPECT_EQ(program.profile().error().code, ErrorCode::unsupported);
}

} // namespace
} // namespace weir::tests::timestamps_test
