#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <vulkan/vulkan_core.h>

#include <weir/engine/context.hpp>
#include <weir/engine/error.hpp>
#include <weir/engine/export.hpp>

namespace weir {

/// A row of GPU timestamps, written into command buffers and read back in nanoseconds.
class WEIR_API Timestamps {
public:
    /// Room for `count` timestamps. Errors: `unsupported` where the queue has none, `out_of_memory`.
    static Result<Timestamps> create(const Context& context, std::uint32_t count);

    Timestamps(Timestamps&&) noexcept;
    Timestamps& operator=(Timestamps&&) noexcept;
    ~Timestamps();

    [[nodiscard]] std::uint32_t count() const;

    /// Makes all slots writable again; comes before the first `write` in a command buffer.
    void reset(VkCommandBuffer commands) const;
    /// The same for `count` slots from `first` on.
    void reset(VkCommandBuffer commands, std::uint32_t first, std::uint32_t count) const;
    /// Writes slot `index` (below the count) once all earlier commands have finished.
    void write(VkCommandBuffer commands, std::uint32_t index) const;
    /// The first `count` slots in nanoseconds, since the first of them. Waits until they are written, so all of them
    /// must be in commands that were submitted. Errors: `invalid_argument`, `device_lost`.
    [[nodiscard]] Result<std::vector<double>> read(std::uint32_t count) const;

private:
    struct Impl;
    explicit Timestamps(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

} // namespace weir
