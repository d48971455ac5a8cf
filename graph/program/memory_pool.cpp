#include "graph/program/memory_pool.hpp"

#include <algorithm>
#include <utility>

#include "engine/device/device.hpp"
#include "graph/program/resources.hpp"

namespace weir {

MemoryPool::MemoryPool(const Context& context) : blocks_(std::make_shared<PoolBlocks>(context)) {}

std::uint64_t MemoryPool::bytes() const {
    const std::lock_guard lock(blocks_->mutex);
    std::uint64_t bytes = 0;
    for (const auto& block : blocks_->blocks) {
        bytes += block != nullptr ? block->size() : 0;
    }
    return bytes;
}

Result<std::shared_ptr<const Buffer>> PoolBlocks::block(std::size_t index, std::uint64_t bytes,
                                                        const std::string& name) {
    const std::lock_guard lock(mutex);
    blocks.resize(std::max(blocks.size(), index + 1)); // no program requests the indices of blocks with images
    if (blocks[index] != nullptr && blocks[index]->size() >= bytes) {
        return blocks[index];
    }
    // The uses by later programs are not known.
    return ContextAccess::device(context)
        ->memory()
        .create_buffer(bytes, MemoryKind::device, name, buffer_usage(Access::any))
        .map([&](Buffer&& made) { return blocks[index] = std::make_shared<const Buffer>(std::move(made)); });
}

} // namespace weir
