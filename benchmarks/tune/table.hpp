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

/// The best shape by size, as the power of two of the words that it was measured with; none where the present one is.
using Winners = std::map<std::uint32_t, std::optional<KernelShape>>;

/// `rows` of one kernel with the winners in the places of what they had, as few rows as say it. A size between two
/// that were measured goes with the larger one. `whole`: smaller and larger sizes go with the nearest one instead of
/// staying as they were.
std::vector<KernelShape> with_winners(std::span<const KernelShape> rows, const Winners& winners, bool whole);

/// A row as its line, without the line's end.
std::string line_of(const KernelShape& row);

/// `text` with `rows`, which are all those of their device and kernel, in the place of what it had for them; all other
/// lines stay as they are. The first rows of a device are preceded by `remark`, as a comment.
std::string replace_rows(std::string_view text, std::span<const KernelShape> rows, const std::string& remark);

} // namespace weir::bench
