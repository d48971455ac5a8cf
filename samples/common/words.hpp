#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <weir/engine/error.hpp>

namespace samples {

using Words = std::vector<std::uint32_t>;

Words random_words(std::size_t count, std::uint64_t seed);

/// A file's bytes as little-endian words, `most` at the most. Errors: `io`, also for a size that is no multiple of 4;
/// `limit_exceeded` for more words.
weir::Result<Words> read_words(const std::string& path, std::uint64_t most);

} // namespace samples
