#pragma once

#include <cstdint>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>

namespace weir {

/// Where segments begin: consecutive elements that are scanned, reduced or sorted on their own, all in one dispatch.
///
/// By lengths, flags, bits and keys every element is in a segment: the first element begins one. By offsets, elements
/// before the first offset are in no segment, and neither are elements from the last offset of `between_offsets` on. No
/// primitive writes an output for these elements, and no result depends on them. A fused scan does not call `store` for
/// them, but it may call `load`.
struct Segments {
    /// How the beginnings are given.
    enum class Kind : std::uint8_t {
        none,    ///< all elements are one segment
        length,  ///< segments of one length
        flags,   ///< a word per element
        bits,    ///< a bit per element
        keys,    ///< a key per element
        offsets, ///< an offset per segment
    };

    Kind kind = Kind::none;      ///< how the beginnings are given
    BufferId buffer = {};        ///< the flags, bits, keys or offsets
    std::uint32_t capacity = 0;  ///< how many of them fit in the buffer; of bits, words
    Count count = {};            ///< number of segments at offsets
    std::uint32_t length = 0;    ///< elements of each segment
    std::uint32_t key_words = 1; ///< 32-bit words of a key
    bool end_given = false;      ///< one more offset follows, where the last segment ends

    /// Each segment has `length` elements, at least 1; the last one may have fewer.
    static Segments of_length(std::uint32_t length) { return {.kind = Kind::length, .length = length}; }

    /// Neighbours are in one segment if the bits of their keys are equal. As many keys as elements, without gaps; K has
    /// 1 to 16 words.
    template <class K>
    static Segments of_keys(BufferRef<K> keys) {
        static_assert(sizeof(K) % 4 == 0 && sizeof(K) <= 64, "a key has 1 to 16 words");
        return {.kind = Kind::keys, .buffer = keys, .capacity = keys.capacity, .key_words = sizeof(K) / 4};
    }

    /// Element i begins a segment if word i is not 0.
    static Segments at_flags(BufferRef<std::uint32_t> flags) {
        return {.kind = Kind::flags, .buffer = flags, .capacity = flags.capacity};
    }

    /// Element i begins a segment if bit i % 32 of word i / 32 is set.
    static Segments at_bits(BufferRef<std::uint32_t> bits) {
        return {.kind = Kind::bits, .buffer = bits, .capacity = bits.capacity};
    }

    /// Segment s has the elements from offsets[s] to before offsets[s + 1]; the last segment, to the end. There are
    /// `offsets.count` segments. Offsets ascend; a segment is empty where the next offset is equal, or where its offset
    /// is past the end. For offsets with one more for the end, as CUB takes them, see `between_offsets`.
    static Segments at_offsets(BufferRef<std::uint32_t> offsets) {
        return {.kind = Kind::offsets, .buffer = offsets, .capacity = offsets.capacity, .count = offsets.count};
    }

    /// Segment s has the elements from offsets[s] to before offsets[s + 1], the last segment too: `offsets` has
    /// `segments` + 1 words, as CUB's offsets have. Its count does not matter. Offsets ascend; an offset past the end
    /// counts as the end.
    static Segments between_offsets(BufferRef<std::uint32_t> offsets, const Count& segments) {
        return {.kind = Kind::offsets,
                .buffer = offsets,
                .capacity = offsets.capacity,
                .count = segments,
                .end_given = true};
    }

    /// Returns the maximum number of segments of `elements` elements.
    [[nodiscard]] WEIR_API std::uint32_t most(std::uint32_t elements) const;
};

} // namespace weir
