#include <atomic>
#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/device/device.hpp"
#include "tests/support/buffers.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/threads.hpp"

namespace weir::tests::context_test {
namespace {

TEST(Context, HasCapabilities) {
    const Capabilities& can = test_context().capabilities();
    EXPECT_FALSE(can.device_name.empty());
    EXPECT_FALSE(can.driver.empty());
    EXPECT_GE(can.api_version, VK_API_VERSION_1_2);
    EXPECT_GE(can.max_workgroup_invocations, 256U);
    EXPECT_GE(can.subgroup_size, 4U);
    EXPECT_LE(can.subgroup_size, 128U);
    EXPECT_LE(can.subgroup_size_min, can.subgroup_size);
    EXPECT_GE(can.subgroup_size_max, can.subgroup_size);
    EXPECT_GE(can.max_storage_buffers, 4U);
    EXPECT_GE(can.max_push_constants, 128U);
    EXPECT_GE(can.max_allocation, 1U << 30U);
    EXPECT_GT(can.device_local_memory, 0U);
    EXPECT_FALSE(can.subgroup_size_selectable && can.subgroup_size_min == can.subgroup_size_max);
    EXPECT_FALSE(can.int64_atomics && !can.int64);
    EXPECT_EQ(can.queue_families[0], test_context().queue_family());
}

TEST(Context, ListContainsDevice) {
    const auto devices = ok(Context::list_devices());
    bool found = false;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        EXPECT_EQ(devices[i].index, i);
        found = found || (devices[i].name == test_context().capabilities().device_name && devices[i].unusable.empty());
    }
    EXPECT_TRUE(found);
}

Result<Context> create_on(const std::string& device) {
    ContextOptions options = validated();
    options.device = device;
    return Context::create(options);
}

TEST(Context, ChoosesByIndexNameAndKind) {
    for (const DeviceInfo& device : ok(Context::list_devices())) {
        if (device.unusable.empty()) {
            EXPECT_EQ(ok(create_on(std::to_string(device.index))).capabilities().device_name, device.name);
            EXPECT_EQ(ok(create_on(device.name)).capabilities().device_name, device.name);
            EXPECT_EQ(ok(create_on(to_string(device.kind))).capabilities().kind, device.kind);
        }
    }
}

TEST(Context, UnknownDeviceErrorListsDevices) {
    for (const char* nonsense : {"no such device", "99", "-1", "0x0"}) {
        const std::string listed = ok(Context::list_devices())[0].name;
        EXPECT_THAT(create_on(nonsense), FailsWith(ErrorCode::no_device, testing::AllOf(testing::HasSubstr(nonsense),
                                                                                        testing::HasSubstr(listed))));
    }
}

TEST(Context, TwoContextsInTwoThreads) {
    const Context contexts[] = {ok(Context::create(validated())), ok(Context::create(validated()))};
    EXPECT_NE(contexts[0].device(), contexts[1].device());
    EXPECT_NE(contexts[0].instance(), contexts[1].instance());
    std::atomic<int> right = 0;
    in_threads(2, [&](std::uint32_t thread) {
        const Context& context = contexts[thread];
        for (std::uint32_t i = 1; i <= 50; ++i) {
            const std::vector<std::uint32_t> items(i * 100, i);
            const Buffer buffer = ok(context.create_buffer(items.size() * 4));
            ok(context.upload(buffer, items));
            right += ok(context.download<std::uint32_t>(buffer, items.size())) == items ? 1 : 0;
        }
    });
    EXPECT_EQ(right, 100);
}

TEST(Context, CreatedByTwoThreadsAtOnce) {
    in_threads(2, [](std::uint32_t) {
        for (int i = 0; i < 3; ++i) {
            const auto context = Context::create(validated());
            EXPECT_TRUE(context && context->create_buffer(16));
        }
    });
}

TEST(Context, DisablesFeaturesOnRequest) {
    ContextOptions options = validated();
    options.without_features = {"synchronization2", "maintenance4", "subgroupSizeControl", "vulkanMemoryModel"};
    const Context context = ok(Context::create(options));
    const Capabilities& can = context.capabilities();
    EXPECT_FALSE(can.synchronization2 || can.maintenance4 || can.subgroup_size_selectable || can.memory_model ||
                 can.memory_model_device_scope);
    EXPECT_EQ(can.full_subgroups, test_context().capabilities().full_subgroups);

    options.without_features = {"synchronisation2"};
    EXPECT_THAT(
        Context::create(options),
        FailsWith(ErrorCode::invalid_argument, "without_features: 'synchronisation2' is not a feature that Weir uses"));
}

TEST(Context, ValidationReportsMissingBarriers) {
    if (!loads_layers()) {
        GTEST_SKIP() << "the validation layer is not loaded by the test";
    }
    std::string seen;
    ContextOptions options = validated();
    options.on_validation = [&](const char* message) { seen += message; };
    const Context context = ok(Context::create(options));
    const Device& device = *ContextAccess::device(context);
    const Buffer buffer = ok(context.create_buffer(64));
    ok(context.submit([&](VkCommandBuffer commands) -> Result<> {
        device.vk().vkCmdFillBuffer(commands, buffer.handle(), 0, 64, 1);
        device.vk().vkCmdFillBuffer(commands, buffer.handle(), 0, 64, 2);
        return {};
    }));
    EXPECT_NE(seen.find("SYNC-HAZARD-WRITE-AFTER-WRITE"), std::string::npos) << seen;
}

} // namespace
} // namespace weir::tests::context_test
