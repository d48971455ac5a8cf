#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <weir/graph/memory_pool.hpp>

namespace weir {

/// Blocks of memory of a MemoryPool. Thread-safe.
struct PoolBlocks {
    explicit PoolBlocks(const Context& on) : context(on) {}

    /// Returns block `index`, which programs share, with at least `bytes` bytes. A smaller block is replaced; earlier
    /// programs keep it. Errors: those of Device::create_buffer.
    Result<std::shared_ptr<const Buffer>> block(std::size_t index, std::uint64_t bytes, const std::string& name);

    const Context context;
    mutable std::mutex mutex;
    std::vector<std::shared_ptr<const Buffer>> blocks; ///< null if no program has requested the block
};

/// Gives the compilation of programs and tests access to the internals of a MemoryPool.
struct MemoryPoolAccess {
    [[nodiscard]] static PoolBlocks& blocks(const MemoryPool& pool) { return *pool.blocks_; }
};

} // namespace weir
