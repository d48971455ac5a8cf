#pragma once

#include <cstdint>
#include <optional>

#include <weir/weir.hpp>

#include "tests/support/device.hpp"
#include "tests/support/result.hpp"

namespace weir::tests {

/// A context with a limit of memory. A buffer takes all of it except a given number of bytes.
class ShortOfMemory {
public:
    ShortOfMemory() : gpu_(ok(Context::create(options()))) {}
    [[nodiscard]] const Context& gpu() const { return gpu_; }
    void leave(std::uint64_t bytes) {
        taken_.reset();
        taken_ = ok(gpu_.create_buffer(options().memory_limit - gpu_.memory_in_use() - bytes));
    }
    void leave_all() { taken_.reset(); }

private:
    static ContextOptions options() {
        ContextOptions options = validated();
        options.memory_limit = 1U << 26;
        return options;
    }
    Context gpu_;
    std::optional<Buffer> taken_;
};

} // namespace weir::tests
