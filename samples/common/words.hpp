#pragma once

#include <cstdint>
#include <vector>

namespace samples {

using Words = std::vector<std::uint32_t>;

Words random_words(std::size_t count, std::uint64_t seed);

} // namespace samples
