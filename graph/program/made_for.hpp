#pragma once

#include <weir/engine/capabilities.hpp>
#include <weir/engine/error.hpp>

namespace weir {

/// Whether what was made for one device, with what is known of it there, is for the device of a context. It may count
/// on less than that has. Errors: `invalid_argument`.
Result<> check_made_for(const Capabilities& made_for, const Capabilities& device);

} // namespace weir
