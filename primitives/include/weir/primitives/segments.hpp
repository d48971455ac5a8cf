#pragma once

#include <cstdint>

#include <weir/engine/export.hpp>
#include <weir/graph/graph.hpp>

namespace weir {

/// Segments: ranges of consecutive elements that are scanned, reduced or sorted separately, all in one dispatch.
///
/// With lengths, flags, bits and keys every element is in a segment, and the first element begins one. With offsets,
/// elements before the first offset are in no segment, and neither are elements from the last offset of
/// `between_offsets` on. With ranges, elements between two ranges are in no segment either. No primitive writes an
/// output for these elements, and no result depends on them. A fused scan does not call `store` for them, but it may
/// call `load`.
///
/// Scans and reductions take every kind except rows. Sorts and top-k take segments of one constant length, rows, or
/// segments at offsets.
struct Segments {
    /// Representation of the beginnings of segments.
    enum class Kind : std::uint8_t {
        none,    ///< all elements are one segment
        length,  ///< segments of one length
        flags,   ///< a word per element
        bits,    ///< a bit per element
        keys,    ///< a key per element
        offsets, ///< an offset per segment
        ranges,  ///< a begin and an end per segment
        rows,    ///< a number of rows of one length; `segmented_sort` and `segmented_top_k` only
    };

    Kind kind = Kind::none;             ///< representation of the beginnings
    BufferId buffer = {};               ///< flags, bits, keys, offsets or begins of ranges
    std::uint32_t capacity = 0;         ///< capacity of `buffer` in flags, words of bits, keys, offsets or begins
    Count count = {};                   ///< number of segments at offsets or in ranges, or of rows
    std::uint32_t length = 0;           ///< elements per segment, or their maximum
    std::uint32_t key_words = 1;        ///< 32-bit words of a key
    bool end_given = false;             ///< `buffer` has one more offset, the end of the last segment
    BufferRef<std::uint32_t> ends = {}; ///< ends of ranges
    /// Elements per row, or per segment of one length if they are a parameter or on the GPU. A constant 0: `length`
    /// counts.
    Count variable_length = {};

    /// Returns segments of `length` elements each. `length` must be at least 1. The last segment may have fewer
    /// elements.
    static Segments of_length(std::uint32_t length) { return {.kind = Kind::length, .length = length}; }

    /// Returns segments of `length` elements each, as above, for a length that is a parameter of the graph or on the
    /// GPU. A length of 0 counts as 1.
    static Segments of_length(const Count& length) {
        return {.kind = Kind::length,
                .length = length.max,
                .variable_length = length.kind == Count::Kind::constant ? Count() : length};
    }

    /// Returns the rows of a row-major matrix: `rows` segments of `length` elements each. Both may be parameters, or
    /// counts on the GPU, so that one program takes matrices of many shapes. `rows.max` * `length.max` elements must
    /// fit in the input, whose own count is not used. Elements after the last row are in no segment. Only
    /// `segmented_sort` and `segmented_top_k` accept rows; scans and reductions take `of_length(length)`.
    static Segments of_rows(const Count& rows, const Count& length) {
        return {.kind = Kind::rows, .count = rows, .variable_length = length};
    }

    /// Returns segments of consecutive elements whose keys have equal bits. `keys` must have one key per element,
    /// without gaps. K has 1 to 16 words.
    template <class K>
    static Segments of_keys(BufferRef<K> keys) {
        static_assert(sizeof(K) % 4 == 0 && sizeof(K) <= 64, "a key must have 1 to 16 words");
        return {.kind = Kind::keys, .buffer = keys, .capacity = keys.capacity, .key_words = sizeof(K) / 4};
    }

    /// Returns segments that begin at each element i whose word i is not 0.
    static Segments at_flags(BufferRef<std::uint32_t> flags) {
        return {.kind = Kind::flags, .buffer = flags, .capacity = flags.capacity};
    }

    /// Returns segments that begin at each element i whose bit, i % 32 of word i / 32, is set.
    static Segments at_bits(BufferRef<std::uint32_t> bits) {
        return {.kind = Kind::bits, .buffer = bits, .capacity = bits.capacity};
    }

    /// Returns `offsets.count` segments. Segment s has the elements from offsets[s] to before offsets[s + 1]; the last
    /// segment extends to the end. Offsets must ascend. A segment is empty if the next offset is equal, or if its
    /// offset is beyond the end. For offsets with an additional end offset, as in CUB, see `between_offsets`.
    static Segments at_offsets(BufferRef<std::uint32_t> offsets) {
        return {.kind = Kind::offsets, .buffer = offsets, .capacity = offsets.capacity, .count = offsets.count};
    }

    /// Returns `segments` segments. Segment s has the elements from offsets[s] to before offsets[s + 1]. `offsets` has
    /// `segments` + 1 words, as in CUB; its count is not used. Offsets must ascend. An offset beyond the end counts as
    /// the end.
    static Segments between_offsets(BufferRef<std::uint32_t> offsets, const Count& segments) {
        return {.kind = Kind::offsets,
                .buffer = offsets,
                .capacity = offsets.capacity,
                .count = segments,
                .end_given = true};
    }

    /// Returns `begins.count` segments. Segment s has the elements from begins[s] to before ends[s], like the begin and
    /// end offsets of CUB. Begins must ascend, and ranges must not overlap: ends[s] <= begins[s + 1]. A segment is
    /// empty if its end is not greater than its begin, or if its begin is beyond the end of the elements. An end beyond
    /// that counts as that end.
    static Segments of_ranges(BufferRef<std::uint32_t> begins, BufferRef<std::uint32_t> ends) {
        return {
            .kind = Kind::ranges, .buffer = begins, .capacity = begins.capacity, .count = begins.count, .ends = ends};
    }

    /// Returns the maximum number of segments of `elements` elements.
    [[nodiscard]] WEIR_API std::uint32_t max_segments(std::uint32_t elements) const;
};

} // namespace weir
