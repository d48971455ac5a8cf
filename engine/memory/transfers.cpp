#include "engine/memory/transfers.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "engine/memory/device_memory.hpp"
#include "engine/submit/submissions.hpp"
#include "engine/submit/synchronization.hpp"

namespace weir {

namespace {

constexpr VkDeviceSize smallest_staging = VkDeviceSize{64} << 10;
constexpr VkDeviceSize chunk = VkDeviceSize{64} << 20;

Result<> check(const char* what, const BufferView& view, std::size_t bytes) {
    if (view.buffer == VK_NULL_HANDLE) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument,
                  concat(what, " of ", bytes, " bytes: the buffer is null (a buffer of a graph must be exported)")});
    }
    if (bytes > view.size) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument,
                  concat(what, " of ", bytes, " bytes: the buffer view has only ", view.size, " bytes")});
    }
    return {};
}

void barrier(const VolkDeviceTable& vk, VkCommandBuffer commands, const VkMemoryBarrier2& one) {
    VkDependencyInfo dependency{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    dependency.memoryBarrierCount = 1;
    dependency.pMemoryBarriers = &one;
    pipeline_barrier(vk, commands, dependency);
}

VkMemoryBarrier2 memory_barrier(VkPipelineStageFlags2 from, VkAccessFlags2 written, VkPipelineStageFlags2 to,
                                VkAccessFlags2 used) {
    VkMemoryBarrier2 out{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
    out.srcStageMask = from;
    out.srcAccessMask = written;
    out.dstStageMask = to;
    out.dstAccessMask = used;
    return out;
}

constexpr VkAccessFlags2 any_access = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;

} // namespace

Transfers::~Transfers() {
    free(up_);
    free(down_);
}

Result<> Transfers::upload(BufferView destination, std::span<const std::byte> bytes) {
    if (bytes.empty()) {
        return {};
    }
    WEIR_PROPAGATE(check("upload", destination, bytes.size()));
    const std::lock_guard lock(mutex_);
    WEIR_PROPAGATE(reserve(up_, MemoryKind::upload, bytes.size()));
    for (std::size_t done = 0; done < bytes.size(); done += up_.size) {
        const VkDeviceSize size = std::min<VkDeviceSize>(up_.size, bytes.size() - done);
        std::memcpy(up_.memory.mapped, bytes.data() + done, size);
        auto copied = submissions_.run([&](VkCommandBuffer commands) -> Result<> {
            const VkBufferCopy region{0, destination.offset + done, size};
            barrier(memory_.device().vk(), commands,
                    memory_barrier(VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT,
                                   VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT));
            memory_.device().vk().vkCmdCopyBuffer(commands, up_.memory.buffer, destination.buffer, 1, &region);
            barrier(memory_.device().vk(), commands,
                    memory_barrier(VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                   VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_HOST_BIT,
                                   any_access | VK_ACCESS_2_HOST_READ_BIT | VK_ACCESS_2_HOST_WRITE_BIT));
            return {};
        });
        if (!copied) {
            free(up_); // not reused: an abandoned device may still use it
            return copied;
        }
    }
    return {};
}

Result<> Transfers::download(std::span<std::byte> bytes, BufferView source) {
    if (bytes.empty()) {
        return {};
    }
    WEIR_PROPAGATE(check("download", source, bytes.size()));
    const std::lock_guard lock(mutex_);
    WEIR_PROPAGATE(reserve(down_, MemoryKind::download, bytes.size()));
    for (std::size_t done = 0; done < bytes.size(); done += down_.size) {
        const VkDeviceSize size = std::min<VkDeviceSize>(down_.size, bytes.size() - done);
        auto copied = submissions_.run([&](VkCommandBuffer commands) -> Result<> {
            const VkBufferCopy region{source.offset + done, 0, size};
            barrier(memory_.device().vk(), commands,
                    memory_barrier(VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT,
                                   VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT));
            memory_.device().vk().vkCmdCopyBuffer(commands, source.buffer, down_.memory.buffer, 1, &region);
            barrier(memory_.device().vk(), commands,
                    memory_barrier(VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                   VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT));
            return {};
        });
        if (!copied) {
            free(down_);
            return copied;
        }
        std::memcpy(bytes.data() + done, down_.memory.mapped, size);
    }
    return {};
}

Result<> Transfers::reserve(Staging& staging, MemoryKind kind, VkDeviceSize size) {
    const VkDeviceSize wanted = std::clamp(std::bit_ceil(std::min(size, chunk)), smallest_staging, chunk);
    if (staging.size >= wanted) {
        return {};
    }
    free(staging);
    auto memory = memory_.allocate_buffer(wanted, kind, "weir staging");
    WEIR_PROPAGATE(memory);
    staging = {*memory, wanted};
    return {};
}

void Transfers::free(Staging& staging) {
    if (staging.size != 0) {
        memory_.free_buffer(staging.memory);
    }
    staging = {};
}

} // namespace weir
