#pragma once

#include <functional>
#include <memory>
#include <string>

#include <weir/weir.hpp>

namespace weir::bench {

/// A device of a GPU that need not be there, as Mesa's RADV makes it: its compiler is that GPU's, it has no memory,
/// and nothing may be submitted to it. The driver crashes when it is destroyed, so it never is: a program that
/// made one ends by std::_Exit.
class NullDevice {
public:
    /// Of a generation as RADV names it, such as "navi21"; the environment variable RADV_FORCE_FAMILY is set to it.
    /// RADV ends the program if it does not know that name. Nothing is taken from Mesa's cache of shaders. `on_error`
    /// gets what the compiler calls an error, which fails no pipeline; it is called from any thread. Errors:
    /// `no_device` without a Vulkan loader or RADV.
    static Result<NullDevice> create(const std::string& generation, std::function<void(const char* message)> on_error);

    /// For Context::adopt, without a queue.
    [[nodiscard]] AdoptedDevice adopted() const;

private:
    struct Parts;
    explicit NullDevice(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}

    std::shared_ptr<const Parts> parts_;
};

} // namespace weir::bench
