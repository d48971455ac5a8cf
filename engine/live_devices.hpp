#pragma once

#include <mutex>
#include <vector>

namespace weir {

class Device;

/// The devices of the process that exist. They are told when the process destroys its objects with static lifetime: the
/// threads of drivers, and layers, may end before the devices then. All functions may be called from any thread.
class LiveDevices {
public:
    /// Adds a device. Called after the driver and the layers are loaded: what ends with the process ends in reverse
    /// order, so the first call decides that devices are told while the driver and the layers still exist.
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
