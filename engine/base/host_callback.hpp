#pragma once

#include <exception>
#include <type_traits>

#include <weir/engine/error.hpp>

#include "engine/base/strings.hpp"

namespace weir {

/// Calls a function of the application, which returns a Result<> or nothing. Converts exceptions to `invalid_argument`,
/// because no exception may cross Weir's interface. `describe` names the function in the message.
template <class Call, class Describe>
Result<> call_host(const Call& call, const Describe& describe) {
    try {
        if constexpr (std::is_void_v<decltype(call())>) {
            call();
            return {};
        } else {
            return call();
        }
    } catch (const std::exception& thrown) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, concat(describe(), " threw: ", thrown.what())});
    } catch (...) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument, concat(describe(), " threw something other than a std::exception")});
    }
}

} // namespace weir
