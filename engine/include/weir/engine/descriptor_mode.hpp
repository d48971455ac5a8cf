#pragma once

#include <cstdint>

#include <weir/engine/export.hpp>

namespace weir {

/// How a program passes its bindings to shaders. Results are the same.
enum class DescriptorMode : std::uint8_t {
    automatic, ///< the fastest mode of the device that needs nothing of the application's buffers
    /// Descriptor sets from a pool of the program, written when a binding changes. On every device.
    sets,
    /// Push descriptors, written into the command buffer with each pass. Any number of recordings with different
    /// bindings may be pending. Where Capabilities::max_push_descriptors is not 0.
    push,
    /// A part of Context::descriptor_buffer, which the host writes. Where Capabilities::descriptor_buffer. All bound
    /// buffers need VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT, which buffers of the context have. It changes the
    /// descriptor buffers that are bound in the command buffer. Passes with Pass::sets have their bindings in sets.
    buffer,
};

/// "automatic", "sets", "push" or "buffer".
WEIR_API const char* to_string(DescriptorMode mode);

} // namespace weir
