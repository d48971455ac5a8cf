#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weir::bench {

/// Parses "10:28:2", "10:28" or "20" as powers of two. Returns an empty list if the text has another form.
std::vector<std::uint32_t> parse_sizes(const std::string& text);

/// Returns the mistake in such a text, for the command line; empty if there is none.
std::string sizes_mistake(const std::string& text);

/// Parses "3072:6143", "2^10:2^11:2^9" or "5000" as numbers of items. Returns an empty list if the text has another
/// form, a number is 0, or there are more than 2^20 numbers.
std::vector<std::uint32_t> parse_counts(const std::string& text);
std::string counts_mistake(const std::string& text);

} // namespace weir::bench
