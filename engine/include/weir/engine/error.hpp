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

/// What kind of failure an Error is.
enum class ErrorCode : std::uint8_t {
    invalid_argument,   ///< the caller passed a value that is not possible
    invalid_graph,      ///< a graph cannot be compiled: a cycle, an undefined read, conflicting declarations
    unsupported,        ///< the device or driver lacks something that is needed
    no_device,          ///< no Vulkan loader, no device, or no device that matches the request
    out_of_memory,      ///< host or device memory is exhausted
    limit_exceeded,     ///< a size exceeds a limit of the device
    shader_compilation, ///< GLSL does not compile, or there is no compiler
    io,                 ///< a file cannot be read or written
    device_lost,        ///< the device was lost; its context cannot be used any more
    vulkan,             ///< any other failure that Vulkan reports
};

/// A failure, as a value. `message` is one sentence that names the pass, the resource and the number at fault.
struct WEIR_API Error {
    ErrorCode code = ErrorCode::invalid_argument; ///< the kind of failure
    std::string message;                          ///< one sentence, for people
    VkResult result = VK_SUCCESS;                 ///< the result of the Vulkan call that failed, if one did
};

} // namespace weir

// Doxygen knows no specializations of classes of others.
/// @cond

/// The exception that `value()` of a Result throws where there is an error. `what()` is the message of the error.
template <>
class WEIR_API tl::bad_expected_access<weir::Error> : public std::exception {
public:
    /// An exception with this error.
    explicit bad_expected_access(weir::Error error) : error_(std::move(error)) {}
    /// The message of the error.
    [[nodiscard]] const char* what() const noexcept override { return error_.message.c_str(); }
    /// The error.
    [[nodiscard]] const weir::Error& error() const noexcept { return error_; }

private:
    weir::Error error_;
};
/// @endcond

namespace weir {

/// The return type of every call that can fail: a value or an Error. No exception crosses the interface of Weir.
template <class T = void>
using Result = tl::expected<T, Error>;

namespace detail {
[[noreturn]] WEIR_API void throw_error(Error error);
} // namespace detail

/// Returns the value of a result, for programs that end at the first error. Where there is an error, it throws
/// tl::bad_expected_access<Error>, a std::exception whose `what()` is the message. A program that is compiled without
/// exceptions ends with the message.
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

/// Does what `unwrap` does. Where a macro `check(x)` exists, as in Unreal Engine, call `unwrap` or `(weir::check)`.
template <class T>
auto(check)(Result<T> result) -> T { // the parentheses keep such a macro from replacing the name
    return weir::unwrap(std::move(result));
}

} // namespace weir
