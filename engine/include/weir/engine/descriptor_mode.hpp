#pragma once

#include <cstdint>

#include <weir/engine/export.hpp>

namespace weir {

/// Method by which a program passes its bindings to shaders. Results do not depend on it.
enum class DescriptorMode : std::uint8_t {
    automatic, ///< the fastest mode of the device that requires nothing of the application's buffers
    /// Descriptor sets from a pool of the program, written when a binding changes. Available on every device.
    sets,
    /// Push descriptors, written into the command buffer with each pass. Any number of recordings with different
    /// bindings may be pending. Available if Capabilities::max_push_descriptors is not 0.
    push,
    /// A range of a descriptor buffer, written by the host; see Context::descriptor_buffer. Available if
    /// Capabilities::descriptor_buffer is set. All bound buffers need VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT, which
    /// buffers of the context have. Recording changes the descriptor buffers that are bound in the command buffer.
    /// Passes with Pass::sets use descriptor sets instead.
    buffer,
};

/// Returns "automatic", "sets", "push" or "buffer".
WEIR_API const char* to_string(DescriptorMode mode);

} // namespace weir
