#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "primitives/kernel/shape_table.hpp"

namespace weir::bench {

/// The best shape by size. The key is the exponent of the measured size: 2^key words. The value is empty if the present
/// shape is the best.
using Winners = std::map<std::uint32_t, std::optional<KernelShape>>;

/// Returns `rows` of one kernel with the winners' shapes, in the minimum number of rows. A size between two measured
/// sizes takes the shape of the larger one. `whole`: sizes outside the measured range take the shape of the nearest
/// measured size; otherwise they do not change.
std::vector<KernelShape> with_winners(std::span<const KernelShape> rows, const Winners& winners, bool whole);

/// Returns the line of a row, without the newline.
std::string line_of(const KernelShape& row);

/// Returns `text` with all rows of one device and kernel replaced by `rows`. Other lines do not change. If the device
/// had no rows, adds `remark` before them, as a comment.
std::string replace_rows(std::string_view text, std::span<const KernelShape> rows, const std::string& remark);

} // namespace weir::bench
