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

/// Kinds of failures.
enum class ErrorCode : std::uint8_t {
    invalid_argument,   ///< the caller passed an invalid value
    invalid_graph,      ///< a graph cannot be compiled: a cycle, an undefined read, conflicting declarations
    unsupported,        ///< the device or driver lacks a required feature
    no_device,          ///< no Vulkan loader, no device, or no device that matches the request
    out_of_memory,      ///< host or device memory is exhausted
    limit_exceeded,     ///< a size exceeds a limit of the device
    shader_compilation, ///< GLSL does not compile, or no compiler is available
    io,                 ///< a file cannot be read or written
    device_lost,        ///< the device was lost; its context can no longer be used
    vulkan,             ///< any other failure reported by Vulkan
};

/// A failure, as a value.
struct WEIR_API Error {
    ErrorCode code = ErrorCode::invalid_argument; ///< the kind of failure
    std::string message;          ///< one sentence that names the pass, the resource and the number at fault
    VkResult result = VK_SUCCESS; ///< result of the Vulkan call that failed; VK_SUCCESS if none failed
};

} // namespace weir

// Doxygen does not support specializations of classes of other projects.
/// @cond

/// Exception that `value()` of a Result throws if the Result is an error. `what()` returns the error's message.
template <>
class WEIR_API tl::bad_expected_access<weir::Error> : public std::exception {
public:
    /// Creates an exception from an error.
    explicit bad_expected_access(weir::Error error) : error_(std::move(error)) {}
    /// Returns the error's message.
    [[nodiscard]] const char* what() const noexcept override { return error_.message.c_str(); }
    /// Returns the error.
    [[nodiscard]] const weir::Error& error() const noexcept { return error_; }

private:
    weir::Error error_;
};
/// @endcond

namespace weir {

/// Return type of every call that can fail: a value or an Error. No exception crosses Weir's interface.
template <class T = void>
using Result = tl::expected<T, Error>;

namespace detail {
[[noreturn]] WEIR_API void throw_error(Error error);
} // namespace detail

/// Returns the value of a result, for applications that end at the first error. If the result is an error, throws
/// tl::bad_expected_access<Error>, a std::exception whose `what()` returns the message. An application compiled without
/// exceptions terminates with the message.
///
///     auto gpu = weir::unwrap(weir::Context::create());
///     weir::unwrap(gpu.upload(buffer, numbers));
template <class T>
T unwrap(Result<T> result) {
    if (!result) {
        detail::throw_error(std::move(result).error());
    }
    if constexpr (!std::is_void_v<T>) {
        return std::move(*result);
    }
}

/// Same as `unwrap`. If a macro `check(x)` is defined, as in Unreal Engine, call `unwrap` or `(weir::check)`.
template <class T>
auto(check)(Result<T> result) -> T { // the parentheses keep the macro from expanding
    return weir::unwrap(std::move(result));
}

} // namespace weir
