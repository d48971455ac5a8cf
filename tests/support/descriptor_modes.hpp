#pragma once

#include <vector>

#include <weir/engine/capabilities.hpp>
#include <weir/engine/descriptor_mode.hpp>

namespace weir::tests {

/// Returns the modes that the device supports.
inline std::vector<DescriptorMode> descriptor_modes(const Capabilities& device) {
    std::vector<DescriptorMode> modes{DescriptorMode::sets};
    if (device.max_push_descriptors > 0) {
        modes.push_back(DescriptorMode::push);
    }
    if (device.descriptor_buffer) {
        modes.push_back(DescriptorMode::buffer);
    }
    return modes;
}

} // namespace weir::tests
