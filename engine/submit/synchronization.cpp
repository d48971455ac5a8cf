#include "engine/submit/synchronization.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace weir {

namespace {

/// Maximum number of buffer barriers, and of image barriers, in one call of Vulkan 1.0.
constexpr std::size_t max_barriers = 16;

/// Returns stages of Vulkan 1.0, which does not allow an empty set: `none` replaces it.
VkPipelineStageFlags older_stages_or(VkPipelineStageFlags2 stages, VkPipelineStageFlags none) {
    const VkPipelineStageFlags out = older_stages(stages);
    return out != 0 ? out : none;
}

/// Stages of all barriers of a call.
struct OlderScopes {
    VkPipelineStageFlags2 before = 0, after = 0;

    template <class Barrier>
    void add(const Barrier& barrier) {
        before |= barrier.srcStageMask;
        after |= barrier.dstStageMask;
    }
};

template <class Barrier>
std::span<const Barrier> listed(const Barrier* first, std::uint32_t count) {
    return {first, count};
}

VkBufferMemoryBarrier older(const VkBufferMemoryBarrier2& barrier) {
    VkBufferMemoryBarrier out{VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER};
    out.srcAccessMask = older_accesses(barrier.srcAccessMask);
    out.dstAccessMask = older_accesses(barrier.dstAccessMask);
    out.srcQueueFamilyIndex = barrier.srcQueueFamilyIndex;
    out.dstQueueFamilyIndex = barrier.dstQueueFamilyIndex;
    out.buffer = barrier.buffer;
    out.offset = barrier.offset;
    out.size = barrier.size;
    return out;
}

VkImageMemoryBarrier older(const VkImageMemoryBarrier2& barrier) {
    VkImageMemoryBarrier out{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER};
    out.srcAccessMask = older_accesses(barrier.srcAccessMask);
    out.dstAccessMask = older_accesses(barrier.dstAccessMask);
    out.oldLayout = barrier.oldLayout;
    out.newLayout = barrier.newLayout;
    out.srcQueueFamilyIndex = barrier.srcQueueFamilyIndex;
    out.dstQueueFamilyIndex = barrier.dstQueueFamilyIndex;
    out.image = barrier.image;
    out.subresourceRange = barrier.subresourceRange;
    return out;
}

/// Converts the next barriers into `out`, removes them from `barriers` and returns their number.
template <class Barrier, class Older>
std::uint32_t take(std::span<const Barrier>& barriers, std::array<Older, max_barriers>& out) {
    const std::size_t count = std::min(barriers.size(), max_barriers);
    std::ranges::transform(barriers.first(count), out.begin(), [](const Barrier& one) { return older(one); });
    barriers = barriers.subspan(count);
    return static_cast<std::uint32_t>(count);
}

void older_barrier(const VolkDeviceTable& vk, VkCommandBuffer commands, const VkDependencyInfo& dependency) {
    const auto memory = listed(dependency.pMemoryBarriers, dependency.memoryBarrierCount);
    auto buffers = listed(dependency.pBufferMemoryBarriers, dependency.bufferMemoryBarrierCount);
    auto images = listed(dependency.pImageMemoryBarriers, dependency.imageMemoryBarrierCount);
    OlderScopes scopes;
    VkMemoryBarrier all{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    for (const VkMemoryBarrier2& one : memory) {
        scopes.add(one);
        all.srcAccessMask |= older_accesses(one.srcAccessMask);
        all.dstAccessMask |= older_accesses(one.dstAccessMask);
    }
    std::ranges::for_each(buffers, [&](const VkBufferMemoryBarrier2& one) { scopes.add(one); });
    std::ranges::for_each(images, [&](const VkImageMemoryBarrier2& one) { scopes.add(one); });
    const VkPipelineStageFlags before = older_stages_or(scopes.before, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT);
    const VkPipelineStageFlags after = older_stages_or(scopes.after, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT);
    std::uint32_t memory_count = memory.empty() ? 0 : 1;
    do {
        std::array<VkBufferMemoryBarrier, max_barriers> older_buffers;
        std::array<VkImageMemoryBarrier, max_barriers> older_images;
        const std::uint32_t buffer_count = take(buffers, older_buffers);
        const std::uint32_t image_count = take(images, older_images);
        vk.vkCmdPipelineBarrier(commands, before, after, dependency.dependencyFlags, memory_count, &all, buffer_count,
                                older_buffers.data(), image_count, older_images.data());
        memory_count = 0;
    } while (!buffers.empty() || !images.empty());
}

/// The arrays of a VkSubmitInfo.
struct OlderSubmit {
    explicit OlderSubmit(const VkSubmitInfo2& submit) {
        for (const VkSemaphoreSubmitInfo& wait : listed(submit.pWaitSemaphoreInfos, submit.waitSemaphoreInfoCount)) {
            waits.push_back(wait.semaphore);
            wait_values.push_back(wait.value);
            wait_stages.push_back(older_stages_or(wait.stageMask, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT));
        }
        for (const VkCommandBufferSubmitInfo& buffer :
             listed(submit.pCommandBufferInfos, submit.commandBufferInfoCount)) {
            commands.push_back(buffer.commandBuffer);
        }
        for (const VkSemaphoreSubmitInfo& signal :
             listed(submit.pSignalSemaphoreInfos, submit.signalSemaphoreInfoCount)) {
            signals.push_back(signal.semaphore);
            signal_values.push_back(signal.value);
        }
    }

    /// Returns a VkSubmitInfo that points to `values` and to this object. Without semaphores `values` are not chained,
    /// because the device may not support timelines.
    [[nodiscard]] VkSubmitInfo info(VkTimelineSemaphoreSubmitInfo& values) const {
        values = {VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
        values.waitSemaphoreValueCount = static_cast<std::uint32_t>(wait_values.size());
        values.pWaitSemaphoreValues = wait_values.data();
        values.signalSemaphoreValueCount = static_cast<std::uint32_t>(signal_values.size());
        values.pSignalSemaphoreValues = signal_values.data();
        VkSubmitInfo out{VK_STRUCTURE_TYPE_SUBMIT_INFO};
        out.pNext = waits.empty() && signals.empty() ? nullptr : &values;
        out.waitSemaphoreCount = static_cast<std::uint32_t>(waits.size());
        out.pWaitSemaphores = waits.data();
        out.pWaitDstStageMask = wait_stages.data();
        out.commandBufferCount = static_cast<std::uint32_t>(commands.size());
        out.pCommandBuffers = commands.data();
        out.signalSemaphoreCount = static_cast<std::uint32_t>(signals.size());
        out.pSignalSemaphores = signals.data();
        return out;
    }

    std::vector<VkSemaphore> waits, signals;
    std::vector<std::uint64_t> wait_values, signal_values;
    std::vector<VkPipelineStageFlags> wait_stages;
    std::vector<VkCommandBuffer> commands;
};

} // namespace

VkPipelineStageFlags older_stages(VkPipelineStageFlags2 stages) {
    constexpr VkPipelineStageFlags2 transfers = VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_RESOLVE_BIT |
                                                VK_PIPELINE_STAGE_2_BLIT_BIT | VK_PIPELINE_STAGE_2_CLEAR_BIT;
    constexpr VkPipelineStageFlags2 inputs =
        VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT | VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT;
    constexpr VkPipelineStageFlags2 older = 0xffffffffU; // same bits in both versions
    auto out = static_cast<VkPipelineStageFlags>(stages & older);
    if ((stages & VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR) != 0) { // older copies are builds
        out ^= VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR;
        out |= VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR;
    }
    if ((stages & transfers) != 0) {
        out |= VK_PIPELINE_STAGE_TRANSFER_BIT;
    }
    if ((stages & inputs) != 0) {
        out |= VK_PIPELINE_STAGE_VERTEX_INPUT_BIT;
    }
    if ((stages & VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT) != 0) {
        out |= VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT;
    }
    if ((stages & ~(older | transfers | inputs | VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT)) != 0) {
        out |= VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    }
    return out;
}

VkAccessFlags older_accesses(VkAccessFlags2 accesses) {
    constexpr VkAccessFlags2 reads = VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_READ_BIT;
    constexpr VkAccessFlags2 older = 0xffffffffU; // same bits in both versions
    auto out = static_cast<VkAccessFlags>(accesses & older);
    if ((accesses & reads) != 0) {
        out |= VK_ACCESS_SHADER_READ_BIT;
    }
    if ((accesses & VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT) != 0) {
        out |= VK_ACCESS_SHADER_WRITE_BIT;
    }
    if ((accesses & ~(older | reads | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT)) != 0) {
        out |= VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
    }
    return out;
}

void pipeline_barrier(const VolkDeviceTable& vk, VkCommandBuffer commands, const VkDependencyInfo& dependency) {
    if (vk.vkCmdPipelineBarrier2 != nullptr) {
        vk.vkCmdPipelineBarrier2(commands, &dependency);
    } else {
        older_barrier(vk, commands, dependency);
    }
}

void write_timestamp(const VolkDeviceTable& vk, VkCommandBuffer commands, VkQueryPool pool, std::uint32_t index) {
    if (vk.vkCmdWriteTimestamp2 != nullptr) {
        vk.vkCmdWriteTimestamp2(commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, pool, index);
    } else { // Vulkan 1.0 allows one stage only: this one is after all others
        vk.vkCmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, pool, index);
    }
}

VkResult submit(const VolkDeviceTable& vk, VkQueue queue, std::span<const VkSubmitInfo2> submits, VkFence fence) {
    if (vk.vkQueueSubmit2 != nullptr) {
        return vk.vkQueueSubmit2(queue, static_cast<std::uint32_t>(submits.size()), submits.data(), fence);
    }
    const std::vector<OlderSubmit> older(submits.begin(), submits.end());
    std::vector<VkTimelineSemaphoreSubmitInfo> values(older.size());
    std::vector<VkSubmitInfo> infos;
    for (std::size_t i = 0; i < older.size(); ++i) {
        infos.push_back(older[i].info(values[i]));
    }
    return vk.vkQueueSubmit(queue, static_cast<std::uint32_t>(infos.size()), infos.data(), fence);
}

} // namespace weir
