#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/volk.hpp"

namespace weir {

class Device;

/// What a device does although nothing promises it, as far as was seen. Kernels are right without it: it only says
/// which of two ways is likely to be the faster one.
struct Behavior {
    bool workgroups_start_in_order = false; ///< see Capabilities
    bool atomics_in_lane_order = false;     ///< likewise

    bool operator==(const Behavior&) const = default;
};

/// Runs a kernel on the device's main queue, which must be there, in one submission, and waits for it. None where
/// anything of that fails.
std::optional<Behavior> probe_behavior(const std::shared_ptr<Device>& device);

/// The behavior that `file` says a device with such a `device_identity` has. None where the file is missing, damaged or
/// of another device or driver.
std::optional<Behavior> read_behavior(const std::string& file, const std::string& identity);
/// Returns why it cannot be written; empty: it is done.
std::string write_behavior(const std::string& file, const std::string& identity, const Behavior& behavior);

/// The file for a device in `directory`, as `pipeline_cache_file`.
std::string behavior_file(const std::string& directory, const VkPhysicalDeviceProperties& properties);

/// What is known of devices by their `device_identity`. Thread-safe.
class Behaviors {
public:
    /// Those of all contexts of the process. Nothing that one of them does changes what the device does: they share no
    /// more than the time that it takes to find out.
    static Behaviors& of_process();

    /// What is known here, or what `file` says (empty: none), or what a probe finds, which is then kept in both. All is
    /// false where the probe fails, and the next call tries again.
    Behavior of(const std::shared_ptr<Device>& device, const std::string& file);

private:
    std::mutex mutex_;
    std::vector<std::pair<std::string, Behavior>> known_; ///< as many as a machine has kinds of devices
};

} // namespace weir
