#include "engine/device/physical_device.hpp"

#include <gtest/gtest.h>

#include "engine/submit/queue.hpp"

namespace weir {
namespace {

constexpr VkQueueFlags graphics = VK_QUEUE_GRAPHICS_BIT, compute = VK_QUEUE_COMPUTE_BIT,
                       transfer = VK_QUEUE_TRANSFER_BIT, sparse = VK_QUEUE_SPARSE_BINDING_BIT, decode = 0x20,
                       encode = 0x40, optical_flow = 0x100;

VkQueueFamilyProperties family(VkQueueFlags flags, std::uint32_t count, std::uint32_t timestamp_bits = 64) {
    return {flags, count, timestamp_bits, {1, 1, 1}};
}

void expect_place(const QueuePlace& place, std::uint32_t family, std::uint32_t index = 0) {
    EXPECT_EQ(place.family, family);
    EXPECT_EQ(place.index, index);
}

/// Checks the main family, and the compute and the transfer queue that are chosen for it.
void expect_queues(const std::vector<VkQueueFamilyProperties>& families, std::uint32_t main, const QueuePlace& compute,
                   const QueuePlace& transfer) {
    ASSERT_EQ(choose_queue_family(families), main);
    const QueuePlaces places = choose_queues(families, main);
    expect_place(places[static_cast<std::size_t>(QueueKind::main)], main);
    expect_place(places[static_cast<std::size_t>(QueueKind::compute)], compute.family, compute.index);
    expect_place(places[static_cast<std::size_t>(QueueKind::transfer)], transfer.family, transfer.index);
}

TEST(QueueChoice, DeviceWithSpecializedFamilies) { // as on an H200
    expect_queues({family(graphics | compute | transfer | sparse, 16), family(transfer | sparse, 4),
                   family(compute | transfer | sparse, 8), family(transfer | sparse | decode, 7),
                   family(transfer | sparse | optical_flow, 1)},
                  0, {2}, {1});
}

TEST(QueueChoice, PrefersFamilyWithFewestOtherOperations) {
    expect_queues({family(transfer | sparse | decode, 1), family(compute | transfer | sparse, 1),
                   family(graphics | compute | transfer, 1), family(transfer | encode, 1),
                   family(transfer | optical_flow, 1), family(compute | transfer, 1)},
                  2, {5}, {3});
}

TEST(QueueChoice, DeviceWithOneQueueHasNoOthers) {
    expect_queues({family(graphics | compute | transfer, 1)}, 0, {}, {});
    expect_queues({family(compute, 1)}, 0, {}, {});
}

TEST(QueueChoice, SecondQueueOfMainFamilyServesCompute) {
    expect_queues({family(graphics | compute | transfer, 2)}, 0, {0, 1}, {});
    expect_queues({family(transfer, 1), family(compute | transfer, 4)}, 1, {1, 1}, {0});
}

TEST(QueueChoice, MainFamilyWithoutGraphicsAlsoServesCompute) {
    // The family with graphics has no timestamps, so it is not the main one.
    expect_queues({family(graphics | compute, 4, 0), family(compute | transfer, 1), family(compute, 4, 0)}, 1, {}, {});
    expect_queues({family(graphics | compute, 4, 0), family(compute | transfer, 2)}, 1, {1, 1}, {});
}

TEST(QueueChoice, FamiliesWithoutQueuesAreIgnored) {
    expect_queues({family(graphics | compute, 1), family(compute, 0), family(transfer, 0)}, 0, {}, {});
}

TEST(QueueKinds, HaveNames) {
    EXPECT_STREQ(to_string(QueueKind::main), "main");
    EXPECT_STREQ(to_string(QueueKind::compute), "compute");
    EXPECT_STREQ(to_string(QueueKind::transfer), "transfer");
}

TEST(QueueKinds, SeveralFamiliesShareConcurrently) {
    const std::uint32_t families[] = {2, 0, 1};
    for (const std::size_t count : {0U, 1U, 2U, 3U}) {
        VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
        share(info, std::span(families).first(count));
        EXPECT_EQ(info.sharingMode, count < 2 ? VK_SHARING_MODE_EXCLUSIVE : VK_SHARING_MODE_CONCURRENT);
        EXPECT_EQ(info.queueFamilyIndexCount, count < 2 ? 0 : count);
        EXPECT_EQ(info.pQueueFamilyIndices, count < 2 ? nullptr : families);
    }
}

} // namespace
} // namespace weir
