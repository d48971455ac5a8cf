#pragma once

#include <cstdint>
#include <memory>

#include <weir/engine/context.hpp>
#include <weir/engine/export.hpp>

namespace weir {

struct PoolBlocks;

/// Device memory that the transients of several programs share; see `CompileOptions::pool`. It is as large as the
/// largest of them needs. The executions of these programs must be submitted to one queue, on which each execution
/// waits for the one before. A handle: copies refer to the same pool. Programs keep alive the memory that they use.
/// Thread-safe.
class WEIR_API MemoryPool {
public:
    /// Creates an empty pool.
    explicit MemoryPool(const Context& context);

    /// Returns the size in bytes: the memory that the next program can use without growing the pool. If a program needs
    /// more, the pool grows; earlier programs keep their smaller memory. Therefore compile the largest program first.
    [[nodiscard]] std::uint64_t bytes() const;

private:
    friend struct MemoryPoolAccess;
    std::shared_ptr<PoolBlocks> blocks_;
};

} // namespace weir
