#pragma once

#include <span>
#include <string>
#include <vector>

#include "tune/tuner.hpp"

namespace weir::bench {

/// For each row of a kernel, a line: whether a search found nothing better for the sizes of the row, or how far behind
/// the best shape it is, and at which size. `choices`: by ascending size.
std::vector<std::string> verdicts(std::span<const KernelShape> rows, std::span<const Choice> choices);

/// The rows that change, as a diff shows them.
std::vector<std::string> changes(std::span<const KernelShape> before, std::span<const KernelShape> after);

} // namespace weir::bench
