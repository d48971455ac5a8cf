#pragma once

#include <exception>
#include <type_traits>

#include <weir/engine/error.hpp>

#include "engine/text.hpp"

namespace weir {

/// Calls a function of the host's, which returns a Result<> or nothing. What it throws becomes an error, since no
/// exception crosses Weir's interface; `describe` says what threw.
template <class Call, class Describe>
Result<> guarded(const Call& call, const Describe& describe) {
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
