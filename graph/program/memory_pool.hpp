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

    /// Block `index` of every program, of at least so many bytes. Errors: those of Device::create_buffer.
    Result<std::shared_ptr<const Buffer>> block(std::size_t index, std::uint64_t bytes, const std::string& name);

    const Context context;
    mutable std::mutex mutex;
    std::vector<std::shared_ptr<const Buffer>> blocks; ///< null where no program has asked for one
};

} // namespace weir
