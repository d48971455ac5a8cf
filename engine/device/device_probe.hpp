#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/volk.hpp"

namespace weir {

class Device;

/// Device properties that Vulkan does not guarantee but a probe has observed. Kernels are correct without them; they
/// only select the faster of two variants.
struct Behavior {
    bool workgroups_start_in_order = false; ///< see Capabilities
    bool atomics_in_lane_order = false;     ///< see Capabilities

    bool operator==(const Behavior&) const = default;
};

/// Runs a kernel on the device's main queue in one submission and waits for it. The device must have a main queue.
/// Returns nullopt if any step fails.
std::optional<Behavior> probe_behavior(const std::shared_ptr<Device>& device);

/// Returns the behavior that `file` records for the device with this `device_identity`. Returns nullopt if the file is
/// missing, damaged, or of another device or driver.
std::optional<Behavior> read_behavior(const std::string& file, const std::string& identity);
/// Writes `file`. Returns why it failed; empty on success.
std::string write_behavior(const std::string& file, const std::string& identity, const Behavior& behavior);

/// Returns the path of the behavior file of a device: see `device_file`.
std::string behavior_file(const std::string& directory, const VkPhysicalDeviceProperties& properties);

/// Cache of known behaviors by `device_identity`. Thread-safe.
class Behaviors {
public:
    /// Returns the process-wide cache. Sharing is safe: results depend only on the device and driver.
    static Behaviors& of_process();

    /// Returns the cached behavior, or the one in `file` (empty: no file), or the result of a probe. Caches the result,
    /// and writes a probe's result to `file`. If the probe fails, returns a default Behavior (all false), and the next
    /// call probes again.
    Behavior of(const std::shared_ptr<Device>& device, const std::string& file);

private:
    std::mutex mutex_;
    std::vector<std::pair<std::string, Behavior>> known_; ///< by identity; one per kind of device
};

} // namespace weir
