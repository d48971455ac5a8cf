#pragma once

#include <span>
#include <string>
#include <vector>

#include "tune/tuner.hpp"

namespace weir::bench {

/// Returns a line per row of a kernel. It says that the row is the best for its sizes, or how far it is behind the best
/// shape, and at which size. `choices` must be sorted by size.
std::vector<std::string> verdicts(std::span<const KernelShape> rows, std::span<const Choice> choices);

/// Returns the changed rows in the form of a diff.
std::vector<std::string> changes(std::span<const KernelShape> before, std::span<const KernelShape> after);

} // namespace weir::bench
