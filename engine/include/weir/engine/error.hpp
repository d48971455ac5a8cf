#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>

#include <tl/expected.hpp>
#include <vulkan/vulkan_core.h>

#include <weir/engine/export.hpp>

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
struct WEIR_API Error {
    ErrorCode code = ErrorCode::invalid_argument;
    std::string message;
    VkResult result = VK_SUCCESS; ///< what Vulkan returned, if it is Vulkan that failed
};

} // namespace weir

/// What `value()` of a Result throws where there is an error: `what()` is the error's message.
template <>
class WEIR_API tl::bad_expected_access<weir::Error> : public std::exception {
public:
    explicit bad_expected_access(weir::Error error) : error_(std::move(error)) {}
    [[nodiscard]] const char* what() const noexcept override { return error_.message.c_str(); }
    [[nodiscard]] const weir::Error& error() const noexcept { return error_; }

private:
    weir::Error error_;
};

namespace weir {

/// Every call that can fail returns one; no exception crosses Weir's interface.
template <class T = void>
using Result = tl::expected<T, Error>;

namespace detail {
[[noreturn]] WEIR_API void throw_error(Error error);
} // namespace detail

/// The value of a result, for programs that end where anything fails. Where there is an error it throws
/// tl::bad_expected_access<Error>, a std::exception whose `what()` is the message; a program that is compiled without
/// exceptions ends there, with the message.
///
///     auto gpu = weir::check(weir::Context::create());
///     weir::check(gpu.upload(buffer, numbers));
template <class T>
T check(Result<T> result) {
    if (!result) {
        detail::throw_error(std::move(result).error());
    }
    if constexpr (!std::is_void_v<T>) {
        return std::move(*result);
    }
}

} // namespace weir
