#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <weir/graph/memory_pool.hpp>

namespace weir {

struct MemoryPool::Impl {
    explicit Impl(const Context& on) : context(on) {}

    /// Returns block `index`, which programs share, with at least `bytes` bytes. A smaller block is replaced; earlier
    /// programs keep it. Errors: those of Device::create_buffer.
    Result<std::shared_ptr<const Buffer>> block(std::size_t index, std::uint64_t bytes, const std::string& name);

    const Context context;
    mutable std::mutex mutex;
    std::vector<std::shared_ptr<const Buffer>> blocks; ///< null if no program has requested the block
};

} // namespace weir
