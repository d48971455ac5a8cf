#pragma once

#include <cstdint>
#include <string>

#include <tl/expected.hpp>

namespace weir {

enum class ErrorCode : std::uint8_t {
    invalid_argument,   ///< a value handed in by the caller makes no sense
    invalid_graph,      ///< a graph cannot be compiled: cycle, undefined read, conflicting declarations
    unsupported,        ///< the device or driver lacks something that is needed
    no_device,          ///< no Vulkan loader, no device, or none that was asked for
    out_of_memory,      ///< host or device memory is exhausted
    limit_exceeded,     ///< a size is past a limit of the device
    shader_compilation, ///< GLSL that does not compile, or no compiler to compile it
    io,                 ///< a file cannot be read or written
    device_lost,        ///< the device was lost; its context is of no further use
    vulkan,             ///< any other failure that Vulkan reports
};

/// What went wrong, as a value. `message` is one sentence that names the pass, the resource and the number at fault.
struct Error {
    ErrorCode code = ErrorCode::invalid_argument;
    std::string message;
};

/// Every call that can fail returns one; no exception crosses Weir's interface.
template <class T = void>
using Result = tl::expected<T, Error>;

} // namespace weir
