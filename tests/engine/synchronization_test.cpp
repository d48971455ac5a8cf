// Functions of Vulkan 1.0 that replace those of synchronization2.

#include "engine/submit/synchronization.hpp"

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weir::tests::synchronization_test {
namespace {

using testing::ElementsAre;

struct Barrier {
    VkPipelineStageFlags before, after;
    std::vector<VkMemoryBarrier> memory;
    std::vector<VkBufferMemoryBarrier> buffers;
    std::vector<VkImageMemoryBarrier> images;
};
std::vector<Barrier> barriers;

void VKAPI_CALL pipeline_barrier_1_0(VkCommandBuffer, VkPipelineStageFlags before, VkPipelineStageFlags after,
                                     VkDependencyFlags, std::uint32_t memory_count, const VkMemoryBarrier* memory,
                                     std::uint32_t buffer_count, const VkBufferMemoryBarrier* buffers,
                                     std::uint32_t image_count, const VkImageMemoryBarrier* images) {
    barriers.push_back({before,
                        after,
                        {memory, memory + memory_count},
                        {buffers, buffers + buffer_count},
                        {images, images + image_count}});
}

/// Records the dependency with the function of Vulkan 1.0. Its calls are in `barriers`.
void record(const VkDependencyInfo& dependency) {
    VolkDeviceTable vk{};
    vk.vkCmdPipelineBarrier = pipeline_barrier_1_0;
    barriers.clear();
    pipeline_barrier(vk, VK_NULL_HANDLE, dependency);
}

TEST(Synchronization, StagesAndAccessesBecomeSupersets) {
    EXPECT_EQ(older_stages(0), 0U);
    EXPECT_EQ(older_stages(VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_HOST_BIT),
              VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_HOST_BIT);
    EXPECT_EQ(older_stages(VK_PIPELINE_STAGE_2_COPY_BIT), VK_PIPELINE_STAGE_TRANSFER_BIT);
    EXPECT_EQ(older_stages(VK_PIPELINE_STAGE_2_CLEAR_BIT | VK_PIPELINE_STAGE_2_BLIT_BIT),
              VK_PIPELINE_STAGE_TRANSFER_BIT);
    EXPECT_EQ(older_stages(VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT), VK_PIPELINE_STAGE_VERTEX_INPUT_BIT);
    EXPECT_EQ(older_stages(VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT), VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT);
    EXPECT_EQ(older_stages(1ULL << 60U), VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    EXPECT_EQ(older_accesses(VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT),
              VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT);
    EXPECT_EQ(older_accesses(VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT), VK_ACCESS_SHADER_WRITE_BIT);
    EXPECT_EQ(older_accesses(1ULL << 60U), VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT);
}

TEST(Synchronization, BarriersOfOneCallShareStages) {
    const std::vector<VkMemoryBarrier2> memory{
        {VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, nullptr, VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
         VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_READ_BIT},
        {VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, nullptr, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
         VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT, VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT,
         VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT}};
    VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    dependency.memoryBarrierCount = 2;
    dependency.pMemoryBarriers = memory.data();
    record(dependency);
    ASSERT_EQ(barriers.size(), 1U);
    EXPECT_EQ(barriers[0].before, VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    EXPECT_EQ(barriers[0].after, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT);
    ASSERT_EQ(barriers[0].memory.size(), 1U);
    EXPECT_EQ(barriers[0].memory[0].srcAccessMask, VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    EXPECT_EQ(barriers[0].memory[0].dstAccessMask, VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
}

TEST(Synchronization, NoStagesBecomeTopAndBottomOfPipe) {
    const VkMemoryBarrier2 nothing{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
    VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    dependency.memoryBarrierCount = 1;
    dependency.pMemoryBarriers = &nothing;
    record(dependency);
    ASSERT_EQ(barriers.size(), 1U);
    EXPECT_EQ(barriers[0].before, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT);
    EXPECT_EQ(barriers[0].after, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT);
}

TEST(Synchronization, ManyBarriersAreAllRecorded) {
    std::vector<VkBufferMemoryBarrier2> buffers(40, {VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2});
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        buffers[i].srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
        buffers[i].dstStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
        buffers[i].offset = i;
        buffers[i].size = 4;
        buffers[i].dstQueueFamilyIndex = 2;
    }
    VkImageMemoryBarrier2 image{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
    image.newLayout = VK_IMAGE_LAYOUT_GENERAL;
    image.dstStageMask = VK_PIPELINE_STAGE_2_BLIT_BIT;
    VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    dependency.bufferMemoryBarrierCount = 40;
    dependency.pBufferMemoryBarriers = buffers.data();
    dependency.imageMemoryBarrierCount = 1;
    dependency.pImageMemoryBarriers = &image;
    record(dependency);
    std::size_t recorded = 0, images = 0;
    for (const Barrier& one : barriers) {
        EXPECT_TRUE(one.memory.empty());
        EXPECT_EQ(one.after, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT);
        for (const VkBufferMemoryBarrier& buffer : one.buffers) {
            EXPECT_EQ(buffer.offset, recorded++);
            EXPECT_EQ(buffer.dstQueueFamilyIndex, 2U);
        }
        for (const VkImageMemoryBarrier& each : one.images) {
            EXPECT_EQ(each.newLayout, VK_IMAGE_LAYOUT_GENERAL);
            ++images;
        }
    }
    EXPECT_EQ(recorded, 40U);
    EXPECT_EQ(images, 1U);
}

std::vector<std::uint64_t> submitted;

VkResult VKAPI_CALL submit_1_0(VkQueue, std::uint32_t count, const VkSubmitInfo* infos, VkFence) {
    submitted.clear();
    for (std::uint32_t i = 0; i < count; ++i) {
        submitted.push_back(infos[i].commandBufferCount);
        if (const auto* values = static_cast<const VkTimelineSemaphoreSubmitInfo*>(infos[i].pNext)) {
            submitted.insert(submitted.end(), {infos[i].pWaitDstStageMask[0], values->pWaitSemaphoreValues[0],
                                               values->pSignalSemaphoreValues[0]});
        }
    }
    return VK_ERROR_DEVICE_LOST;
}

TEST(Synchronization, SubmissionsKeepTimelineValues) {
    VolkDeviceTable vk{};
    vk.vkQueueSubmit = submit_1_0;
    VkSemaphoreSubmitInfo wait{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
    wait.value = 7;
    wait.stageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
    VkSemaphoreSubmitInfo signal{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
    signal.value = 8;
    const std::vector<VkCommandBufferSubmitInfo> commands(2, {VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO});
    std::vector<VkSubmitInfo2> submits(2, {VK_STRUCTURE_TYPE_SUBMIT_INFO_2});
    submits[0].commandBufferInfoCount = 2;
    submits[0].pCommandBufferInfos = commands.data();
    submits[1].waitSemaphoreInfoCount = 1;
    submits[1].pWaitSemaphoreInfos = &wait;
    submits[1].signalSemaphoreInfoCount = 1;
    submits[1].pSignalSemaphoreInfos = &signal;
    EXPECT_EQ(submit(vk, VK_NULL_HANDLE, submits, VK_NULL_HANDLE), VK_ERROR_DEVICE_LOST);
    EXPECT_THAT(submitted, ElementsAre(2U, 0U, VK_PIPELINE_STAGE_TRANSFER_BIT, 7U, 8U));
}

} // namespace
} // namespace weir::tests::synchronization_test
