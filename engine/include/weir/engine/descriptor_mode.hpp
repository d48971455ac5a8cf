#pragma once

#include <cstdint>

#include <weir/engine/export.hpp>

namespace weir {

/// How the passes of a program find what they are bound to. Results are the same.
enum class DescriptorMode : std::uint8_t {
    automatic, ///< the fastest that is there and asks nothing of the host's buffers
    /// Sets from a pool of the program's, written when a binding changes. On every device.
    sets,
    /// Written into the command buffer with each pass; recordings with bindings of their own may be pending in any
    /// number. Where Capabilities::max_push_descriptors.
    push,
    /// One buffer of the program's, written by the host without the driver. Where Capabilities::descriptor_buffer. All
    /// buffers bound must have VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT, as those of the context do. It changes the
    /// bound descriptor buffers of the command buffer.
    buffer,
};

/// "automatic", "sets", "push" or "buffer".
WEIR_API const char* to_string(DescriptorMode mode);

} // namespace weir
