#pragma once

#include <functional>
#include <memory>
#include <string>

#include <weir/weir.hpp>

namespace weir::bench {

/// A device of Mesa's RADV for a GPU that need not be present. It compiles for that GPU, but has no memory, and nothing
/// must be submitted to it. The driver crashes if the device is destroyed, so it is never destroyed. A program that
/// created one must end with std::_Exit.
class NullDevice {
public:
    /// Creates a device of a generation. `generation` is a name in RADV, such as "navi21"; sets the environment
    /// variable RADV_FORCE_FAMILY to it. RADV ends the program if it does not know the name. Disables Mesa's shader
    /// cache. Calls `on_error`, from any thread, for errors of the compiler that do not fail a pipeline. Errors:
    /// `no_device` without a Vulkan loader or RADV.
    static Result<NullDevice> create(const std::string& generation, std::function<void(const char* message)> on_error);

    /// Returns the device for Context::adopt, without a queue.
    [[nodiscard]] AdoptedDevice adopted() const;

private:
    struct Parts;
    explicit NullDevice(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}

    std::shared_ptr<const Parts> parts_;
};

} // namespace weir::bench
