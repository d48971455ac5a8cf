#pragma once

#include <mutex>
#include <vector>

namespace weir {

class Device;

/// The devices that exist in the process. Notifies them when the process destroys its objects with static lifetime,
/// because the threads of drivers, and layers, may then end before the devices. Thread-safe.
class LiveDevices {
public:
    /// Adds a device. Must be called after the driver and the layers are loaded. Objects with static lifetime are
    /// destroyed in reverse order, so the first call ensures that devices are notified while the driver and the layers
    /// still exist.
    static void add(Device& device);
    /// Removes a device. Does nothing for a device that was not added.
    static void remove(Device& device);

private:
    LiveDevices() = default;
    ~LiveDevices(); ///< calls Device::leave_to_process_end of each device
    static LiveDevices& of_process();

    std::mutex mutex_;
    std::vector<Device*> devices_;
};

} // namespace weir
