#include "engine/device/live_devices.hpp"

#include <atomic>

#include "engine/device/device.hpp"

namespace weir {

namespace {

/// Needs no destructor, so it is valid after ~LiveDevices.
std::atomic<bool> process_is_ending = false;

} // namespace

LiveDevices& LiveDevices::of_process() {
    static LiveDevices devices;
    return devices;
}

void LiveDevices::add(Device& device) {
    if (process_is_ending) {
        return;
    }
    LiveDevices& all = of_process();
    const std::lock_guard lock(all.mutex_);
    all.devices_.push_back(&device);
}

void LiveDevices::remove(Device& device) {
    if (process_is_ending) {
        return;
    }
    LiveDevices& all = of_process();
    const std::lock_guard lock(all.mutex_);
    std::erase(all.devices_, &device);
}

LiveDevices::~LiveDevices() {
    const std::lock_guard lock(mutex_);
    for (Device* device : devices_) {
        device->leave_to_process_end();
    }
    process_is_ending = true;
}

} // namespace weir
