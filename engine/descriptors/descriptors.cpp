#include "engine/descriptors/descriptors.hpp"

#include <algorithm>

#include "engine/base/device_handle.hpp"
#include "engine/base/strings.hpp"

namespace weir {

const char* to_string(DescriptorMode mode) {
    switch (mode) {
    case DescriptorMode::automatic: return "automatic";
    case DescriptorMode::sets: return "sets";
    case DescriptorMode::push: return "push";
    case DescriptorMode::buffer: return "buffer";
    }
    return "?";
}

Result<DescriptorMode> choose_descriptors(DescriptorMode wanted, const Capabilities& capabilities,
                                          std::size_t max_bindings) {
    if (wanted == DescriptorMode::automatic) {
        return DescriptorMode::sets;
    }
    if (wanted == DescriptorMode::buffer && !capabilities.descriptor_buffer) {
        return tl::unexpected(Error{ErrorCode::unsupported,
                                    "DescriptorMode::buffer requires VK_EXT_descriptor_buffer and "
                                    "bufferDeviceAddress, which are not enabled on the device"});
    }
    if (wanted == DescriptorMode::push && max_bindings > capabilities.max_push_descriptors) {
        return tl::unexpected(
            Error{ErrorCode::unsupported, concat("a pass has ", max_bindings, " bindings; the device supports at most ",
                                                 capabilities.max_push_descriptors, " push descriptors")});
    }
    return wanted;
}

Result<std::unique_ptr<Descriptors>> make_descriptors(DescriptorMode mode, const std::shared_ptr<DeviceHandle>& device,
                                                      DescriptorBuffers* buffers,
                                                      std::span<const DescriptorPass> passes, std::uint32_t copies,
                                                      std::optional<std::uint32_t> bound, const std::string& program) {
    switch (mode) {
    case DescriptorMode::push: return make_push_descriptors(device, passes, copies);
    case DescriptorMode::buffer:
        return std::any_of(passes.begin(), passes.end(), [](const DescriptorPass& pass) { return pass.has_other_sets; })
                   ? make_buffer_and_sets(device, *buffers, passes, copies, program)
                   : make_descriptor_buffer(device, *buffers, passes, copies, bound);
    case DescriptorMode::automatic:
    case DescriptorMode::sets: break;
    }
    return make_pooled_sets(device, passes, copies, program);
}

} // namespace weir
