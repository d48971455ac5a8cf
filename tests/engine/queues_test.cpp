// Queues other than the main one, timelines that order them, and resources that several families use.

#include <atomic>
#include <mutex>
#include <string_view>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/memory/image.hpp"
#include "engine/memory/memory.hpp"
#include "engine/submit/timeline.hpp"
#include "tests/support/buffers.hpp"
#include "tests/support/commands.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/host_device.hpp"
#include "tests/support/kernel.hpp"
#include "tests/support/replaced_functions.hpp"
#include "tests/support/semaphores.hpp"
#include "tests/support/threads.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::queues_test {
namespace {

const OnEveryDriver on_every_driver{"Queues.*"};

using testing::ElementsAre;
using testing::HasSubstr;

const char* const one_source = R"(#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Data { uint x; };
void main() { x = 1; })";

constexpr QueueKind kinds[] = {QueueKind::main, QueueKind::compute, QueueKind::transfer};

Context emulating_context() {
    ContextOptions options = validated();
    options.emulate_queues = true;
    return ok(Context::create(options));
}

/// Vulkan 1.2 requires timeline semaphores of every driver.
bool has_timelines() {
    return test_context().capabilities().timeline_semaphores;
}

/// A submission for vkQueueSubmit2 that waits for value `from` of a timeline and signals value `to`.
struct Step {
    VkSemaphoreSubmitInfo wait, signal;
    VkCommandBufferSubmitInfo commands{VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
    VkSubmitInfo2 info{VK_STRUCTURE_TYPE_SUBMIT_INFO_2};

    Step(const Timeline& timeline, std::uint64_t from, std::uint64_t to, VkCommandBuffer what)
        : wait(at_value(timeline.handle(), from)), signal(at_value(timeline.handle(), to)) {
        commands.commandBuffer = what;
        info.waitSemaphoreInfoCount = 1;
        info.pWaitSemaphoreInfos = &wait;
        info.signalSemaphoreInfoCount = 1;
        info.pSignalSemaphoreInfos = &signal;
        info.commandBufferInfoCount = what != VK_NULL_HANDLE ? 1 : 0;
        info.pCommandBufferInfos = &commands;
    }
    Step(const Step&) = delete;
    Step& operator=(const Step&) = delete;
};

/// Fills a word on the transfer queue, copies it on the compute queue, and copies the copy on the main queue.
void expect_queues_to_work(const Context& context) {
    const Device& device = *ContextAccess::device(context);
    const Buffer buffer = ok(context.create_buffer(12));
    ok(context.upload(buffer, std::vector<std::uint32_t>{1, 2, 3}));
    const auto timeline = ok(Timeline::create(ContextAccess::device(context), "steps"));
    std::vector<std::unique_ptr<Commands>> pools;
    std::uint64_t at = 0;
    for (const QueueKind kind : {QueueKind::transfer, QueueKind::compute, QueueKind::main}) {
        ASSERT_NE(context.queue(kind), VK_NULL_HANDLE);
        Commands& pool = *pools.emplace_back(
            std::make_unique<Commands>(device.vk(), context.device(), context.queue(kind), context.queue_family(kind)));
        const VkCommandBuffer commands = pool.begin();
        if (at == 0) {
            device.vk().vkCmdFillBuffer(commands, buffer.handle(), 0, 4, 77);
        } else {
            const VkBufferCopy region{(at - 1) * 4, at * 4, 4};
            device.vk().vkCmdCopyBuffer(commands, buffer.handle(), buffer.handle(), 1, &region);
        }
        pool.end(commands);
        const Step step(*timeline, at, at + 1, commands);
        ASSERT_EQ(device.submit(kind, {&step.info, 1}), VK_SUCCESS);
        ++at;
    }
    ok(timeline->wait(at));
    EXPECT_EQ(ok(timeline->value()), at);
    EXPECT_THAT(ok(context.download<std::uint32_t>(buffer, 3)), ElementsAre(77, 77, 77));
}

TEST(Queues, MatchCapabilities) {
    const Context& context = test_context();
    const Capabilities& can = context.capabilities();
    for (const QueueKind kind : kinds) {
        const std::uint32_t family = can.queue_families[static_cast<std::size_t>(kind)];
        EXPECT_EQ(context.queue_family(kind), family) << to_string(kind);
        EXPECT_EQ(context.queue(kind) != VK_NULL_HANDLE, family != Capabilities::no_queue) << to_string(kind);
        EXPECT_TRUE(kind == QueueKind::main || can.timeline_semaphores || family == Capabilities::no_queue);
    }
    EXPECT_NE(test_context().queue(), VK_NULL_HANDLE);
}

TEST(Queues, EmulatedQueuesAreMainQueue) {
    ASSERT_TRUE(has_timelines());
    const Context context = emulating_context();
    for (const QueueKind kind : kinds) {
        const std::uint32_t own = test_context().queue_family(kind);
        if (own == Capabilities::no_queue) {
            EXPECT_EQ(context.queue(kind), context.queue()) << to_string(kind);
            EXPECT_EQ(context.queue_family(kind), context.queue_family()) << to_string(kind);
        } else {
            EXPECT_EQ(context.queue_family(kind), own) << to_string(kind);
        }
        EXPECT_EQ(context.capabilities().queue_families[static_cast<std::size_t>(kind)], context.queue_family(kind));
    }
}

TEST(Queues, WaitForEachOtherByTimeline) {
    ASSERT_TRUE(has_timelines());
    expect_queues_to_work(emulating_context());
}

TEST(Queues, SubmissionsFromSeveralThreads) {
    ASSERT_TRUE(has_timelines());
    const Context context = emulating_context();
    std::atomic<int> right = 0;
    in_threads(3, [&](std::uint32_t thread) {
        const QueueKind kind = kinds[thread];
        const auto timeline = ok(Timeline::create(ContextAccess::device(context), to_string(kind)));
        for (std::uint64_t i = 0; i < 50; ++i) {
            const Step step(*timeline, i, i + 1, VK_NULL_HANDLE);
            right += ContextAccess::device(context)->submit(kind, {&step.info, 1}) == VK_SUCCESS ? 1 : 0;
            right += context.submit([](VkCommandBuffer) -> Result<> { return {}; }) ? 1 : 0;
        }
        right += timeline->wait(50) ? 1 : 0;
    });
    EXPECT_EQ(right, 3 * 101);
}

TEST(Timeline, SignalOfHostRaisesValue) {
    ASSERT_TRUE(has_timelines());
    const std::shared_ptr<Device>& device = ContextAccess::device(test_context());
    const auto timeline = ok(Timeline::create(device, "a timeline"));
    EXPECT_EQ(ok(timeline->value()), 0U);
    ok(timeline->wait(0));
    // Once in some thousand runs the validation layer loses a wait for a value below the signaled one. The thread
    // therefore waits for the last value. A wait for a lower value follows at the end.
    std::thread waiter([&] {
        EXPECT_TRUE(timeline->wait(7));
        const auto value = timeline->value();
        EXPECT_TRUE(value && *value == 7);
    });
    for (const std::uint64_t value : {4, 7}) {
        raise(device->vk(), device->handle(), timeline->handle(), value);
    }
    waiter.join();
    EXPECT_EQ(ok(timeline->value()), 7U);
    ok(timeline->wait(6));
}

TEST(Timeline, NeedsTimelineSemaphoreFeature) {
    const HostDevice host([](HostFeatures& features) { features.vulkan12.timelineSemaphore = VK_FALSE; });
    const Context context = ok(Context::adopt(host.adopted()));
    EXPECT_FALSE(context.capabilities().timeline_semaphores);
    EXPECT_THAT(Timeline::create(ContextAccess::device(context), "a timeline"),
                FailsWith(ErrorCode::unsupported, HasSubstr("'a timeline' requires timelineSemaphore")));
}

/// Returns the host's main queue, to be adopted as a queue of another kind, too.
HostQueue again(const AdoptedDevice& host) {
    return {host.queue, host.queue_family, host.lock_queue, host.unlock_queue};
}

TEST(AdoptQueues, HostWithOneQueueHasOnlyMainQueue) {
    const HostDevice host;
    const Context context = ok(Context::adopt(host.adopted()));
    EXPECT_EQ(context.queue(), host.queue());
    for (const QueueKind kind : {QueueKind::compute, QueueKind::transfer}) {
        EXPECT_EQ(context.queue(kind), VK_NULL_HANDLE);
        EXPECT_EQ(context.queue_family(kind), Capabilities::no_queue);
    }
    EXPECT_THAT(context.capabilities().queue_families,
                ElementsAre(host.queue_family(), Capabilities::no_queue, Capabilities::no_queue));
}

TEST(AdoptQueues, SameQueueForSeveralKindsHasOneLock) {
    ASSERT_TRUE(has_timelines());
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
    adopted.compute_queue = adopted.transfer_queue = again(adopted);
    const Context context = ok(Context::adopt(adopted));
    for (const QueueKind kind : kinds) {
        EXPECT_EQ(context.queue(kind), host.queue());
        EXPECT_EQ(context.queue_family(kind), host.queue_family());
    }
    expect_queues_to_work(context); // three submissions, and those of an upload and a download
    EXPECT_EQ(locks, 5);
    EXPECT_EQ(unlocks, 5);
}

void expect_invalid(const AdoptedDevice& host, const std::string& words) {
    EXPECT_THAT(Context::adopt(host), FailsWith(ErrorCode::invalid_argument, HasSubstr(words)));
}

TEST(AdoptQueues, InvalidQueuesAreNamed) {
    ASSERT_TRUE(has_timelines());
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    adopted.compute_queue.lock = [] {};
    expect_invalid(adopted, "compute_queue.lock and compute_queue.unlock");
    adopted = host.adopted();
    adopted.transfer_queue = again(adopted);
    adopted.transfer_queue.unlock = [] {};
    expect_invalid(adopted, "transfer_queue.lock and transfer_queue.unlock");
    adopted.transfer_queue.lock = [] {};
    expect_invalid(adopted, "transfer_queue and queue are the same VkQueue but only one of them has a lock");
    adopted = host.adopted();
    adopted.compute_queue = again(adopted);
    adopted.compute_queue.family = 1000;
    expect_invalid(adopted, "compute_queue.family is 1000");
}

TEST(AdoptQueues, OtherQueuesNeedTimelineSemaphores) {
    const HostDevice host([](HostFeatures& features) { features.vulkan12.timelineSemaphore = VK_FALSE; });
    AdoptedDevice adopted = host.adopted();
    adopted.transfer_queue = again(adopted);
    expect_invalid(adopted, "transfer_queue is set, but the feature timelineSemaphore is not enabled");
}

using Families = std::vector<std::uint32_t>;

/// Returns the queue families of `info`, and makes `info` exclusive because the device need not have these families.
template <class Info>
Families take_families(Info& info) {
    Families out(info.pQueueFamilyIndices, info.pQueueFamilyIndices + info.queueFamilyIndexCount);
    EXPECT_EQ(info.sharingMode, out.empty() ? VK_SHARING_MODE_EXCLUSIVE : VK_SHARING_MODE_CONCURRENT);
    info.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
    info.queueFamilyIndexCount = 0;
    info.pQueueFamilyIndices = nullptr;
    return out;
}

TEST(SharedBuffers, AreConcurrentInTheirFamilies) {
    VkPhysicalDeviceDescriptorBufferFeaturesEXT descriptor_buffer{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT};
    const HostDevice host([&](HostFeatures& features) {
        if (test_context().capabilities().descriptor_buffer) {
            descriptor_buffer.descriptorBuffer = VK_TRUE;
            features.vulkan13.pNext = &descriptor_buffer;
        }
    });
    std::vector<Families> made;
    AdoptedDevice adopted = host.adopted();
    adopted.memory =
        ok(make_own_memory(host.instance_functions(), {host.instance(), host.physical_device(), host.device(),
                                                       test_context().capabilities().buffer_address}));
    adopted.memory.create_buffer = [&made, create = adopted.memory.create_buffer](
                                       VkBufferCreateInfo info, MemoryKind kind, MemoryHooks::Allocation& out) {
        made.push_back(take_families(info));
        return create(info, kind, out);
    };
    const Context context = ok(Context::adopt(adopted));
    const std::shared_ptr<Device>& device = ContextAccess::device(context);
    const Families families{2, 0, 5};
    const auto make = [&](std::size_t count) {
        return device->memory().create_buffer(16, MemoryKind::device, "shared", 0, std::span(families).first(count));
    };
    EXPECT_TRUE(context.create_buffer(16) && make(1) && make(2) && make(3));
    EXPECT_THAT(made, ElementsAre(Families{}, Families{}, Families{2, 0}, families));
    ASSERT_EQ(context.capabilities().descriptor_buffer, test_context().capabilities().descriptor_buffer);
    if (context.capabilities().descriptor_buffer) {
        const PipelineInfo info{.shader = ok(device->shader(ShaderSource::glsl(one_source, "one"))),
                                .bindings = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
                                .descriptors = DescriptorMode::buffer,
                                .full_subgroups = false,
                                .name = "one"};
        const DescriptorPass pass{ok(device->pipeline(info)), info.bindings};
        EXPECT_TRUE(make_descriptors(DescriptorMode::buffer, device, device->descriptor_buffers(), {&pass, 1}, 2));
        EXPECT_EQ(made.back(), Families{}); // the device has one queue family
        EXPECT_EQ(made.size(), 5U);
    }
}

// Queue families of the images and buffers that are created, and the driver's functions. Globals, because Vulkan passes
// no user pointer to the functions.
std::vector<Families> image_families, buffer_families;
PFN_vkCreateImage create_image = nullptr;
PFN_vkCreateBuffer create_buffer = nullptr;

VkResult VKAPI_CALL on_create_image(VkDevice device, const VkImageCreateInfo* info,
                                    const VkAllocationCallbacks* callbacks, VkImage* image) {
    VkImageCreateInfo own = *info;
    image_families.push_back(take_families(own));
    return create_image(device, &own, callbacks, image);
}

VkResult VKAPI_CALL on_create_buffer(VkDevice device, const VkBufferCreateInfo* info,
                                     const VkAllocationCallbacks* callbacks, VkBuffer* buffer) {
    VkBufferCreateInfo own = *info;
    buffer_families.push_back(take_families(own));
    return create_buffer(device, &own, callbacks, buffer);
}

TEST(SharedImages, AreConcurrentInTheirFamilies) {
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    const ReplacedFunctions watched(adopted, [](std::string_view name, PFN_vkVoidFunction real) {
        return name == "vkCreateImage"    ? ReplacedFunctions::take(real, create_image, &on_create_image)
               : name == "vkCreateBuffer" ? ReplacedFunctions::take(real, create_buffer, &on_create_buffer)
                                          : real;
    });
    image_families.clear();
    buffer_families.clear();
    const Context context = ok(Context::adopt(adopted));
    const std::shared_ptr<Device>& device = ContextAccess::device(context);
    const Families families{1, 0, 3};
    const ImageInfo info{.format = VK_FORMAT_R32_UINT, .extent = {8, 8, 1}};
    for (const std::size_t count : {0U, 1U, 2U, 3U}) {
        const auto of = std::span(families).first(count);
        const auto image = ok(Image::create(device, info, VK_IMAGE_USAGE_STORAGE_BIT, "image", of));
        const VkMemoryRequirements& needs = image->needs();
        const auto memory = ok(ImageMemory::create(device->memory(), needs.size, needs.alignment, needs.memoryTypeBits,
                                                   true, "memory", of));
        const Families expected = count < 2 ? Families{} : Families(of.begin(), of.end());
        ASSERT_EQ(image_families.size(), count + 1);
        ASSERT_EQ(buffer_families.size(), count + 1);
        EXPECT_EQ(image_families.back(), expected);
        EXPECT_EQ(buffer_families.back(), expected);
        ok(image->bind(memory->memory(), memory->offset()));
    }
}

} // namespace
} // namespace weir::tests::queues_test
