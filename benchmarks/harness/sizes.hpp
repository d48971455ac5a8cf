#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace weir::bench {

/// "10:28:2", "10:28" or "20" as the powers of two; empty if it is none of them.
std::vector<std::uint32_t> parse_sizes(const std::string& text);

/// What is wrong with such a text; empty if nothing is. For the command line.
std::string sizes_mistake(const std::string& text);

/// "3072:6143", "2^10:2^11:2^9" or "5000" as numbers of items, of which there are at most 2^20; empty if it is none of
/// them.
std::vector<std::uint32_t> parse_counts(const std::string& text);
std::string counts_mistake(const std::string& text);

} // namespace weir::bench
