#pragma once

#include <cstdint>
#include <memory>

#include <weir/engine/context.hpp>
#include <weir/engine/export.hpp>

namespace weir {

/// Device memory that the transients of several programs share, see `CompileOptions::pool`: it takes what the largest
/// of them needs. Their executions must be submitted to one queue, where each waits for the one before it. A handle:
/// copies are the same pool. Programs keep what they use of it alive. Any thread.
class WEIR_API MemoryPool {
public:
    explicit MemoryPool(const Context& context);

    /// Bytes that the next program to be compiled may find. A program that needs more makes the pool larger; those
    /// before it keep the smaller memory that they have, so the largest program is best compiled first.
    [[nodiscard]] std::uint64_t bytes() const;

    /// For Weir itself.
    struct Impl;
    [[nodiscard]] Impl& impl() const { return *impl_; }

private:
    std::shared_ptr<Impl> impl_;
};

} // namespace weir
