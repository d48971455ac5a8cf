#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// The format in which shaders and their texts are packed into the library. engine/codec writes it,
// engine/codec/unpack.cpp reads it. Each element of the format is one function for both directions. With a BitWriter it
// codes its argument; with a BitReader it ignores the argument and returns the decoded value.
//
// Bytes are packed as literals and matches with earlier bytes (Ziv and Lempel). Their bits are coded by adaptive binary
// arithmetic coding, much as in LZMA. The words of SPIR-V are converted to bytes first; see WordCoder.

namespace weir::packing {

/// Estimated probability of a bit in one context.
struct BitModel {
    std::uint16_t probability = 2048; ///< of a 1, in units of 1/4096
};

/// Returns the end of the part of the coded interval that stands for a 1: [low, split]. The rest stands for a 0.
constexpr std::uint32_t split(std::uint32_t low, std::uint32_t high, BitModel model) {
    return low + (high - low) / 4096 * model.probability;
}

inline void learn(BitModel& model, bool bit) {
    const int change = bit ? (4095 - model.probability) / 16 : -(model.probability / 16);
    model.probability = static_cast<std::uint16_t>(model.probability + change);
}

class BitWriter {
public:
    bool code(BitModel& model, bool bit) {
        const std::uint32_t middle = split(low_, high_, model);
        (bit ? high_ : low_) = bit ? middle : middle + 1;
        learn(model, bit);
        for (; (low_ ^ high_) < 1U << 24; low_ <<= 8, high_ = high_ << 8 | 0xFF) {
            bytes_.push_back(static_cast<std::uint8_t>(high_ >> 24));
        }
        return bit;
    }

    /// Returns the coded bytes. Must be called once, after the last bit.
    std::vector<std::uint8_t> take() {
        for (int i = 0; i < 4; ++i, high_ <<= 8) {
            bytes_.push_back(static_cast<std::uint8_t>(high_ >> 24));
        }
        return std::move(bytes_);
    }

private:
    std::uint32_t low_ = 0, high_ = ~0U;
    std::vector<std::uint8_t> bytes_;
};

class BitReader {
public:
    explicit BitReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {
        for (int i = 0; i < 4; ++i) {
            take_byte();
        }
    }

    bool code(BitModel& model, bool /*unknown*/) {
        const std::uint32_t middle = split(low_, high_, model);
        const bool bit = value_ <= middle;
        (bit ? high_ : low_) = bit ? middle : middle + 1;
        learn(model, bit);
        for (; (low_ ^ high_) < 1U << 24; low_ <<= 8, high_ = high_ << 8 | 0xFF) {
            take_byte();
        }
        return bit;
    }

private:
    void take_byte() { value_ = value_ << 8 | (at_ < bytes_.size() ? bytes_[at_++] : 0U); }

    std::span<const std::uint8_t> bytes_;
    std::size_t at_ = 0;
    std::uint32_t low_ = 0, high_ = ~0U, value_ = 0;
};

/// Codes the low `bits` bits of a number, each in the context of the higher ones. `models` has 2^bits models.
template <class Coder>
std::uint32_t code_bits(Coder& coder, BitModel* models, int bits, std::uint32_t number) {
    std::uint32_t known = 1;
    for (int i = bits - 1; i >= 0; --i) {
        known = known << 1 | std::uint32_t{coder.code(models[known], (number >> i & 1U) != 0)};
    }
    return known - (1U << bits);
}

/// Models for numbers from 1 on. The width is coded first, then the bits.
struct NumberModels {
    std::array<BitModel, 32> width;
    std::array<std::array<BitModel, 8>, 32> high; ///< by width: up to three bits after the highest
    std::array<BitModel, 32> low;                 ///< the other bits, by position
};

template <class Coder>
std::uint32_t code_number(Coder& coder, NumberModels& models, std::uint32_t number) {
    const std::uint32_t width =
        code_bits(coder, models.width.data(), 5, static_cast<std::uint32_t>(std::bit_width(number)) - 1);
    const int high_bits = std::min(static_cast<int>(width), 3);
    const int low_bits = static_cast<int>(width) - high_bits;
    std::uint32_t out = 1U << high_bits | code_bits(coder, models.high[width].data(), high_bits,
                                                    number >> low_bits & ((1U << high_bits) - 1));
    for (int i = low_bits - 1; i >= 0; --i) {
        out = out << 1 | std::uint32_t{coder.code(models.low[static_cast<std::size_t>(i)], (number >> i & 1U) != 0)};
    }
    return out;
}

/// A literal byte, or a copy of the `length` bytes that start `distance` bytes earlier.
struct Token {
    std::uint8_t literal = 0;
    std::uint32_t length = 0; ///< 0: a literal
    std::uint32_t distance = 0;
};
constexpr std::uint32_t shortest_match = 2;

class TokenCoder {
public:
    /// Codes a token. `previous`: the byte before it.
    template <class Coder>
    Token code(Coder& coder, Token token, std::uint8_t previous) {
        const bool is_match = coder.code(is_match_[after_match_], token.length != 0);
        after_match_ = is_match ? 1 : 0;
        if (!is_match) {
            return {static_cast<std::uint8_t>(code_bits(coder, literals_[previous >> 4].data(), 8, token.literal))};
        }
        token.length = code_number(coder, lengths_, token.length - shortest_match + 1) + shortest_match - 1;
        const bool repeats = coder.code(repeats_, token.distance == last_distance_);
        if (!repeats) {
            NumberModels& models = distances_[std::min(token.length - shortest_match, 3U)];
            last_distance_ = code_number(coder, models, token.distance);
        }
        return {0, token.length, last_distance_};
    }

private:
    std::array<BitModel, 2> is_match_;
    std::array<std::array<BitModel, 256>, 16> literals_; ///< by the upper half of the previous byte
    NumberModels lengths_;
    std::array<NumberModels, 4> distances_;
    BitModel repeats_;
    std::size_t after_match_ = 0;
    std::uint32_t last_distance_ = 0;
};

/// Converts words of SPIR-V to numbers, which are packed with 7 bits per byte. In instructions, a word just below the
/// highest id so far becomes its distance from there. Code that occurs twice with different ids therefore becomes the
/// same bytes.
class WordCoder {
public:
    /// Converts a word of an instruction, other than its first, to a number. `word_of` converts it back.
    [[nodiscard]] std::uint64_t number_of(std::uint32_t word) const {
        const std::uint32_t distance = highest_id_ + 1 - word;
        return distance < near ? std::uint64_t{distance} << 1 | 1 : std::uint64_t{word} << 1;
    }
    [[nodiscard]] std::uint32_t word_of(std::uint64_t number) const {
        const auto half = static_cast<std::uint32_t>(number >> 1);
        return (number & 1) != 0 ? highest_id_ + 1 - half : half;
    }
    /// Must be called after each conversion, with the word and its position in the instruction. Updates the highest id:
    /// results are at position 1, or at 2 after their type.
    void pass(std::uint32_t word, std::uint32_t place) {
        if (place <= 2 && word == highest_id_ + 1) {
            highest_id_ = word;
        }
    }

private:
    static constexpr std::uint32_t near = 64;
    std::uint32_t highest_id_ = 0;
};
constexpr std::size_t spirv_header_words = 5;
/// An instruction begins with the number opcode * many_operands + operands. `operands` is the number of operands, at
/// most many_operands - 1. At that maximum, the actual number of operands follows.
constexpr std::uint32_t many_operands = 16;

} // namespace weir::packing
