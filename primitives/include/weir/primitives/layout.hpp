#pragma once

#include <cstdint>

namespace weir {

/// Layout of elements in a buffer: element i begins at word `offset + i * stride`.
struct WordLayout {
    std::uint32_t offset = 0; ///< 32-bit words before the first element
    std::uint32_t stride = 0; ///< 32-bit words from one element to the next; 0: the element size
};

} // namespace weir
