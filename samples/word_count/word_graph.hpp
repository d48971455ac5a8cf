#pragma once

#include <cstdint>

#include <weir/weir.hpp>

namespace samples {

/// What different words have in common by chance only: the values of a polynomial whose coefficients are the word's
/// letters, modulo 2^31 - 1, at two places.
struct Fingerprints {
    static constexpr std::uint32_t modulus = (1U << 31) - 1;
    static constexpr std::uint32_t max_bits = 62;

    std::uint32_t places[2];
};

/// A graph that counts words, and its buffers.
struct WordGraph {
    weir::BufferRef<std::uint32_t> text;         ///< to be bound: bytes, the last of which is no letter
    weir::BufferRef<std::uint32_t> fingerprints; ///< to be bound: a Fingerprints
    weir::BufferRef<std::uint32_t> counts;       ///< of each different word how often it occurs, falling
    weir::BufferRef<std::uint32_t> starts;       ///< likewise the place of its first byte where it occurs first
    weir::BufferRef<std::uint32_t> lengths;      ///< likewise its length
    weir::BufferRef<std::uint32_t> words;        ///< a word: how many words the text has
    weir::BufferRef<std::uint32_t> different;    ///< a word: how many of them are different
    weir::BufferRef<std::uint32_t> collisions;   ///< a word: not 0 if different words have one fingerprint, so that the
                                                 ///< counts are wrong
};

/// Adds the passes for a text of so many bytes, a multiple of `text_unit`, and exports the results. `bits` are kept of
/// each fingerprint.
WordGraph add_word_count(weir::Graph& graph, std::uint32_t bytes, std::uint32_t bits);

/// The longest text, in bytes.
std::uint64_t most_text(const weir::Capabilities& device);

} // namespace samples
