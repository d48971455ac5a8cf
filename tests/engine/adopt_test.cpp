#include <atomic>
#include <mutex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/altered_host.hpp"
#include "tests/support/buffers.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/host_device.hpp"
#include "tests/support/kernel.hpp"
#include "tests/support/threads.hpp"

namespace weir::tests::adopt_test {
namespace {

using testing::HasSubstr;

const char* const double_source = R"(#version 460
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint x[]; };
void main() { x[gl_GlobalInvocationID.x] *= 2; })";

/// Checks that an upload, a kernel and a download work.
void expect_to_work(const Context& context) {
    std::vector<std::uint32_t> items = Random().vector(640);
    const Buffer buffer = ok(context.create_buffer(items.size() * 4));
    ok(context.upload(buffer, items));
    const BufferView views[] = {buffer};
    run_kernel({.source = ShaderSource::glsl(double_source, "double")}, views, {10, 1, 1}, context);
    for (std::uint32_t& item : items) {
        item *= 2;
    }
    EXPECT_EQ(ok(context.download<std::uint32_t>(buffer, items.size())), items);
}

/// Checks that adopting the host's device with a change is an error whose message contains `words`.
template <class Change>
void expect_invalid(const AdoptedDevice& host, const std::string& words, const Change& change) {
    AdoptedDevice changed = host;
    change(changed);
    EXPECT_THAT(Context::adopt(changed), FailsWith(ErrorCode::invalid_argument, HasSubstr(words)));
}

TEST(Adopt, HostDeviceRunsKernels) {
    const HostDevice host;
    const Context context = ok(Context::adopt(host.adopted()));
    EXPECT_EQ(context.device(), host.device());
    EXPECT_EQ(context.instance(), host.instance());
    EXPECT_EQ(context.queue_family(), host.queue_family());
    const Capabilities& own = test_context().capabilities();
    const Capabilities& adopted = context.capabilities();
    EXPECT_EQ(adopted.device_name, own.device_name);
    EXPECT_EQ(adopted.int64, own.int64);
    EXPECT_EQ(adopted.int64_atomics, own.int64_atomics);
    EXPECT_EQ(adopted.timestamp_bits, own.timestamp_bits);
    expect_to_work(context);
}

TEST(Adopt, DestroyedContextLeavesDeviceUsable) {
    const HostDevice host;
    for (int i = 0; i < 2; ++i) {
        expect_to_work(ok(Context::adopt(host.adopted())));
    }
    EXPECT_EQ(host.vk().vkDeviceWaitIdle(host.device()), VK_SUCCESS);
}

TEST(Adopt, CapabilitiesFollowEnabledFeatures) {
    const HostDevice host([](HostFeatures& features) {
        features.head.features.shaderInt64 = VK_FALSE;
        features.head.features.shaderFloat64 = VK_FALSE;
        features.vulkan12.shaderBufferInt64Atomics = VK_FALSE;
        features.vulkan12.storageBuffer8BitAccess = VK_FALSE;
        features.vulkan12.bufferDeviceAddress = VK_FALSE;
    });
    AdoptedDevice adopted = host.adopted();
    adopted.enabled_extensions = {};
    const Context context = ok(Context::adopt(adopted));
    const Capabilities& can = context.capabilities();
    EXPECT_FALSE(can.int64 || can.float64 || can.int64_atomics || can.buffer_address || can.narrow_storage);
    EXPECT_FALSE(can.descriptor_buffer || can.pipeline_statistics);
    expect_to_work(context);
}

TEST(Adopt, InstanceBelowVulkan12IsUnsupported) {
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    adopted.api_version = VK_API_VERSION_1_1;
    EXPECT_THAT(
        Context::adopt(adopted),
        FailsWith(ErrorCode::unsupported, HasSubstr("the instance was created for Vulkan 1.1; 1.2 is required")));
}

TEST(Adopt, InvalidArgumentsAreNamed) {
    const HostDevice host;
    const VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    const char* const no_name[] = {nullptr};
    const std::pair<const char*, std::function<void(AdoptedDevice&)>> cases[] = {
        {"get_instance_proc_addr", [](auto& adopted) { adopted.get_instance_proc_addr = nullptr; }},
        {"instance", [](auto& adopted) { adopted.instance = VK_NULL_HANDLE; }},
        {"physical_device", [](auto& adopted) { adopted.physical_device = VK_NULL_HANDLE; }},
        {"device", [](auto& adopted) { adopted.device = VK_NULL_HANDLE; }},
        {"enabled_features", [](auto& adopted) { adopted.enabled_features = nullptr; }},
        {"1000", [](auto& adopted) { adopted.queue_family = 1000; }},
        {"unlock_queue", [](auto& adopted) { adopted.lock_queue = [] {}; }},
        {"memory.create_buffer",
         [](auto& adopted) { adopted.memory.destroy_buffer = [](const MemoryHooks::Allocation&) {}; }},
        {"vkGetDeviceProcAddr",
         [](auto& adopted) {
             adopted.get_instance_proc_addr = [](VkInstance, const char*) -> PFN_vkVoidFunction { return nullptr; };
         }},
        {"enabled_extensions has a null entry", [&](auto& adopted) { adopted.enabled_extensions = no_name; }},
        {"does not begin with VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2",
         [&](auto& adopted) { adopted.enabled_features = &features; }},
        {"memory.allocate and memory.free must be set together",
         [](auto& adopted) { adopted.memory.free = [](const MemoryHooks::Memory&) {}; }},
    };
    for (const auto& [words, change] : cases) {
        expect_invalid(host.adopted(), words, change);
    }
}

TEST(Adopt, QueueFamilyWithoutRequiredOperationsIsNamed) {
    std::uint32_t copies = 0, sparse = 0; // indices of families
    const AlteredHost host({.families = [&](auto& families) {
        copies = static_cast<std::uint32_t>(families.size());
        sparse = copies + 1;
        families.push_back({VK_QUEUE_TRANSFER_BIT, 1, 0, {1, 1, 1}});
        families.push_back({VK_QUEUE_SPARSE_BINDING_BIT, 1, 0, {1, 1, 1}});
    }});
    expect_to_work(ok(Context::adopt(host.adopted())));
    expect_invalid(host.adopted(), "queue_family " + std::to_string(copies) + " does not support compute",
                   [&](auto& adopted) { adopted.queue_family = copies; });
    expect_invalid(host.adopted(), "compute_queue.family " + std::to_string(copies) + " does not support compute",
                   [&](auto& adopted) { adopted.compute_queue = {.queue = adopted.queue, .family = copies}; });
    expect_invalid(host.adopted(), "transfer_queue.family " + std::to_string(sparse) + " does not support copies",
                   [&](auto& adopted) { adopted.transfer_queue = {.queue = adopted.queue, .family = sparse}; });
}

TEST(Adopt, WarnsIfKernelsReadSubgroupSize) {
    for (const bool has_feature : {false, true}) {
        const AlteredHost host(
            {.vulkan13 =
                 [](auto& properties) {
                     properties.maxSubgroupSize = 2 * properties.minSubgroupSize;
                     properties.requiredSubgroupSizeStages = VK_SHADER_STAGE_COMPUTE_BIT;
                 }},
            [&](HostFeatures& features) { features.vulkan13.subgroupSizeControl &= has_feature ? VK_TRUE : VK_FALSE; });
        AdoptedDevice adopted = host.adopted();
        std::string told;
        adopted.log = [&](LogLevel level, const char* message) {
            told += to_string(level) + (": " + std::string(message));
        };
        adopted.log_level = LogLevel::warning;
        const Context context = ok(Context::adopt(adopted));
        const Capabilities& can = context.capabilities();
        const std::string sizes =
            std::to_string(can.subgroup_size_min) + " to " + std::to_string(can.subgroup_size_max);
        EXPECT_EQ(told.find("warning: subgroupSizeControl is not enabled") == 0, !can.subgroup_size_selectable);
        EXPECT_EQ(told.find(sizes) != std::string::npos, !can.subgroup_size_selectable) << told;
        EXPECT_FALSE(can.subgroup_size_selectable && !has_feature);
    }
}

TEST(Adopt, WithoutQueueSubmissionIsAnError) {
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    adopted.queue = VK_NULL_HANDLE;
    const Context context = ok(Context::adopt(adopted));
    const Buffer buffer = ok(context.create_buffer(4));
    EXPECT_THAT(context.upload(buffer, std::vector<std::uint32_t>{1}),
                FailsWith(ErrorCode::invalid_argument, HasSubstr("without a queue")));
}

TEST(Adopt, LocksQueueAroundEachSubmission) {
    const HostDevice host;
    std::mutex mutex;
    std::atomic<int> locks = 0;
    std::atomic<int> unlocks = 0;
    AdoptedDevice adopted = host.adopted();
    adopted.lock_queue = [&] {
        mutex.lock();
        ++locks;
    };
    adopted.unlock_queue = [&] {
        ++unlocks;
        mutex.unlock();
    };
    const Context context = ok(Context::adopt(adopted));
    EXPECT_EQ(locks, 0);
    in_threads(4, [&](std::uint32_t thread) {
        for (int i = 0; i < 10; ++i) {
            if (thread < 3) {
                EXPECT_TRUE(context.submit([](VkCommandBuffer) -> Result<> { return {}; }));
            } else { // the host uses the queue at the same time, under the same lock
                const std::lock_guard lock(mutex);
                EXPECT_EQ(host.vk().vkQueueSubmit2(host.queue(), 0, nullptr, VK_NULL_HANDLE), VK_SUCCESS);
            }
        }
    });
    EXPECT_EQ(locks, 30);
    EXPECT_EQ(unlocks, 30);
    const auto refused = context.submit([](VkCommandBuffer) -> Result<> { return tl::unexpected(Error{}); });
    EXPECT_FALSE(refused);
    EXPECT_EQ(locks, 30);
}

TEST(Adopt, FillsPipelineCacheOfHostAndKeepsIt) {
    const HostDevice host;
    VkPipelineCacheCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    AdoptedDevice adopted = host.adopted();
    ASSERT_EQ(host.vk().vkCreatePipelineCache(host.device(), &info, nullptr, &adopted.pipeline_cache), VK_SUCCESS);
    expect_to_work(ok(Context::adopt(adopted)));
    std::size_t size = 0;
    EXPECT_EQ(host.vk().vkGetPipelineCacheData(host.device(), adopted.pipeline_cache, &size, nullptr), VK_SUCCESS);
    EXPECT_GE(size, sizeof(VkPipelineCacheHeaderVersionOne));
    host.vk().vkDestroyPipelineCache(host.device(), adopted.pipeline_cache, nullptr);
}

TEST(Adopt, RequirementsListSupportedFeatures) {
    const HostDevice host;
    const DeviceRequirements needs =
        device_requirements(host.instance_functions().vkGetInstanceProcAddr, host.instance(), host.physical_device());
    EXPECT_EQ(needs.unusable, "");
    EXPECT_EQ(needs.api_version, VK_API_VERSION_1_2);
    const auto has = [&](const char* name) {
        return std::find(needs.recommended_features.begin(), needs.recommended_features.end(), name) !=
               needs.recommended_features.end();
    };
    EXPECT_TRUE(has("synchronization2") && has("vulkanMemoryModelDeviceScope"));
    EXPECT_EQ(has("shaderInt64"), test_context().capabilities().int64);
    EXPECT_EQ(has("descriptorBuffer"), test_context().capabilities().descriptor_buffer);
}

} // namespace
} // namespace weir::tests::adopt_test
