#pragma once

#include <cstdint>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>

namespace weir {

/// Where segments begin: runs of elements that are scanned or reduced each for itself, all in one dispatch. The first
/// element begins one, whatever else is said.
struct Segments {
    enum class Kind : std::uint8_t { none, length, flags, bits, keys, offsets };

    Kind kind = Kind::none;      ///< none: all elements are one
    BufferId buffer = {};        ///< the flags, bits, keys or offsets
    std::uint32_t capacity = 0;  ///< how many of them there is room for; of bits, words
    Count count = {};            ///< of offsets
    std::uint32_t length = 0;    ///< elements of each
    std::uint32_t key_words = 1; ///< 32-bit words of a key

    /// Each has `length` elements, the last one what is left. At least 1.
    static Segments of_length(std::uint32_t length) { return {.kind = Kind::length, .length = length}; }

    /// Neighbours are in one segment if their keys have the same bits. As many keys as elements, without gaps; K has 1
    /// to 16 words.
    template <class K>
    static Segments of_keys(BufferRef<K> keys) {
        static_assert(sizeof(K) % 4 == 0 && sizeof(K) <= 64, "a key has 1 to 16 words");
        return {.kind = Kind::keys, .buffer = keys, .capacity = keys.capacity, .key_words = sizeof(K) / 4};
    }

    /// Element i begins one if word i is not 0.
    static Segments at_flags(BufferRef<std::uint32_t> flags) {
        return {.kind = Kind::flags, .buffer = flags, .capacity = flags.capacity};
    }

    /// Element i begins one if bit i % 32 of word i / 32 is set.
    static Segments at_bits(BufferRef<std::uint32_t> bits) {
        return {.kind = Kind::bits, .buffer = bits, .capacity = bits.capacity};
    }

    /// Segment s has the elements from offsets[s] to before offsets[s + 1], or to the last. There are `offsets.count`
    /// segments. Offsets ascend, from 0 on: where two are the same, or past the end, a segment is empty.
    static Segments at_offsets(BufferRef<std::uint32_t> offsets) {
        return {.kind = Kind::offsets, .buffer = offsets, .capacity = offsets.capacity, .count = offsets.count};
    }

    /// How many segments so many elements can have; of offsets, how many there can be.
    [[nodiscard]] WEIR_API std::uint32_t most(std::uint32_t elements) const;
};

} // namespace weir
