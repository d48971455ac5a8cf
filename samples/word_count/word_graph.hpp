#pragma once

#include <cstdint>

#include <weir/weir.hpp>

namespace samples {

/// Parameters of a fingerprint. The fingerprint is the value of a polynomial modulo 2^31 - 1, whose coefficients are
/// the word's letters, at two places. Different words have equal fingerprints only by chance.
struct Fingerprints {
    static constexpr std::uint32_t modulus = (1U << 31) - 1;
    static constexpr std::uint32_t max_bits = 62;

    std::uint32_t places[2];
};

/// Buffers of a graph that counts words.
struct WordGraph {
    weir::BufferRef<std::uint32_t> text;         ///< import: the bytes; the last one must not be a letter
    weir::BufferRef<std::uint32_t> fingerprints; ///< import: a Fingerprints
    weir::BufferRef<std::uint32_t> counts;       ///< number of occurrences of each different word, descending
    weir::BufferRef<std::uint32_t> starts;       ///< byte offset of the first occurrence of each different word
    weir::BufferRef<std::uint32_t> lengths;      ///< length of each different word
    weir::BufferRef<std::uint32_t> words;        ///< one word: number of words in the text
    weir::BufferRef<std::uint32_t> different;    ///< one word: number of different words
    /// One word: not 0 if fingerprints of different words collided, so that the counts are wrong.
    weir::BufferRef<std::uint32_t> collisions;
};

/// Adds the passes for a text of `bytes` bytes, a multiple of `text_unit`, and exports the results. Each fingerprint is
/// truncated to `bits` bits.
WordGraph add_word_count(weir::Graph& graph, std::uint32_t bytes, std::uint32_t bits);

/// Returns the maximum size of a text, in bytes.
std::uint64_t most_text(const weir::Capabilities& device);

} // namespace samples
