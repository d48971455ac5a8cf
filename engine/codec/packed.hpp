#pragma once

#include <cstddef>
#include <cstdint>

namespace weir {

/// A kernel or a text of the library, packed by engine/codec; see unpack.hpp. It has a pointer and a size instead of a
/// span, because each kernel is a source file of its own, which compiles in a tenth of the time without <span>.
struct Packed {
    const std::uint8_t* bytes;
    std::size_t size;
};

} // namespace weir
