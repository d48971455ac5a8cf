#pragma once

#include <weir/engine/capabilities.hpp>
#include <weir/engine/error.hpp>

namespace weir {

/// Checks that a graph built for capabilities `made_for` can run on `device`: the same device and driver, with at least
/// those features, limits and queues. Errors: `invalid_argument`.
Result<> check_made_for(const Capabilities& made_for, const Capabilities& device);

} // namespace weir
