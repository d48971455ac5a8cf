#pragma once

#include <cstdint>
#include <memory>

#include <weir/engine/context.hpp>
#include <weir/engine/export.hpp>

namespace weir {

/// Device memory that the transients of several programs share, see `CompileOptions::pool`. It is as large as the
/// largest of them needs. The executions of these programs have to be submitted to one queue, where each waits for the
/// one before. A handle: copies are the same pool. Programs keep alive what they use of it. Any thread.
class WEIR_API MemoryPool {
public:
    /// An empty pool.
    explicit MemoryPool(const Context& context);

    /// Bytes that the next program may use without growing the pool. A program that needs more makes the pool larger;
    /// earlier programs keep their smaller memory. So compile the largest program first.
    [[nodiscard]] std::uint64_t bytes() const;

    /// Internal.
    struct Impl;
    /// Internal.
    [[nodiscard]] Impl& impl() const { return *impl_; }

private:
    std::shared_ptr<Impl> impl_;
};

} // namespace weir
