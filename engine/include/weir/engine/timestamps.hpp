#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <vulkan/vulkan_core.h>

#include <weir/engine/context.hpp>
#include <weir/engine/error.hpp>
#include <weir/engine/export.hpp>

namespace weir {

/// GPU timestamps. Command buffers write them; the host reads them in nanoseconds.
class WEIR_API Timestamps {
public:
    /// Creates slots for `count` timestamps. Errors: `invalid_argument` if `count` is 0, `unsupported` if the main
    /// queue has no timestamps, `out_of_memory`.
    [[nodiscard]] static Result<Timestamps> create(const Context& context, std::uint32_t count);

    /// Takes the slots of another object.
    Timestamps(Timestamps&&) noexcept;
    /// Takes the slots of another object.
    Timestamps& operator=(Timestamps&&) noexcept;
    /// Frees the slots.
    ~Timestamps();

    /// Returns the number of slots.
    [[nodiscard]] std::uint32_t count() const;

    /// Records a reset of all slots. A slot must be reset before each `write`.
    void reset(VkCommandBuffer commands) const;
    /// Records a reset of the `count` slots from `first` on. `commands` must not be for a transfer queue.
    void reset(VkCommandBuffer commands, std::uint32_t first, std::uint32_t count) const;
    /// Resets the `count` slots from `first` on immediately, without a command. Requires
    /// Capabilities::host_query_reset. No pending submission may use these slots. A command buffer that writes them may
    /// be submitted once per reset.
    void reset(std::uint32_t first, std::uint32_t count) const;
    /// Records a write of slot `index`, which must be less than `count()`. The GPU writes it when all earlier commands
    /// have finished.
    void write(VkCommandBuffer commands, std::uint32_t index) const;
    /// Returns the first `count` timestamps, in nanoseconds since slot 0. Waits until they are written, therefore the
    /// commands that write them must have been submitted. Errors: `invalid_argument` if `count` exceeds the number of
    /// slots, `device_lost`.
    [[nodiscard]] Result<std::vector<double>> read(std::uint32_t count) const;

private:
    struct Impl;
    explicit Timestamps(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace weir
