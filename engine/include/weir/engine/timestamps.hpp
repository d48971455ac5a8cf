#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <vulkan/vulkan_core.h>

#include <weir/engine/context.hpp>
#include <weir/engine/error.hpp>
#include <weir/engine/export.hpp>

namespace weir {

/// GPU timestamps, which are written in command buffers and read in nanoseconds.
class WEIR_API Timestamps {
public:
    /// Creates slots for `count` timestamps. Errors: `unsupported` where the queue has no timestamps, `out_of_memory`.
    static Result<Timestamps> create(const Context& context, std::uint32_t count);

    /// Takes the slots of another object.
    Timestamps(Timestamps&&) noexcept;
    /// Takes the slots of another object.
    Timestamps& operator=(Timestamps&&) noexcept;
    /// Frees the slots.
    ~Timestamps();

    /// Number of slots.
    [[nodiscard]] std::uint32_t count() const;

    /// Resets all slots. Required before the first `write` of a command buffer.
    void reset(VkCommandBuffer commands) const;
    /// Resets `count` slots from `first` on. Not in commands of a transfer queue.
    void reset(VkCommandBuffer commands, std::uint32_t first, std::uint32_t count) const;
    /// Resets `count` slots from `first` on at once, without a command, where Capabilities::host_query_reset. Commands
    /// that were submitted before must not use them any more, and what is recorded with them is submitted once.
    void reset(std::uint32_t first, std::uint32_t count) const;
    /// Writes slot `index`, below the count, when all earlier commands have finished.
    void write(VkCommandBuffer commands, std::uint32_t index) const;
    /// The first `count` slots in nanoseconds since the first of them. Waits until they are written, so their commands
    /// must have been submitted. Errors: `invalid_argument`, `device_lost`.
    [[nodiscard]] Result<std::vector<double>> read(std::uint32_t count) const;

private:
    struct Impl;
    explicit Timestamps(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace weir
